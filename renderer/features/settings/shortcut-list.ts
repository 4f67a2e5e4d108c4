import type { Chords } from '#renderer/shell/shortcuts.ts'
import type { Chord } from '#renderer/ui/keys.tsx'

export interface ShortcutGroup {
  readonly title: string
  readonly note?: string
  readonly shortcuts: readonly { readonly words: string; readonly chord: Chord }[]
}

/** Every key that does something, by where it works. */
export const shortcutGroups = (chords: Chords): readonly ShortcutGroup[] => [
  {
    title: 'Everywhere',
    shortcuts: [
      { words: 'Commands, chats and servers', chord: chords.commands },
      { words: 'New chat', chord: chords.newChat },
      { words: 'New window', chord: chords.newWindow },
      { words: 'Search in all chats', chord: chords.search },
      { words: 'To the next request', chord: chords.nextRequest },
      { words: 'All requests', chord: chords.requests },
      { words: 'Library', chord: chords.library },
      { words: 'Rules and record', chord: chords.record },
      { words: 'Settings', chord: chords.settings },
      { words: 'This list', chord: chords.shortcuts },
      { words: 'Back to the message field', chord: { key: 'Escape' } },
    ],
  },
  {
    title: 'Writing',
    shortcuts: [
      { words: 'Send', chord: { key: 'Enter' } },
      { words: 'New line', chord: { key: 'Enter', shift: true } },
    ],
  },
  {
    title: 'In a request',
    note: 'Only while focus is inside its card or its review. No key allows anything from elsewhere.',
    shortcuts: [
      { words: 'Allow as chosen', chord: { key: 'Enter', mod: true } },
      { words: 'Allow for this conversation', chord: { key: 'Enter', mod: true, shift: true } },
      { words: 'Deny', chord: { key: 'Backspace', mod: true } },
      { words: 'Edit the arguments', chord: { key: 'e' } },
      { words: 'Review at full length', chord: { key: 'r' } },
      { words: 'Close the review', chord: { key: 'Escape' } },
    ],
  },
  {
    title: 'In servers.json',
    shortcuts: [{ words: 'Save', chord: { key: 's', mod: true } }],
  },
]
