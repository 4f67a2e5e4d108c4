import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConsentAnswer } from '#app/consent/request.ts'
import { spend } from '../approved.ts'
import { makeBroker, makeToolEntry, type TestBroker, thrownBy } from '../broker.testing.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
})
afterEach(() => t.dispose())

const allow = (scope: 'once' | 'conversation' | 'always' = 'once'): ConsentAnswer => ({ kind: 'allow', scope })
const shown = `{\n  "from": "/a",\n  "to": "/b"\n}`

describe('a call that no rule covers', () => {
  test('waits for the person and runs with the very text that was shown', async () => {
    const asked: string[] = []
    const verdict = t.broker.toolCall(t.call({ onAsked: (id) => asked.push(id) }))
    const request = t.only()
    expect(request).toMatchObject({
      kind: 'tool-call',
      why: { kind: 'no-rule' },
      argumentsText: shown,
      callId: 'call-1',
      fingerprint: 'f1',
    })
    expect([asked, t.asked, t.events('consent.opened')]).toEqual([[request.id], [request.id], [{ request }]])
    expect(t.answer(allow())).toBe(true)
    const decision = { allowed: true, by: 'person', scope: 'once' } as const
    expect(await verdict).toEqual({
      kind: 'allowed',
      decision,
      marks: { private: true, untrusted: true },
      approval: {
        callId: 'call-1',
        conversationId: request.conversationId,
        server: 'files',
        tool: 'move_file',
        argumentsText: shown,
        fingerprint: 'f1',
        decision,
      },
    })
    expect([t.events('consent.closed'), t.broker.open(), t.broker.rules()]).toEqual([
      [{ id: request.id, outcome: 'allowed', by: 'person', scope: 'once' }],
      [],
      [],
    ])
  })

  test.each([true, false])('waits whatever its server claims of the tool, also when the person trusts that (%s)', async (trusted) => {
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
    const verdict = t.broker.toolCall(t.call({ tool: makeToolEntry({ annotations }), trusted }))
    expect(t.only()).toMatchObject({ kind: 'tool-call', why: { kind: 'no-rule' }, annotations, trusted })
    t.answer({ kind: 'deny' })
    expect(await verdict).toMatchObject({ kind: 'denied' })
  })

  test('is approved as it was asked, whatever happens to the arguments meanwhile', async () => {
    const args: Record<string, string> = { from: '/a', to: '/b' }
    const verdict = t.broker.toolCall(t.call({ arguments: args }))
    args['to'] = '/etc/passwd'
    t.answer(allow())
    expect(await verdict).toMatchObject({ approval: { argumentsText: shown } })
  })

  test('is answered once: the first answer wins', async () => {
    const verdict = t.broker.toolCall(t.call())
    const { id } = t.only()
    expect([t.broker.answer(id, { kind: 'deny' }), t.broker.answer(id, allow()), t.broker.answer('nobody', allow())]).toEqual([
      true,
      false,
      false,
    ])
    expect((await verdict).kind).toBe('denied')
    expect(t.events('consent.closed')).toHaveLength(1)
  })

  test('can be denied with a word, and the turn stopped', async () => {
    const verdict = t.broker.toolCall(t.call())
    t.answer({ kind: 'deny', word: 'not there', stop: true })
    expect(await verdict).toEqual({
      kind: 'denied',
      decision: { allowed: false, by: 'person', scope: 'once', word: 'not there' },
      stop: true,
    })
  })

  test('is denied when it is merely dismissed', async () => {
    const verdict = t.broker.toolCall(t.call())
    t.answer({ kind: 'cancel' })
    expect(await verdict).toMatchObject({ kind: 'denied', stop: false })
  })

  test('an approval is used once', async () => {
    const verdict = t.broker.toolCall(t.call())
    t.answer(allow())
    const result = await verdict
    if (result.kind !== 'allowed') return expect.unreachable()
    expect(Object.isFrozen(result.approval)).toBe(true)
    expect(spend(result.approval)).toBe(result.approval)
    expect(thrownBy(() => spend(result.approval))?.code).toBe('internal')
    expect(thrownBy(() => spend({ ...result.approval }))?.code).toBe('internal')
  })
})

describe('edited arguments', () => {
  test('are what runs, and the decision says so', async () => {
    const verdict = t.broker.toolCall(t.call())
    t.answer({ kind: 'allow', scope: 'once', arguments: { from: '/a', to: '/c' } })
    expect(await verdict).toMatchObject({
      decision: { allowed: true, edited: true },
      approval: { argumentsText: `{\n  "from": "/a",\n  "to": "/c"\n}` },
    })
  })

  test('that are the same are no edit', async () => {
    const verdict = t.broker.toolCall(t.call())
    t.answer({ kind: 'allow', scope: 'once', arguments: { from: '/a', to: '/b' } })
    expect(await verdict).toMatchObject({ decision: { allowed: true, by: 'person', scope: 'once' } })
    expect(t.rows().at(-1)?.detail['edited']).toBeUndefined()
  })

  test.each([[[1]], ['text'], [null]])('%j is refused and the question stays open', async (args) => {
    const verdict = t.broker.toolCall(t.call())
    const { id } = t.only()
    expect(thrownBy(() => t.broker.answer(id, { kind: 'allow', scope: 'once', arguments: args as never }))?.code).toBe('contract.invalid')
    expect(t.only().id).toBe(id)
    t.answer({ kind: 'deny' })
    await verdict
  })
})

