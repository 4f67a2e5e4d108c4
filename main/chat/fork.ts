// A conversation that begins as another one was up to some message. The two share nothing but the bytes of results: each
// copy has ids of its own, so that what is told of a message or a call is told of one of them.
import type { Conversation } from '#app/chat/conversation.ts'
import type { Message } from '#app/chat/message.ts'
import type { Settings } from '#app/settings.ts'
import { newId } from '#main/base/ids.ts'
import { settleCutOff } from './recover.ts'

export interface Fork {
  readonly conversation: Conversation
  readonly messages: readonly Message[]
}

/** How it asks is as in any new chat: what was loosened for one conversation was for that one. */
export function forkOf(
  of: Conversation,
  path: readonly Message[],
  { now, consentMode }: { readonly now: number } & Pick<Settings, 'consentMode'>,
): Fork {
  const { consentMode: _of, contextTokens: _filled, ...kept } = of
  const id = newId()
  const conversation: Conversation = {
    ...kept,
    id,
    createdAt: now,
    updatedAt: now,
    activity: { kind: 'idle' },
    ...(consentMode === 'rules' ? {} : { consentMode }),
  }
  return { conversation, messages: path.map((message) => copyOf(message, id)) }
}

function copyOf(message: Message, conversationId: string): Message {
  if (message.role !== 'assistant') {
    const { steered, ...kept } = message
    // What waited for a turn's next step waits for nothing here.
    return { ...kept, ...(steered === 'given' ? { steered } : {}), id: newId(), conversationId }
  }
  const settled = settleCutOff(message)
  const parts = settled.parts.map((part) => (part.kind === 'tool-call' ? { ...part, call: { ...part.call, id: newId() } } : part))
  return { ...settled, parts, id: newId(), conversationId }
}
