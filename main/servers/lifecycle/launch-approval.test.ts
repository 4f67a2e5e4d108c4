// What a launch approval is bound to beside the command: values that choose what runs, the folder, and the rules that were
// made for it. MCPoison (CVE-2025-54136): trust was bound to a server's name, and what ran behind the name was swapped.
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { makeBroker, type TestBroker } from '#main/consent/broker.testing.ts'
import { createBroker } from '#main/consent/broker.ts'
import type { AnswerPolicy, ConsentBroker, LaunchVerdict } from '#main/consent/broker-api.ts'
import { migrations, oldestVersion } from '#main/store/database/schema.ts'
import { makeProfile, type TestProfile } from '#main/store/store.testing.ts'
import { launchTargetOf, launchValues } from './launch-target.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
})
afterEach(() => t.dispose())

const define = (part: Partial<StdioDefinition> = {}): StdioDefinition => ({
  enabled: true,
  start: 'needed',
  trusted: false,
  transport: 'stdio',
  command: 'node',
  args: ['server.js'],
  env: {},
  ...part,
})

interface Start {
  readonly broker?: ConsentBroker
  readonly folder?: string
  readonly asShown?: boolean
  readonly answer?: 'allow' | 'deny'
  /** Values of its inputs, by id. */
  readonly inputs?: Readonly<Record<string, string>>
}

/** One start of the server `notes`, as the supervisor asks for it; what was asked, if anything. */
async function start(
  definition: StdioDefinition,
  { broker = t.broker, folder = '/home/me', asShown = true, answer = 'allow', inputs = {} }: Start = {},
) {
  const target = launchTargetOf(definition, folder) as LaunchTarget
  const launched: Promise<LaunchVerdict> = broker.launch({
    server: 'notes',
    target,
    folderAsShown: asShown,
    values: launchValues(definition, new Map(Object.entries(inputs))),
    signal: t.abort.signal,
  })
  await new Promise((resolve) => setImmediate(resolve))
  const [asked] = broker.open() as LaunchRequest[]
  if (asked) broker.answer(asked.id, answer === 'allow' ? { kind: 'allow', scope: 'always' } : { kind: 'deny' })
  return { asked, verdict: await launched }
}

const allowRule = (id: string, part: Partial<Rule> = {}): Rule => ({
  id,
  effect: 'allow',
  server: 'notes',
  tool: 'move_file',
  fingerprint: 'f1',
  scope: { kind: 'always' },
  createdAt: 1,
  ...part,
})

/** What becomes of a call of its tool that nobody answers. */
async function call(broker: ConsentBroker = t.broker): Promise<string> {
  const verdict = broker.toolCall(t.call({ server: 'notes' }))
  await new Promise((resolve) => setImmediate(resolve))
  const [asked] = broker.open()
  if (asked) broker.answer(asked.id, { kind: 'deny' })
  const end = await verdict
  return asked ? `asked: ${asked.why.kind}` : end.kind
}

/** Allows for good, with a rule for the tool. */
async function allowed(definition: StdioDefinition, from: Start = {}): Promise<void> {
  await start(definition, from)
  const first = t.broker.toolCall(t.call({ server: 'notes' }))
  await new Promise((resolve) => setImmediate(resolve))
  t.answer({ kind: 'allow', scope: 'always' })
  await first
}

const once: AnswerPolicy = (request) => (request.kind === 'launch' ? { kind: 'allow', scope: 'once' } : undefined)

