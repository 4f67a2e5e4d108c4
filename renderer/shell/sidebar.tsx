// The sidebar, and the same as a drawer over the page in narrow windows.
import { Dialog as Base } from '@base-ui/react/dialog'
import { type PointerEvent, useEffect, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { sidebarWidths } from '#app/settings.ts'
import { setSidebarWidth } from '#renderer/appearance.ts'
import { hrefOf, useRoute } from '#renderer/router.ts'
import { useActions, useServers, useSettings, useStores, useView, useWaiting } from '#renderer/stores/store-hooks.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { Count, Dot, Icon, type IconName } from '#renderer/ui/icon.tsx'
import { ChordKeys } from '#renderer/ui/lib/key-chords.tsx'
import { useTextScale } from '#renderer/ui/lib/use-visible-rows.ts'
import { sidebarToggleId, toggleSidebar, useChords } from '../navigation/shortcuts.ts'
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

function ToggleButton() {
  const stores = useStores()
  const collapsed = useSettings((state) => state.settings.sidebarCollapsed)
  return (
    <IconButton
      id={sidebarToggleId}
      label={collapsed ? t`Expand sidebar` : t`Collapse sidebar`}
      icon="sidebar"
      aria-expanded={!collapsed}
      className="side-toggle"
      onClick={() => toggleSidebar(stores)}
    />
  )
}

/** CSS pixels, at the usual text size, that an arrow key moves the edge by. */
const appName = 'Assent'
const step = 16

/** Edge of the sidebar: dragged, moved by the arrow keys, Home and End; a double click resets it, Enter collapses it. */
function SidebarHandle() {
  const stores = useStores()
  const { set } = useActions()
  const scale = useTextScale()
  const kept = useSettings((state) => state.settings.sidebarWidth)
  const [draft, setDraft] = useState<number | undefined>(undefined)
  const width = draft ?? kept
  const { min, max, usual } = sidebarWidths
  const rtl = document.documentElement.dir === 'rtl'
  const show = (to: number): number => {
    const next = Math.round(Math.min(max, Math.max(min, to)))
    setDraft(next)
    setSidebarWidth(next)
    return next
  }
  const keep = (to: number): void => set({ sidebarWidth: show(to) })
  const keys: Readonly<Record<string, number>> = {
    ArrowLeft: width - (rtl ? -step : step),
    ArrowRight: width + (rtl ? -step : step),
    Home: min,
    End: max,
  }
  const onDrag = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): number => {
    const { left = 0, right = 0 } = currentTarget.parentElement?.getBoundingClientRect() ?? {}
    return show((rtl ? right - clientX : clientX - left) / scale)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a splitter is no thematic break (ARIA, "Window Splitter Pattern")
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t`Width of the sidebar`}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      className="side-handle"
      onPointerDown={(event) => {
        if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onDrag(event)
      }}
      onLostPointerCapture={() => {
        if (draft !== undefined) set({ sidebarWidth: draft })
      }}
      onDoubleClick={() => keep(usual)}
      onBlur={() => setDraft(undefined)}
      onKeyDown={(event) => {
        const next = keys[event.key]
        if (next === undefined && event.key !== 'Enter') return
        event.preventDefault()
        if (next === undefined) toggleSidebar(stores)
        else keep(next)
      }}
    />
  )
}

export function Sidebar({ inDrawer }: { readonly inDrawer?: boolean }) {
  const route = useRoute()
  const { view } = useStores()
  const chords = useChords()
  const collapsed = useSettings((state) => state.settings.sidebarCollapsed)
  return (
    <nav className="side" aria-label={inDrawer ? t`Menu` : t`Main`}>
      <div className="brand">
        <Icon name="assent" />
        <span>{appName}</span>
        {!inDrawer && <ToggleButton />}
      </div>
      {!inDrawer && <IconButton label={t`Open menu`} icon="menu" className="railmenu" onClick={() => view.setState({ menuOpen: true })} />}
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
      {!inDrawer && !collapsed && <SidebarHandle />}
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
