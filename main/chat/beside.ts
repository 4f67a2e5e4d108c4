// A second answer to the latest question, by another model: a branch of the same question that another turn writes beside the shown path.
// The second turn sees the chat by a context of its own, in which that branch is the path, and the second model the conversation's.
import type { Conversation } from '#app/chat/conversation.ts'
import type { EventPayload } from '#app/contract/events.ts'
import type { Emit } from '#main/base/events.ts'
import type { ConversationStore } from '#main/store/store-api.ts'
import type { ChatContext } from './chat-context.ts'

/** Conversation without its second answer, which stays in the tree as another version. */
export function withoutBeside({ beside: _, ...conversation }: Conversation): Conversation {
  return conversation
}

/** `beside`: where the answer begins. Once another took its place, nothing more is said of its state. */
export function besideContext(
  chat: ChatContext,
  { id, beside }: Conversation & { readonly beside: NonNullable<Conversation['beside']> },
): ChatContext {
  const { conversations } = chat.store
  const written = new Set<string>()
  let { leaf, activity } = beside
  const change = (own: Partial<typeof beside>, more: Partial<Conversation> = {}): void => {
    const now = conversations.get(id)
    if (now?.beside?.begun === beside.begun) conversations.put({ ...now, ...more, beside: { ...now.beside, ...own } })
  }
  const tree: ConversationStore['tree'] = (conversationId) => ({ ...conversations.tree(conversationId), leaf })
  const own: ConversationStore = {
    ...conversations,
    tree,
    messages: (conversationId, whole = tree(conversationId)) => conversations.messages(conversationId, whole),
    get(conversationId) {
      const now = conversations.get(conversationId)
      return now && { ...now, model: beside.model, activity }
    },
    put(conversation) {
      activity = conversation.activity
      change({ activity }, conversation.unread ? { unread: true } : {})
    },
    putMessage(message) {
      if (written.has(message.id) || conversations.message(message.id)) conversations.putMessage(message)
      else {
        chat.store.transaction(() => {
          conversations.putMessage(message, leaf)
          leaf = message.id
          change({ leaf })
        })
      }
      written.add(message.id)
    },
  }
  const emit: Emit = (name, payload) => {
    if (name === 'message.changed') return chat.emit('message.changed', { ...(payload as EventPayload<'message.changed'>), beside: true })
    if (name !== 'conversation.changed') return chat.emit(name, payload)
    const conversation = conversations.get(id)
    if (conversation) chat.emit('conversation.changed', { conversation })
  }
  return { ...chat, emit, store: { ...chat.store, conversations: own } }
}
