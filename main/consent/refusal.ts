// The person's no to a question that takes a verdict: put on record, with the word that they gave.
import type { Decision } from '#app/chat/message.ts'
import type { ConsentAnswer, ConsentRequest, ConsentScope } from '#app/consent/request.ts'
import type { Kit } from './kit.ts'
import type { AnsweredBy, Settled } from './queue.ts'
import type { Verdict } from './types.ts'

type Denied = Extract<Verdict<never>, { kind: 'denied' }>
export type Refusal = Exclude<ConsentAnswer, { kind: 'allow' }>

/** What the refusal holds for beyond this once, in words and by the rule that it makes. */
export interface Lasting {
  readonly scope: Exclude<ConsentScope, 'once'>
  readonly ruleId: string
  readonly rule: string
}

/** Throws when it cannot be put on record. */
export function refuse(kit: Kit, request: ConsentRequest, answer: Refusal, by: AnsweredBy, lasting?: Lasting): Settled<Denied> {
  const word = answer.kind === 'deny' && answer.word ? { word: answer.word } : {}
  kit.record.decided(request, 'denied', by, { ...word, ...lasting })
  const decision: Decision = { allowed: false, by, scope: 'once', ...word, ...lasting }
  return { outcome: 'denied', value: { kind: 'denied', decision, stop: answer.kind === 'deny' && answer.stop === true } }
}
