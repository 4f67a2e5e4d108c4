import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { always, elsewhere, here, inside, makeFacts, makeRule, plainPaths } from '../consent.testing.ts'
import type { FlowSource, PrivateFlow } from '../taint/private-flow.ts'
import { decideConsent } from './decide.ts'
import { type CallFacts, matchRule } from './match-rule.ts'
import type { Condition, Rule } from './rule.ts'

/** The verdict in short: `allow a`, `deny by rules-only`, or why the person is asked. */
function verdict(rules: Rule[], call: CallFacts = makeFacts()): string {
  const result = decideConsent(call, rules)
  if (result.kind === 'ask') return result.why.kind
  return result.by === 'rule' ? `${result.kind} ${result.rule.id}` : `${result.kind} by ${result.mode}`
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
    [
      'a tool for all and its server here overlap: asks',
      [makeRule('q', { effect: 'ask', scope: here }), makeRule('a', { tool: 'move' })],
      'ask-rule',
    ],
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
    expect(verdict([makeRule('a', { scope: here })], makeFacts({ conversationId: undefined }))).toBe('no-rule')
  })

  const narrow = (effect: Rule['effect'], ...conditions: Condition[]): Rule => makeRule(effect, { tool: 'move', effect, conditions })
  const file = '/home/me/notes/open/a.txt'
  const owner = (value: string): Condition => ({ kind: 'equals', argument: '/owner', value })
  test.each<[string, Rule[], string]>([
    ['with conditions over one without', [narrow('ask'), narrow('allow', inside('/path', '/home/me/notes'))], 'allow allow'],
    ['without conditions under one with', [narrow('allow'), narrow('ask', inside('/path', '/home/me/notes'))], 'ask-rule'],
    [
      'the deeper folder wins: allow',
      [narrow('ask', inside('/path', '/home/me/notes')), narrow('allow', inside('/path', '/home/me/notes/open'))],
      'allow allow',
    ],
    [
      'the deeper folder wins: ask',
      [narrow('allow', inside('/path', '/home/me')), narrow('ask', inside('/path', '/home/me/notes'))],
      'ask-rule',
    ],
    ['the same folder: asks', [narrow('allow', inside('/path', '/home/me')), narrow('ask', inside('/path', '/home/me'))], 'ask-rule'],
    ['two that overlap: asks', [narrow('allow', inside('/path', '/home/me/notes')), narrow('ask', owner('maya'))], 'ask-rule'],
    [
      'both conditions over one of them',
      [narrow('ask', owner('maya')), narrow('allow', owner('maya'), inside('/path', '/home/me'))],
      'allow allow',
    ],
    [
      'a value over a pattern that it fits',
      [narrow('ask', { kind: 'pattern', argument: '/owner', pattern: 'm*' }), narrow('allow', owner('maya'))],
      'allow allow',
    ],
    [
      'deny wins, however broad',
      [narrow('allow', owner('maya'), inside('/path', '/home/me/notes/open')), narrow('deny', inside('/path', '/home/me'))],
      'deny deny',
    ],
    ['one that does not match says nothing', [narrow('allow', owner('mika')), narrow('deny', inside('/path', '/etc'))], 'no-rule'],
  ])('%s', (_title, rules, expected) => {
    const call = makeFacts({ arguments: { path: file, owner: 'maya' }, paths: plainPaths(file) })
    expect(verdict(rules, call)).toBe(expected)
    expect(verdict([...rules].reverse(), call)).toBe(expected)
  })

  test.each<[string, Partial<CallFacts>, Rule[], string]>([
    ['read-only tools: one', { readOnly: true }, [makeRule('a', { readOnly: true, definitions: { move: 'f1' } })], 'allow a'],
    ['read-only tools: another', {}, [makeRule('a', { readOnly: true, definitions: { move: 'f1' } })], 'no-rule'],
    [
      'read-only tools: one that changed',
      { readOnly: true },
      [makeRule('a', { readOnly: true, definitions: { move: 'f0' } })],
      'tool-changed',
    ],
    ['read-only tools: one that is new', { readOnly: true }, [makeRule('a', { readOnly: true, definitions: { read: 'f1' } })], 'no-rule'],
    [
      'read-only tools: one that is named like a thing of the language',
      { tool: 'constructor', readOnly: true },
      [makeRule('a', { readOnly: true, definitions: {} })],
      'no-rule',
    ],
    ['expired: an allow', {}, [makeRule('a', { expiresAt: 1000 })], 'no-rule'],
    ['expired: a deny', {}, [makeRule('d', { effect: 'deny', expiresAt: 999 }), makeRule('a', {})], 'allow a'],
    ['not expired yet', {}, [makeRule('a', { expiresAt: 1001 })], 'allow a'],
    [
      'any server: deny',
      {},
      [makeRule('d', { effect: 'deny', server: undefined, tool: 'm*' } as Partial<Rule>), makeRule('a', {})],
      'deny d',
    ],
    ['any server: never an allow', {}, [makeRule('a', { server: undefined } as Partial<Rule>)], 'no-rule'],
    ['a star in the tool of an allow is a letter', {}, [makeRule('a', { tool: 'm*' })], 'no-rule'],
    [
      'other arguments than those that were allowed',
      { arguments: { to: 'x', force: true } },
      [makeRule('a', { onlyArguments: ['to'] })],
      'no-rule',
    ],
    ['no others', { arguments: { to: 'x' } }, [makeRule('a', { onlyArguments: ['to', 'force'] })], 'allow a'],
  ])('%s', (_title, call, rules, expected) => {
    expect(verdict(rules, makeFacts(call))).toBe(expected)
  })
})

