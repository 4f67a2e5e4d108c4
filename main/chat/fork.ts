// A conversation that begins as another one was up to some message. The two share nothing but the bytes of results: each
// copy has ids of its own, so that what is told of a message or a call is told of one of them.
import type { Conversation } from '#app/chat/conversation.ts'
import type { Message } from '#app/chat/message.ts'
import type { Settings } from '#app/settings.ts'
import { newId } from '#main/base/ids.ts'
import { settleCutOff, settleSummary } from './recover.ts'

export interface Fork {
  readonly conversation: Conversation
  /** One message after the other, from the first on. */
  copy(message: Message): Message
  /** What a message is called there. */
  idOf(id: string): string
}

/**
 * How it asks is as in any new chat: what was loosened for one conversation was for that one. It lies in the same folder, and
 * is listed like any other.
 */
export function forkOf(of: Conversation, { now, consentMode }: { readonly now: number } & Pick<Settings, 'consentMode'>): Fork {
  const { consentMode: _of, contextTokens: _filled, pinned: _above, archivedAt: _away, unread: _new, ...kept } = of
  const id = newId()
  const conversation: Conversation = {
    ...kept,
    id,
    createdAt: now,
    updatedAt: now,
    activity: { kind: 'idle' },
    ...(consentMode === 'rules' ? {} : { consentMode }),
  }
  const ids = new Map<string, string>()
  const renamed = (one: string): string => {
    const own = ids.get(one) ?? newId()
    ids.set(one, own)
    return own
  }
  return { conversation, copy: (message) => copyOf(message, id, renamed), idOf: renamed }
}

function copyOf(message: Message, conversationId: string, renamed: (id: string) => string): Message {
  const own = { id: renamed(message.id), conversationId }
  if (message.role === 'user') {
    const { steered, ...kept } = message
    // What waited for a turn's next step waits for nothing here.
    return { ...kept, ...(steered === 'given' ? { steered } : {}), ...own }
  }
  if (message.role === 'summary') {
    const { covers, leftOut } = message
    const until = renamed(covers.until)
    return { ...settleSummary(message), ...own, covers: { ...covers, until }, ...(leftOut ? { leftOut: leftOut.map(renamed) } : {}) }
  }
  const settled = settleCutOff(message)
  const parts = settled.parts.map((part) =>
    part.kind === 'tool-call' ? { ...part, call: { ...part.call, id: renamed(part.call.id) } } : part,
  )
  return { ...settled, parts, ...own }
}
