// Keys that work everywhere. None of them decides anything: there is no key to allow a request from outside its card.
// A browser keeps Ctrl+N, Ctrl+Shift+N/T/W and, on some systems, Ctrl+, for itself, so in the web shell most come with Alt.

import { useEffect, useMemo } from 'react'
import { navigate } from '#renderer/router.ts'
import { useConnection, useStores } from '#renderer/stores/store-hooks.tsx'
import type { Stores } from '#renderer/stores/stores.ts'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { type Chord, matchesChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { focusComposer, focusNextRequest, goToSearch } from './focus.ts'

/** One more window on the same host, at a new chat. In a browser it is a tab of its own. */
export function openNewWindow({ actions, connection }: Pick<Stores, 'actions' | 'connection'>): void {
  if (connection.getState().about?.shell.kind === 'electron') actions.go('app.openWindow', {})
  else window.open(`${window.location.pathname}#/chat`, '_blank', 'noopener')
}

export interface Chords {
  readonly commands: Chord
  readonly newChat: Chord
  readonly newWindow: Chord
  readonly search: Chord
  readonly nextRequest: Chord
  readonly requests: Chord
  readonly library: Chord
  readonly record: Chord
  readonly settings: Chord
  readonly shortcuts: Chord
}

/** Free in browsers as well: they let a page have it. */
export const nextRequestChord: Chord = { key: 'j', mod: true }

/** `web`: the page is in a browser's tab. */
export function chordsFor(web: boolean): Chords {
  const alt = web ? { alt: true } : {}
  return {
    commands: { key: 'k', mod: true },
    newChat: { key: 'n', mod: true, ...alt },
    newWindow: { key: 'n', mod: true, shift: true, ...alt },
    search: { key: 'f', mod: true, shift: true },
    nextRequest: nextRequestChord,
    requests: { key: 'r', mod: true, ...(web ? alt : { shift: true }) },
    library: { key: 'b', mod: true, ...(web ? alt : { shift: true }) },
    record: { key: 'l', mod: true, ...(web ? alt : { shift: true }) },
    settings: { key: ',', mod: true, ...alt },
    shortcuts: { key: '/', mod: true },
  }
}

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
      [chords.record, () => navigate({ page: 'record' })],
      [chords.settings, () => navigate({ page: 'settings' })],
      [chords.shortcuts, () => navigate({ page: 'settings', tab: 'shortcuts' })],
    ]
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event) || event.repeat) return
      if (event.key === 'Escape') {
        focusComposer()
        return
      }
      const doer = doers.find(([chord]) => matchesChord(event, chord, os))
      if (!doer) return
      event.preventDefault()
      doer[1]()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [chords, os, stores])
}
