import type { KeyboardEvent } from 'react'

/** With Command or Control it does nothing: that chord allows a request, and must not send by accident. */
export const isSendKey = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.repeat && !event.shiftKey && !event.altKey && !event.metaKey && !event.ctrlKey
