import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import { makeBroker, type TestBroker } from './broker.testing.ts'
import type { ConfigImportQuestion, LaunchQuestion } from './broker-api.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
})
afterEach(() => t.dispose())

const servers: ConfigImportQuestion['servers'] = [
  {
    name: 'notes',
    from: 'Cursor',
    file: '/home/me/.cursor/mcp.json',
    target: { transport: 'stdio', command: 'npx', args: ['-y', 'notes-mcp', '--token=hunter2-hunter2'], envNames: ['NOTES_TOKEN'] },
    secrets: ['NOTES_TOKEN'],
    replaces: { target: { transport: 'stdio', command: 'npx', args: ['-y', 'notes-mcp@1'], envNames: [] } },
  },
  { name: 'demo', from: 'Cursor', file: '/home/me/.cursor/mcp.json', secrets: [] },
]
const ask = (abort = new AbortController()) => t.broker.configImport({ from: 'Cursor', servers, signal: abort.signal })
const open = () => expect.poll(() => t.broker.open().length).toBe(1)
const decisions = (): unknown[] => t.rows().map(({ kind, decision, by }) => [kind, decision, by])

test('all of them are one question: each with its exact command, what moves, and what it replaces', async () => {
  const outcome = ask()
  await open()
  expect(t.only()).toEqual({
    id: expect.any(String),
    createdAt: expect.any(Number),
    kind: 'config-import',
    server: 'Cursor',
    why: { kind: 'person-asks' },
    servers,
  })
  t.answer({ kind: 'deny' })
  await outcome
})

describe('the answer', () => {
  test.each([
    ['a yes', { kind: 'allow', scope: 'once' }, 'allowed', 'allowed'],
    ['a no', { kind: 'deny' }, 'denied', 'denied'],
    ['a dismissal', { kind: 'cancel' }, 'denied', 'denied'],
  ] as const)('%s is told, and on record', async (_what, answer, told, recorded) => {
    const outcome = ask()
    await open()
    t.answer(answer)
    expect((await outcome).outcome).toBe(told)
    expect(decisions()).toEqual([
      ['request', null, null],
      ['decision', recorded, 'person'],
    ])
  })

  test('holds for that once, whatever scope it is given: no rule, no launch and no approved command come of it', async () => {
    const outcome = ask()
    await open()
    t.answer({ kind: 'allow', scope: 'always' })
    await outcome
    expect(t.broker.rules()).toEqual([])
    void t.broker.launch({
      server: 'notes',
      signal: t.abort.signal,
      target: { transport: 'stdio', command: 'npx', args: ['-y', 'notes-mcp', '--token=hunter2-hunter2'], envNames: ['NOTES_TOKEN'] },
    })
    await expect.poll(() => t.broker.open().map(({ kind, why }) => [kind, why.kind])).toEqual([['launch', 'first-launch']])
    const again = ask()
    const found = () => t.broker.open().find(({ kind }) => kind === 'config-import')
    await expect.poll(found).toBeDefined()
    t.broker.answer(found()?.id ?? '', { kind: 'deny' })
    expect(await again).toEqual({ outcome: 'denied' })
  })

  test('is none where the person chose others meanwhile: the question is withdrawn, and a late yes takes nothing over', async () => {
    const abort = new AbortController()
    const outcome = ask(abort)
    await open()
    const { id } = t.only()
    abort.abort()
    expect(await outcome).toEqual({ outcome: 'withdrawn' })
    expect([t.broker.answer(id, { kind: 'allow', scope: 'once' }), t.broker.open()]).toEqual([false, []])
  })

  test('that cannot be put on record is not a yes', async () => {
    const outcome = ask()
    await open()
    t.profile.store().close()
    expect(() => t.answer({ kind: 'allow', scope: 'once' })).toThrow()
    t.broker.dispose()
    expect((await outcome).outcome).not.toBe('allowed')
  })
})

test('the record holds what was asked, without what looks like a secret', async () => {
  const outcome = ask()
  await open()
  t.answer({ kind: 'allow', scope: 'once' })
  await outcome
  const text = JSON.stringify(t.rows())
  expect(text).toContain('notes-mcp')
  expect(text).not.toContain('hunter2')
})

