// The keys of a request, and the row that names them. They work while focus is inside it, wherever it is shown, and nowhere else.
import { type KeyboardEvent, useContext } from 'react'
import { t } from '#app/i18n/translate.ts'
import { nextRequestChord } from '#renderer/navigation/shortcuts.ts'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { type Chord, ChordKeys, matchesChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { InDock } from './use-answer.ts'

const allowChord: Chord = { key: 'Enter', mod: true }
const allowHereChord: Chord = { key: 'Enter', mod: true, shift: true }
const denyChord: Chord = { key: 'Backspace', mod: true }
const editChord: Chord = { key: 'e' }
const reviewChord: Chord = { key: 'r' }

type Action = (() => void) | undefined

export interface RequestActions {
  readonly onAllow?: Action
  /** Word of the row of keys in place of “allow”. */
  readonly allowKey?: string
  readonly onAllowHere?: Action
  readonly onDeny?: Action
  readonly onEdit?: Action
  readonly onReview?: Action
  /** Escape outside of text fields; default: puts the dock aside, or leads to the composer. */
  readonly onEscape?: Action
  /** Escape in a text field. */
  readonly onEscapeWriting?: Action
}

const isWriting = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type))

/** One row that never wraps: what does not fit is left out. The buttons say the same to a screen reader. */
export function KeyRow({ onAllow, allowKey = t`allow`, onDeny, onEdit, onReview }: RequestActions) {
  const dock = useContext(InDock)
  const keys: readonly (readonly [Chord, string, unknown])[] = [
    [allowChord, allowKey, onAllow],
    [denyChord, t`deny`, onDeny],
    [reviewChord, t`full size`, onReview],
    [editChord, t`edit`, onEdit],
    [nextRequestChord, t`next`, dock?.several],
    [{ key: 'Escape' }, t`back to writing`, dock],
  ]
  return (
    <p className="keys" aria-hidden="true">
      {keys.map(
        ([chord, words, works]) =>
          Boolean(works) && (
            <span key={words}>
              <ChordKeys chord={chord} /> {words}
            </span>
          ),
      )}
    </p>
  )
}

export function useRequestKeys(actions: RequestActions): (event: KeyboardEvent) => void {
  const os = useOs()
  const dock = useContext(InDock)

  function actionFor(event: KeyboardEvent, writing: boolean): Action {
    if (matchesChord(event, allowChord, os)) return actions.onAllow
    if (matchesChord(event, allowHereChord, os)) return actions.onAllowHere
    // Input methods close their list with Escape.
    if (event.key === 'Escape' && !isTyping(event)) return writing ? actions.onEscapeWriting : (actions.onEscape ?? dock?.putAside)
    if (writing) return undefined
    if (matchesChord(event, denyChord, os)) return actions.onDeny
    if (matchesChord(event, editChord, os)) return actions.onEdit
    return matchesChord(event, reviewChord, os) ? actions.onReview : undefined
  }

  return (event) => {
    const act = actionFor(event, isWriting(event.target))
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    if (!event.repeat) act()
  }
}
