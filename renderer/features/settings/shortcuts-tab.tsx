// Every shortcut by where it works, from the one table; each can be changed by pressing its new keys, or have none.
import { type KeyboardEvent, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import {
  type Chord,
  chordsFor,
  conflictOf,
  isPermitted,
  type Os,
  type OwnShortcuts,
  type ShortcutId,
  type ShortcutPlace,
  shortcutIds,
  shortcuts,
  takenBy,
} from '#app/shortcuts.ts'
import { useChords } from '#renderer/navigation/shortcuts.ts'
import { useActions, useConnection, useSettings } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { chordOf, formatChord, spokenChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { Section } from '#renderer/ui/text/section.tsx'

const places: Readonly<Record<ShortcutPlace, { readonly title: string; readonly note?: string }>> = {
  desktop: { title: t`Desktop` },
  everywhere: { title: t`Everywhere` },
  writing: { title: t`Writing` },
  request: {
    title: t`In a request`,
    note: t`Only with focus in the card or its review.`,
  },
  tool: { title: t`Tools` },
  config: { title: t`In servers.json` },
  chats: { title: t`Chats` },
}

const takenWords = {
  system: t`Your system uses these keys.`,
  shell: t`Your browser or the app’s menu uses these keys.`,
  text: t`Text fields use these keys.`,
} as const

/** Row that waits for keys; with `wish`, keys of another shortcut that it may take over (null: its usual ones). */
interface Recording {
  readonly id: ShortcutId
  readonly problem?: string
  readonly wish?: { readonly chord: Chord | undefined; readonly from: ShortcutId }
}

const usualChord = (id: ShortcutId, web: boolean): Chord | null => chordsFor({}, web)[id]

/** Rule for the keys of a shortcut, in words. */
function ruleWords(id: ShortcutId, os: Os): string {
  const mod = formatChord({ key: '', mod: true }, os).replace('+', '')
  return shortcuts[id].rule === 'enter' ? t`Enter, alone or with ${mod}.` : t`Hold ${mod} or ${os === 'mac' ? '⌥' : t`Alt`} with it.`
}

/** Recording of new keys for one shortcut at a time, and what it sets. */
function useRecording() {
  const os = useOs()
  const chords = useChords()
  const web = useConnection((state) => state.about?.shell.kind !== 'electron')
  const own = useSettings((state) => state.settings.shortcuts)
  const { set, announce } = useActions()
  const [recording, setRecording] = useState<Recording | undefined>(undefined)

  /** `chord` undefined: the usual keys. */
  const put = (id: ShortcutId, chord: Chord | null | undefined, without?: ShortcutId): void => {
    const { [id]: _, ...others } = own
    const next: OwnShortcuts = { ...others, ...(chord !== undefined && { [id]: chord }), ...(without && { [without]: null }) }
    set({ shortcuts: next })
    setRecording(undefined)
    announce(`${shortcuts[id].words()}: ${spokenChord(chordsFor(next, web)[id], os) || t`none`}`)
  }
  const wish = (id: ShortcutId, chord: Chord | undefined): void => {
    const keys = chord ?? usualChord(id, web)
    const from = keys ? conflictOf(id, keys, chords) : undefined
    if (from === undefined) put(id, chord)
    else
      setRecording({
        id,
        problem: t`“${shortcuts[from].words()}” uses these keys.`,
        ...(shortcuts[from].rule !== 'fixed' && { wish: { chord, from } }),
      })
  }
  const onKey = (id: ShortcutId, event: KeyboardEvent): void => {
    const chord = chordOf(event.nativeEvent, os)
    if (event.key === 'Tab' || isTyping(event)) return
    event.preventDefault()
    event.stopPropagation()
    if (!chord || event.repeat) return
    const isAlone = !(chord.mod || chord.alt || chord.shift)
    if (isAlone && chord.key === 'Escape') setRecording(undefined)
    else if (isAlone && chord.key === 'Backspace') put(id, null)
    else if (!isPermitted(id, chord)) setRecording({ id, problem: ruleWords(id, os) })
    else {
      const taken = takenBy(id, chord, { os, web })
      if (taken) setRecording({ id, problem: takenWords[taken] })
      else wish(id, chord)
    }
  }
  return { os, chords, web, own, recording, setRecording, put, wish, onKey }
}

export function ShortcutsTab() {
  const { os, chords, web, own, recording, setRecording, put, wish, onKey } = useRecording()
  const { set } = useActions()
  const shown = shortcutIds.filter((id) => !(web && shortcuts[id].web === null))
  return (
    <>
      <div className="row wrap">
        <p className="help grow">{t`Select a shortcut and press its new keys. Backspace removes it, Esc cancels.`}</p>
        <SmallGhostButton
          aria-disabled={Object.keys(own).length === 0}
          onClick={() => set({ shortcuts: {} })}
        >{t`Reset all`}</SmallGhostButton>
      </div>
      {(Object.keys(places) as ShortcutPlace[])
        .filter((place) => shown.some((id) => shortcuts[id].place === place))
        .map((place) => (
          <Section key={place} level={2} title={places[place].title}>
            {places[place].note ? <p className="help">{places[place].note}</p> : null}
            <dl className="shortcuts">
              {shown
                .filter((id) => shortcuts[id].place === place)
                .map((id) => {
                  const words = shortcuts[id].words()
                  const keys = formatChord(chords[id], os) || t`none`
                  const records = recording?.id === id
                  const taken = chords[id] && takenBy(id, chords[id], { os, web })
                  const note = records ? recording.problem : taken && takenWords[taken]
                  const { wish: wished } = (records && recording) || {}
                  return (
                    <div key={id}>
                      <dt>{words}</dt>
                      <dd>
                        <span role={records ? 'alert' : undefined} className="help warntext">
                          {note}
                        </span>
                        {wished && <SmallButton onClick={() => put(id, wished.chord, wished.from)}>{t`Use them here`}</SmallButton>}
                        {own[id] !== undefined && !records && (
                          <SmallGhostButton
                            aria-label={`${t`Reset`}: ${words}`}
                            onClick={() => wish(id, undefined)}
                          >{t`Reset`}</SmallGhostButton>
                        )}
                        {shortcuts[id].rule === 'fixed' ? (
                          <span className="key">{keys}</span>
                        ) : (
                          <button
                            type="button"
                            className="key"
                            aria-pressed={records}
                            aria-label={records ? t`Press the keys` : `${words}: ${spokenChord(chords[id], os) || keys}`}
                            onClick={() => setRecording(records ? undefined : { id })}
                            onKeyDown={(event) => records && onKey(id, event)}
                            onBlur={() => setRecording((now) => (now?.id === id && !now.wish ? undefined : now))}
                          >
                            {records ? t`Press the keys` : keys}
                          </button>
                        )}
                      </dd>
                    </div>
                  )
                })}
            </dl>
          </Section>
        ))}
    </>
  )
}
