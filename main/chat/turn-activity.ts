// Where a conversation's turn stands, for the store and every page: working, waiting for the person, or how it ended.
import { isDeepStrictEqual } from 'node:util'
import type { AwaitedServer, Conversation, ConversationActivity } from '#app/chat/conversation.ts'
import type { ChatContext } from './chat-context.ts'

type Deps = Pick<ChatContext, 'store' | 'emit' | 'clock' | 'log' | 'onError'>

/** Reads, changes and writes; a conversation that was deleted meanwhile stays deleted. */
export function updateConversation(deps: Pick<Deps, 'store' | 'emit'>, id: string, change: Partial<Conversation>): void {
  const current = deps.store.conversations.get(id)
  if (!current) return
  const conversation = { ...current, ...change }
  deps.store.conversations.put(conversation)
  deps.emit('conversation.changed', { conversation })
}

export interface ActivityTracker {
  /** A question is open; returns its undo. */
  asked(): () => void
  retrying(afterMs: number, reason: string): void
  /** The model answers again. */
  answering(): void
  /** So many messages are being summarised; undefined: that is over. */
  compacting(messages: number | undefined): void
  /** Servers whose first start is waited for; none: that is over. */
  awaiting(servers: readonly AwaitedServer[]): void
  contextTokens(tokens: number): void
  /** The last word; later ones are not heard. Never throws: on a full disk the pages still learn how it ended. */
  end(activity: ConversationActivity): void
}

export function createActivity(deps: Deps, conversationId: string, turnId: string): ActivityTracker {
  const { store, emit, clock, log } = deps
  const since = clock.now()
  let open = 0
  let retry: { at: number; reason: string } | undefined
  let compacting: number | undefined
  let awaited: readonly AwaitedServer[] = []
  let ended = false

  const working = (): ConversationActivity => ({
    kind: 'working',
    turnId,
    since,
    ...(retry ? { retry } : {}),
    ...(compacting === undefined ? {} : { compacting }),
    ...servers(),
  })
  const servers = () => (awaited.length > 0 ? { servers: [...awaited] } : {})
  const now = (): ConversationActivity => {
    const requests = open + awaited.filter(({ asked }) => asked).length
    return requests > 0 ? { kind: 'waiting', turnId, requests, ...servers() } : working()
  }
  const show = (): void => {
    if (!ended) updateConversation(deps, conversationId, { activity: now() })
  }
  show()
  return {
    asked() {
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
    retrying(afterMs, reason) {
      retry = { at: clock.now() + afterMs, reason }
      show()
    },
    answering() {
      if (!retry) return
      retry = undefined
      show()
    },
    compacting(messages) {
      compacting = messages
      show()
    },
    awaiting(servers) {
      if (isDeepStrictEqual(servers, awaited)) return
      awaited = servers
      show()
    },
    contextTokens(tokens) {
      if (!ended) updateConversation(deps, conversationId, { contextTokens: tokens })
    },
    end(activity) {
      if (ended) return
      ended = true
      const change = { activity, updatedAt: clock.now(), ...(activity.kind === 'idle' ? { unread: true } : {}) }
      try {
        updateConversation(deps, conversationId, change)
      } catch (error) {
        deps.onError?.(error)
        log.error('the end of a turn could not be written', error)
        const current = readOrNothing(store, conversationId)
        if (current) emit('conversation.changed', { conversation: { ...current, ...change } })
      }
    },
  }
}

function readOrNothing(store: Deps['store'], id: string): Conversation | undefined {
  try {
    return store.conversations.get(id)
  } catch {
    return undefined // The store has just failed to write; that is what was logged.
  }
}