describe('standing answers', () => {
  test('"always" makes a rule for this definition of the tool that answers the next call', async () => {
    const first = t.broker.toolCall(t.call())
    t.answer(allow('always'))
    await first
    const [rule] = t.broker.rules()
    expect(rule).toMatchObject({ effect: 'allow', server: 'files', tool: 'move_file', scope: { kind: 'always' }, fingerprint: 'f1' })
    expect(t.events('rules.changed')).toEqual([{ rules: [rule] }])
    expect(await t.broker.toolCall(t.call({ conversationId: 'c2' }))).toMatchObject({
      kind: 'allowed',
      decision: { allowed: true, by: 'rule', scope: 'always', ruleId: rule?.id },
    })
    expect(t.asked).toHaveLength(1)
  })

  test('"this conversation" answers there only', async () => {
    const first = t.broker.toolCall(t.call())
    t.answer(allow('conversation'))
    await first
    expect((await t.broker.toolCall(t.call())).kind).toBe('allowed')
    const other = t.broker.toolCall(t.call({ conversationId: 'c2' }))
    expect(t.only().conversationId).toBe('c2')
    t.answer({ kind: 'deny' })
    await other
  })

  test('"this conversation" outside of any is refused and the question stays open', async () => {
    const verdict = t.broker.toolCall(t.call({ conversationId: undefined }))
    expect(thrownBy(() => t.answer(allow('conversation')))?.code).toBe('contract.invalid')
    t.answer(allow())
    expect((await verdict).kind).toBe('allowed')
  })

  test('a changed tool asks again, and a new yes takes the place of the old one', async () => {
    const first = t.broker.toolCall(t.call())
    t.answer(allow('always'))
    await first
    const changed = t.call({ tool: makeToolEntry({ fingerprint: 'f2' }) })
    const second = t.broker.toolCall(changed)
    expect(t.only().why).toEqual({ kind: 'tool-changed' })
    t.answer(allow('always'))
    await second
    expect(t.broker.rules().map((rule) => rule.fingerprint)).toEqual(['f2'])
    expect((await t.broker.toolCall(changed)).kind).toBe('allowed')
  })

  test('calls that wait for the same answer get it together', async () => {
    const verdicts = [1, 2, 3].map((n) => t.broker.toolCall(t.call({ callId: `call-${n}` })))
    const other = t.broker.toolCall(t.call({ callId: 'other', tool: makeToolEntry({ name: 'delete_file', fingerprint: 'g' }) }))
    t.broker.answer(t.broker.open()[1]?.id ?? '', allow('always'))
    const results = await Promise.all(verdicts)
    expect(results.map((result) => (result.kind === 'allowed' ? result.approval.callId : result.kind))).toEqual([
      'call-1',
      'call-2',
      'call-3',
    ])
    expect(results.map((result) => (result.kind === 'allowed' ? result.decision.by : ''))).toEqual(['rule', 'person', 'rule'])
    expect(t.broker.rules()).toHaveLength(1)
    expect(t.only().callId).toBe('other')
    t.answer({ kind: 'deny' })
    await other
  })

  test('a removed rule answers no more', async () => {
    const first = t.broker.toolCall(t.call())
    t.answer(allow('always'))
    await first
    t.broker.removeRule(t.broker.rules()[0]?.id ?? '')
    t.broker.removeRule('unknown')
    expect(t.events('rules.changed').map((event) => event.rules.length)).toEqual([1, 0])
    const second = t.broker.toolCall(t.call())
    expect(t.only().why).toEqual({ kind: 'no-rule' })
    t.answer({ kind: 'deny' })
    await second
  })

  test('a removed rule that is put back answers as before, and nothing else can be put back', async () => {
    const first = t.broker.toolCall(t.call())
    t.answer(allow('always'))
    await first
    const [rule] = t.broker.rules()
    const id = rule?.id ?? ''
    const unknown = expect.objectContaining({ code: 'rule.unknown' })
    expect(() => t.broker.restoreRule(id)).toThrow(unknown)
    t.broker.removeRule(id)
    t.broker.restoreRule(id)
    expect([t.broker.rules(), t.events('rules.changed').map((event) => event.rules.length)]).toEqual([[rule], [1, 0, 1]])
    expect(t.rows().map(({ kind, decision, by }) => [kind, decision, by])).toContainEqual(['rule', 'restored', 'person'])
    expect(() => t.broker.restoreRule(id)).toThrow(unknown)
    expect((await t.broker.toolCall(t.call())).kind).toBe('allowed')
    t.broker.removeRule(id)
    expect(() => t.restart().restoreRule(id)).toThrow(unknown)
  })

  test('a rule that was made anew meanwhile is not there twice when the old one is put back', async () => {
    const make = async (): Promise<string> => {
      const call = t.broker.toolCall(t.call())
      t.answer(allow('always'))
      await call
      return t.broker.rules()[0]?.id ?? ''
    }
    const old = await make()
    t.broker.removeRule(old)
    const anew = await make()
    t.broker.restoreRule(old)
    expect(t.broker.rules().map(({ id }) => id)).toEqual([anew])
  })

  test('a deny rule denies without asking', async () => {
    t.profile.store().rules.put({ id: 'd', effect: 'deny', server: 'files', scope: { kind: 'always' }, createdAt: 1 })
    expect(await t.broker.toolCall(t.call())).toEqual({
      kind: 'denied',
      decision: { allowed: false, by: 'rule', scope: 'always', ruleId: 'd', rule: 'every tool of “files”' },
      stop: false,
    })
    expect(t.asked).toEqual([])
  })
})
