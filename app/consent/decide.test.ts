import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CallFacts, decideConsent, matches } from './decide.ts'
import type { Rule } from './rule.ts'

const facts: CallFacts = { server: 'files', tool: 'move', conversationId: 'c1', fingerprint: 'f1' }
const always = { kind: 'always' } as const
const here = { kind: 'conversation', conversationId: 'c1' } as const
const elsewhere = { kind: 'conversation', conversationId: 'c2' } as const
const makeRule = (id: string, part: Partial<Rule>): Rule => ({ id, effect: 'allow', server: 'files', scope: always, createdAt: 1, ...part })

/** The verdict in short: `allow a`, `deny b`, or why the person is asked. */
function verdict(rules: Rule[], call: CallFacts = facts): string {
  const result = decideConsent(call, rules)
  return result.kind === 'ask' ? result.why.kind : `${result.kind} ${result.rule.id}`
}

describe('rules', () => {
  test.each<[string, Rule[], string]>([
    ['none: asks', [], 'no-rule'],
    ['one for the tool allows', [makeRule('a', { tool: 'move' })], 'allow a'],
    ['one for the server allows each of its tools', [makeRule('a', {})], 'allow a'],
    ['one for another server says nothing', [makeRule('a', { server: 'mail' })], 'no-rule'],
    ['one for another tool says nothing', [makeRule('a', { tool: 'read' })], 'no-rule'],
    ['one for another conversation says nothing', [makeRule('a', { scope: elsewhere })], 'no-rule'],
    ['deny wins over a narrower allow', [makeRule('a', { tool: 'move', scope: here }), makeRule('d', { effect: 'deny' })], 'deny d'],
    ['deny wins over a narrower ask', [makeRule('q', { tool: 'move', effect: 'ask' }), makeRule('d', { effect: 'deny' })], 'deny d'],
    ['tool over server: allow', [makeRule('q', { effect: 'ask' }), makeRule('a', { tool: 'move' })], 'allow a'],
    ['tool over server: ask', [makeRule('a', {}), makeRule('q', { tool: 'move', effect: 'ask' })], 'ask-rule'],
    ['conversation over always', [makeRule('q', { tool: 'move', effect: 'ask' }), makeRule('a', { tool: 'move', scope: here })], 'allow a'],
    ['tool for all over server here', [makeRule('q', { effect: 'ask', scope: here }), makeRule('a', { tool: 'move' })], 'allow a'],
    ['ask over allow of equal breadth', [makeRule('a', { tool: 'move' }), makeRule('q', { tool: 'move', effect: 'ask' })], 'ask-rule'],
    ['bound to this definition: allows', [makeRule('a', { tool: 'move', fingerprint: 'f1' })], 'allow a'],
    ['bound to another definition: void', [makeRule('a', { tool: 'move', fingerprint: 'f0' })], 'tool-changed'],
    [
      'void, and approved again since',
      [makeRule('a', { tool: 'move', scope: here, fingerprint: 'f0' }), makeRule('b', { tool: 'move', fingerprint: 'f1' })],
      'allow b',
    ],
    [
      'void, and a broader approval never saw the change',
      [makeRule('a', { tool: 'move', fingerprint: 'f0' }), makeRule('b', {})],
      'tool-changed',
    ],
    [
      'a deny outlives a change of the tool',
      [makeRule('d', { tool: 'move', effect: 'deny', fingerprint: 'f0' }), makeRule('a', {})],
      'deny d',
    ],
    [
      'an ask outlives a change of the tool',
      [makeRule('q', { tool: 'move', effect: 'ask', fingerprint: 'f0' }), makeRule('a', {})],
      'ask-rule',
    ],
  ])('%s', (_title, rules, expected) => {
    expect(verdict(rules)).toBe(expected)
    expect(verdict([...rules].reverse())).toBe(expected)
  })

  test('for a conversation never answer a call outside of any', () => {
    expect(verdict([makeRule('a', { scope: here })], { ...facts, conversationId: undefined })).toBe('no-rule')
  })
})

describe('whatever the rules', () => {
  const arbitraryRule = (id: string): fc.Arbitrary<Rule> =>
    fc
      .record({
        effect: fc.constantFrom('allow', 'ask', 'deny'),
        server: fc.constantFrom('files', 'files', 'mail'),
        tool: fc.constantFrom(undefined, 'move', 'read'),
        scope: fc.constantFrom(always, here, elsewhere),
        fingerprint: fc.constantFrom(undefined, 'f0', 'f1'),
        createdAt: fc.integer({ min: 0, max: 3 }),
      })
      .map(({ tool, fingerprint, ...rest }) => ({
        id,
        ...rest,
        ...(tool === undefined ? {} : { tool }),
        ...(fingerprint === undefined ? {} : { fingerprint }),
      }))
  const ruleSet = fc
    .integer({ min: 0, max: 8 })
    .chain((size) => fc.tuple(...Array.from({ length: size }, (_, n) => arbitraryRule(`r${n}`))))
  const call = fc.record({
    server: fc.constant('files'),
    tool: fc.constantFrom('move', 'read'),
    conversationId: fc.constantFrom(undefined, 'c1', 'c2'),
    fingerprint: fc.constantFrom('f0', 'f1', 'f2'),
  })
  const holds = (property: (rules: Rule[], call: CallFacts) => void): void =>
    fc.assert(fc.property(ruleSet, call, property), { numRuns: 2000 })

  test('what a deny matches is denied', () => {
    holds((rules, call) => {
      const denied = rules.some((rule) => rule.effect === 'deny' && matches(call, rule))
      expect(decideConsent(call, rules).kind === 'deny').toBe(denied)
    })
  })

  test('their order never matters', () => {
    fc.assert(
      fc.property(
        ruleSet.chain((rules) => fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length }))),
        call,
        ([rules, shuffled], call) => {
          expect(decideConsent(call, shuffled)).toEqual(decideConsent(call, rules))
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('an approval speaks of this server, tool, conversation and definition', () => {
    holds((rules, call) => {
      const result = decideConsent(call, rules)
      if (result.kind !== 'allow') return
      expect({ matches: matches(call, result.rule), effect: result.rule.effect }).toEqual({ matches: true, effect: 'allow' })
      expect([undefined, call.fingerprint]).toContain(result.rule.fingerprint)
    })
  })

  test('one more ask or deny never allows anything', () => {
    fc.assert(
      fc.property(ruleSet, call, arbitraryRule('new'), fc.constantFrom('ask', 'deny'), (rules, call, rule, effect) => {
        const before = decideConsent(call, rules)
        const after = decideConsent(call, [...rules, { ...rule, effect }])
        if (after.kind === 'allow') expect(after).toEqual(before)
      }),
      { numRuns: 2000 },
    )
  })

  test('without an allow rule nothing is allowed', () => {
    holds((rules, call) => {
      expect(
        decideConsent(
          call,
          rules.filter((rule) => rule.effect !== 'allow'),
        ).kind,
      ).not.toBe('allow')
    })
  })

  test('a definition that nobody saw is allowed by no rule that is bound to one', () => {
    holds((rules, call) => {
      const bound = rules.filter((rule) => rule.fingerprint !== undefined)
      expect(decideConsent({ ...call, fingerprint: 'f2' }, bound).kind).not.toBe('allow')
    })
  })
})
