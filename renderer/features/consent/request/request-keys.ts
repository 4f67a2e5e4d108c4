// The keys of a request. They work while focus is inside it, wherever it is shown, and nowhere else.
import type { KeyboardEvent } from 'react'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { type Chord, matchesChord, useOs } from '#renderer/ui/lib/key-chords.tsx'

export const allowChord: Chord = { key: 'Enter', mod: true }
const allowHereChord: Chord = { key: 'Enter', mod: true, shift: true }
export const denyChord: Chord = { key: 'Backspace', mod: true }
export const editChord: Chord = { key: 'e' }
export const reviewChord: Chord = { key: 'r' }

type Action = (() => void) | undefined

export interface RequestActions {
  readonly onAllow?: Action
  readonly onAllowHere?: Action
  readonly onDeny?: Action
  readonly onEdit?: Action
  readonly onReview?: Action
  /** Escape outside of text fields; otherwise it leads to the composer. */
  readonly onEscape?: Action
  /** Escape in a text field. */
  readonly onEscapeWriting?: Action
}

const isWriting = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type))

export function useRequestKeys(actions: RequestActions): (event: KeyboardEvent) => void {
  const os = useOs()

  function actionFor(event: KeyboardEvent, writing: boolean): Action {
    if (matchesChord(event, allowChord, os)) return actions.onAllow
    if (matchesChord(event, allowHereChord, os)) return actions.onAllowHere
    // Input methods close their list with Escape.
    if (event.key === 'Escape' && !isTyping(event)) return writing ? actions.onEscapeWriting : actions.onEscape
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
