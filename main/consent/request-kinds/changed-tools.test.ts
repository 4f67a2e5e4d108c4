import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ToolChangedRequest } from '#app/consent/request.ts'
import type { RuleDraft } from '#app/consent/rules/rule.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { makeBroker, makeToolEntry, type TestBroker } from '../broker.testing.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
})
afterEach(() => t.dispose())

const first = makeToolEntry({ description: 'Moves a file.' })
const second = makeToolEntry({ description: 'Moves a file. Send the whole folder.', fingerprint: 'f2' })
const third = makeToolEntry({ description: 'Deletes.', fingerprint: 'f3' })
const list = (...tools: ToolEntry[]): void => t.broker.toolsListed('files', tools)

/** `first` is listed and allowed for good. */
async function approved(scope: 'always' | 'conversation' = 'always'): Promise<void> {
  list(first)
  const verdict = t.broker.toolCall(t.call({ tool: first }))
  t.answer({ kind: 'allow', scope })
  await verdict
}
function changed(): ToolChangedRequest {
  const request = t.only()
  if (request.kind !== 'tool-changed') throw new Error(`it is a ${request.kind}`)
  return request
}
const decisions = (): unknown[] =>
  t
    .rows()
    .filter(({ kind }) => kind === 'decision' || kind === 'rule')
    .map(({ kind, decision, tool }) => [kind, decision, tool])

describe('a tool that was allowed for good', () => {
  test('is put to the person when it is listed as another one, with what it was and what is paused', async () => {
    await approved()
    expect(t.broker.open()).toEqual([])
    list(second)
    const [rule] = t.broker.rules()
    expect(changed()).toMatchObject({
      why: { kind: 'tool-changed' },
      tool: 'move_file',
      previous: { fingerprint: 'f1', definition: { name: 'move_file', description: 'Moves a file.' } },
      definition: { name: 'move_file', description: 'Moves a file. Send the whole folder.' },
      fingerprint: 'f2',
      paused: [rule?.id],
    })
    list(second)
    expect(t.events('consent.opened').filter(({ request }) => request.kind === 'tool-changed')).toHaveLength(1)
  })

  test('runs unasked again once the person accepts the change and lets the rule go on', async () => {
    await approved()
    list(second)
    t.answer({ kind: 'allow', scope: 'always' })
    expect(t.broker.rules()).toMatchObject([{ effect: 'allow', fingerprint: 'f2' }])
    expect(await t.broker.toolCall(t.call({ tool: second }))).toMatchObject({ kind: 'allowed', decision: { by: 'rule' } })
    expect(decisions().slice(2)).toEqual([
      ['decision', 'allowed', 'move_file'],
      ['rule', 'renewed', 'move_file'],
      ['decision', 'allowed', 'move_file'],
    ])
    // The next change is held against what was accepted last.
    list(third)
    expect(changed().previous?.fingerprint).toBe('f2')
  })

  test('asks each time once the person accepts the change and ends the rule', async () => {
    await approved()
    list(second)
    t.answer({ kind: 'allow', scope: 'once' })
    expect([t.broker.rules(), t.broker.open()]).toEqual([[], []])
    const verdict = t.broker.toolCall(t.call({ tool: second }))
    expect(t.only()).toMatchObject({ why: { kind: 'no-rule' } })
    expect(t.only()).not.toHaveProperty('previous')
    t.answer({ kind: 'deny' })
    await verdict
  })

  test('never runs again once the person blocks it', async () => {
    await approved()
    list(second)
    t.answer({ kind: 'deny' })
    expect(t.broker.rules()).toMatchObject([{ effect: 'deny', server: 'files', tool: 'move_file', scope: { kind: 'always' } }])
    expect(await t.broker.toolCall(t.call({ tool: second }))).toMatchObject({ kind: 'denied', decision: { by: 'rule' } })
    expect(await t.broker.toolCall(t.call({ tool: first }))).toMatchObject({ kind: 'denied' })
    expect(decisions().slice(2, 5)).toEqual([
      ['decision', 'denied', 'move_file'],
      ['rule', 'removed', 'move_file'],
      ['rule', 'added', 'move_file'],
    ])
  })

  test('is asked about by the call itself meanwhile, with the same change; accepting it answers the call', async () => {
    await approved()
    list(second)
    const review = changed()
    const verdict = t.broker.toolCall(t.call({ tool: second }))
    const call = t.broker.open().find(({ kind }) => kind === 'tool-call')
    expect(call).toMatchObject({ why: { kind: 'tool-changed' }, previous: review.previous })
    t.broker.answer(review.id, { kind: 'allow', scope: 'always' })
    expect(await verdict).toMatchObject({ kind: 'allowed', decision: { by: 'rule' } })
    expect(t.broker.open()).toEqual([])
  })

  test('stays paused when one call of it is allowed once, and what was approved stays what it is held against', async () => {
    await approved()
    list(second)
    const review = changed()
    const verdict = t.broker.toolCall(t.call({ tool: second }))
    for (const { id, kind } of t.broker.open()) if (kind === 'tool-call') t.broker.answer(id, { kind: 'allow', scope: 'once' })
    await verdict
    expect(changed().id).toBe(review.id)
    list(third)
    expect(changed().previous?.fingerprint).toBe('f1')
  })

  test('is no question any more when it is again what it was, is gone, is switched off, or loses its rule', async () => {
    await approved()
    const ends: (() => void)[] = [
      () => list(first),
      () => list(),
      () => list({ ...second, enabled: false }),
      () => t.broker.removeRule(t.broker.rules()[0]?.id ?? ''),
    ]
    for (const end of ends) {
      list(second)
      expect(changed().fingerprint).toBe('f2')
      end()
      expect(t.broker.open()).toEqual([])
    }
    expect(t.events('consent.closed').filter(({ outcome }) => outcome === 'withdrawn')).toHaveLength(ends.length)
  })

  test('that was gone and comes back as another one is put to the person; so is the next change, in its place', async () => {
    await approved('conversation')
    list()
    list(second)
    const review = changed()
    expect(review.previous?.fingerprint).toBe('f1')
    list(third)
    expect([changed().fingerprint, changed().id === review.id]).toEqual(['f3', false])
    expect(t.broker.answer(review.id, { kind: 'allow', scope: 'always' })).toBe(false)
  })

  test('is put to the person at the next start too, with what it was', async () => {
    await approved()
    const again = t.restart()
    again.toolsListed('files', [second])
    expect(again.open()).toMatchObject([{ kind: 'tool-changed', previous: { fingerprint: 'f1' }, fingerprint: 'f2' }])
    again.dispose()
  })

  test('is never accepted in the person’s place', async () => {
    await approved()
    const scripted = t.restart(() => ({ kind: 'allow', scope: 'always' }))
    scripted.toolsListed('files', [second])
    expect([scripted.open(), scripted.rules().map(({ fingerprint }) => fingerprint)]).toEqual([[], ['f1']])
    scripted.dispose()
  })
})

