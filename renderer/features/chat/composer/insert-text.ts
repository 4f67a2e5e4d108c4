/**
 * Puts text into the field as if it were typed, in place of what stands from `from` to `to` (default: what is selected): the
 * browser's own undo takes it back, and React hears of it.
 */
export function insertText(field: HTMLTextAreaElement, text: string, from?: number, to?: number): void {
  field.focus()
  if (from !== undefined) field.setSelectionRange(from, to ?? from)
  const typed = text === '' ? document.execCommand?.('delete') : document.execCommand?.('insertText', false, text)
  if (typed) return
  // Where there is no such command, at least the text is there; the event is what React listens to.
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
