import { describe, expect, it } from 'vitest'
import type { Rule } from '#app/consent/rules/rule.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { groupRules, ruleFacts, ruleUsageLabel } from './rule-labels.ts'

const now = new Date(2026, 8, 30, 11, 0).getTime()
const at = (day: number, hour: number, year = 2026): number => new Date(year, 8, day, hour, 6).getTime()
const rule = (id: string, extra: Partial<Rule> = {}): Rule => ({
  id,
  effect: 'allow',
  server: 'files',
  tool: 'read',
  scope: { kind: 'always' },
  createdAt: 0,
  ...extra,
})

describe('rules in words', () => {
  it('groups by what they do, newest first', () => {
    const chat = { scope: { kind: 'conversation', conversationId: 'c' } } as const
    const all = [
      rule('old', { createdAt: 1 }),
      rule('new', { createdAt: 2 }),
      rule('chat', chat),
      rule('never', { effect: 'deny', ...chat }),
      rule('ask', { effect: 'ask' }),
    ]
    expect(groupRules(all).map(({ group, rules }) => [group, rules.map((one) => one.id)])).toEqual([
      ['always', ['new', 'old']],
      ['conversation', ['chat']],
      ['ask', ['ask']],
      ['never', ['never']],
    ])
  })

  it.each([
    [at(30, 9), 'today, 09:06'],
    [at(29, 17), 'yesterday, 17:06'],
    [at(12, 9), '12 Sept'],
    [at(12, 9, 2025), '12 Sept 2025'],
  ])('says when: %d is %s', (time, words) => {
    expect(formatWhen(time, now)).toBe(words)
  })

  it('names the chat it belongs to and what it is bound to', () => {
    const facts = ruleFacts(rule('a', { scope: { kind: 'conversation', conversationId: 'c' }, fingerprint: 'f' }), 'Tidy invoices', now)
    expect(facts).toContain('“Tidy invoices”')
    expect(facts.split(' · ').length).toBe(3)
  })

  it.each([
    ['allow', undefined, 'not used yet'],
    ['allow', { times: 1, last: at(30, 10) }, 'used 1 time, last today, 10:06'],
    ['allow', { times: 1480, last: at(29, 10) }, 'used 1,480 times, last yesterday, 10:06'],
    ['deny', { times: 2, last: at(12, 9) }, 'used 2 times, last 12 Sept'],
    ['deny', undefined, 'not used yet'],
    ['ask', { times: 3, last: 0 }, ''],
  ] as const)('says how often a rule that is to %s answered: %j', (effect, use, words) => {
    expect(ruleUsageLabel({ effect }, use, now)).toBe(words)
  })
})
