// Rules with conditions, from the answer that makes one to the call that it answers.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RuleDraft, RuleTerms } from '#app/consent/rules/rule.ts'
import type { JsonObject } from '#app/json.ts'
import { makeBroker, makeToolEntry, type TestBroker } from './broker.testing.ts'
import type { ToolCallQuestion } from './broker-api.ts'

let t: TestBroker
let root = ''
beforeEach(() => {
  t = makeBroker()
  // A rule names its folder with `/` on every system.
  root = realpathSync(mkdtempSync(join(tmpdir(), 'assent-rules-'))).replaceAll('\\', '/')
  mkdirSync(join(root, 'notes/deep'), { recursive: true })
  mkdirSync(join(root, 'secret'))
  symlinkSync(join(root, 'secret'), join(root, 'notes/out'), 'junction')
})
afterEach(() => {
  t.dispose()
  rmSync(root, { recursive: true, force: true })
})

const asked = (id: string): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => void (t.broker.open().some((request) => request.callId === id) ? resolve() : setImmediate(look))
    look()
  })

/** What becomes of a call: who let it run or denied it; what is asked is answered with no, and says why it was. */
async function outcome(part: Partial<ToolCallQuestion>): Promise<string> {
  const callId = `call-${Math.random()}`
  const verdict = t.broker.toolCall(t.call({ ...part, callId }))
  const first = await Promise.race([verdict, asked(callId)])
  if (first) return first.kind === 'withdrawn' ? first.kind : `${first.kind} by ${first.decision.by}`
  const request = t.broker.open().find((one) => one.callId === callId)
  t.broker.answer(request?.id ?? '', { kind: 'deny' })
  await verdict
  return `asked: ${request?.why.kind}`
}

const write = (path: string, more: JsonObject = {}): Partial<ToolCallQuestion> => ({ arguments: { path, content: 'x', ...more } })
const inNotes = (): RuleTerms => ({
  conditions: [{ kind: 'path-inside', argument: '/path', folder: `${root}/notes` }],
  onlyArguments: ['path', 'content'],
})

async function allowAlways(question: Partial<ToolCallQuestion>, terms: RuleTerms): Promise<void> {
  const bound = await t.broker.bindTerms(terms)
  const verdict = t.broker.toolCall(t.call(question))
  t.answer({ kind: 'allow', scope: 'always', terms: bound })
  expect((await verdict).kind).toBe('allowed')
}

