// Every keyboard shortcut: what it does, where it works, and its keys. The page, its settings and Electron's menu read this table.
import { z } from 'zod'
import { t } from './i18n/translate.ts'

/** `mod`: Command on a Mac, Control elsewhere. `key`: as in `KeyboardEvent.key`, letters in lower case. */
const chord = z.object({
  key: z.string().min(1).max(20),
  mod: z.literal(true).optional(),
  alt: z.literal(true).optional(),
  shift: z.literal(true).optional(),
})
export type Chord = Readonly<z.infer<typeof chord>>
export type Os = 'mac' | 'windows' | 'linux'

/** `desktop`: in every app, once it is turned on. */
export type ShortcutPlace = 'desktop' | 'everywhere' | 'writing' | 'request' | 'tool' | 'config' | 'chats'

interface Shortcut {
  readonly place: ShortcutPlace
  readonly words: () => string
  readonly chord: Chord
  /** Keys in a browser, which keeps the others for itself; null: the browser has its own. */
  readonly web?: Chord | null
  /** `consent`: sends something, so Command, Control or Alt is held. `enter`: Enter, alone or with Command or Control. */
  readonly rule?: 'fixed' | 'consent' | 'enter'
}

const alt = (key: string): Chord => ({ key, mod: true, alt: true })
const shift = (key: string): Chord => ({ key, mod: true, shift: true })
const plain = (key: string): Chord => ({ key })

/**
 * A browser keeps Ctrl+N, Ctrl+Shift+N/T/W and, on some systems, Ctrl+, for itself, so in the web shell most need Alt. Keys of a request
 * work while the focus is in its card: none decides anything from elsewhere.
 */
const table = {
  quickEntry: { place: 'desktop', words: () => t`Quick entry`, chord: shift(' '), web: null },
  commands: { place: 'everywhere', words: () => t`Commands, chats and servers`, chord: { key: 'k', mod: true } },
  newChat: { place: 'everywhere', words: () => t`New chat`, chord: { key: 'n', mod: true }, web: alt('n') },
  newWindow: { place: 'everywhere', words: () => t`New window`, chord: shift('n'), web: { ...alt('n'), shift: true } },
  find: { place: 'everywhere', words: () => t`Find in this chat`, chord: { key: 'f', mod: true } },
  findNext: { place: 'everywhere', words: () => t`Next match`, chord: plain('F3') },
  search: { place: 'everywhere', words: () => t`Search in all chats`, chord: shift('f') },
  nextRequest: { place: 'everywhere', words: () => t`To the next request`, chord: { key: 'j', mod: true } },
  requests: { place: 'everywhere', words: () => t`Requests`, chord: shift('r'), web: alt('r') },
  library: { place: 'everywhere', words: () => t`Library`, chord: shift('b'), web: alt('b') },
  activity: { place: 'everywhere', words: () => t`Activity`, chord: shift('l'), web: alt('l') },
  settings: { place: 'everywhere', words: () => t`Settings`, chord: { key: ',', mod: true }, web: alt(',') },
  shortcuts: { place: 'everywhere', words: () => t`Keyboard shortcuts`, chord: { key: '/', mod: true } },
  sidebar: { place: 'everywhere', words: () => t`Collapse or expand the sidebar`, chord: { key: 'b', mod: true } },
  zoomIn: { place: 'everywhere', words: () => t`Larger text`, chord: { key: '+', mod: true }, web: null },
  zoomOut: { place: 'everywhere', words: () => t`Smaller text`, chord: { key: '-', mod: true }, web: null },
  zoomReset: { place: 'everywhere', words: () => t`Text in its usual size`, chord: { key: '0', mod: true }, web: null },
  toComposer: { place: 'everywhere', words: () => t`Back to the message field`, chord: plain('Escape'), rule: 'fixed' },
  send: { place: 'writing', words: () => t`Send`, chord: plain('Enter'), rule: 'enter' },
  newLine: { place: 'writing', words: () => t`New line`, chord: { key: 'Enter', shift: true }, rule: 'fixed' },
  allow: { place: 'request', words: () => t`Allow as chosen`, chord: { key: 'Enter', mod: true }, rule: 'consent' },
  allowHere: { place: 'request', words: () => t`Allow for this chat`, chord: shift('Enter'), rule: 'consent' },
  deny: { place: 'request', words: () => t`Deny`, chord: { key: 'Backspace', mod: true } },
  edit: { place: 'request', words: () => t`Edit the arguments`, chord: plain('e') },
  review: { place: 'request', words: () => t`Review at full length`, chord: plain('r') },
  run: { place: 'tool', words: () => t`Run`, chord: { key: 'Enter', mod: true }, rule: 'consent' },
  save: { place: 'config', words: () => t`Save`, chord: { key: 's', mod: true } },
  rename: { place: 'chats', words: () => t`Rename`, chord: plain('F2'), rule: 'fixed' },
  delete: { place: 'chats', words: () => t`Delete`, chord: plain('Delete'), rule: 'fixed' },
} as const satisfies Record<string, Shortcut>
export type ShortcutId = keyof typeof table

export const shortcuts: Readonly<Record<ShortcutId, Shortcut>> = table
export const shortcutIds = Object.keys(table) as ShortcutId[]
const isShortcut = (id: string): id is ShortcutId => Object.hasOwn(table, id)

