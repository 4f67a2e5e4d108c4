// Marks what a crash or a quit cut off. Nothing is run: a call that had been sent has an unknown outcome.
import type { ConversationActivity } from '#app/chat/conversation.ts'
import type { AssistantMessage, Message, SummaryMessage } from '#app/chat/message.ts'
import { isCallEnded, nextCallState } from '#app/chat/next-call-state.ts'
import type { ChatContext } from './chat-context.ts'
import { callsIn, mapCalls } from './message-calls.ts'
import { updateConversation } from './turn-activity.ts'

/** Returns the message with every call at an end; the same object when none was open. */
export function settleInterrupted(message: AssistantMessage): AssistantMessage {
  const cut = message.state === 'streaming'
  if (!cut && callsIn(message).every((call) => isCallEnded(call.state))) return message
  const parts = mapCalls(message.parts, (call) => ({ ...call, state: nextCallState(call.state, { kind: 'cut-off' }) }))
  return { ...message, parts, ...(cut ? { state: 'interrupted' as const } : {}) }
}

/** Whether the turn was only a summary that the person asked for: then there is nothing to resume. */
function wasSummarising({ store }: Context, id: string, turnId: string): boolean {
  const own = store.conversations.messages(id).filter((message) => message.turnId === turnId)
  return own.length > 0 && own.every((message) => message.role === 'summary' && message.by === 'person')
}

/** A summary that was cut off is not in force: the model reads everything, as before. */
export const settleSummary = (message: SummaryMessage): SummaryMessage =>
  message.state === 'writing' ? { ...message, state: 'interrupted' } : message

type Context = Pick<ChatContext, 'store' | 'emit'>

/** Stores and emits each message that was still open, at its end. */
export function settleMessages({ store, emit }: Context, messages: readonly Message[]): void {
  for (const message of messages) {
    if (message.role === 'user') continue
    const settled = message.role === 'summary' ? settleSummary(message) : settleInterrupted(message)
    if (settled === message) continue
    store.conversations.putMessage(settled)
    emit('message.changed', { message: settled })
  }
}

export function recoverAll(chat: Context): void {
  const { conversations, messages } = chat.store.conversations.unfinished()
  settleMessages(chat, messages)
  for (const conversation of conversations) {
    const { id, activity, beside } = conversation
    settleMessages(chat, [...chat.store.conversations.messages(id), ...chat.store.conversations.besideMessages(conversation)])
    const cutOff = (was: ConversationActivity): ConversationActivity => {
      if (was.kind !== 'working' && was.kind !== 'waiting') return was
      return wasSummarising(chat, id, was.turnId) ? { kind: 'idle' } : { kind: 'interrupted', turnId: was.turnId }
    }
    updateConversation(chat, id, {
      activity: cutOff(activity),
      ...(beside && { beside: { ...beside, activity: cutOff(beside.activity) } }),
    })
  }
}
