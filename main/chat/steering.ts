// Messages sent while a turn runs. They go with its next step, or begin the next turn; until then they can be withdrawn.
import type { Message, UserMessage } from '#app/chat/message.ts'
import { newId } from '#main/base/ids.ts'
import { type ChatContext, putMessages } from './chat-context.ts'
import { updateConversation } from './turn-activity.ts'

type Context = Pick<ChatContext, 'store' | 'emit'>

export const isUnread = (message: Message): message is UserMessage => message.role === 'user' && message.steered === 'waiting'

export const unreadIn = ({ store }: Pick<Context, 'store'>, conversationId: string): UserMessage[] =>
  store.conversations.messages(conversationId).filter(isUnread)

/** Marks the unread messages of a request that is about to be sent. */
export function markGiven(chat: Context, sent: readonly Message[]): void {
  const unread = sent.filter(isUnread)
  const given = unread.map((message) => ({ ...message, steered: 'given' as const }))
  if (given.length > 0) putMessages(chat, given)
}

/** Moves the unread messages to a new turn once theirs is over. Returns its id; `undefined` when there are none. */
export function toNextTurn(chat: Context, conversationId: string): string | undefined {
  const unread = unreadIn(chat, conversationId)
  if (unread.length === 0) return undefined
  const turnId = newId()
  const moved = unread.map(({ steered: _, ...message }) => ({ ...message, turnId }))
  putMessages(chat, moved)
  return turnId
}

/** Returns the text of the withdrawn message; `undefined` when the model has read it, or it does not exist. */
export function withdraw(chat: Context, conversationId: string, messageId: string): string | undefined {
  const { store, emit } = chat
  const message = unreadIn(chat, conversationId).find(({ id }) => id === messageId)
  if (!message) return undefined
  store.conversations.deleteMessages([messageId])
  emit('conversation.pathChanged', { conversationId })
  const activity = store.conversations.get(conversationId)?.activity
  if (activity?.kind === 'paused' && activity.reason === 'unread' && unreadIn(chat, conversationId).length === 0)
    updateConversation(chat, conversationId, { activity: { kind: 'idle' } })
  return message.text
}
