// Key combinations: read from an event, matched, and written for the person.
import { t } from '#app/i18n/translate.ts'
import { type Chord, isSameChord, type Os } from '#app/shortcuts.ts'
import { guessedOs } from '#renderer/appearance.ts'
import { useConnection } from '#renderer/stores/store-hooks.tsx'

const macKeys: Record<string, string> = { Enter: '⏎', Backspace: '⌫', Escape: t`esc` }
const otherKeys: Record<string, string> = { Enter: t`Enter`, Backspace: t`Backspace`, Escape: t`Esc` }

const keyName = (key: string, os: Os): string =>
  (os === 'mac' ? macKeys : otherKeys)[key] ?? (key === ' ' ? t`Space` : key.length === 1 ? key.toUpperCase() : key.replace('Arrow', ''))

export function formatChord(chord: Chord | null, os: Os): string {
  if (!chord) return ''
  const key = keyName(chord.key, os)
  if (os === 'mac') return `${chord.alt ? '⌥' : ''}${chord.mod ? '⌘' : ''}${chord.shift ? '⇧' : ''}${key}`
  return [chord.mod && t`Ctrl`, chord.alt && t`Alt`, chord.shift && t`Shift`, key].filter(Boolean).join('+')
}

/** Keys in words, for a screen reader, which does not read a Mac's signs. */
export const spokenChord = (chord: Chord | null, os: Os): string =>
  os === 'mac' && chord
    ? [chord.alt && t`Option`, chord.shift && t`Shift`, chord.mod && t`Command`, keyName(chord.key, 'linux')].filter(Boolean).join(' ')
    : formatChord(chord, os)

type KeyLike = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'> & {
  readonly code?: string
  readonly getModifierState?: KeyboardEvent['getModifierState']
}

const held = new Set(['Control', 'Meta', 'Alt', 'AltGraph', 'Shift', 'CapsLock', 'Fn', 'OS', 'Dead', 'Process', 'Unidentified'])

/**
 * Chord of an event; undefined: none that Assent can have. AltGr writes letters and is no Control with Alt. Letters and digits count by
 * their place on the keyboard where the layout gives no Latin letter, or Option changes it.
 */
export function chordOf(event: KeyLike, os: Os): Chord | undefined {
  const mac = os === 'mac'
  // Firefox calls a Mac's Option AltGraph.
  if (mac ? event.ctrlKey : event.metaKey || event.getModifierState?.('AltGraph')) return undefined
  const place = /^(?:Key|Digit)(.)$/.exec(event.code ?? '')?.[1]
  const isLatin = event.key.length === 1 && event.key >= ' ' && event.key <= '~'
  const byPlace = place !== undefined && (!isLatin || (mac && event.altKey))
  const key = byPlace ? place.toLowerCase() : event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (held.has(key)) return undefined
  return {
    key,
    ...((mac ? event.metaKey : event.ctrlKey) && { mod: true as const }),
    ...(event.altKey && { alt: true as const }),
    ...(event.shiftKey && { shift: true as const }),
  }
}

export const matchesChord = (event: KeyLike, chord: Chord | null, os: Os): boolean => isSameChord(chordOf(event, os) ?? null, chord)

/** The system of the person's keyboard. In the web shell that is the browser's: the host may run on another machine. */
export const useOs = (): Os =>
  useConnection((state) => (state.about && state.about.shell.kind === 'electron' ? state.about.shell.os : guessedOs))

export function ChordKeys({ chord }: { readonly chord: Chord | null }) {
  const os = useOs()
  if (!chord) return null
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd takes no focus; the hint is for the eye, the name is the button's words
  return <kbd aria-hidden="true">{formatChord(chord, os)}</kbd>
}
