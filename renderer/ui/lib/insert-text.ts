export type TextElement = HTMLInputElement | HTMLTextAreaElement

/** Replaces the text from `from` to `to` (default: the selection) as typing does: the browser can undo it, and React is notified. */
export function insertText(field: TextElement, text: string, from?: number, to?: number): void {
  field.focus()
  if (from !== undefined) field.setSelectionRange(from, to ?? from)
  const before = field.value
  const typed = text === '' ? document.execCommand?.('delete') : document.execCommand?.('insertText', false, text)
  if (typed && field.value !== before) return
  // Without the command, set the value by the prototype's setter: React compares with what it set through the field's own.
  const selectionStart = field.selectionStart ?? before.length
  const selectionEnd = field.selectionEnd ?? before.length
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  const setValue = Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set
  setValue?.call(field, before.slice(0, selectionStart) + text + before.slice(selectionEnd))
  field.setSelectionRange(selectionStart + text.length, selectionStart + text.length)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
