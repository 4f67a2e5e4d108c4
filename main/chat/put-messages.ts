import type { Message } from '#app/chat/message.ts'
import type { ChatOptions } from './deps.ts'

/** Commits them as one, and tells each. */
export function putMessages({ store, emit }: Pick<ChatOptions, 'store' | 'emit'>, messages: readonly Message[]): void {
  store.transaction(() => {
    for (const message of messages) store.conversations.putMessage(message)
  })
  for (const message of messages) emit('message.changed', { message })
}
