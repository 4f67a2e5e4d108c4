import { useChords } from '#renderer/shell/shortcuts.ts'
import { formatChord, useOs } from '#renderer/ui/keys.tsx'
import { shortcutGroups } from './shortcut-list.ts'

export function ShortcutsTab() {
  const os = useOs()
  const chords = useChords()
  return (
    <>
      {shortcutGroups(chords).map(({ title, note, shortcuts }) => (
        <section key={title} className="sec">
          <h2 className="h3">{title}</h2>
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
        </section>
      ))}
    </>
  )
}
