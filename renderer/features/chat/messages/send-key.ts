import type { KeyboardEvent } from 'react'

/** Whether the key sends: Enter alone. Command or Control with Enter allows a request, and must not send by accident. */
export const isSendKey = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.repeat && !event.shiftKey && !event.altKey && !event.metaKey && !event.ctrlKey