describe('modes', () => {
  const rules = [
    makeRule('a', { tool: 'read' }),
    makeRule('d', { tool: 'delete', effect: 'deny' }),
    makeRule('q', { tool: 'look', effect: 'ask' }),
  ]
  const ofMode = (mode: CallFacts['mode'], part: Partial<CallFacts>): string => verdict(rules, makeFacts({ mode, ...part }))
  test.each<[CallFacts['mode'], string, string, string, string, string]>([
    ['rules', 'allow a', 'deny d', 'ask-rule', 'no-rule', 'no-rule'],
    ['ask-all', 'mode-asks', 'deny d', 'ask-rule', 'no-rule', 'no-rule'],
    ['ask-writes', 'allow a', 'deny d', 'ask-rule', 'no-rule', 'allow by ask-writes'],
    ['rules-only', 'allow a', 'deny d', 'deny by rules-only', 'deny by rules-only', 'deny by rules-only'],
  ])('%s', (mode, allowed, denied, asks, other, reads) => {
    expect({
      allowed: ofMode(mode, { tool: 'read' }),
      denied: ofMode(mode, { tool: 'delete', readOnly: true }),
      asks: ofMode(mode, { tool: 'look', readOnly: true }),
      other: ofMode(mode, { tool: 'write' }),
      reads: ofMode(mode, { tool: 'list', readOnly: true }),
    }).toEqual({ allowed, denied, asks, other, reads })
  })

  test('asking for writes asks for a read-only tool that changed since it was allowed', () => {
    expect(verdict([makeRule('a', { tool: 'move', fingerprint: 'f0' })], makeFacts({ mode: 'ask-writes', readOnly: true }))).toBe(
      'tool-changed',
    )
  })
})

