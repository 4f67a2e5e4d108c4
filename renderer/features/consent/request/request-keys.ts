// The keys of a request. They work while focus is inside it, wherever it is shown; none of them works from outside.
import type { KeyboardEvent } from 'react'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { type Chord, matchesChord, useOs } from '#renderer/ui/lib/key-chords.tsx'

export const allowChord: Chord = { key: 'Enter', mod: true }
const allowHereChord: Chord = { key: 'Enter', mod: true, shift: true }
export const denyChord: Chord = { key: 'Backspace', mod: true }
export const editChord: Chord = { key: 'e' }
export const reviewChord: Chord = { key: 'r' }

export interface RequestActions {
  readonly onAllow?: (() => void) | undefined
  readonly onAllowHere?: (() => void) | undefined
  readonly onDeny?: (() => void) | undefined
  readonly onEdit?: (() => void) | undefined
  readonly onReview?: (() => void) | undefined
  /** Escape, which otherwise leads to the composer. While something is written it is `onEscapeWriting`. */
  readonly onEscape?: (() => void) | undefined
  readonly onEscapeWriting?: (() => void) | undefined
}

const isWriting = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type))

export function useRequestKeys(actions: RequestActions): (event: KeyboardEvent) => void {
  const os = useOs()

  function actionFor(event: KeyboardEvent, writing: boolean): (() => void) | undefined {
    if (matchesChord(event, allowChord, os)) return actions.onAllow
    if (matchesChord(event, allowHereChord, os)) return actions.onAllowHere
    // An input method closes its own list with Escape.
    if (event.key === 'Escape' && !isTyping(event)) return writing ? actions.onEscapeWriting : actions.onEscape
    if (writing) return undefined
    if (matchesChord(event, denyChord, os)) return actions.onDeny
    if (matchesChord(event, editChord, os)) return actions.onEdit
    if (matchesChord(event, reviewChord, os)) return actions.onReview
    return undefined
  }

  return (event) => {
    const act = actionFor(event, isWriting(event.target))
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    if (!event.repeat) act()
  }
}
