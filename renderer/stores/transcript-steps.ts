// Pure steps from one transcript to the next. Untouched messages keep their identity, so that React renders only the changed one.
import type { AssistantPart, Message } from '#app/chat/message.ts'
import type { EventPayload } from '#app/contract/events.ts'

export interface ReadyTranscript {
  readonly kind: 'ready'
  /** Number of messages before the first of `ids` that were not fetched: a long chat is opened by its end. */
  readonly earlier: number
  /** Oldest first. */
  readonly ids: readonly string[]
  readonly messages: Readonly<Record<string, Message>>
  /** Branches of the path: the ids that may follow a message ('': the beginning). */
  readonly branches: Readonly<Record<string, readonly string[]>>
  readonly deleted: readonly string[]
  /** Ids of the second answer, those of earlier ones before them. */
  readonly beside: readonly string[]
}

export function withMessage(transcript: ReadyTranscript, message: Message, beside = false): ReadyTranscript {
  const messages = { ...transcript.messages, [message.id]: message }
  if (message.id in transcript.messages) return { ...transcript, messages }
  if (beside) return { ...transcript, messages, beside: [...transcript.beside, message.id] }
  const after = transcript.ids.at(-1) ?? ''
  const family = transcript.branches[after]
  const branches = family ? { ...transcript.branches, [after]: [...family, message.id] } : transcript.branches
  return { ...transcript, messages, branches, ids: [...transcript.ids, message.id] }
}

const textLength = (part: AssistantPart | undefined): number => (part?.kind === 'text' || part?.kind === 'thinking' ? part.text.length : -1)

/** Length of the part's text in UTF-16 units; -1 when there is no such text. */
export function knownLength(transcript: ReadyTranscript, at: { messageId: string; part: number }): number {
  const message = transcript.messages[at.messageId]
  return message?.role === 'assistant' ? textLength(message.parts[at.part]) : -1
}

/** Changes the parts of an answer. The transcript stays the same where no part does. */
function withParts(
  transcript: ReadyTranscript,
  messageId: string,
  change: (part: AssistantPart, index: number) => AssistantPart,
): ReadyTranscript {
  const message = transcript.messages[messageId]
  if (message?.role !== 'assistant') return transcript
  const parts = message.parts.map(change)
  const isSame = parts.every((part, index) => part === message.parts[index])
  return isSame ? transcript : withMessage(transcript, { ...message, parts })
}

export const addDelta = (transcript: ReadyTranscript, delta: EventPayload<'message.delta'>): ReadyTranscript =>
  withParts(transcript, delta.messageId, (part, index) =>
    index !== delta.part || (part.kind !== 'text' && part.kind !== 'thinking') ? part : { ...part, text: part.text + delta.text },
  )

export const withCallState = (transcript: ReadyTranscript, change: EventPayload<'toolCall.changed'>): ReadyTranscript =>
  withParts(transcript, change.messageId, (part) => {
    if (part.kind !== 'tool-call' || part.call.id !== change.callId) return part
    const edited = change.arguments === undefined ? {} : { arguments: change.arguments }
    return { ...part, call: { ...part.call, ...edited, state: change.state } }
  })
