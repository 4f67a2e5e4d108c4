// Open requests by the conversation that caused them, each group where its oldest request stands. Pure.
import type { Conversation } from '#app/chat/conversation.ts'
import type { ConsentRequest } from '#app/consent/request.ts'

export interface RequestGroup {
  /** Undefined: asked outside of any chat, e.g. by a server that is started. */
  readonly conversationId: string | undefined
  readonly title: string
  /** Oldest first. */
  readonly requests: readonly ConsentRequest[]
}

export function groupRequests(requests: readonly ConsentRequest[], conversations: readonly Conversation[]): RequestGroup[] {
  const oldestFirst = [...requests].sort((a, b) => a.createdAt - b.createdAt)
  const groups = Map.groupBy(oldestFirst, (request) => request.conversationId)
  return [...groups].map(([conversationId, members]) => ({
    conversationId,
    title:
      conversationId === undefined
        ? 'Outside of a chat'
        : (conversations.find(({ id }) => id === conversationId)?.title ?? 'A chat that is gone'),
    requests: members,
  }))
}
