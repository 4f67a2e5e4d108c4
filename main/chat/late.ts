// A result that comes after its call was ended for having taken too long. It is kept with the call and shown on its row;
// what the model was told of it stays, and what comes next is not decided by it: the model reads of it in the next turn.
import type { CallOptions } from '#main/servers/types.ts'
import type { ChatOptions } from './deps.ts'
import { toToolResult } from './results.ts'
import type { MessageWriter } from './writer.ts'

type Late = Parameters<NonNullable<CallOptions['onLate']>>[0]

/** Never throws: nobody waits for it. The turn of the message may be over; a conversation that is gone stays gone. */
export function keepLate(deps: ChatOptions, writer: MessageWriter, callId: string, { result, bytes }: Late): void {
  const { store, clock, log, onError } = deps
  try {
    if (!store.conversations.get(writer.message().conversationId)) return
    writer.step(callId, { kind: 'late', result: toToolResult(result, bytes, store.blobs), at: clock.now() })
  } catch (error) {
    onError?.(error)
    log.error('a late result could not be kept', error)
  }
}