// `.vscode/mcp.json` of microsoft/vscode issue 318893, and the variables of asheshgoplani/agent-deck issue 403.
describe('a variable that chooses what runs', () => {
  const env = { NODE_OPTIONS: '--inspect=127.0.0.1:9229', LD_PRELOAD: '/tmp/malicious.so', MODE: 'safe', HTTPS_PROXY: 'http://p.example' }

  test('is shown with its value, and marked; others by name', async () => {
    const { asked } = await start(define({ env }))
    expect(asked?.target).toMatchObject({
      envNames: ['HTTPS_PROXY', 'LD_PRELOAD', 'MODE', 'NODE_OPTIONS'],
      variables: [
        { name: 'HTTPS_PROXY', value: 'http://p.example', effect: 'network' },
        { name: 'LD_PRELOAD', value: '/tmp/malicious.so', effect: 'code' },
        { name: 'NODE_OPTIONS', value: '--inspect=127.0.0.1:9229', effect: 'code' },
      ],
    })
    expect(JSON.stringify(asked)).not.toContain('safe')
  })

  test('is part of the fingerprint: another value is asked for, with what it was', async () => {
    const first = await start(define({ env }))
    expect((await start(define({ env }))).asked).toBeUndefined()
    const { asked } = await start(define({ env: { ...env, NODE_OPTIONS: '--require /tmp/evil.js' } }))
    expect(asked?.fingerprint).not.toBe(first.asked?.fingerprint)
    expect(asked).toMatchObject({
      why: { kind: 'launch-changed' },
      previous: { variables: [{}, {}, { value: '--inspect=127.0.0.1:9229' }] },
    })
  })

  test('stands on the disk without what looks like a secret', async () => {
    await start(define({ env: { HTTPS_PROXY: 'http://ada:hunter2@p.example/', GIT_ASKPASS_TOKEN: 'x' } }))
    expect(JSON.stringify([t.rows(), t.profile.store().rules.launch('notes')])).not.toContain('hunter2')
  })
})

describe('a profile of before', () => {
  /** Of the commit 0398f21, with the fingerprints that it made. */
  const before = [
    [
      'plain',
      define({ command: 'npx', args: ['-y', '@acme/notes-mcp@1.2.0'], env: { NOTES_TOKEN: 'x', MODE: 'safe' } }),
      ['MODE', 'NOTES_TOKEN'],
      '480b2ccb7ad59e597d12a26b00489ad5ffb4125e50c88d876319518c4d8d1d86',
    ],
    ['cwd', define({ cwd: '~/notes' }), [], '73a3d05bed3890e2b708b3c5c59cf2f40dbccc7b9ba8ac9b7b350e0b89b41004'],
    [
      'env',
      define({ env: { NODE_OPTIONS: '--require ./trace.js', MODE: 'safe' } }),
      ['MODE', 'NODE_OPTIONS'],
      '89ccb95e80c0f1638cf6f183ec599c54b0e53a84e21dc5cf2ed57443401a6246',
    ],
  ] as const

  let profile: TestProfile
  beforeEach(() => {
    profile = makeProfile()
  })
  afterEach(() => profile.dispose())

  function open(name: (typeof before)[number][0]): { readonly definition: StdioDefinition; readonly broker: ConsentBroker } {
    const [, definition, envNames, fingerprint] = before.find(([one]) => one === name) ?? before[0]
    const raw = new DatabaseSync(profile.path)
    raw.exec(`${migrations[0]}; PRAGMA user_version = ${oldestVersion}`)
    const { command, args, cwd } = definition
    const target = { transport: 'stdio', command, args, envNames, ...(cwd === undefined ? {} : { cwd }) }
    raw
      .prepare('INSERT INTO launches (server, fingerprint, target, digest) VALUES (?, ?, ?, ?)')
      .run('notes', fingerprint, JSON.stringify(target), '[]')
    raw.prepare('INSERT INTO rules (id, server, body) VALUES (?, ?, ?)').run('r', 'notes', JSON.stringify(allowRule('r')))
    raw.close()
    const { rules, sampling, audit } = profile.store()
    return { definition, broker: createBroker({ rules, sampling, audit, emit: () => {}, clock: profile.clock }) }
  }

  test.each(['plain', 'cwd'] as const)('does not ask again for a server without such variables (%s), and its rules go on', async (name) => {
    const { definition, broker } = open(name)
    expect((await start(definition, { broker, folder: '/home/me/notes' })).asked).toBeUndefined()
    expect(await call(broker)).toBe('allowed')
    expect((await start(definition, { broker, folder: '/tmp/evil', answer: 'deny' })).asked).toMatchObject({
      why: { kind: 'launch-changed' },
    })
  })

  test('asks once more where such a variable was not shown, and keeps the rules', async () => {
    const { definition, broker } = open('env')
    const { asked } = await start(definition, { broker })
    expect(asked).toMatchObject({
      why: { kind: 'launch-values' },
      target: { variables: [{ name: 'NODE_OPTIONS', value: '--require ./trace.js' }] },
    })
    expect(asked?.previous).toBeUndefined()
    expect([(await start(definition, { broker })).asked, await call(broker)]).toEqual([undefined, 'allowed'])
  })

  test('asks where the folder that it would run in now was never shown', async () => {
    const { definition, broker } = open('plain')
    expect((await start(definition, { broker, folder: '/repo', asShown: false })).asked).toMatchObject({ why: { kind: 'launch-changed' } })
  })
})

