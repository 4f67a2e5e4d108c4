// What a crash or a quit cut off, marked as what it is. Nothing is run: a call that had been sent has an unknown end.
import type { AssistantMessage, Message, SummaryMessage } from '#app/chat/message.ts'
import { isCallEnded, nextCallState } from '#app/chat/next-call-state.ts'
import type { ChatContext } from './chat-context.ts'
import { updateConversation } from './turn-activity.ts'

/** The message with every call at an end. The same object when there was nothing to do. */
export function settleInterrupted(message: AssistantMessage): AssistantMessage {
  const open = (part: AssistantMessage['parts'][number]): boolean => part.kind === 'tool-call' && !isCallEnded(part.call.state)
  const cut = message.state === 'streaming'
  if (!cut && !message.parts.some(open)) return message
  const parts = message.parts.map((part) =>
    part.kind === 'tool-call' ? { ...part, call: { ...part.call, state: nextCallState(part.call.state, { kind: 'cut-off' }) } } : part,
  )
  return { ...message, parts, ...(cut ? { state: 'interrupted' as const } : {}) }
}

/** The person had asked for a summary, and no turn ran: there is none to go on with, unless they wrote something meanwhile. */
function wasSummarising({ store }: Deps, id: string, turnId: string): boolean {
  const own = store.conversations.messages(id).filter((message) => message.turnId === turnId)
  return own.length > 0 && own.every((message) => message.role === 'summary' && message.by === 'person')
}

/** One that was not written to its end is not in force: the model reads everything, as before. */
export const settleSummary = (message: SummaryMessage): SummaryMessage =>
  message.state === 'writing' ? { ...message, state: 'interrupted' } : message

type Deps = Pick<ChatContext, 'store' | 'emit'>

/** Settles what is open in a conversation's messages. */
export function settleMessages({ store, emit }: Deps, messages: readonly Message[]): void {
  for (const message of messages) {
    if (message.role === 'user') continue
    const settled = message.role === 'summary' ? settleSummary(message) : settleInterrupted(message)
    if (settled === message) continue
    store.conversations.putMessage(settled)
    emit('message.changed', { message: settled })
  }
}

export function recoverAll(deps: Deps): void {
  const { conversations, messages } = deps.store.conversations.unfinished()
  settleMessages(deps, messages)
  for (const { id, activity } of conversations) {
    settleMessages(deps, deps.store.conversations.messages(id))
    if ('turnId' in activity)
      updateConversation(deps, id, {
        activity: wasSummarising(deps, id, activity.turnId) ? { kind: 'idle' } : { kind: 'interrupted', turnId: activity.turnId },
      })
  }
}
