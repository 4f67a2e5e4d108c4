// What the person adds while a turn is at work. It is a message like any other, in the store from the moment it is sent;
// the model reads it with the turn's next step, or it begins the next turn. Until then it can be taken back.
import type { Message, UserMessage } from '#app/chat/message.ts'
import { newId } from '#main/base/ids.ts'
import type { ChatContext } from './chat-context.ts'
import { putMessages } from './chat-context.ts'
import { updateConversation } from './turn-activity.ts'

type Deps = Pick<ChatContext, 'store' | 'emit'>

export const isUnread = (message: Message): message is UserMessage => message.role === 'user' && message.steered === 'waiting'

export const unreadIn = ({ store }: Pick<Deps, 'store'>, conversationId: string): UserMessage[] =>
  store.conversations.messages(conversationId).filter(isUnread)

/** `sent`: the messages of the request that is about to be sent. */
export function markGiven(deps: Deps, sent: readonly Message[]): void {
  const unread = sent.filter(isUnread)
  if (unread.length > 0)
    putMessages(
      deps,
      unread.map((message) => ({ ...message, steered: 'given' as const })),
    )
}

/** The turn that they were sent to is over: they begin another. Returns its id; undefined: there are none. */
export function toNextTurn(deps: Deps, conversationId: string): string | undefined {
  const unread = unreadIn(deps, conversationId)
  if (unread.length === 0) return undefined
  const turnId = newId()
  putMessages(
    deps,
    unread.map(({ steered: _waiting, ...message }) => ({ ...message, turnId })),
  )
  return turnId
}

/** The text of the message that was taken back; undefined: the model has read it, or it is not there. */
export function withdraw(deps: Deps, conversationId: string, messageId: string): string | undefined {
  const { store, emit } = deps
  const message = unreadIn(deps, conversationId).find(({ id }) => id === messageId)
  if (!message) return undefined
  store.conversations.deleteMessages([messageId])
  emit('conversation.pathChanged', { conversationId })
  const activity = store.conversations.get(conversationId)?.activity
  if (activity?.kind === 'paused' && activity.reason === 'unread' && unreadIn(deps, conversationId).length === 0)
    updateConversation(deps, conversationId, { activity: { kind: 'idle' } })
  return message.text
}
