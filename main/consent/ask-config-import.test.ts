import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeBroker, type TestBroker } from './broker.testing.ts'
import type { ConfigImportQuestion } from './broker-api.ts'

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
const decisions = (): unknown[] => t.rows().map(({ kind, decision, by }) => [kind, decision, by])

test('all of them are one question: each with its exact command, what moves into the secret store, and what it replaces', async () => {
  const outcome = ask()
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
    t.answer(answer)
    expect(await outcome).toBe(told)
    expect(decisions()).toEqual([
      ['request', null, null],
      ['decision', recorded, 'person'],
    ])
  })

  test('holds for that once, whatever scope it is given: no rule, no launch and no approved command come of it', async () => {
    const outcome = ask()
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
    const open = t.broker.open().find(({ kind }) => kind === 'config-import')
    expect(open).toBeDefined()
    t.broker.answer(open?.id ?? '', { kind: 'deny' })
    expect(await again).toBe('denied')
  })

  test('is none where the person chose others meanwhile: the question is withdrawn, and a late yes takes nothing over', async () => {
    const abort = new AbortController()
    const outcome = ask(abort)
    const { id } = t.only()
    abort.abort()
    expect(await outcome).toBe('withdrawn')
    expect([t.broker.answer(id, { kind: 'allow', scope: 'once' }), t.broker.open()]).toEqual([false, []])
  })

  test('that cannot be put on record is not a yes', async () => {
    const outcome = ask()
    t.profile.store().close()
    expect(() => t.answer({ kind: 'allow', scope: 'once' })).toThrow()
    t.broker.dispose()
    expect(await outcome).not.toBe('allowed')
  })
})

test('the record holds what was asked, without what looks like a secret', async () => {
  const outcome = ask()
  t.answer({ kind: 'allow', scope: 'once' })
  await outcome
  const text = JSON.stringify(t.rows())
  expect(text).toContain('notes-mcp')
  expect(text).not.toContain('hunter2')
})
