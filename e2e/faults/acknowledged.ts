// What a page was told of conversations, and what of it a later host no longer has. Streamed text is told before it is kept,
// so a delta promises nothing; a message, a part and a step of a call that were told do.
import { isDeepStrictEqual } from 'node:util'
import type { AssistantMessage, AssistantPart, Message, ToolCallState } from '#app/chat/message.ts'
import { isCallEnded } from '#app/chat/next-call-state.ts'
import type { HostEvent } from '#app/contract/events.ts'

export interface Acknowledged {
  take(event: HostEvent): void
  conversations(): string[]
  /** How many messages were told of. */
  count(): number
  /** Ids of the messages of a conversation of which something is not there any more. What was found is acknowledged too. */
  lost(conversationId: string, found: readonly Message[]): string[]
}

export function createAcknowledged(): Acknowledged {
  const told = new Map<string, Message>()

  function step(messageId: string, callId: string, state: ToolCallState): void {
    const message = told.get(messageId)
    if (message?.role !== 'assistant') return
    const parts = message.parts.map((part) =>
      part.kind === 'tool-call' && part.call.id === callId ? { ...part, call: { ...part.call, state } } : part,
    )
    told.set(messageId, { ...message, parts })
  }

  return {
    take(event) {
      if (event.name === 'message.changed') told.set(event.payload.message.id, event.payload.message)
      else if (event.name === 'toolCall.changed') step(event.payload.messageId, event.payload.callId, event.payload.state)
    },
    conversations: () => [...new Set([...told.values()].map(({ conversationId }) => conversationId))],
    count: () => told.size,
    lost(conversationId, found) {
      const byId = new Map(found.map((message) => [message.id, message]))
      const lost = [...told.values()].filter(
        (message) => message.conversationId === conversationId && !isKept(message, byId.get(message.id)),
      )
      for (const message of found) told.set(message.id, message)
      return lost.map(({ id }) => id)
    },
  }
}

/** Whether what was told of a message still holds of what is found in its place. */
export function isKept(told: Message, found: Message | undefined): boolean {
  if (told.role === 'user' && told.steered === 'waiting') return isDeepStrictEqual(asSaid(told), found && asSaid(found))
  if (told.role !== 'assistant' || found?.role !== 'assistant') return isDeepStrictEqual(told, found)
  if (told.state !== 'streaming' && found.state !== told.state && told.parts.length > 0) return false
  return told.parts.every((part, index) => isPartKept(part, found.parts[index], told.state))
}

/** What was added to a turn may have been read since, or have begun a turn of its own. */
function asSaid(message: Message): unknown {
  if (message.role !== 'user') return message
  const { steered: _read, turnId: _next, ...said } = message
  return said
}

function isPartKept(told: AssistantPart, found: AssistantPart | undefined, state: AssistantMessage['state']): boolean {
  if (told.kind === 'tool-call')
    return found?.kind === 'tool-call' && found.call.id === told.call.id && isStateKept(told.call.state, found.call.state)
  if (told.kind === 'image') return found?.kind === 'image' && found.blob.sha256 === told.blob.sha256
  if (found?.kind !== told.kind) return false
  return state === 'done' ? found.text === told.text : found.text.startsWith(told.text)
}

/** A call that ran has an end, be it that nobody knows it; one that had ended is as it was. */
function isStateKept(told: ToolCallState, found: ToolCallState): boolean {
  if (isCallEnded(told)) return isDeepStrictEqual(told, found)
  return told.kind !== 'running' || ['running', 'done', 'failed', 'unknown'].includes(found.kind)
}
