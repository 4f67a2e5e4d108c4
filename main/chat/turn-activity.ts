// The activity of a conversation's turn, in the store and on every page: working, waiting for the person, or how it ended.
import { isDeepStrictEqual } from 'node:util'
import type { AwaitedServer, Conversation, ConversationActivity } from '#app/chat/conversation.ts'
import { orElse } from '#app/or-else.ts'
import type { ChatContext } from './chat-context.ts'

type Context = Pick<ChatContext, 'store' | 'emit' | 'clock' | 'log' | 'onError'>

/** Changes a stored conversation; one that was deleted meanwhile stays deleted. */
export function updateConversation(chat: Pick<Context, 'store' | 'emit'>, id: string, change: Partial<Conversation>): void {
  const current = chat.store.conversations.get(id)
  if (!current) return
  const conversation = { ...current, ...change }
  chat.store.conversations.put(conversation)
  chat.emit('conversation.changed', { conversation })
}

export interface TurnFrame {
  readonly activity: ReturnType<typeof createActivity>
  readonly signal: AbortSignal
  /** Whether the host ends: the turn is then interrupted, not stopped. */
  readonly quitting: () => boolean
}

export function createActivity(chat: Context, conversationId: string, turnId: string) {
  const { store, emit, clock, log } = chat
  const since = clock.now()
  let open = 0
  let retry: { at: number; reason: string } | undefined
  let compacting: number | undefined
  let awaited: readonly AwaitedServer[] = []
  let ended = false

  const now = (): ConversationActivity => {
    const requests = open + awaited.filter(({ asked }) => asked).length
    const servers = awaited.length > 0 ? { servers: [...awaited] } : {}
    if (requests > 0) return { kind: 'waiting', turnId, requests, ...servers }
    const summarising = compacting === undefined ? {} : { compacting }
    return { kind: 'working', turnId, since, ...(retry ? { retry } : {}), ...summarising, ...servers }
  }
  const show = (): void => {
    if (!ended) updateConversation(chat, conversationId, { activity: now() })
  }
  show()
  return {
    /** Counts a question as open; returns its undo. */
    asked(): () => void {
      open += 1
      show()
      let closed = false
      return () => {
        if (closed) return
        closed = true
        open -= 1
        show()
      }
    },
    retrying(afterMs: number, reason: string): void {
      retry = { at: clock.now() + afterMs, reason }
      show()
    },
    /** The model answers again after a retry. */
    answering(): void {
      if (!retry) return
      retry = undefined
      show()
    },
    /** Shows how many messages are being summarised; `undefined`: none any more. */
    compacting(messages: number | undefined): void {
      compacting = messages
      show()
    },
    /** Shows the servers whose first start is waited for; none: the wait is over. */
    awaiting(servers: readonly AwaitedServer[]): void {
      if (isDeepStrictEqual(servers, awaited)) return
      awaited = servers
      show()
    },
    contextTokens(tokens: number): void {
      if (!ended) updateConversation(chat, conversationId, { contextTokens: tokens })
    },
    /** Sets the last activity; ignores later ones. Never throws: on a full disk the pages still learn how the turn ended. */
    end(activity: ConversationActivity): void {
      if (ended) return
      ended = true
      const change = { activity, updatedAt: clock.now(), ...(activity.kind === 'idle' ? { unread: true } : {}) }
      try {
        updateConversation(chat, conversationId, change)
      } catch (error) {
        chat.onError?.(error)
        log.error('the end of a turn could not be written', error)
        // The store has just failed to write, and perhaps cannot read either.
        const current = orElse(() => store.conversations.get(conversationId), undefined)
        if (current) emit('conversation.changed', { conversation: { ...current, ...change } })
      }
    },
  }
}