describe('a value', () => {
  const kept = define({ args: ['--region', `\${input:region}`], env: { TOKEN: `\${input:token}` } })

  test('of an input that changed is asked for, wherever it is filled in', async () => {
    const inputs = { region: 'eu', token: 'a' }
    await start(kept, { inputs })
    expect((await start(kept, { inputs })).asked).toBeUndefined()
    const changed = async (next: Readonly<Record<string, string>>) => (await start(kept, { inputs: next })).asked?.changedValues
    expect([await changed({ ...inputs, region: 'evil' }), await changed({ region: 'evil', token: 'b' })]).toEqual([
      [`\${input:region}`],
      [`\${input:token}`],
    ])
    expect(JSON.stringify([t.rows(), t.profile.store().rules.launch('notes')])).not.toContain('evil')
  })

  test('of an input that an earlier approval did not bind is bound without asking', async () => {
    await start(kept)
    const { rules } = t.profile.store()
    const before = rules.launch('notes')
    if (before) rules.putLaunch('notes', { ...before, digests: before.digests.map((one) => ({ ...one, key: 'of before' })) })
    expect((await start(kept, { inputs: { region: 'eu', token: 'a' } })).asked).toBeUndefined()
    expect((await start(kept, { inputs: { region: 'eu', token: 'b' } })).asked?.changedValues).toEqual([`\${input:token}`])
  })

  test.each([
    ['in the file', define({ env: { TOKEN: 'a' } }), {}, define({ env: { TOKEN: 'b' } }), {}],
    ['in the keyring', kept, { inputs: { token: 'a' } }, kept, { inputs: { token: 'b' } }],
  ])('that is a secret %s, and another one: the rules do not answer for another account', async (_where, first, with1, second, with2) => {
    await allowed(first, with1)
    expect([(await start(first, with1)).asked, await call()]).toEqual([undefined, 'allowed'])
    expect([(await start(second, with2)).asked?.why.kind, await call()]).toEqual(['launch-changed', 'asked: no-rule'])
  })
})

test.each(['~/link/assent.db', `\${HOME}/link/assent.db`, '$HOME/link', 'cat ~/link/assent.db', `{"at":"$HOME/link/x"}`])(
  'a rule does not answer for %j that leads into the data folder by the home folder of the server',
  async (path) => {
    const { profile } = t
    const { rules, sampling, audit } = profile.store()
    const home = join(profile.dataDir, 'home')
    mkdirSync(home)
    symlinkSync(profile.dataDir, join(home, 'link'), 'junction')
    const dataDir = profile.dataDir
    const broker = createBroker({ rules, sampling, audit, emit: () => {}, clock: profile.clock, dataDir })
    await start(define({ env: { HOME: home } }), { broker })
    rules.put(allowRule('r'))
    const verdict = broker.toolCall(t.call({ server: 'notes', local: true, arguments: { path } }))
    await expect.poll(() => broker.open().map(({ why }) => why.kind)).toEqual(['own-folder'])
    broker.dispose()
    await verdict
  },
)

