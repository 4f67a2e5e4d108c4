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

/** Label that follows the request's title: "denied", "withdrawn: files stopped". Without server text. */
export function endLabel(request: Pick<ConsentRequest, 'kind' | 'server'>, end: ConsentEnd): string {
  switch (end.outcome) {
    case 'allowed':
      return answeredWords(allowedWords(request.kind, end), end.by)
    case 'denied':
      return answeredWords(t`denied`, end.by)
    case 'cancelled':
      return answeredWords(t`set aside without an answer`, end.by)
    case 'withdrawn':
      return end.because === undefined ? t`withdrawn` : withdrawalLabels(request.server)[end.because]
    default:
      return assertNever(end.outcome)
  }
}

function answeredWords(answer: string, by: ConsentEnd['by']): string {
  if (by === 'rule') return t`${answer} by a rule of yours`
  return by === 'person' ? t`${answer} in another window` : answer
}

function allowedWords(kind: ConsentRequest['kind'], { scope }: ConsentEnd): string {
  if (kind === 'elicitation-form') return t`answered`
  if (kind !== 'tool-call') return t`allowed`
  return { once: t`allowed once`, conversation: t`allowed for this chat`, always: t`allowed with a rule` }[scope ?? 'once']
}

const withdrawalLabels = (server: string): Readonly<Record<Withdrawal, string>> => ({
  'taken-back': t`withdrawn: “${server}” took it back`,
  'server-gone': t`withdrawn: “${server}” is not running any more`,
  'call-ended': t`withdrawn: the call that asked has ended`,
  expired: t`expired: the time that “${server}” gave for it is over`,
  replaced: t`withdrawn: it is about something else now`,
})
