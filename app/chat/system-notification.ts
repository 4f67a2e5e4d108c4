// What the operating system, or the browser, shows when something waits for the person and no window of ours is in front: who
// asks, and for what kind of thing; also when a call gives no word, and when a long turn ended. It may stand on a locked
// screen, so it holds no word of a server (no tool's name, no address, no message): the person's own name for the server is all
// that is not ours. Whether the person is called because a turn ended: when it worked for so long without needing them that
// they may have gone to something else. Time in which a question waited for them does not count.

import type { ConsentRequest } from '../consent/request.ts'
import { t } from '../i18n/translate.ts'
import { assertNever } from '../json.ts'
import { formatDuration } from '../text/format-text.ts'
import { stripHidden } from '../text/hidden-characters.ts'
import type { Conversation } from './conversation.ts'
import { type OverdueCall, overdueSentence } from './overdue-call.ts'

/** Milliseconds. */
const longTurn = 20_000

interface TurnEnd {
  readonly conversationId: string
  readonly turnId: string
  /** `paused`: at a limit of theirs; it can be gone on with. */
  readonly how: 'answered' | 'failed' | 'paused'
  /** How long it worked since it last needed them, in milliseconds. */
  readonly ms: number
}

interface TurnWatch {
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

export interface SystemNotice {
  readonly title: string
  readonly body: string
  readonly conversationId?: string
}

function wish(request: ConsentRequest): string {
  switch (request.kind) {
    case 'tool-call':
      return t`wants to use a tool`
    case 'launch':
      if (request.target.transport !== 'stdio') return t`wants to connect`
      return request.previous ? t`wants to start a changed program` : t`wants to start a program`
    case 'elicitation-form':
      return t`asks you for an answer`
    case 'elicitation-url':
      return t`wants to open a page`
    case 'sign-in':
      return t`wants you to sign in`
    case 'sampling':
      return t`wants an answer from your model`
    case 'sampling-result':
      return t`wants to read your model’s answer`
    case 'roots':
      return t`wants to know your folders`
    case 'tool-changed':
      return t`changed a tool`
    case 'config-import':
      return t`has servers that are to be added`
    default:
      return assertNever(request)
  }
}

/** Undefined: nothing waits for the answer, so nobody is called for it. */
export function requestNotice(request: ConsentRequest): SystemNotice | undefined {
  // The call that needs the changed tool will say so.
  if (request.kind === 'tool-changed') return undefined
  return {
    title: `“${stripHidden(request.server)}” ${wish(request)}`,
    body: t`Nothing happens until you answer.`,
    ...(request.conversationId === undefined ? {} : { conversationId: request.conversationId }),
  }
}

export const overdueNotice = (call: OverdueCall): SystemNotice => ({
  title: overdueSentence(call),
  body: t`It gives no word. It is cancelled before long unless you wait.`,
  conversationId: call.conversationId,
})

export function turnEndNotice({ conversationId, how, ms }: TurnEnd): SystemNotice {
  const body = t`It took ${formatDuration(ms)}.`
  switch (how) {
    case 'answered':
      return { title: t`An answer is there`, body, conversationId }
    case 'failed':
      return { title: t`An answer broke off`, body: t`The chat says why.`, conversationId }
    case 'paused':
      return { title: t`An answer came to a limit of yours`, body: t`It goes on when you say so.`, conversationId }
    default:
      return assertNever(how)
  }
}
