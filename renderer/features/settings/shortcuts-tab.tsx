import { t } from '#app/i18n/translate.ts'
import { type Chords, useChords } from '#renderer/navigation/shortcuts.ts'
import { type Chord, formatChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { Section } from '#renderer/ui/text/section.tsx'

interface ShortcutGroup {
  readonly title: string
  readonly note?: string
  readonly shortcuts: readonly { readonly words: string; readonly chord: Chord }[]
}

/** Every key that does something, by where it works. */
const shortcutGroups = (chords: Chords): readonly ShortcutGroup[] => [
  {
    title: t`Everywhere`,
    shortcuts: [
      { words: t`Commands, chats and servers`, chord: chords.commands },
      { words: t`New chat`, chord: chords.newChat },
      { words: t`New window`, chord: chords.newWindow },
      { words: t`Search in all chats`, chord: chords.search },
      { words: t`To the next request`, chord: chords.nextRequest },
      { words: t`All requests`, chord: chords.requests },
      { words: t`Library`, chord: chords.library },
      { words: t`Activity`, chord: chords.activity },
      { words: t`Settings`, chord: chords.settings },
      { words: t`This list`, chord: chords.shortcuts },
      { words: t`Back to the message field`, chord: { key: 'Escape' } },
    ],
  },
  {
    title: t`Writing`,
    shortcuts: [
      { words: t`Send`, chord: { key: 'Enter' } },
      { words: t`New line`, chord: { key: 'Enter', shift: true } },
    ],
  },
  {
    title: t`In a request`,
    note: t`Only while focus is inside its card or its review. No key allows anything from elsewhere.`,
    shortcuts: [
      { words: t`Allow as chosen`, chord: { key: 'Enter', mod: true } },
      { words: t`Allow for this conversation`, chord: { key: 'Enter', mod: true, shift: true } },
      { words: t`Deny`, chord: { key: 'Backspace', mod: true } },
      { words: t`Edit the arguments`, chord: { key: 'e' } },
      { words: t`Review at full length`, chord: { key: 'r' } },
      { words: t`Close the review`, chord: { key: 'Escape' } },
    ],
  },
  {
    title: t`In servers.json`,
    shortcuts: [{ words: t`Save`, chord: { key: 's', mod: true } }],
  },
]

export function ShortcutsTab() {
  const os = useOs()
  const chords = useChords()
  return (
    <>
      {shortcutGroups(chords).map(({ title, note, shortcuts }) => (
        <Section key={title} level={2} title={title}>
          {note ? <p className="help">{note}</p> : null}
          <dl className="shortcuts">
            {shortcuts.map(({ words, chord }) => (
              <div key={words}>
                <dt>{words}</dt>
                <dd>
                  <span className="key">{formatChord(chord, os)}</span>
                </dd>
              </div>
            ))}
          </dl>
        </Section>
      ))}
    </>
  )
}
