export type TextField = HTMLInputElement | HTMLTextAreaElement

/**
 * Puts text into the field as if it were typed, in place of what stands from `from` to `to` (default: what is selected): the
 * browser's own undo takes it back, and React hears of it.
 */
export function insertText(field: TextField, text: string, from?: number, to?: number): void {
  field.focus()
  if (from !== undefined) field.setSelectionRange(from, to ?? from)
  const before = field.value
  const typed = text === '' ? document.execCommand?.('delete') : document.execCommand?.('insertText', false, text)
  if (typed && field.value !== before) return
  // Where there is no such command, at least the text is there. React compares with what it set through the field itself.
  const selectionStart = field.selectionStart ?? before.length
  const selectionEnd = field.selectionEnd ?? before.length
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  const setValue = Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set
  setValue?.call(field, before.slice(0, selectionStart) + text + before.slice(selectionEnd))
  field.setSelectionRange(selectionStart + text.length, selectionStart + text.length)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
