// The whole page: an obstacle (no connection, a host that could not start), else the sidebar and the page of the route.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { type ComponentType, useEffect } from 'react'
import { BundleScreen } from './features/bundles/bundle-screen.tsx'
import { useBundleDrop } from './features/bundles/open-bundle.ts'
import { useImageScaling } from './features/chat/attachments/use-attaching.ts'
import { useReviewedId } from './features/consent/request/use-review.ts'
import { NoticeList } from './features/notices/notices.tsx'
import { useShortcuts } from './navigation/shortcuts.ts'
import { ChatPage } from './pages/chat-page.tsx'
import { LazyDeepLinkBar, LazyFolderPage, routePages } from './pages/pages.ts'
import { type Route, useRoute } from './router.ts'
import { ConnectionLostBar, RefusedPage, StartErrorPage } from './shell/connection-pages.tsx'
import { CommandMenuSlot } from './shell/lazy-command-menu.tsx'
import { Notifier, RequestAnnouncer } from './shell/notifier.tsx'
import { Drawer, Sidebar } from './shell/sidebar.tsx'
import { StoresProvider, useConnection, useDeepLinks, useSettings, useStores } from './stores/store-hooks.tsx'
import type { Stores } from './stores/stores.ts'
import { cx } from './ui/lib/class-names.ts'
import { useTruncatedTitles } from './ui/lib/truncated-titles.ts'
import { Announcer, Toasts } from './ui/toasts.tsx'

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

function useTheme(): void {
  const theme = useSettings((state) => state.settings.theme)
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }, [theme])
}

function Shell() {
  const status = useConnection((state) => state.status)
  const started = useConnection((state) => state.about !== undefined)
  const outside = useDeepLinks().length > 0
  const startError = useConnection((state) => state.startError)
  useTheme()
  useShortcuts()
  useTruncatedTitles()
  useBundleDrop()
  useImageScaling()
  const sheet = useReviewedId() !== undefined
  if (status === 'refused') return <RefusedPage />
  if (!started) return startError ? <StartErrorPage error={startError} /> : <ConnectionLostBar quietFirst />
  return (
    <div className="shellframe">
      <div className="bars">
        {status === 'open' ? null : <ConnectionLostBar />}
        <NoticeList />
        {outside && <LazyDeepLinkBar />}
      </div>
      <div className={cx('app', sheet && 'rail')}>
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
  if (route.page === 'folder') return <LazyFolderPage key={route.id} id={route.id} edit={route.edit ?? false} />
  // The table pairs each page with its route, which an index by a union of names loses.
  const Page = routePages[route.page] as ComponentType<{ readonly route: Route }>
  return <Page route={route} />
}
