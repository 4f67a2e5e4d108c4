// Keyboard shortcuts that work everywhere. None of them decides anything: no key allows a request from outside its card.

import { type KeyboardEvent as PageKeyboardEvent, useEffect, useMemo } from 'react'
import type { PreloadBridge } from '#app/contract/host-connection.ts'
import { type Chord, type Chords, chordsFor } from '#app/shortcuts.ts'
import { navigate, parseRoute } from '#renderer/router.ts'
import { useConnection, useSettings, useStores } from '#renderer/stores/store-hooks.tsx'
import type { Stores } from '#renderer/stores/stores.ts'
import type { ViewStore } from '#renderer/stores/view-state.ts'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { matchesChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { listen } from '#renderer/ui/lib/listen.ts'
import { focusComposer, focusNextRequest, goToSearch } from './focus.ts'

/** Opens another window of the same host at a new chat; in a browser, a tab. */
export function openNewWindow({ actions, connection }: Pick<Stores, 'actions' | 'connection'>): void {
  if (connection.getState().about?.shell.kind === 'electron') actions.go('app.openWindow', {})
  else window.open(`${window.location.pathname}#/chat`, '_blank', 'noopener')
}

export const sidebarToggleId = 'sidebar-toggle'

/** Collapses or expands the sidebar; in a window with no room for it, opens or closes the drawer. */
export function toggleSidebar({ actions, settings, view }: Pick<Stores, 'actions' | 'settings' | 'view'>): void {
  const button = document.getElementById(sidebarToggleId)
  if (button?.checkVisibility()) {
    // What has the focus may be about to go.
    if (document.activeElement?.closest('.side, .side-handle')) button.focus()
    actions.set({ sidebarCollapsed: !settings.getState().settings.sidebarCollapsed })
  } else view.setState(({ menuOpen }) => ({ menuOpen: !menuOpen }))
}

export function useChords(): Chords {
  const web = useConnection((state) => state.about?.shell.kind !== 'electron')
  const own = useSettings((state) => state.settings.shortcuts)
  return useMemo(() => chordsFor(own, web), [own, web])
}

/** Handler of Enter in the field of a message; false: the field itself breaks the line. Keys that allow a request never send. */
export function useSendKey(send: () => void): (event: PageKeyboardEvent) => boolean {
  const chords = useChords()
  const os = useOs()
  return (event) => {
    const sends = matchesChord(event.nativeEvent, chords.send, os)
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || !(sends || event.ctrlKey || event.metaKey)) return false
    event.preventDefault()
    if (sends && !event.repeat) send()
    return true
  }
}

export function useShortcuts(): void {
  const chords = useChords()
  const os = useOs()
  const stores = useStores()
  useEffect(() => {
    const doers: readonly (readonly [Chord | null, () => void])[] = [
      [chords.commands, () => stores.view.setState(({ commandsOpen }) => ({ commandsOpen: !commandsOpen }))],
      [
        chords.newChat,
        () => {
          navigate({ page: 'chat' })
          focusComposer()
        },
      ],
      [chords.newWindow, () => openNewWindow(stores)],
      [chords.search, () => goToSearch()],
      [chords.sidebar, () => toggleSidebar(stores)],
      [chords.nextRequest, () => focusNextRequest(stores)],
      [chords.requests, () => navigate({ page: 'requests' })],
      [chords.library, () => navigate({ page: 'library' })],
      [chords.activity, () => navigate({ page: 'activity' })],
      [chords.settings, () => navigate({ page: 'settings' })],
      [chords.shortcuts, () => navigate({ page: 'settings', tab: 'shortcuts' })],
    ]
    const keydown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event) || event.repeat) return
      if (event.key === 'Escape') return void focusComposer()
      const doer = doers.find(([chord]) => matchesChord(event, chord, os))
      if (!doer) return
      event.preventDefault()
      doer[1]()
    }
    return listen(window, { keydown })
  }, [chords, os, stores])
}

/** Follows the commands of the shell. Returns its undo. */
export const followShellCommands = (bridge: PreloadBridge | undefined, view: ViewStore): (() => void) =>
  bridge?.onCommand?.((command) => {
    if (command.kind === 'commands') view.setState(({ commandsOpen }) => ({ commandsOpen: !commandsOpen }))
    else navigate(parseRoute(command.hash))
  }) ?? (() => undefined)
