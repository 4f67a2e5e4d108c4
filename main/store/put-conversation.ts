// A conversation with all its messages, however many, without holding the host's loop: in slices, each a transaction of its
// own. It is there once all of it is: until then it counts as deleted, and as nothing that could be restored. What is left of
// it by a crash goes with the next start (`purgeDeleted`); what is stopped or fails goes at once.
import { setImmediate } from 'node:timers/promises'
import type { Conversation } from '#app/chat/conversation.ts'
import type { Message } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Store } from './store-api.ts'

export interface PlacedMessage {
  readonly parent: string | null
  readonly message: Message
}

interface WholeConversation {
  readonly conversation: Conversation
  /** Some at a time, parents first. */
  readonly messages: AsyncIterable<readonly PlacedMessage[]> | Iterable<readonly PlacedMessage[]>
  readonly leaf: string | null
}

interface PutOptions {
  readonly signal?: AbortSignal | undefined
  /** After each slice: messages of it. */
  readonly onPut?: (messages: number) => void
}

/** Of one turn of the loop: what is written to the disk at its end comes on top. */
const SLICE_MS = 12

/** Of what is being put: since the beginning of time. */
export const NOT_WHOLE = 0

type Into = Pick<Store, 'conversations' | 'history' | 'transaction'>

/** Rejects with `cancelled`; nothing of it is left then, nor after any other failure. */
export async function putWhole(store: Into, { conversation, messages, leaf }: WholeConversation, options: PutOptions = {}): Promise<void> {
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
        if (options.signal?.aborted) throw new HostError('cancelled', t`It was stopped.`)
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