describe('a yes for a folder', () => {
  test('answers what is really inside it, and nothing else', async () => {
    await allowAlways(write(`${root}/notes/a`), inNotes())
    const outcomes: Record<string, string> = {}
    for (const path of ['notes/b', 'notes/deep/../c', 'notes/new/d', 'notes/../secret/e', 'notes/out/f', 'secret/g', 'notesandmore/h'])
      outcomes[path] = await outcome(write(`${root}/${path}`))
    outcomes['relative'] = await outcome(write('notes/b'))
    outcomes['another argument'] = await outcome(write(`${root}/notes/b`, { backup: '/etc/b' }))
    outcomes['on another machine'] = await outcome({ ...write(`${root}/notes/b`), local: false })
    outcomes['another tool'] = await outcome({ ...write(`${root}/notes/b`), tool: makeToolEntry({ name: 'delete_file' }) })
    outcomes['the tool as it is now'] = await outcome({ ...write(`${root}/notes/b`), tool: makeToolEntry({ fingerprint: 'f2' }) })
    expect(outcomes).toEqual({
      'notes/b': 'allowed by rule',
      'notes/deep/../c': 'allowed by rule',
      'notes/new/d': 'allowed by rule',
      'notes/../secret/e': 'asked: no-rule',
      'notes/out/f': 'asked: no-rule',
      'secret/g': 'asked: no-rule',
      'notesandmore/h': 'asked: no-rule',
      relative: 'asked: no-rule',
      'another argument': 'asked: no-rule',
      'on another machine': 'asked: no-rule',
      'another tool': 'asked: no-rule',
      'the tool as it is now': 'asked: tool-changed',
    })
  })

  test('is for the folder that was there, whatever a page says and whatever takes its place', async () => {
    await allowAlways(write(`${root}/notes/a`), {
      conditions: [{ kind: 'path-inside', argument: '/path', folder: `${root}/notes`, real: '/' }],
    })
    expect(t.broker.rules()[0]?.conditions).toEqual([
      { kind: 'path-inside', argument: '/path', folder: `${root}/notes`, real: `${root}/notes` },
    ])
    rmSync(join(root, 'notes'), { recursive: true })
    symlinkSync(join(root, 'secret'), join(root, 'notes'), 'junction')
    expect(await outcome(write(`${root}/notes/a`))).toBe('asked: no-rule')
  })

  test('that names no whole path is refused', async () => {
    const terms: RuleTerms = { conditions: [{ kind: 'path-inside', argument: '/path', folder: 'notes' }] }
    await expect(t.broker.bindTerms(terms)).rejects.toMatchObject({ code: 'folder.not-found' })
  })

  test('answers the calls that wait for the same, and no others', async () => {
    const calls = ['notes/a', 'notes/b', 'notes/out/c'].map((path, n) => t.call({ ...write(`${root}/${path}`), callId: `c${n}` }))
    const [first, second, third] = calls.map((call) => t.broker.toolCall(call))
    t.broker.answer(t.broker.open()[0]?.id ?? '', { kind: 'allow', scope: 'always', terms: await t.broker.bindTerms(inNotes()) })
    expect([await first, await second]).toMatchObject([{ decision: { by: 'person' } }, { decision: { by: 'rule' } }])
    expect(t.only().callId).toBe('c2')
    t.answer({ kind: 'deny' })
    await third
  })

  test('ends when it is said to', async () => {
    await allowAlways(write(`${root}/notes/a`), { ...inNotes(), expiresAt: t.profile.clock.now() + 1000 })
    expect(await outcome(write(`${root}/notes/a`))).toBe('allowed by rule')
    t.profile.clock.time += 1000
    expect(await outcome(write(`${root}/notes/a`))).toBe('asked: no-rule')
  })

  test('stands in the record and in the decision, in words', async () => {
    await allowAlways(write(`${root}/notes/a`), inNotes())
    const words = `“move_file” of “files” where path is inside ${root}/notes, with any content, and no other arguments`
    expect(await t.broker.toolCall(t.call(write(`${root}/notes/b`)))).toMatchObject({ decision: { by: 'rule', rule: words } })
    const rows = t.rows().map(({ kind, decision, by, detail }) => [kind, decision, by, detail['rule']])
    expect(rows).toContainEqual(['rule', 'added', 'person', words])
    expect(rows).toContainEqual(['decision', 'allowed', 'rule', words])
  })
})

