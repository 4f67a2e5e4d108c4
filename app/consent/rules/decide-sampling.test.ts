import { describe, expect, test } from 'vitest'
import { always, elsewhere, here, makeFacts, makeRule } from '../consent.testing.ts'
import { decideConsent } from './decide.ts'
import { decideSampling, type SamplingFacts } from './decide-sampling.ts'
import type { Rule } from './rule.ts'
import type { SamplingTerms } from './sampling-budget.ts'

const facts = (part: Partial<SamplingFacts> = {}): SamplingFacts => ({
  server: 'files',
  conversationId: 'c1',
  trusted: true,
  step: 'prompt',
  tokens: 100,
  day: { used: 0, budget: { tokensPerDay: 1000, over: 'ask' } },
  callsTools: false,
  mode: 'rules',
  now: 1000,
  ...part,
})
const day = (used: number, tokensPerDay = 1000, over: 'ask' | 'refuse' = 'ask') => ({ used, budget: { tokensPerDay, over } })
const rule = (id: string, terms: Partial<SamplingTerms> = {}, part: Partial<Rule> = {}): Rule =>
  makeRule(id, {
    ...part,
    sampling: { step: 'requests', ...((part.effect ?? 'allow') === 'allow' ? { tokensPerDay: 500 } : {}), ...terms },
  })

/** "allow r1", "deny budget", "ask server-asks". */
function said(own: SamplingFacts, rules: readonly Rule[]): string {
  const verdict = decideSampling(own, rules)
  if (verdict.kind === 'ask') return `ask ${verdict.why.kind}`
  return `${verdict.kind} ${verdict.by === 'rule' ? verdict.rule.id : verdict.by}`
}

const never = rule('never', {}, { effect: 'deny' })
const anyServer = { server: undefined } as const

describe('an answer of the model', () => {
  test.each<[string, Partial<SamplingFacts>, readonly Rule[], string]>([
    ['is asked for without a rule', {}, [], 'ask server-asks'],
    ['is allowed by a rule', {}, [rule('r')], 'allow r'],
    ['is not allowed by a rule about tools', {}, [makeRule('tools')], 'ask server-asks'],
    ['is not allowed by a rule about another server', {}, [rule('r', {}, { server: 'other' })], 'ask server-asks'],
    ['is not allowed by a rule of another conversation', {}, [rule('r', {}, { scope: elsewhere })], 'ask server-asks'],
    ['is not allowed by a rule that is over', {}, [rule('r', {}, { expiresAt: 1000 })], 'ask server-asks'],
    ['is handed over by a rule about both steps', { step: 'answer', tokens: 0 }, [rule('r')], 'allow r'],
    ['is not sent for by a rule about answers', {}, [rule('r', { step: 'answers' })], 'ask server-asks'],
    ['is handed over by a rule about answers', { step: 'answer', tokens: 0 }, [rule('r', { step: 'answers' })], 'allow r'],
    ['that asks for tools is shown', { step: 'answer', tokens: 0, callsTools: true }, [rule('r')], 'ask sampling-tools'],
    ['up to the last token of the rule is allowed', { day: day(400) }, [rule('r')], 'allow r'],
    ['beyond the limit of the rule is asked', { day: day(401) }, [rule('r')], 'ask sampling-limit'],
    ['beyond one limit, but within another, is allowed', { day: day(401) }, [rule('a'), rule('b', { tokensPerDay: 501 })], 'allow b'],
    ['beyond the budget is asked, whatever a rule allows', { day: day(950) }, [rule('r', { tokensPerDay: 9999 })], 'ask sampling-budget'],
    ['beyond the budget is refused, where that is chosen', { day: day(950, 1000, 'refuse') }, [], 'deny budget'],
    ['is shown though the budget is used up', { step: 'answer', tokens: 0, day: day(2000, 1000, 'refuse') }, [], 'ask server-asks'],
    ['of a server that is not trusted is asked', { trusted: false }, [rule('r')], 'ask sampling-untrusted'],
    ['of such a server is allowed where the rule says so', { trusted: false }, [rule('r', { untrusted: true })], 'allow r'],
    ['is refused by a “never” before all', { day: day(0) }, [rule('r'), never], 'deny never'],
    ['is refused by a “never” about any server', {}, [rule('r'), rule('never', {}, { effect: 'deny', ...anyServer })], 'deny never'],
    ['is asked by an “ask” of the same width', {}, [rule('r'), rule('a', {}, { effect: 'ask' })], 'ask ask-rule'],
    ['is allowed by what is narrower than an “ask”', {}, [rule('r', {}, { scope: here }), rule('a', {}, { effect: 'ask' })], 'allow r'],
    ['is allowed by server against an “ask” of any', {}, [rule('r'), rule('a', {}, { effect: 'ask', ...anyServer })], 'allow r'],
    [
      'is asked where “ask” and rule overlap',
      {},
      [rule('r', {}, { scope: always }), rule('a', {}, { effect: 'ask', ...anyServer, scope: here })],
      'ask ask-rule',
    ],
    ['is asked in a conversation that asks for all', { mode: 'ask-all' }, [rule('r')], 'ask mode-asks'],
    ['is refused where only rules allow, and none does', { mode: 'rules-only' }, [], 'deny mode'],
    ['is allowed where only rules allow, and one does', { mode: 'rules-only' }, [rule('r')], 'allow r'],
  ])('%s', (_, part, rules, expected) => {
    expect([said(facts(part), rules), said(facts(part), rules.toReversed())]).toEqual([expected, expected])
  })
})

test('a rule about answers of the model says nothing of a tool', () => {
  expect([decideConsent(makeFacts(), [rule('r')]), decideConsent(makeFacts(), [never])]).toEqual([
    { kind: 'ask', why: { kind: 'no-rule' } },
    { kind: 'ask', why: { kind: 'no-rule' } },
  ])
})