describe('the starts in the review', () => {
  const target: LaunchTarget = {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'notes-mcp'],
    envNames: ['NOTES_TOKEN'],
    folder: '/home/me',
  }
  const start = (name: string, part: Partial<LaunchQuestion> = {}): LaunchQuestion => ({
    server: name,
    target,
    values: { NOTES_TOKEN: 'one' },
    signal: t.abort.signal,
    ...part,
  })
  const review = (...names: readonly string[]) =>
    t.broker.configImport({
      from: 'Cursor',
      servers: names.map((name) => ({ name, from: 'Cursor', file: '/c', target, secrets: [], launch: async () => start(name) })),
      signal: t.abort.signal,
    })
  const asked = async (question: LaunchQuestion): Promise<string[]> => {
    const verdict = t.broker.launch(question)
    await new Promise((resolve) => setImmediate(resolve))
    const kinds = t.broker.open().map(({ why }) => why.kind)
    for (const { id } of t.broker.open()) t.broker.answer(id, { kind: 'deny' })
    await verdict
    return kinds
  }

  test('show what the request of each start shows, with the same fingerprint', async () => {
    const outcome = review('notes')
    await open()
    const request = t.only()
    const shown = request.kind === 'config-import' ? request.servers[0]?.launch : undefined
    t.answer({ kind: 'deny' })
    await outcome
    void t.broker.launch(start('notes'))
    await open()
    const { id: _id, createdAt: _at, ...launch } = t.only() as LaunchRequest
    expect(shown).toMatchObject(launch)
  })

  test('are approved for the servers that were chosen, once these are written, and bound to what was shown', async () => {
    const outcome = review('notes', 'others')
    await open()
    t.answer({ kind: 'allow', scope: 'once', imports: { notes: {} } })
    const verdict = await outcome
    const approved = verdict.outcome === 'allowed' ? verdict.approved : new Map<string, { keep(): void } | undefined>()
    expect([...approved.keys()]).toEqual(['notes'])
    expect(await asked(start('notes'))).toEqual(['first-launch'])
    approved.get('notes')?.keep()
    expect(await asked(start('notes'))).toEqual([])
    expect(await asked(start('others'))).toEqual(['first-launch'])
    expect(await asked(start('notes', { target: { ...target, args: ['-y', 'others-mcp'] } }))).toEqual(['launch-changed'])
    expect(await asked(start('notes', { values: { NOTES_TOKEN: 'two' } }))).toEqual(['launch-changed'])
    expect(t.rows().flatMap(({ kind, decision, by, server }) => (kind === 'launch' ? [[decision, by, server]] : []))[0]).toEqual([
      'allowed',
      'person',
      'notes',
    ])
  })

  test('are not approved by an answer that names none, nor by one for a server that was not shown', async () => {
    const outcome = review('notes')
    await open()
    expect(() => t.answer({ kind: 'allow', scope: 'once', imports: { other: {} } })).toThrow()
    expect(() => t.answer({ kind: 'allow', scope: 'once', imports: { notes: { sandbox: { kind: 'off' } } } })).toThrow()
    t.answer({ kind: 'allow', scope: 'once' })
    expect(await outcome).toEqual({ outcome: 'allowed', approved: new Map([['notes', undefined]]) })
    expect(await asked(start('notes'))).toEqual(['first-launch'])
  })

  test('are not approved by a command, which is not asked about them either', async () => {
    t.broker.dispose()
    const broker = t.restart(() => ({ kind: 'allow', scope: 'once', imports: { notes: {} } }))
    const launch = vi.fn(async () => start('notes'))
    const servers = [{ name: 'notes', from: 'Cursor', file: '/c', target, secrets: [], launch }]
    const verdict = await broker.configImport({ from: 'Cursor', servers, signal: t.abort.signal })
    expect([verdict, launch.mock.calls]).toEqual([{ outcome: 'allowed', approved: new Map([['notes', undefined]]) }, []])
  })
})