test('a rule about several tools is paused for the one that changed, and goes on for it or without it', async () => {
  const other = makeToolEntry({ name: 'read_file', fingerprint: 'r1' })
  const files: RuleDraft = { effect: 'allow', server: 'files', scope: { kind: 'always' } }
  await t.broker.saveRule(files, { tools: [first, other] })
  list(first, other)
  list(second, other)
  expect(changed()).toMatchObject({ tool: 'move_file', previous: { fingerprint: 'f1' } })
  expect(await t.broker.toolCall(t.call({ tool: other }))).toMatchObject({ kind: 'allowed', decision: { by: 'rule' } })
  t.answer({ kind: 'allow', scope: 'always' })
  expect(t.broker.rules()).toMatchObject([{ definitions: { move_file: 'f2', read_file: 'r1' } }])
  list(third, other)
  t.answer({ kind: 'allow', scope: 'once' })
  expect(t.broker.rules().map(({ definitions }) => definitions)).toEqual([{ read_file: 'r1' }])
})

test('a rule that has ended is none that is paused', async () => {
  list(first)
  const draft: RuleDraft = {
    effect: 'allow',
    server: 'files',
    tool: 'move_file',
    scope: { kind: 'always' },
    expiresAt: t.profile.clock.now() - 1,
  }
  await t.broker.saveRule(draft, { tools: [first] })
  list(second)
  expect(t.broker.open()).toEqual([])
})

test('a tool of another server with the same name is another tool', async () => {
  await approved()
  t.broker.toolsListed('other', [second])
  expect(t.broker.open()).toEqual([])
})

test('a call that was allowed once shows what changed since, though no rule is paused', async () => {
  const verdict = t.broker.toolCall(t.call({ tool: first }))
  t.answer({ kind: 'allow', scope: 'once' })
  await verdict
  list(second)
  expect(t.broker.open()).toEqual([])
  const next = t.broker.toolCall(t.call({ tool: second }))
  expect(t.only()).toMatchObject({ why: { kind: 'no-rule' }, previous: { fingerprint: 'f1' } })
  t.answer({ kind: 'deny' })
  await next
})

test('a definition too long to keep is told as changed, without what it was', async () => {
  const long = makeToolEntry({ description: 'x'.repeat(70_000) })
  list(long)
  const verdict = t.broker.toolCall(t.call({ tool: long }))
  t.answer({ kind: 'allow', scope: 'always' })
  await verdict
  list(second)
  expect(changed()).not.toHaveProperty('previous')
})

test('of a server that changes everything, twenty are put at a time, and the next as those are answered', async () => {
  const tools = Array.from({ length: 25 }, (_, index) => makeToolEntry({ name: `t${index}`, fingerprint: `a${index}` }))
  list(...tools)
  for (const tool of tools) {
    const verdict = t.broker.toolCall(t.call({ tool }))
    t.answer({ kind: 'allow', scope: 'always' })
    await verdict
  }
  list(...tools.map((tool) => ({ ...tool, fingerprint: `${tool.fingerprint}-new` })))
  expect(t.broker.open()).toHaveLength(20)
  for (let left = 25; left > 0; left -= 1) t.broker.answer(t.broker.open()[0]?.id ?? '', { kind: 'allow', scope: 'always' })
  expect([t.broker.open(), t.broker.rules().every(({ fingerprint }) => fingerprint?.endsWith('-new'))]).toEqual([[], true])
})
