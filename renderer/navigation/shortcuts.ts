// Global keyboard shortcuts. None of them decides anything: no key allows a request from outside its card.
// A browser keeps Ctrl+N, Ctrl+Shift+N/T/W and, on some systems, Ctrl+, for itself, so in the web shell most need Alt.

import { useEffect, useMemo } from 'react'
import { navigate } from '#renderer/router.ts'
import { useConnection, useStores } from '#renderer/stores/store-hooks.tsx'
import type { Stores } from '#renderer/stores/stores.ts'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { type Chord, matchesChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { listen } from '#renderer/ui/lib/listen.ts'
import { focusComposer, focusNextRequest, goToSearch } from './focus.ts'

/** Opens another window of the same host at a new chat; in a browser, a tab. */
export function openNewWindow({ actions, connection }: Pick<Stores, 'actions' | 'connection'>): void {
  if (connection.getState().about?.shell.kind === 'electron') actions.go('app.openWindow', {})
  else window.open(`${window.location.pathname}#/chat`, '_blank', 'noopener')
}

/** Browsers let a page have this chord too. */
export const nextRequestChord: Chord = { key: 'j', mod: true }

/** Chords of the web shell, where the page is in a browser's tab, or of Electron's. */
export function chordsFor(web: boolean) {
  const alt = web ? { alt: true } : {}
  const altOrShift = web ? alt : { shift: true }
  return {
    commands: { key: 'k', mod: true },
    newChat: { key: 'n', mod: true, ...alt },
    newWindow: { key: 'n', mod: true, shift: true, ...alt },
    search: { key: 'f', mod: true, shift: true },
    nextRequest: nextRequestChord,
    requests: { key: 'r', mod: true, ...altOrShift },
    library: { key: 'b', mod: true, ...altOrShift },
    activity: { key: 'l', mod: true, ...altOrShift },
    settings: { key: ',', mod: true, ...alt },
    shortcuts: { key: '/', mod: true },
  } satisfies Record<string, Chord>
}
export type Chords = Readonly<Record<keyof ReturnType<typeof chordsFor>, Chord>>

export function useChords(): Chords {
  const web = useConnection((state) => state.about?.shell.kind !== 'electron')
  return useMemo(() => chordsFor(web), [web])
}

export function useShortcuts(): void {
  const chords = useChords()
  const os = useOs()
  const stores = useStores()
  useEffect(() => {
    const doers: readonly (readonly [Chord, () => void])[] = [
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
      [chords.nextRequest, () => focusNextRequest(stores.consent.getState().requests)],
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
