import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConsentAnswer } from '#app/consent/request.ts'
import { makeBroker, makeToolEntry, type TestBroker } from './broker.testing.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
})
afterEach(() => t.dispose())

const inbox = [{ kind: 'equals', argument: '/to', value: '/inbox' } as const]
const never: ConsentAnswer = { kind: 'deny', scope: 'always', word: 'not there', terms: { conditions: inbox, onlyArguments: ['to'] } }
const call = (args: Record<string, string>, part = {}) => t.broker.toolCall(t.call({ arguments: args, ...part }))

describe('a refusal that stands', () => {
  test('is a rule: on record with the answer, listed, and the answer to the next such call', async () => {
    const first = call({ to: '/inbox' })
    t.answer(never)
    const [rule] = t.broker.rules()
    expect(rule).toEqual({
      id: expect.any(String),
      effect: 'deny',
      server: 'files',
      tool: 'move_file',
      conditions: inbox,
      scope: { kind: 'always' },
      createdAt: expect.any(Number),
    })
    expect(await first).toMatchObject({ kind: 'denied', decision: { by: 'person', scope: 'always', ruleId: rule?.id, word: 'not there' } })
    expect(await call({ to: '/inbox' })).toMatchObject({ kind: 'denied', decision: { by: 'rule', ruleId: rule?.id } })
    expect(t.rows().find(({ decision }) => decision === 'denied')).toMatchObject({ detail: { ruleId: rule?.id, scope: 'always' } })
    expect(t.rows().some(({ kind }) => kind === 'rule')).toBe(true)
  })

  test('speaks of every call with those arguments, whatever others it has and whatever becomes of the tool, and of no other', async () => {
    void call({ to: '/inbox' })
    t.answer(never)
    expect((await call({ to: '/inbox', force: 'yes' })).kind).toBe('denied')
    expect((await call({ to: '/inbox' }, { tool: makeToolEntry({ fingerprint: 'f2' }) })).kind).toBe('denied')
    void call({ to: '/outbox' })
    expect(t.only().kind).toBe('tool-call')
  })

  test('wins over an approval, which is still there once it is revoked', async () => {
    void call({ to: '/outbox' })
    t.answer({ kind: 'allow', scope: 'always' })
    const [approval] = t.broker.rules()
    t.setMode('c1', 'ask-all')
    void call({ to: '/inbox' })
    t.answer({ kind: 'deny', scope: 'always' })
    t.setMode('c1', 'rules')
    expect((await call({ to: '/outbox' })).kind).toBe('denied')
    t.broker.removeRule(t.broker.rules().find(({ effect }) => effect === 'deny')?.id ?? '')
    expect(t.broker.rules()).toEqual([approval])
    expect((await call({ to: '/outbox' })).kind).toBe('allowed')
  })

  test('answers what waits for the same, at once', async () => {
    const [first, second] = [call({ to: '/inbox' }), call({ to: '/inbox' })]
    t.broker.answer(t.broker.open()[0]?.id ?? '', never)
    expect([await first, await second]).toMatchObject([{ decision: { by: 'person' } }, { decision: { by: 'rule' } }])
  })

  test('for a conversation holds there alone', async () => {
    void call({ to: '/inbox' })
    t.answer({ kind: 'deny', scope: 'conversation' })
    expect((await call({ to: '/anywhere' })).kind).toBe('denied')
    void call({ to: '/inbox' }, { conversationId: 'c2' })
    expect(t.only().conversationId).toBe('c2')
  })

  test('for once makes no rule', async () => {
    void call({ to: '/inbox' })
    t.answer({ kind: 'deny', scope: 'once' })
    expect(t.broker.rules()).toEqual([])
  })
})
