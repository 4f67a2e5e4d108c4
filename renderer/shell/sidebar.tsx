// The sidebar, and the same as a drawer over the page in narrow windows.
import { Dialog as Base } from '@base-ui/react/dialog'
import { useEffect } from 'react'
import { t } from '#app/i18n/translate.ts'
import { hrefOf, useRoute } from '#renderer/router.ts'
import { useServers, useStores, useView, useWaiting } from '#renderer/stores/store-hooks.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { Count, Dot, Icon, type IconName } from '#renderer/ui/icon.tsx'
import { ChordKeys } from '#renderer/ui/lib/key-chords.tsx'
import { useChords } from '../navigation/shortcuts.ts'
import { ChatList } from './chats/chat-list.tsx'

interface NavLinkProps {
  readonly page: 'chat' | 'search' | 'chats' | 'requests' | 'servers' | 'library' | 'activity' | 'settings'
  readonly icon: IconName
  readonly label: string
  /** Default: the route has that page. */
  readonly current?: boolean
  readonly children?: React.ReactNode
}

function NavLink({ page, icon, label, current, children }: NavLinkProps) {
  const isCurrent = useRoute().page === page
  return (
    <a href={hrefOf({ page })} title={label} aria-current={(current ?? isCurrent) ? 'page' : undefined}>
      <Icon name={icon} />
      <span className="t">{label}</span>
      {children}
    </a>
  )
}

function RequestCount() {
  const waiting = useWaiting()
  return waiting > 0 ? <Count value={waiting} label={t`waiting`} /> : null
}

function FailedDot() {
  const failed = useServers((state) => state.list.some((server) => server.state.kind === 'failed' && !server.state.offline))
  return failed ? <Dot tone="bad" label={t`a server failed`} /> : null
}

export function Sidebar({ inDrawer }: { readonly inDrawer?: boolean }) {
  const route = useRoute()
  const { view } = useStores()
  const chords = useChords()
  return (
    <nav className="side" aria-label={inDrawer ? t`Menu` : t`Main`}>
      <div className="brand">
        <Icon name="assent" />
        <span>{t`Assent`}</span>
      </div>
      {!inDrawer && (
        <IconButton
          label={t`Open menu with all chats`}
          icon="menu"
          className="railmenu"
          onClick={() => view.setState({ menuOpen: true })}
        />
      )}
      <NavLink page="chat" icon="plus" label={t`New chat`} current={route.page === 'chat' && route.id === undefined}>
        <ChordKeys chord={chords.newChat} />
      </NavLink>
      <NavLink page="search" icon="search" label={t`Search`}>
        <ChordKeys chord={chords.search} />
      </NavLink>
      <NavLink page="chats" icon="chat" label={t`All chats`} />
      <NavLink page="requests" icon="inbox" label={t`Requests`}>
        <RequestCount />
      </NavLink>
      <NavLink page="servers" icon="servers" label={t`Servers`} current={route.page === 'servers' || route.page === 'registry'}>
        <FailedDot />
      </NavLink>
      <NavLink page="library" icon="library" label={t`Library`} />
      <NavLink page="activity" icon="shield" label={t`Activity`} />
      <ChatList currentId={route.page === 'chat' ? route.id : undefined} />
      <span className="sp" />
      <NavLink page="settings" icon="sliders" label={t`Settings`}>
        <ChordKeys chord={chords.settings} />
      </NavLink>
    </nav>
  )
}

export function Drawer() {
  const { view } = useStores()
  const open = useView((state) => state.menuOpen)
  const route = useRoute()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes it
  useEffect(() => view.setState({ menuOpen: false }), [route, view])
  return (
    <Base.Root open={open} onOpenChange={(next) => view.setState({ menuOpen: next })}>
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Popup className="drawer" aria-label={t`Menu`}>
          <Sidebar inDrawer />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