describe('a rule that the person writes', () => {
  const tools = [makeToolEntry(), makeToolEntry({ name: 'read_file', fingerprint: 'r1', annotations: { readOnlyHint: true } })]
  const draft = (part: Partial<RuleDraft>): RuleDraft => ({ effect: 'allow', server: 'files', scope: { kind: 'always' }, ...part })
  const reads = { tool: makeToolEntry({ name: 'read_file', fingerprint: 'r1', annotations: { readOnlyHint: true } }), trusted: true }

  test('is bound to the tools as they are known', async () => {
    expect(await t.broker.saveRule(draft({ tool: 'move_file' }), { tools })).toMatchObject({ fingerprint: 'f1' })
    expect(await t.broker.saveRule(draft({ readOnly: true }), { tools })).toMatchObject({
      definitions: { move_file: 'f1', read_file: 'r1' },
    })
    await expect(t.broker.saveRule(draft({ tool: 'unknown' }), { tools })).rejects.toMatchObject({ code: 'tool.unknown' })
  })

  test('about read-only tools counts while their server is trusted, and for none that is new or has changed', async () => {
    await t.broker.saveRule(draft({ readOnly: true }), { tools })
    expect({
      trusted: await outcome(reads),
      untrusted: await outcome({ ...reads, trusted: false }),
      writes: await outcome({ trusted: true }),
      changed: await outcome({ ...reads, tool: { ...reads.tool, fingerprint: 'r2' } }),
      new: await outcome({ ...reads, tool: { ...reads.tool, name: 'list_files' } }),
    }).toEqual({
      trusted: 'allowed by rule',
      untrusted: 'asked: no-rule',
      writes: 'asked: no-rule',
      changed: 'asked: tool-changed',
      new: 'asked: no-rule',
    })
  })

  test('about any server denies, and answers what waits', async () => {
    const waiting = t.broker.toolCall(t.call({ tool: makeToolEntry({ name: 'delete_file' }) }))
    await t.broker.saveRule({ effect: 'deny', tool: 'delete_*', scope: { kind: 'always' } }, { tools: [] })
    expect(await waiting).toMatchObject({ kind: 'denied', decision: { by: 'rule', rule: '“delete_*” of any server' } })
    expect(t.restart().rules()).toEqual(t.broker.rules())
  })

  test('that denies a folder denies each way into it, and asks where nobody can tell', async () => {
    await t.broker.saveRule(draft({ effect: 'deny', conditions: [{ kind: 'path-inside', argument: '/path', folder: `${root}/secret` }] }), {
      tools,
    })
    await t.broker.saveRule(draft({ tool: 'move_file' }), { tools })
    expect({
      elsewhere: await outcome(write(`${root}/notes/a`)),
      plain: await outcome(write(`${root}/secret/a`)),
      up: await outcome(write(`${root}/notes/../secret/a`)),
      link: await outcome(write(`${root}/notes/out/a`)),
      case: await outcome(write(`${root}/SECRET/a`)),
      encoded: await outcome(write(`${root}/notes/%2e%2e/secret/a`)),
      relative: await outcome(write('secret/a')),
    }).toEqual({
      elsewhere: 'allowed by rule',
      plain: 'denied by rule',
      up: 'denied by rule',
      link: 'denied by rule',
      case: 'denied by rule',
      encoded: 'denied by rule',
      relative: 'asked: unsure-rule',
    })
  })

  test('anew stays bound to what was approved: to edit it approves no change of its tool', async () => {
    const { id } = await t.broker.saveRule(draft({ tool: 'move_file' }), { tools })
    const changed = [makeToolEntry({ fingerprint: 'f2' })]
    const again = await t.broker.saveRule(draft({ tool: 'move_file', expiresAt: 9_999_999_999_999 }), { id, tools: changed })
    expect(again).toMatchObject({ id, fingerprint: 'f1', expiresAt: 9_999_999_999_999 })
    expect(t.broker.rules()).toEqual([again])
    expect(t.rows().map(({ decision }) => decision)).toEqual(['added', 'changed'])
    await expect(t.broker.saveRule(draft({}), { id: 'gone', tools })).rejects.toMatchObject({ code: 'rule.unknown' })
  })

  test('is explained by a call that nobody makes', async () => {
    await t.broker.saveRule(draft({ tool: 'move_file', ...inNotes() }), { tools })
    const [rule] = t.broker.rules()
    const { callId: _, signal: __, ...call } = t.call(write(`${root}/notes/a`))
    expect(await t.broker.previewDecision(call)).toEqual({
      verdict: { kind: 'allow', ruleId: rule?.id },
      rules: [{ id: rule?.id, match: 'yes', conditions: ['yes'], expired: false, void: false, otherArguments: [] }],
    })
    expect(await t.broker.previewDecision({ ...call, arguments: { path: `${root}/notes/out/a`, force: true } })).toEqual({
      verdict: { kind: 'ask', why: { kind: 'no-rule' } },
      rules: [{ id: rule?.id, match: 'no', conditions: ['no'], expired: false, void: false, otherArguments: ['force'] }],
    })
    expect([t.asked, t.rows().length]).toEqual([[], 1])
  })
})

describe('how a conversation asks', () => {
  beforeEach(async () => {
    await t.broker.saveRule(
      { effect: 'allow', server: 'files', tool: 'move_file', scope: { kind: 'always' } },
      { tools: [makeToolEntry()] },
    )
  })
  const reading = { tool: makeToolEntry({ name: 'read_file', annotations: { readOnlyHint: true } }) }
  const other = { tool: makeToolEntry({ name: 'write_file' }) }

  test.each([
    ['rules', 'allowed by rule', 'asked: no-rule', 'asked: no-rule', 'asked: no-rule'],
    ['ask-all', 'asked: mode-asks', 'asked: no-rule', 'asked: no-rule', 'asked: no-rule'],
    ['ask-writes', 'allowed by rule', 'allowed by mode', 'asked: no-rule', 'asked: no-rule'],
    ['rules-only', 'allowed by rule', 'denied by mode', 'denied by mode', 'denied by mode'],
  ] as const)('%s', async (mode, ruled, trusted, untrusted, writes) => {
    t.setMode('c1', mode)
    expect([
      await outcome({}),
      await outcome({ ...reading, trusted: true }),
      await outcome(reading),
      await outcome({ ...other, trusted: true }),
    ]).toEqual([ruled, trusted, untrusted, writes])
  })

  test('is its own, and on record where it decides', async () => {
    t.setMode('c1', 'rules-only')
    expect([
      await outcome(other),
      await outcome({ ...other, conversationId: 'c2' }),
      await outcome({ ...other, conversationId: undefined }),
    ]).toEqual(['denied by mode', 'asked: no-rule', 'asked: no-rule'])
    expect(t.rows().find(({ by }) => by === 'mode')).toMatchObject({ kind: 'decision', decision: 'denied', detail: { mode: 'rules-only' } })
  })
})