describe('private data, text of strangers, and a call that can send', () => {
  const notes = { kind: 'server', server: 'notes' } as const
  const attached = { kind: 'attached' } as const
  const flow = (...from: FlowSource[]): PrivateFlow => ({ from, untrusted: [{ kind: 'web' }] })
  const rules = [
    makeRule('a', { tool: 'move' }),
    makeRule('d', { tool: 'delete', effect: 'deny' }),
    makeRule('q', { tool: 'look', effect: 'ask' }),
  ]
  test.each<[string, Partial<CallFacts>, string, Rule[]?]>([
    ['asks where a rule would allow', { privateFlow: flow(notes) }, 'flow'],
    ['asks where the conversation asks for all', { privateFlow: flow(notes), mode: 'ask-all' }, 'flow'],
    ['asks where only writes are asked', { privateFlow: flow(notes), mode: 'ask-writes', tool: 'list', readOnly: true }, 'flow'],
    ['is denied where only rules allow', { privateFlow: flow(notes), mode: 'rules-only' }, 'deny by rules-only'],
    ['leaves a deny what it is', { privateFlow: flow(notes), tool: 'delete' }, 'deny d'],
    ['leaves an ask what it is', { privateFlow: flow(notes), tool: 'look' }, 'ask-rule'],
    ['is fine for a pair that was answered for', { privateFlow: flow(notes) }, 'allow a', [makeRule('f', { flow: notes })]],
    ['for this conversation', { privateFlow: flow(notes) }, 'allow a', [makeRule('f', { flow: notes, scope: here })]],
    ['not for another one', { privateFlow: flow(notes) }, 'flow', [makeRule('f', { flow: notes, scope: elsewhere })]],
    ['not for another way out', { privateFlow: flow(notes) }, 'flow', [makeRule('f', { flow: notes, server: 'mail' })]],
    ['not for another source', { privateFlow: flow(notes, attached) }, 'flow', [makeRule('f', { flow: notes })]],
    ['not once it is over', { privateFlow: flow(notes) }, 'flow', [makeRule('f', { flow: notes, expiresAt: 1000 })]],
    [
      'not for another program behind the name',
      { privateFlow: flow(notes), program: { now: 'p2', approved: 'p2' } },
      'flow',
      [makeRule('b', { tool: 'move', program: 'p2' }), makeRule('f', { flow: notes, program: 'p1' })],
    ],
    ['is none of a public server', { privateFlow: flow(notes) }, 'allow a', [makeRule('p', { public: true, server: 'notes' })]],
    [
      'is none of the program that is marked public',
      { privateFlow: flow({ ...notes, identity: 'i1' }) },
      'allow a',
      [makeRule('p', { public: true, server: 'notes', identity: 'i1' })],
    ],
    ...[undefined, 'i1'].map((identity): [string, Partial<CallFacts>, string, Rule[]] => [
      `is one of what another program of that name had said than was answered for (${identity})`,
      { privateFlow: flow({ ...notes, identity: 'i2' }) },
      'flow',
      [
        makeRule('p', { public: true, server: 'notes', ...(identity && { identity }) }),
        makeRule('f', { flow: { ...notes, ...(identity && { identity }) } }),
      ],
    ]),
    [
      'is one of a server of which only a folder is public',
      { privateFlow: flow(notes) },
      'flow',
      [makeRule('p', { public: true, server: 'notes', conditions: [inside('/path', '/public')] })],
    ],
    [
      'an answer for a flow allows no call',
      { tool: 'other' },
      'no-rule',
      [makeRule('f', { flow: notes }), makeRule('p', { public: true })],
    ],
  ])('%s', (_name, part, expected, more = []) => {
    expect(verdict([...rules, ...more], makeFacts(part))).toBe(expected)
  })
})