/** Whether the rule of a shortcut permits the keys. Deny, and what only shows something in a request, may be one plain key. */
export function isPermitted(id: ShortcutId, { key, mod, alt, shift }: Chord): boolean {
  const { rule, place } = shortcuts[id]
  const held = mod === true || alt === true
  if (rule === 'fixed') return false
  if (rule === 'enter') return key === 'Enter' && !alt && !shift
  if (rule === 'consent') return held
  return held || place === 'request' || /^F\d{1,2}$/.test(key)
}

/** Keys that the person set, by shortcut; null: none. Ids of other versions are kept and not used. */
export const ownShortcuts = z
  .record(z.string().max(40), chord.nullable())
  .refine((own) => Object.entries(own).every(([id, keys]) => keys === null || !isShortcut(id) || isPermitted(id, keys)))
export type OwnShortcuts = z.infer<typeof ownShortcuts>

export type Chords = Readonly<Record<ShortcutId, Chord | null>>

/** Keys in force. `web`: of a page in a browser. */
export function chordsFor(own: OwnShortcuts, web: boolean): Chords {
  const entries = shortcutIds.map((id) => {
    const { chord, web: inBrowser = chord } = shortcuts[id]
    return [id, own[id] === undefined ? (web ? inBrowser : chord) : own[id]]
  })
  return Object.fromEntries(entries) as Chords // Each id has an entry.
}

const nameOf = ({ key, mod, alt, shift }: Chord): string =>
  [mod && 'mod', alt && 'alt', shift && 'shift', key === ' ' ? 'space' : key.toLowerCase()].filter(Boolean).join('+')

export const isSameChord = (a: Chord | null, b: Chord | null): boolean => a !== null && b !== null && nameOf(a) === nameOf(b)

/** Commands that Chrome does not let a page have (`IsReservedCommandOrKey`), and Firefox's Quit. */
const ofBrowsers = [
  'mod+n',
  'mod+t',
  'mod+w',
  'mod+q',
  'mod+shift+n',
  'mod+shift+t',
  'mod+shift+w',
  'mod+tab',
  'mod+shift+tab',
  'mod+shift+q',
]
/** Roles of Electron's own menu. */
const ofElectron = ['mod+r', 'mod+w', 'mod+q', 'mod+m', 'mod+shift+i', 'mod+alt+i', 'f11']
const ofSystems: Readonly<Record<Os, readonly string[]>> = {
  mac: [
    ...['mod+space', 'mod+tab', 'mod+shift+tab', 'mod+q', 'mod+h', 'mod+m', 'mod+`', 'mod+shift+3', 'mod+shift+4', 'mod+shift+5'],
    ...['mod+alt+escape', 'mod+alt+d', 'mod+alt+h', 'mod+alt+m', 'mod+shift+q'],
  ],
  windows: ['alt+tab', 'alt+shift+tab', 'alt+f4', 'alt+space', 'alt+escape', 'mod+escape', 'mod+shift+escape', 'mod+alt+delete'],
  linux: ['alt+tab', 'alt+shift+tab', 'alt+f4', 'alt+space', 'alt+f1', 'alt+f2', 'mod+alt+delete', 'mod+alt+t'],
}
const ofText = ['mod+a', 'mod+c', 'mod+v', 'mod+x', 'mod+z', 'mod+y', 'mod+shift+v', 'mod+shift+z', 'mod+backspace', 'mod+delete']
const moves = /^(?:Arrow|Page|Home|End)/

export interface ChordSetting {
  readonly os: Os
  readonly web: boolean
}

/** Owner of the keys already: the system, the browser or the app around the page, or every text field. */
export function takenBy(id: ShortcutId, keys: Chord, { os, web }: ChordSetting): 'system' | 'shell' | 'text' | undefined {
  const name = nameOf(keys)
  if (ofSystems[os].includes(name)) return 'system'
  if ((web ? ofBrowsers : ofElectron).includes(name)) return 'shell'
  const { place, rule } = shortcuts[id]
  if (place === 'request' && rule !== 'consent') return undefined // They do not work while one writes.
  // Option writes letters on a Mac; Option and Space are what others use in every app.
  const writes = os === 'mac' && place !== 'desktop' && keys.alt && !keys.mod && keys.key.length === 1
  return writes || ofText.includes(name) || moves.test(keys.key) ? 'text' : undefined
}

/** Another shortcut with the same keys that could be meant. What allows or runs shares its keys with nothing. */
export function conflictOf(id: ShortcutId, keys: Chord, chords: Chords): ShortcutId | undefined {
  const { place, rule } = shortcuts[id]
  return shortcutIds.find((other) => {
    if (other === id || !isSameChord(chords[other], keys)) return false
    const that = shortcuts[other]
    const places = [place, that.place]
    return (
      place === that.place || places.includes('everywhere') || places.includes('desktop') || rule === 'consent' || that.rule === 'consent'
    )
  })
}

const accelerators: Readonly<Record<string, string>> = { '+': 'Plus', ' ': 'Space', Escape: 'Esc' }

/** Keys as Electron's menu writes them; none: {}. */
export function acceleratorOf(keys: Chord | null): { readonly accelerator?: string } {
  if (!keys) return {}
  const { key, mod, alt, shift } = keys
  const last = accelerators[key] ?? (key.length === 1 ? key.toUpperCase() : key.replace('Arrow', ''))
  return { accelerator: [mod && 'CmdOrCtrl', alt && 'Alt', shift && 'Shift', last].filter(Boolean).join('+') }
}
