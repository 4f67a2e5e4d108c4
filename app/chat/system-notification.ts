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

type AskingRequest = Exclude<ConsentRequest, { kind: 'tool-changed' }>

const wishes: Readonly<Record<Exclude<AskingRequest['kind'], 'launch'>, () => string>> = {
  'tool-call': () => t`wants to use a tool`,
  'elicitation-form': () => t`asks you for an answer`,
  'elicitation-url': () => t`wants to open a page`,
  'sign-in': () => t`wants you to sign in`,
  sampling: () => t`wants an answer from your model`,
  'sampling-result': () => t`wants to read your model’s answer`,
  roots: () => t`wants to know your folders`,
  'config-import': () => t`has servers that are to be added`,
}

function wish(request: AskingRequest): string {
  if (request.kind !== 'launch') return wishes[request.kind]()
  if (request.target.transport !== 'stdio') return t`wants to connect`
  return request.previous ? t`wants to start a changed program` : t`wants to start a program`
}

/** Notification of a request; undefined when nothing waits for its answer. */
export function requestNotice(request: ConsentRequest): SystemNotice | undefined {
  // A call of the changed tool asks by itself.
  if (request.kind === 'tool-changed') return undefined
  return {
    title: `“${stripHidden(request.server)}” ${wish(request)}`,
    body: t`Nothing happens until you answer.`,
    ...defined({ conversationId: request.conversationId }),
  }
}

export const overdueNotice = (call: OverdueCall): SystemNotice => ({
  title: overdueSentence(call),
  body: t`It gives no word. It is cancelled before long unless you wait.`,
  conversationId: call.conversationId,
})

export function turnEndNotice({ conversationId, how, ms }: TurnEnd): SystemNotice {
  const notices = {
    answered: { title: t`An answer is there`, body: t`It took ${formatDuration(ms)}.` },
    failed: { title: t`An answer broke off`, body: t`The chat says why.` },
    paused: { title: t`An answer came to a limit of yours`, body: t`It goes on when you say so.` },
  }
  return { ...notices[how], conversationId }
}