describe('whatever the rules', () => {
  const paths = ['/a/b/c', '/a/b', '/a', '/x', 'b/c', '']
  const conditions: Condition[] = [
    inside('/path', '/a'),
    inside('/path', '/a/b'),
    { kind: 'path-inside', argument: '/path', folder: '/a/b' },
    { kind: 'pattern', argument: '/path', pattern: '/a/*' },
    { kind: 'equals', argument: '/path', value: '/a/b/c' },
    { kind: 'url-host', argument: '/url', host: 'example.org', subdomains: true },
    { kind: 'equals', argument: '/n', value: 1 },
  ]
  const arbitraryRule = (id: string): fc.Arbitrary<Rule> =>
    fc
      .record({
        effect: fc.constantFrom('allow', 'ask', 'deny'),
        server: fc.constantFrom('files', 'files', 'mail'),
        tool: fc.constantFrom(undefined, 'move', 'read'),
        scope: fc.constantFrom(always, here, elsewhere),
        fingerprint: fc.constantFrom(undefined, 'f0', 'f1'),
        conditions: fc.subarray(conditions),
        expiresAt: fc.constantFrom(undefined, undefined, 999, 2000),
        createdAt: fc.integer({ min: 0, max: 3 }),
      })
      .map((part) => JSON.parse(JSON.stringify({ id, ...part })) as Rule)
  const ruleSet = fc
    .integer({ min: 0, max: 8 })
    .chain((size) => fc.tuple(...Array.from({ length: size }, (_, n) => arbitraryRule(`r${n}`))))
  const call: fc.Arbitrary<CallFacts> = fc
    .record({
      tool: fc.constantFrom('move', 'read'),
      conversationId: fc.constantFrom(undefined, 'c1', 'c2'),
      fingerprint: fc.constantFrom('f0', 'f1', 'f2'),
      readOnly: fc.boolean(),
      closedWorld: fc.boolean(),
      mode: fc.constantFrom('rules', 'ask-all', 'ask-writes', 'rules-only'),
      arguments: fc.record({
        path: fc.oneof(fc.constantFrom(...paths), fc.subarray(paths), fc.jsonValue()),
        url: fc.constantFrom('https://example.org/a', 'https://www.example.org', 'https://example.org@evil.test', 1),
        n: fc.constantFrom(1, '1', 2),
      }),
    })
    .map((part) => makeFacts({ ...(part as Partial<CallFacts>), paths: plainPaths(...paths.filter((path) => path.startsWith('/'))) }))
  const holds = (property: (rules: Rule[], call: CallFacts) => void): void =>
    fc.assert(fc.property(ruleSet, call, property), { numRuns: 2000 })

  test('what a deny matches is denied', () => {
    holds((rules, call) => {
      const matches = rules.filter((rule) => rule.effect === 'deny').map((rule) => matchRule(call, rule))
      const verdict = decideConsent(call, rules)
      expect(verdict.kind === 'deny' && verdict.by === 'rule').toBe(matches.includes('yes'))
      if (matches.includes('unsure')) expect(verdict.kind).not.toBe('allow')
    })
  })

  test('private data that strangers may have asked for goes out by none', () => {
    holds((rules, call) => {
      const privateFlow: PrivateFlow = { from: [{ kind: 'server', server: 'notes' }], untrusted: [{ kind: 'web' }] }
      const [before, after] = [decideConsent(call, rules), decideConsent({ ...call, privateFlow }, rules)]
      if (before.kind === 'allow') expect(after.kind).not.toBe('allow')
      else expect(after.kind).toBe(before.kind)
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
      if (result.kind !== 'allow' || result.by !== 'rule') return
      expect({ match: matchRule(call, result.rule), effect: result.rule.effect }).toEqual({ match: 'yes', effect: 'allow' })
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

  test('without an allow rule nothing is allowed but reading, where the conversation says so', () => {
    holds((rules, call) => {
      const verdict = decideConsent(
        call,
        rules.filter((rule) => rule.effect !== 'allow'),
      )
      if (verdict.kind === 'allow')
        expect({ ...verdict, readOnly: call.readOnly }).toEqual({ kind: 'allow', by: 'mode', mode: 'ask-writes', readOnly: true })
    })
  })

  test('no mode allows what is asked or denied without it, but reading; none lifts a denial', () => {
    holds((rules, call) => {
      const plain = decideConsent({ ...call, mode: 'rules' }, rules)
      const verdict = decideConsent(call, rules)
      if (verdict.kind === 'allow' && verdict.by === 'rule') expect(verdict).toEqual(plain)
      if (plain.kind === 'deny') expect(verdict).toEqual(plain)
    })
  })

  test('a definition that nobody saw is allowed by no rule that is bound to one', () => {
    holds((rules, call) => {
      const bound = rules.filter((rule) => rule.fingerprint !== undefined)
      const verdict = decideConsent({ ...call, fingerprint: 'f2' }, bound)
      expect(verdict.kind === 'allow' && verdict.by === 'rule').toBe(false)
    })
  })
})
