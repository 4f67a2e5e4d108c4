// Key combinations: matched against an event, and written for the person. `mod` is Command on a Mac and Control elsewhere. Chords with
// `alt` and `mod` serve the web shell, where the browser keeps some combinations for itself.
import { t } from '#app/i18n/translate.ts'
import { guessedOs } from '#renderer/appearance.ts'
import { useConnection } from '#renderer/stores/store-hooks.tsx'

type Os = 'mac' | 'windows' | 'linux'
export interface Chord {
  readonly key: string
  readonly mod?: boolean
  readonly shift?: boolean
  readonly alt?: boolean
}

const macKeys: Record<string, string> = { Enter: '⏎', Backspace: '⌫', Escape: t`esc` }
const otherKeys: Record<string, string> = { Enter: t`Enter`, Backspace: t`Backspace`, Escape: t`Esc` }

export function formatChord(chord: Chord, os: Os): string {
  const key = (os === 'mac' ? macKeys : otherKeys)[chord.key] ?? chord.key.toUpperCase()
  if (os === 'mac') return `${chord.alt ? '⌥' : ''}${chord.mod ? '⌘' : ''}${chord.shift ? '⇧' : ''}${key}`
  return [chord.mod && t`Ctrl`, chord.alt && t`Alt`, chord.shift && t`Shift`, key].filter(Boolean).join('+')
}

type KeyLike = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'> & { readonly code?: string }

/** Compares letters by key and by code, since Option changes the key on a Mac. */
export function matchesChord(event: KeyLike, chord: Chord, os: Os): boolean {
  const mod = os === 'mac' ? event.metaKey : event.ctrlKey
  const otherMod = os === 'mac' ? event.ctrlKey : event.metaKey
  const sameKey = event.key.toLowerCase() === chord.key.toLowerCase() || event.code === `Key${chord.key.toUpperCase()}`
  return (
    sameKey && mod === Boolean(chord.mod) && !otherMod && event.shiftKey === Boolean(chord.shift) && event.altKey === Boolean(chord.alt)
  )
}

/** The system of the person's keyboard. In the web shell that is the browser's: the host may run on another machine. */
export const useOs = (): Os =>
  useConnection((state) => (state.about && state.about.shell.kind === 'electron' ? state.about.shell.os : guessedOs))

export function ChordKeys({ chord }: { readonly chord: Chord }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd takes no focus; the hint is for the eye, the name is the button's words
  return <kbd aria-hidden="true">{formatChord(chord, useOs())}</kbd>
}
