// The person's no to a question that takes a verdict: put on record, with the word that they gave.
import type { ConsentAnswer, ConsentRequest } from '#app/consent/request.ts'
import type { Kit } from './kit.ts'
import type { AnsweredBy, Settled } from './queue.ts'
import type { Verdict } from './types.ts'

type Denied = Extract<Verdict<never>, { kind: 'denied' }>
export type Refusal = Exclude<ConsentAnswer, { kind: 'allow' }>

/** Throws when it cannot be put on record. */
export function refuse(kit: Kit, request: ConsentRequest, answer: Refusal, by: AnsweredBy): Settled<Denied> {
  const word = answer.kind === 'deny' && answer.word ? { word: answer.word } : {}
  kit.record.decided(request, 'denied', by, word)
  const decision = { allowed: false, by, scope: 'once', ...word } as const
  return { outcome: 'denied', value: { kind: 'denied', decision, stop: answer.kind === 'deny' && answer.stop === true } }
}
