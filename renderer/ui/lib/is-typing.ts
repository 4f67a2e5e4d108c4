import type { KeyboardEvent as PageKeyboardEvent } from 'react'

/** Whether a key belongs to an input method. Safari ends `isComposing` too early, but then has key code 229. */
export function isTyping(event: KeyboardEvent | PageKeyboardEvent): boolean {
  const { isComposing, keyCode } = 'nativeEvent' in event ? event.nativeEvent : event
  return isComposing || keyCode === 229
}

/** Whether the key sends: Enter alone. Command or Control with Enter allows a request, and must not send by accident. */
export const isSendKey = (event: PageKeyboardEvent): boolean =>
  event.key === 'Enter' && !event.repeat && !event.shiftKey && !event.altKey && !event.metaKey && !event.ctrlKey