test('another working folder asks, whatever the definition says', async () => {
  await start(define(), { folder: '/home/me' })
  expect((await start(define(), { folder: '/home/me' })).asked).toBeUndefined()
  expect((await start(define(), { folder: '/tmp/cloned-repository', asShown: false })).asked).toMatchObject({
    why: { kind: 'launch-changed' },
    previous: { folder: '/home/me' },
    target: { folder: '/tmp/cloned-repository' },
  })
})

describe('rules', () => {
  test('of a changed program that was allowed for once do not answer, and do again for what they were made for', async () => {
    await allowed(define())
    expect(await call()).toBe('allowed')
    const broker = t.restart(once)
    await start(define({ args: ['evil.js'] }), { broker })
    const asked = await broker.toolCall({ ...t.call({ server: 'notes' }), signal: AbortSignal.timeout(50) })
    expect(asked.kind).toBe('withdrawn')
    const later = t.restart()
    expect([(await start(define(), { broker: later })).asked, await call(later)]).toEqual([undefined, 'allowed'])
  })

  test('of a server whose values changed, allowed for once, do not answer either', async () => {
    await allowed(define({ env: { MODE: 'safe' } }))
    const { rules } = t.profile.store()
    const broker = t.restart((request) => (request.kind === 'launch' ? { kind: 'allow', scope: 'once' } : { kind: 'deny' }))
    const same = rules.launch('notes')
    if (same) rules.putLaunch('notes', { ...same, digests: same.digests.map((one) => ({ ...one, values: {} })) })
    await start(define({ env: { MODE: 'evil' } }), { broker })
    expect((await broker.toolCall(t.call({ server: 'notes' }))).kind).toBe('denied')
  })

  test('of a removed server answer for no other that gets its name; refusals stay', async () => {
    await allowed(define())
    const { rules, servers } = t.profile.store()
    rules.put({ id: 'never', effect: 'deny', server: 'notes', tool: 'wipe', scope: { kind: 'always' }, createdAt: 1 })
    // The name goes to a server that was allowed under its own.
    const other = launchTargetOf(define({ args: ['other.js'] }), '/home/me') as LaunchTarget
    const launched = t.broker.launch({ server: 'other', target: other, signal: t.abort.signal })
    t.answer({ kind: 'allow', scope: 'always' })
    await launched
    servers.rename('other', 'notes')
    expect((await start(define({ args: ['other.js'] }))).asked).toBeUndefined()
    expect([await call(), rules.list().map(({ id }) => id)]).toEqual(['asked: no-rule', ['never']])
  })

  test('go with a rename of the same entry, also as the source of a flow, and not to what then gets the old name', async () => {
    const { rules, servers } = t.profile.store()
    await allowed(define())
    rules.put(allowRule('flow', { server: 'mail', tool: undefined, fingerprint: undefined, flow: { kind: 'server', server: 'notes' } }))
    servers.rename('notes', 'diary')
    t.broker.endApprovals('notes', 'server-renamed')
    const verdict = t.broker.toolCall(t.call({ server: 'diary' }))
    await new Promise((resolve) => setImmediate(resolve))
    expect([t.broker.open(), (await verdict).kind]).toEqual([[], 'allowed'])
    expect(rules.list().map(({ flow }) => flow)).toEqual([undefined, { kind: 'server', server: 'diary' }])
    expect([(await start(define())).asked?.why.kind, await call()]).toEqual(['first-launch', 'asked: no-rule'])
  })

  test('end with their server, and come back when its removal is undone', async () => {
    await allowed(define())
    const ended = t.broker.endApprovals('notes', 'server-removed')
    expect([await call(), t.rows().filter(({ kind, decision }) => kind === 'rule' && decision === 'removed').length]).toEqual([
      'asked: no-rule',
      1,
    ])
    t.broker.restoreApprovals(ended)
    expect(await call()).toBe('allowed')
  })
})
