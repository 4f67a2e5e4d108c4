import type { KeyboardEvent } from 'react'

/** The key belongs to an input method. 229: also where `isComposing` is already over (Safari). */
export const isTyping = (event: KeyboardEvent): boolean => event.nativeEvent.isComposing || event.keyCode === 229

/** With Command or Control it does nothing: that chord allows a request, and must not send by accident. */
export const isSendKey = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.repeat && !event.shiftKey && !event.altKey && !event.metaKey && !event.ctrlKey
