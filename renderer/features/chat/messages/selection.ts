// What of a chat's answers is selected. Only a selection within one answer is taken: one across several is nobody's words.

export interface AnswerSelection {
  readonly text: string
  readonly rect: DOMRect
}

const answerOf = (node: Node | null): Element | null => {
  const element = node instanceof Element ? node : (node?.parentElement ?? null)
  return element?.closest('.answer') ?? null
}

/** `within`: the answer it has to be in; default: any. */
export function selectionInAnswer(within?: Element | null): AnswerSelection | undefined {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const answer = answerOf(selection.anchorNode)
  if (!answer || answer !== answerOf(selection.focusNode) || (within && within !== answer)) return undefined
  const text = selection.toString().trim()
  return text === '' ? undefined : { text, rect: selection.getRangeAt(0).getBoundingClientRect() }
}
