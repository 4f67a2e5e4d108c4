import type { KeyboardEvent as PageKeyboardEvent } from 'react'

/** Whether a key belongs to an input method. Safari ends `isComposing` too early, but then has key code 229. */
export function isTyping(event: KeyboardEvent | PageKeyboardEvent): boolean {
  const { isComposing, keyCode } = 'nativeEvent' in event ? event.nativeEvent : event
  return isComposing || keyCode === 229
}
