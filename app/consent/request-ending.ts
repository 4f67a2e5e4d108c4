// How an open request ended: outcome, who answered, and why it was withdrawn. Every window is told.
import { z } from 'zod'
import { t } from '../i18n/translate.ts'
import { assertNever } from '../json.ts'
import { type ConsentRequest, consentOutcome, consentScope } from './request.ts'

/**
 * Reason of a withdrawal. `taken-back`: the server cancelled it. `server-gone`: it stopped or died. `call-ended`: the call or turn
 * ended. `expired`: the server's time is over. `replaced`: its subject changed.
 */
export const withdrawal = z.enum(['taken-back', 'server-gone', 'call-ended', 'expired', 'replaced'])
export type Withdrawal = z.infer<typeof withdrawal>

export const consentEnd = z.object({
  outcome: consentOutcome,
  /** `rule`: a rule made since answered it. */
  by: z.enum(['person', 'command-line', 'rule']).optional(),
  scope: consentScope.optional(),
  because: withdrawal.optional(),
  word: z.string().optional(),
})
export type ConsentEnd = z.infer<typeof consentEnd>

/** Label that follows the request's title: "denied", "expired". Without server text. */
export function endLabel(request: Pick<ConsentRequest, 'kind'>, end: ConsentEnd): string {
  switch (end.outcome) {
    case 'allowed':
      return answeredWords(allowedWords(request.kind, end), end.by)
    case 'denied':
      return answeredWords(t`denied`, end.by)
    case 'cancelled':
      return answeredWords(t`not answered`, end.by)
    case 'withdrawn':
      return withdrawalLabels()[end.because ?? 'replaced']
    default:
      return assertNever(end.outcome)
  }
}

function answeredWords(answer: string, by: ConsentEnd['by']): string {
  if (by === 'rule') return t`${answer} by a rule`
  return by === 'person' ? t`${answer} in another window` : answer
}

function allowedWords(kind: ConsentRequest['kind'], { scope }: ConsentEnd): string {
  if (kind === 'elicitation-form') return t`answered`
  if (kind !== 'tool-call') return t`allowed`
  return { once: t`allowed once`, conversation: t`allowed for this chat`, always: t`allowed with a rule` }[scope ?? 'once']
}

const withdrawalLabels = (): Readonly<Record<Withdrawal, string>> => ({
  'taken-back': t`withdrawn by the server`,
  'server-gone': t`withdrawn: the server stopped`,
  'call-ended': t`withdrawn: the call has ended`,
  expired: t`expired`,
  replaced: t`withdrawn`,
})
