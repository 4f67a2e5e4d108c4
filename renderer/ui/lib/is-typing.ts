import type { KeyboardEvent as PageKeyboardEvent } from 'react'

/** The key belongs to an input method. 229: also where `isComposing` is already over (Safari). */
export function isTyping(event: KeyboardEvent | PageKeyboardEvent): boolean {
  const { isComposing, keyCode } = 'nativeEvent' in event ? event.nativeEvent : event
  return isComposing || keyCode === 229
}
