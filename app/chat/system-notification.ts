// System notifications: when something waits for the person, a call is overdue or a long turn ended. A notification may appear on a
// locked screen, so it holds no server text (tool name, address, message); only the person's own name for the server.
import type { ConsentRequest } from '../consent/request.ts'
import { t } from '../i18n/translate.ts'
import { defined } from '../or-else.ts'
import { formatDuration } from '../text/format-text.ts'
import { stripHidden } from '../text/hidden-characters.ts'
import type { Conversation } from './conversation.ts'
import { type OverdueCall, overdueSentence } from './overdue-call.ts'

/** Milliseconds of work after which the end of a turn is notified. */
const longTurn = 20_000

interface TurnEnd {
  readonly conversationId: string
  readonly turnId: string
  /** `paused`: at a limit of the person's; it can be resumed. */
  readonly how: 'answered' | 'failed' | 'paused'
  /** Milliseconds of work since the turn last waited for the person. */
  readonly ms: number
}

/** Measures how long turns work; time in which a question waited for the person does not count. */
export function createTurnWatch(now: () => number) {
  const seen = new Map<string, { readonly turnId: string; readonly since: number; readonly waits: boolean }>()
  return {
    /** Takes each change of a conversation. Returns the end of a long turn. */
    see({ id, activity }: Pick<Conversation, 'id' | 'activity'>): TurnEnd | undefined {
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

/** Returns how a turn ended; undefined: the person ended it. */
function endOf(activity: Exclude<Conversation['activity'], { kind: 'working' | 'waiting' }>): TurnEnd['how'] | undefined {
  if (activity.kind === 'idle') return 'answered'
  if (activity.kind === 'failed') return 'failed'
  return activity.kind === 'paused' && activity.reason !== 'unread' ? 'paused' : undefined
}

export interface SystemNotice {
  readonly title: string
  readonly body: string
  readonly conversationId?: string
}

/** Notification of a request; undefined when nothing waits for its answer. */
export function requestNotice(request: ConsentRequest): SystemNotice | undefined {
  // A call of the changed tool asks by itself.
  if (request.kind === 'tool-changed') return undefined
  return {
    title: t`“${stripHidden(request.server)}” waits for your answer`,
    body: '',
    ...defined({ conversationId: request.conversationId }),
  }
}

export const overdueNotice = (call: OverdueCall): SystemNotice => ({
  title: overdueSentence(call),
  body: t`The call is cancelled soon unless you wait.`,
  conversationId: call.conversationId,
})

export function turnEndNotice({ conversationId, how, ms }: TurnEnd): SystemNotice {
  const notices = {
    answered: { title: t`Answer ready`, body: formatDuration(ms) },
    failed: { title: t`The answer broke off.`, body: '' },
    paused: { title: t`An answer paused at your limit`, body: '' },
  }
  return { ...notices[how], conversationId }
}
