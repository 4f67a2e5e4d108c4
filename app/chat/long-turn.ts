// Whether the person is called because a turn ended: when it worked for so long without needing them that they may have gone
// to something else. Time in which a question waited for them does not count.
import type { Conversation } from './conversation.ts'

/** Milliseconds. */
export const longTurn = 20_000

export interface TurnEnd {
  readonly conversationId: string
  readonly turnId: string
  /** `paused`: at a limit of theirs; it can be gone on with. */
  readonly how: 'answered' | 'failed' | 'paused'
  /** How long it worked since it last needed them, in milliseconds. */
  readonly ms: number
}

export interface TurnWatch {
  /** Shown each change of each conversation. Undefined: nobody is called for this one. */
  see(conversation: Pick<Conversation, 'id' | 'activity'>): TurnEnd | undefined
}

interface Seen {
  readonly turnId: string
  readonly since: number
  readonly waits: boolean
}

export function createTurnWatch(now: () => number): TurnWatch {
  const seen = new Map<string, Seen>()
  return {
    see({ id, activity }) {
      const before = seen.get(id)
      if (activity.kind === 'working') {
        if (before?.turnId !== activity.turnId) seen.set(id, { turnId: activity.turnId, since: activity.since, waits: false })
        else if (before.waits) seen.set(id, { ...before, since: now(), waits: false })
        return undefined
      }
      if (activity.kind === 'waiting') {
        seen.set(id, { turnId: activity.turnId, since: now(), waits: true })
        return undefined
      }
      seen.delete(id)
      const how = endOf(activity)
      if (!before || before.waits || !how) return undefined
      const ms = now() - before.since
      return ms < longTurn ? undefined : { conversationId: id, turnId: before.turnId, how, ms }
    },
  }
}

/** Undefined: who ended it knows. */
function endOf(activity: Exclude<Conversation['activity'], { kind: 'working' | 'waiting' }>): TurnEnd['how'] | undefined {
  if (activity.kind === 'idle') return 'answered'
  if (activity.kind === 'failed') return 'failed'
  return activity.kind === 'paused' && activity.reason !== 'unread' ? 'paused' : undefined
}
