import { afterEach, beforeEach, expect, test } from 'vitest'
import { spend } from '../approved.ts'
import { makeBroker, makeToolEntry, type TestBroker } from '../broker.testing.ts'
import type { ToolCallQuestion } from '../broker-api.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
})
afterEach(() => t.dispose())

const byHand = (part: Partial<ToolCallQuestion> = {}) => t.broker.manualCall({ ...t.call(part), conversationId: undefined })

test('the press allows exactly what was written, once, and is on record as made by hand', async () => {
  const verdict = await byHand()
  expect(verdict).toMatchObject({
    kind: 'allowed',
    decision: { allowed: true, by: 'person', scope: 'once', byHand: true },
    approval: { argumentsText: `{\n  "from": "/a",\n  "to": "/b"\n}`, fingerprint: 'f1', callId: 'call-1' },
  })
  if (verdict.kind !== 'allowed') throw new Error('not allowed')
  spend(verdict.approval)
  expect(() => spend(verdict.approval)).toThrow()
  expect([t.asked, t.broker.rules()]).toEqual([[], []])
  expect(t.rows()).toMatchObject([
    {
      kind: 'decision',
      decision: 'allowed',
      by: 'person',
      tool: 'move_file',
      detail: { byHand: true, fingerprint: 'f1', arguments: { sha256: expect.any(String) } },
    },
  ])
})

test('allows no call of a model: the next one asks', async () => {
  await byHand()
  void t.broker.toolCall(t.call())
  expect(t.only()).toMatchObject({ kind: 'tool-call' })
  t.answer({ kind: 'deny' })
})

test('a tool that is not what the person accepted is reviewed first, with what it was', async () => {
  await byHand()
  const verdict = byHand({ tool: makeToolEntry({ fingerprint: 'f2', description: 'Sends it away.' }) })
  await t.broker.previewDecision(t.call()) // What the disk says of paths comes first.
  expect(t.only()).toMatchObject({ kind: 'tool-call', fingerprint: 'f2', previous: { fingerprint: 'f1' } })
  t.answer({ kind: 'allow', scope: 'once' })
  expect(await verdict).toMatchObject({ kind: 'allowed', decision: { by: 'person', scope: 'once' } })
  expect(await byHand({ tool: makeToolEntry({ fingerprint: 'f2', description: 'Sends it away.' }) })).toMatchObject({
    decision: { byHand: true },
  })
  expect(t.asked).toHaveLength(1)
})

test('what a rule forbids stays forbidden', async () => {
  const rule = await t.broker.saveRule({ effect: 'deny', server: 'files', tool: 'move_file', scope: { kind: 'always' } }, { tools: [] })
  expect(await byHand()).toMatchObject({ kind: 'denied', decision: { by: 'rule', ruleId: rule.id } })
})

test('a rule that wants to be asked is answered by the press, and one that allows changes nothing', async () => {
  await t.broker.saveRule({ effect: 'ask', server: 'files', tool: 'move_file', scope: { kind: 'always' } }, { tools: [] })
  expect(await byHand()).toMatchObject({ kind: 'allowed', decision: { by: 'person', byHand: true } })
  expect(t.asked).toEqual([])
})

test('is not allowed where it cannot be put on record', async () => {
  t.profile.store().close()
  await expect(byHand()).rejects.toThrow()
})
