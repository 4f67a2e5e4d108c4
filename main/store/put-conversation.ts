// Stores a conversation with any number of messages without blocking the event loop: in slices, each a transaction. Until all of
// it is there it counts as deleted and cannot be restored. What a crash leaves is purged at the next start (`purgeDeleted`).
import { setImmediate } from 'node:timers/promises'
import type { Conversation } from '#app/chat/conversation.ts'
import type { Message } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { NOT_WHOLE } from './purge.ts'
import type { Store } from './store-api.ts'

export interface PlacedMessage {
  readonly parent: string | null
  readonly message: Message
}

interface WholeConversation {
  readonly conversation: Conversation
  readonly messages: AsyncIterable<readonly PlacedMessage[]> | Iterable<readonly PlacedMessage[]>
  readonly leaf: string | null
}

interface PutOptions {
  readonly signal?: AbortSignal | undefined
  readonly onPut?: (messages: number) => void
}

/** Milliseconds of one slice, without the commit at its end. */
const SLICE_MS = 12

/** Stores the conversation, or nothing of it. @throws {HostError} `cancelled` when the signal aborts. */
export async function putWhole(
  store: Pick<Store, 'conversations' | 'history' | 'transaction'>,
  { conversation, messages, leaf }: WholeConversation,
  options: PutOptions = {},
): Promise<void> {
  const { conversations, history } = store
  const { id } = conversation
  store.transaction(() => {
    conversations.put(conversation)
    history.set([id], { deletedAt: NOT_WHOLE })
  })
  try {
    let end: string | null = null
    for await (const some of messages) {
      for (let put = 0; put < some.length; ) {
        const before = put
        const until = performance.now() + SLICE_MS
        end = store.transaction(() => {
          let last = end
          for (const { parent, message } of some.slice(before)) {
            if (put > before && performance.now() >= until) break
            if (parent !== last) conversations.setLeaf(id, parent)
            conversations.putMessage(message)
            last = message.id
            put += 1
          }
          return last
        })
        options.onPut?.(put - before)
        await setImmediate()
        if (options.signal?.aborted) throw new HostError('cancelled', t`It was cancelled.`)
      }
    }
    store.transaction(() => {
      if (leaf !== end) conversations.setLeaf(id, leaf)
      history.set([id], { deletedAt: null })
    })
  } catch (error) {
    history.purge([id])
    throw error
  }
}
