import { afterEach, beforeEach, expect, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import { makeBroker, type TestBroker, thrownBy } from './broker.testing.ts'
import { createBroker } from './broker.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
})
afterEach(() => t.dispose())

const row = (): unknown[] =>
  t.rows().map(({ kind, server, tool, decision, by, conversationId }) => [kind, server, tool, decision, by, conversationId])

test('holds the question, the answer and the rule it made', async () => {
  const verdict = t.broker.toolCall(t.call({ arguments: { path: '/a', apiKey: 'hunter2' } }))
  const { id } = t.only()
  t.answer({ kind: 'allow', scope: 'always' })
  await verdict
  const [rule] = t.broker.rules()
  await t.broker.toolCall(t.call())
  t.broker.removeRule(rule?.id ?? '')
  expect(row()).toEqual([
    ['request', 'files', 'move_file', null, null, 'c1'],
    ['decision', 'files', 'move_file', 'allowed', 'person', 'c1'],
    ['rule', 'files', 'move_file', 'added', 'person', null],
    ['decision', 'files', 'move_file', 'allowed', 'rule', 'c1'],
    ['rule', 'files', 'move_file', 'removed', 'person', null],
  ])
  const [asked, allowed, , ruled] = t.rows().map((item) => item.detail)
  expect(asked).toMatchObject({ requestId: id, callId: 'call-1', why: 'no-rule', fingerprint: 'f1' })
  expect(asked?.['arguments']).toMatchObject({ bytes: 41, text: '{"path":"/a","apiKey":"•••"}' })
  expect(allowed).toMatchObject({ requestId: id, scope: 'always', ruleId: rule?.id })
  expect(ruled).toMatchObject({ ruleId: rule?.id, arguments: { text: '{"from":"/a","to":"/b"}' } })
  expect(t.profile.store().audit.verify()).toBeUndefined()
})

test('holds which press answered several requests, and for how many; an answer to one alone holds nothing of it', async () => {
  const group = { id: 'g', size: 3 }
  const verdicts = []
  for (const answer of [
    { kind: 'allow', scope: 'once', group },
    { kind: 'allow', scope: 'conversation', group },
    { kind: 'deny', word: 'no', group },
    { kind: 'allow', scope: 'once' },
  ] as const) {
    const verdict = t.broker.toolCall(t.call({ conversationId: answer.kind === 'allow' && answer.scope === 'conversation' ? 'c2' : 'c1' }))
    t.answer(answer)
    verdicts.push(await verdict)
  }
  const decided = t.rows().filter(({ kind }) => kind === 'decision')
  expect(decided.map(({ detail }) => detail['group'])).toEqual([group, group, group, undefined])
  expect(verdicts.map((one) => 'decision' in one && one.decision.together)).toEqual([3, 3, 3, undefined])
  expect(t.profile.store().audit.verify()).toBeUndefined()
})

test('holds large arguments by hash and size alone, and edited ones anew', async () => {
  const verdict = t.broker.toolCall(t.call({ arguments: { text: 'x'.repeat(5000) } }))
  t.answer({ kind: 'allow', scope: 'once', arguments: { text: 'short' } })
  await verdict
  const [asked, allowed] = t.rows().map((item) => item.detail['arguments'] as Record<string, unknown>)
  expect(asked).toEqual({ bytes: 5016, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(allowed?.['text']).toBe('{"text":"short"}')
})

const full = new HostError('disk.full', 'The disk is full.')
const failing = (from: number) => {
  let rows = 0
  const { audit, rules, sampling } = t.profile.store()
  return createBroker({
    rules,
    sampling,
    emit: () => {},
    clock: t.profile.clock,
    audit: {
      ...audit,
      append(entry) {
        rows += 1
        if (rows >= from) throw full
        return audit.append(entry)
      },
    },
  })
}

test('that cannot be written: nobody is asked and nothing runs', async () => {
  const broker = failing(1)
  await expect(broker.toolCall(t.call())).rejects.toBe(full)
  expect(broker.open()).toEqual([])
})

test('that cannot be written any more: no yes is taken, no rule is made, a no still holds', async () => {
  const broker = failing(2)
  const verdict = broker.toolCall(t.call())
  const id = broker.open()[0]?.id ?? ''
  expect(thrownBy(() => broker.answer(id, { kind: 'allow', scope: 'always' }))?.code).toBe('disk.full')
  expect([broker.open().length, broker.rules()]).toEqual([1, []])
  expect(broker.answer(id, { kind: 'deny' })).toBe(true)
  expect((await verdict).kind).toBe('denied')
})

test('that fails between the answer and its rule leaves the question open and the rule unmade', async () => {
  const broker = failing(3)
  const verdict = broker.toolCall(t.call())
  const id = broker.open()[0]?.id ?? ''
  expect(thrownBy(() => broker.answer(id, { kind: 'allow', scope: 'always' }))?.code).toBe('disk.full')
  expect([broker.open().length, broker.rules()]).toEqual([1, []])
  broker.dispose()
  expect((await verdict).kind).toBe('withdrawn')
})
