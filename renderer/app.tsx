// The page as a whole: what stands in the way of it (no connection, a host that could not start), else the shell
// with the sidebar and the page that the address names.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { useEffect } from 'react'
import { BundleScreen } from './features/bundles/bundle-screen.tsx'
import { useBundleDrop } from './features/bundles/use-bundle-drop.ts'
import { useImageScaling } from './features/chat/attachments/use-image-scaling.ts'
import { ChatPage } from './features/chat/chat-page.tsx'
import { LazyCommandMenu } from './features/command-menu/lazy-command-menu.tsx'
import { useReviewedId } from './features/consent/use-review.ts'
import { Notices } from './features/notices/notices.tsx'
import {
  ChatsPage,
  FolderPage,
  LibraryPage,
  OutsideBar,
  RecordPage,
  RegistryPage,
  RequestsPage,
  SearchPage,
  ServersPage,
  SettingsPage,
} from './pages/pages.ts'
import { useRoute } from './router.ts'
import { LostBar, RefusedPage, StartErrorPage } from './shell/connection-pages.tsx'
import { Drawer } from './shell/drawer.tsx'
import { Notifier } from './shell/notifications/notifier.tsx'
import { RequestAnnouncer } from './shell/request-announcer.tsx'
import { useShortcuts } from './shell/shortcuts.ts'
import { Sidebar } from './shell/sidebar.tsx'
import { StoresProvider, useConnection, useOutside, useSettings, useStores } from './stores/react.tsx'
import type { Stores } from './stores/stores.ts'
import { cx } from './ui/class-names.ts'
import { useCutTitles } from './ui/cut-titles.ts'
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
  const link = useConnection((state) => state.link)
  const started = useConnection((state) => state.about !== undefined)
  const outside = useOutside().length > 0
  const startError = useConnection((state) => state.startError)
  useTheme()
  useShortcuts()
  useCutTitles()
  useBundleDrop()
  useImageScaling()
  const sheet = useReviewedId() !== undefined
  if (link === 'refused') return <RefusedPage />
  if (!started) return startError ? <StartErrorPage error={startError} /> : <LostBar quietFirst />
  return (
    <div className="shellframe">
      <div className="bars">
        {link === 'open' ? null : <LostBar />}
        <Notices />
        {outside && <OutsideBar />}
      </div>
      <div className={cx('app', sheet && 'rail')}>
        <Sidebar />
        <CurrentPage />
      </div>
      <Drawer />
      <LazyCommandMenu />
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
  switch (route.page) {
    case 'chat':
      return <ChatPage key={route.id ?? ''} id={route.id} />
    case 'search':
      return <SearchPage route={route} />
    case 'folder':
      return <FolderPage key={route.id} id={route.id} edit={route.edit ?? false} />
    case 'chats':
      return <ChatsPage route={route} />
    case 'servers':
      return <ServersPage route={route} />
    case 'registry':
      return <RegistryPage route={route} />
    case 'settings':
      return <SettingsPage route={route} />
    case 'requests':
      return <RequestsPage route={route} />
    case 'library':
      return <LibraryPage route={route} />
    case 'record':
      return <RecordPage route={route} />
  }
}
