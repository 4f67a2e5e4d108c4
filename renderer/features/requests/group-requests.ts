// What waits for the person, by the conversation that caused it: open requests, and calls that give no word. Each group
// stands where its oldest stands. Pure.
import type { Conversation } from '#app/chat/conversation.ts'
import type { OverdueCall } from '#app/chat/overdue.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { t } from '#app/words/translate.ts'

export type Waiting =
  | { readonly kind: 'request'; readonly since: number; readonly request: ConsentRequest }
  | { readonly kind: 'overdue'; readonly since: number; readonly call: OverdueCall }

export interface WaitingGroup {
  /** Undefined: asked outside of any chat, e.g. by a server that is started. */
  readonly conversationId: string | undefined
  readonly title: string
  /** Oldest first. */
  readonly waiting: readonly Waiting[]
}

const conversationOf = (one: Waiting): string | undefined => (one.kind === 'request' ? one.request.conversationId : one.call.conversationId)

export function groupWaiting(
  requests: readonly ConsentRequest[],
  overdue: readonly OverdueCall[],
  conversations: readonly Conversation[],
): WaitingGroup[] {
  const all: Waiting[] = [
    ...requests.map((request) => ({ kind: 'request', since: request.createdAt, request }) as const),
    ...overdue.map((call) => ({ kind: 'overdue', since: call.since, call }) as const),
  ]
  const groups = Map.groupBy(
    all.sort((a, b) => a.since - b.since),
    conversationOf,
  )
  return [...groups].map(([conversationId, waiting]) => ({
    conversationId,
    title:
      conversationId === undefined
        ? t`Outside of a chat`
        : (conversations.find(({ id }) => id === conversationId)?.title ?? t`A chat that is gone`),
    waiting,
  }))
}
