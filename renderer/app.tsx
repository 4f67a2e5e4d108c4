// The whole page: an obstacle (no connection, a host that could not start), else the sidebar and the page of the route.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { type ComponentType, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { revealHidden } from '#app/text/hidden-characters.ts'
import { applyAppearance } from '#renderer/appearance.ts'
import { Spinner } from '#renderer/ui/icon.tsx'
import { holdTyping } from '#renderer/ui/lib/hold-typing.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice, WarnNotice } from '#renderer/ui/notice.tsx'
import { BundleScreen } from './features/bundles/bundle-screen.tsx'
import { useBundleDrop } from './features/bundles/open-bundle.ts'
import { useImageScaling } from './features/chat/attachments/use-attaching.ts'
import { whenIdle } from './features/chat/code/when-idle.ts'
import { useReviewedId } from './features/consent/request/use-review.ts'
import { NoticeList } from './features/notices/notices.tsx'
import { useShortcuts } from './navigation/shortcuts.ts'
import { ChatPage } from './pages/chat-page.tsx'
import { LazyCommandMenu, LazyDeepLinkBar, LazyFolderPage, LazyQuickEntry, routePages } from './pages/pages.ts'
import { type Route, useRoute } from './router.ts'
import { Notifier, RequestAnnouncer } from './shell/notifier.tsx'
import { Drawer, Sidebar } from './shell/sidebar.tsx'
import { StoresProvider, useConnection, useDeepLinks, useSettings, useStores, useView } from './stores/store-hooks.tsx'
import type { Stores } from './stores/stores.ts'
import { cx } from './ui/lib/class-names.ts'
import { useTruncatedTitles } from './ui/lib/truncated-titles.ts'
import { Announcer, Toasts } from './ui/toasts.tsx'

function CommandMenuSlot() {
  const open = useView((state) => state.commandsOpen)
  return open ? <OpenMenu /> : null
}

function OpenMenu() {
  const { view } = useStores()
  const field = useRef<HTMLInputElement>(null)
  const from = useRef<Element>(null)
  const close = (): void => view.setState({ commandsOpen: false })
  useLayoutEffect(() => {
    from.current = document.activeElement
    return holdTyping({
      field: () => field.current,
      isWanted: () => view.getState().commandsOpen,
      label: t`Commands, chats and servers`,
      onEscape: () => view.setState({ commandsOpen: false }),
    })
  }, [view])
  return <LazyCommandMenu field={field} from={from} onClose={close} />
}

/** `quietFirst`: the first connection is quick, so nothing is shown for 600 ms. */
function ConnectionLostBar({ quietFirst = false }: { readonly quietFirst?: boolean }) {
  const [quiet, setQuiet] = useState(quietFirst)
  useEffect(() => {
    if (!quiet) return
    const timer = setTimeout(() => setQuiet(false), 600)
    return () => clearTimeout(timer)
  }, [quiet])
  if (quiet) return <div className="topbar-lost" style={{ visibility: 'hidden' }} />
  return (
    <div className="topbar-lost" role="status">
      <Spinner />
      {quietFirst ? t`Connecting to Assent.` : t`The connection to Assent is lost. It reconnects automatically. Your text is kept.`}
    </div>
  )
}

export function App({ stores }: { readonly stores: Stores }) {
  return (
    <StoresProvider stores={stores}>
      <CSPProvider disableStyleElements>
        <DirectionProvider direction={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}>
          <Shell />
          <Toasts />
          <Announcer />
        </DirectionProvider>
      </CSPProvider>
    </StoresProvider>
  )
}

/** Applies the looks before what they are for is painted. Until the host tells them, those of the last time stand. */
function useAppearance(): void {
  const settings = useSettings((state) => state.settings)
  const known = useConnection((state) => state.about !== undefined)
  useLayoutEffect(() => {
    if (known) applyAppearance(settings)
  }, [settings, known])
}

function Shell() {
  // Compiling what finds hidden characters takes 80 ms at its first use, which is not to be added to the drawing of a text.
  useEffect(() => whenIdle(() => void revealHidden('\u200b')), [])
  const status = useConnection((state) => state.status)
  const started = useConnection((state) => state.about !== undefined)
  const startError = useConnection((state) => state.startError)
  const route = useRoute()
  useAppearance()
  useTruncatedTitles()
  useImageScaling()
  if (status === 'refused')
    return (
      <main className="whole">
        <div className="stack">
          <WarnNotice icon="lock" title={t`This page is signed out of Assent.`}>
            {tx`This link no longer works. Use the address that Assent prints at its start, or run ${<span className="mono">{t`npm start`}</span>}. Your chats are safe.`}
          </WarnNotice>
        </div>
      </main>
    )
  if (!started)
    return startError ? (
      <main className="whole">
        <div className="stack">
          <h1 className="h3">{t`Assent could not start`}</h1>
          <ErrorNotice error={startError} onRetry={() => window.location.reload()} />
        </div>
      </main>
    ) : (
      <ConnectionLostBar quietFirst />
    )
  return route.page === 'quick' ? <LazyQuickEntry id={route.id} /> : <WholeApp />
}

function WholeApp() {
  const status = useConnection((state) => state.status)
  const outside = useDeepLinks().length > 0
  useShortcuts()
  useBundleDrop()
  const sheet = useReviewedId() !== undefined
  const artifact = useView((state) => state.artifact !== undefined)
  const collapsed = useSettings((state) => state.settings.sidebarCollapsed)
  const covered = sheet || artifact
  return (
    <div className="shellframe">
      <div className="bars">
        {status === 'open' ? null : <ConnectionLostBar />}
        <NoticeList />
        {outside && <LazyDeepLinkBar />}
      </div>
      <div className={cx('app', (covered || collapsed) && 'rail', !covered && collapsed && 'collapsed')}>
        <Sidebar />
        <CurrentPage />
      </div>
      <Drawer />
      <CommandMenuSlot />
      <BundleScreen />
      <RequestAnnouncer />
      <Notifier />
    </div>
  )
}

function CurrentPage() {
  const route = useRoute()
  const { view } = useStores()
  const chat = route.page === 'chat' ? route.id : undefined
  useEffect(() => {
    if (chat !== undefined) view.setState({ lastChat: chat })
  }, [view, chat])
  if (route.page === 'chat') return <ChatPage key={route.id ?? ''} id={route.id} />
  if (route.page === 'quick') return null
  if (route.page === 'folder') return <LazyFolderPage key={route.id} id={route.id} edit={route.edit ?? false} />
  // The table pairs each page with its route, which an index by a union of names loses.
  const Page = routePages[route.page] as ComponentType<{ readonly route: Route }>
  return <Page route={route} />
}
