// Which sandbox a launch is asked with, what of the answer is kept, and when it is asked again.
import { mkdirSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConsentAnswer, LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import { defined } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { noGrants, type SandboxGrants, type SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import { makeBroker, type TestBroker } from '#main/consent/broker.testing.ts'
import type { AnswerPolicy, ConsentBroker, LaunchQuestion } from '#main/consent/broker-api.ts'
import type { SandboxEngine } from '../process/sandbox/find-engine.ts'
import { type ProposalRequest, proposeSandbox } from '../process/sandbox/propose-sandbox.ts'
import { makeSceneFolder } from '../process/sandbox/scene-folder.testing.ts'
import { launchTargetOf, launchValues } from './launch-target.ts'

const bubblewrap: SandboxEngine = { kind: 'bubblewrap', bwrap: '/usr/bin/bwrap', socat: '/usr/bin/socat', disablesUserns: true }
const none: SandboxEngine = { kind: 'none', reason: 'not-installed', remedy: 'Install it.' }

let t: TestBroker
let root: string
let notes: string
beforeEach(() => {
  t = makeBroker()
  root = makeSceneFolder()
  notes = join(root, 'notes')
  for (const folder of ['notes', 'other', '.data', '.ssh', '.local/share/keyrings']) mkdirSync(join(root, folder), { recursive: true })
})
afterEach(() => {
  t.dispose()
  rmSync(root, { recursive: true, force: true })
})

const define = (part: Partial<StdioDefinition> = {}): StdioDefinition => ({
  enabled: true,
  start: 'needed',
  trusted: false,
  transport: 'stdio',
  command: 'files',
  args: ['~/notes'],
  env: {},
  ...part,
})
const on = (grants: Partial<SandboxGrants> = {}): SandboxSettings => ({ kind: 'on', grants: { ...noGrants, ...grants } })

interface Start extends Pick<ProposalRequest, 'option'> {
  readonly engine?: SandboxEngine
  readonly broker?: ConsentBroker
  /** Undefined: it is not answered, and withdrawn. */
  readonly answer?: ConsentAnswer | undefined
}

const allow = (sandbox?: SandboxSettings): ConsentAnswer => ({ kind: 'allow', scope: 'always', ...defined({ sandbox }) })

async function questionOf(definition: StdioDefinition, { engine = bubblewrap, option }: Start): Promise<LaunchQuestion> {
  const place = { home: root, dataDir: join(root, '.data') }
  const proposal = await proposeSandbox({ definition, cwd: root, option }, { place, engine: async () => engine })
  const target = launchTargetOf(definition, root, proposal.sandbox) as LaunchTarget
  return { server: 'notes', target, sandbox: proposal.question, values: launchValues(definition), signal: AbortSignal.timeout(5000) }
}

/** One start: what was asked, if anything, and the sandbox that it was allowed with. */
async function start(definition: StdioDefinition = define(), how: Start = {}) {
  const { broker = t.broker, answer = allow() } = how
  const launched = broker.launch(await questionOf(definition, how))
  await new Promise((resolve) => setImmediate(resolve))
  const [asked] = broker.open() as LaunchRequest[]
  let refused: unknown
  try {
    if (asked) broker.answer(asked.id, answer)
  } catch (error) {
    refused = error
    broker.answer(asked?.id ?? '', { kind: 'deny' })
  }
  const verdict = await launched
  const target = verdict.kind === 'allowed' ? verdict.approval.target : undefined
  return { asked, refused, kind: verdict.kind, sandbox: target?.transport === 'stdio' ? target.sandbox : undefined }
}

const why = async (definition?: StdioDefinition, how?: Start): Promise<string | undefined> => (await start(definition, how)).asked?.why.kind

/** Approved by a version of Assent that knew no sandbox. */
const approvedBefore = (definition = define()) => start(definition, { option: 'off' })

const addRule = (): void =>
  t.profile.store().rules.put({
    id: 'r',
    effect: 'allow',
    server: 'notes',
    tool: 'move_file',
    fingerprint: 'f1',
    scope: { kind: 'always' },
    createdAt: 1,
    ...defined({ program: t.profile.store().rules.launch('notes')?.fingerprint }),
  })

async function call(broker: ConsentBroker = t.broker): Promise<string> {
  const verdict = broker.toolCall(t.call({ server: 'notes' }))
  await new Promise((resolve) => setImmediate(resolve))
  const [asked] = broker.open()
  if (asked) broker.answer(asked.id, { kind: 'deny' })
  return asked ? `asked: ${asked.why.kind}` : (await verdict).kind
}

test('the update of a bundle has the grants of its version before, in its own folder, and rules go on', async () => {
  for (const version of ['notes_1', 'notes_2', 'notes_3']) mkdirSync(join(root, version))
  const version = (name: string) => define({ args: [join(root, name, 'index.mjs')], env: { DATA: join(root, name, 'data') } })
  await start(version('notes_1'), { answer: allow(on({ read: [join(root, 'notes_1')], write: [notes] })) })
  addRule()
  t.broker.bundleUpdated('notes', { from: 'notes_1', to: 'notes_2' })
  t.broker.bundleUpdated('notes', { from: 'notes_2', to: 'notes_3' })
  const other = await start(version('notes_2'), { answer: { kind: 'deny' } })
  const update = await start(version('notes_3'))
  expect([other.asked?.previous, update.asked]).toMatchObject([
    { args: [join(root, 'notes_1', 'index.mjs')] },
    { why: { kind: 'launch-changed' }, previous: { args: [join(root, 'notes_1', 'index.mjs')] } },
  ])
  expect([update.sandbox, await call()]).toMatchObject([{ read: [join(root, 'notes_3')], write: [notes] }, 'allowed'])
  expect([await why(version('notes_3')), await why(version('notes_1'))]).toEqual([undefined, 'launch-changed'])
})

describe('an entry that says nothing of a sandbox', () => {
  test('is asked with what is suggested, and runs with exactly that from then on', async () => {
    const first = await start()
    expect(first.asked).toMatchObject({
      why: { kind: 'first-launch' },
      target: { sandbox: { kind: 'on', ownFolder: true, write: [notes], read: [], hosts: [] } },
      suggested: [{ list: 'write', value: notes, reason: 'argument' }],
    })
    const again = await start()
    expect([again.asked, again.sandbox]).toEqual([undefined, first.sandbox])
  })

  test('runs with what the person made of it, whatever would be suggested', async () => {
    const other = join(root, 'other')
    const edited = await start(define(), { answer: allow(on({ read: [notes, '~/other'], hosts: ['api.example.com'] })) })
    expect(edited.sandbox).toEqual({ kind: 'on', ownFolder: true, ...noGrants, read: [notes, other], hosts: ['api.example.com'] })
    expect(await start()).toMatchObject({ asked: undefined, sandbox: edited.sandbox })
    expect(t.rows().find(({ kind, decision }) => kind === 'launch' && decision === 'allowed')?.detail).toMatchObject({
      sandbox: { kind: 'on', read: [notes, other] },
    })
  })

  test('runs without one when the person chose so, and is not asked again', async () => {
    const off = { kind: 'off', by: 'person' }
    expect((await start(define(), { answer: allow({ kind: 'off' }) })).sandbox).toEqual(off)
    expect(await start()).toMatchObject({ asked: undefined, sandbox: off })
    expect(t.rows().find(({ kind }) => kind === 'launch')?.detail).toMatchObject({ sandbox: off })
  })

  test('does not start without an answer', async () => {
    expect((await start(define(), { answer: { kind: 'deny' } })).kind).toBe('denied')
    expect(t.profile.store().rules.launch('notes')).toBeUndefined()
  })

  test.each(['.data', '.local/share/keyrings', '/', '/proc/1'])('is never given %s, whatever the page sends', async (path) => {
    const at = path.startsWith('/') ? path : join(root, path)
    const { refused, kind } = await start(define(), { answer: allow(on({ read: [at] })) })
    expect([refused, kind]).toMatchObject([{ code: 'server.sandbox-grant' }, 'denied'])
    expect(t.profile.store().rules.launch('notes')).toBeUndefined()
  })

  test('is not given what a link leads to: the path that was shown is not it', async () => {
    symlinkSync(join(root, 'other'), join(root, 'link'))
    const answer = allow(on({ write: ['~/link'] }))
    expect((await start(define(), { answer })).refused).toMatchObject({ code: 'server.sandbox-grant', data: { path: join(root, 'other') } })
  })

  test('is asked again when an approved path leads elsewhere by now', async () => {
    await start()
    rmSync(notes, { recursive: true })
    symlinkSync(join(root, '.ssh'), notes)
    expect(await why(define(), { answer: { kind: 'deny' } })).toBe('launch-changed')
    unlinkSync(notes)
    mkdirSync(notes)
    expect(await why()).toBeUndefined()
  })

  test('is asked anew with other arguments, with what is suggested for those', async () => {
    await start()
    const { asked } = await start(define({ args: ['~/other'] }))
    expect(asked).toMatchObject({
      why: { kind: 'launch-changed' },
      previous: { sandbox: { write: [notes] } },
      target: { sandbox: { write: [join(root, 'other')] } },
    })
  })
})

describe('a server that was approved before there was a sandbox', () => {
  test.each([
    ['in the sandbox', allow(), 'on'],
    ['without one', allow({ kind: 'off' }), 'off'],
  ] as const)('is asked once, and its rules go on: %s', async (_how, answer, kind) => {
    await approvedBefore()
    addRule()
    const { asked, sandbox } = await start(define(), { answer })
    expect([asked, sandbox]).toMatchObject([{ why: { kind: 'launch-sandbox' }, suggested: [{ value: notes }] }, { kind }])
    expect(asked?.previous).toBeUndefined()
    expect([await why(), await call(), await why(define(), { broker: t.restart() })]).toEqual([undefined, 'allowed', undefined])
  })

  test('is asked again after a refusal, and does not run meanwhile', async () => {
    await approvedBefore()
    expect((await start(define(), { answer: { kind: 'deny' } })).kind).toBe('denied')
    expect(await why()).toBe('launch-sandbox')
  })

  test('goes on as it was for a command that nobody answers, and its rules do', async () => {
    await approvedBefore()
    addRule()
    const policy: AnswerPolicy = (request) =>
      request.kind === 'launch' ? { kind: 'allow', scope: 'once', sandbox: { kind: 'off' } } : { kind: 'deny' }
    const broker = t.restart(policy)
    expect([(await start(define(), { broker })).sandbox, await call(broker)]).toEqual([{ kind: 'off', by: 'person' }, 'allowed'])
    expect(await why(define(), { broker: t.restart() })).toBe('launch-sandbox')
  })

  test('is asked with its values when one changed, and its rules end with them', async () => {
    await approvedBefore(define({ env: { TOKEN: 'a' } }))
    addRule()
    const { asked } = await start(define({ env: { TOKEN: 'b' } }))
    expect(asked).toMatchObject({ why: { kind: 'launch-sandbox' }, changedValues: ['TOKEN'] })
    expect(await call()).toBe('asked: no-rule')
  })

  test('is asked as changed when more than that changed', async () => {
    await approvedBefore()
    expect(await why(define({ args: ['~/other'] }))).toBe('launch-changed')
  })
})

describe('without an engine', () => {
  test('nobody is asked because of it, and once when there is one', async () => {
    await approvedBefore()
    expect([await why(define(), { engine: none }), await why(), await why()]).toEqual([undefined, 'launch-sandbox', undefined])
  })

  test('a first launch says so, is kept, and is asked once when there is one', async () => {
    const { asked, sandbox } = await start(define(), { engine: none })
    expect([asked?.why.kind, sandbox]).toEqual([
      'first-launch',
      { kind: 'missing', reason: 'not-installed', remedy: 'Install it.', byDefault: true },
    ])
    const otherReason: SandboxEngine = { ...none, reason: 'refused', remedy: 'Another.' }
    expect([await why(define(), { engine: otherReason }), await why()]).toEqual([undefined, 'launch-sandbox'])
  })

  test('a server that was approved in one is asked again, as changed', async () => {
    await start()
    expect(await why(define(), { engine: none })).toBe('launch-changed')
  })

  test('the person can choose none but that', async () => {
    const { refused } = await start(define(), { engine: none, answer: allow(on()) })
    expect(refused).toMatchObject({ code: 'server.sandbox-missing' })
  })
})

describe('an entry with lists of its own', () => {
  const entry = (grants: Partial<SandboxGrants> = {}) => define({ sandbox: on({ hosts: ['a.example'], ...grants }) })

  test('is asked with those, and with nothing that is suggested', async () => {
    const { asked } = await start(entry())
    expect(asked).toMatchObject({ target: { sandbox: { hosts: ['a.example'], write: [] } } })
    expect(asked?.suggested).toBeUndefined()
  })

  test('runs with what the person made of them, as long as the entry says the same', async () => {
    const { sandbox } = await start(entry(), { answer: allow(on({ hosts: ['b.example'] })) })
    expect(await start(entry())).toMatchObject({ asked: undefined, sandbox: { ...sandbox, hosts: ['b.example'] } })
    expect(await why(entry({ hosts: ['c.example'] }), { answer: { kind: 'deny' } })).toBe('launch-changed')
    // The same lists are the same question.
    expect(await why(entry())).toBeUndefined()
  })

  test('runs without one when the person chose so, as long as the entry says the same', async () => {
    await start(entry(), { answer: allow({ kind: 'off' }) })
    expect([await why(entry()), await why(entry({ hosts: ['c.example'] }))]).toEqual([undefined, 'launch-sandbox'])
  })

  test('that says off is asked with that, and again once it says nothing any more', async () => {
    const off = define({ sandbox: { kind: 'off' } })
    expect((await start(off)).asked?.target).toMatchObject({ sandbox: { kind: 'off' } })
    expect([await why(off), await why()]).toEqual([undefined, 'launch-sandbox'])
    expect(await why(off)).toBe('launch-changed')
  })
})

describe('an option of the run', () => {
  test('off leaves an entry that says nothing as it was, and keeps no choice of the person', async () => {
    const first = await approvedBefore()
    expect([first.asked?.why.kind, first.sandbox]).toEqual(['first-launch', undefined])
    expect([await why(define(), { option: 'off' }), await why()]).toEqual([undefined, 'launch-sandbox'])
  })

  test('off is asked about where the server was approved in a sandbox, and counts for that run', async () => {
    await start()
    const { asked, sandbox } = await start(define(), { option: 'off' })
    expect([asked?.why.kind, sandbox]).toEqual(['launch-changed', { kind: 'off', by: 'option' }])
    expect(await why()).toBe('launch-sandbox')
  })

  test('on is more than the person’s choice of none, and does with no less than a sandbox', async () => {
    await start(define(), { answer: allow({ kind: 'off' }) })
    expect(await why(define(), { option: 'on' })).toBe('launch-sandbox')
    const { asked } = await start(define({ args: [] }), { option: 'on', engine: none })
    expect(asked?.target).toMatchObject({ sandbox: { kind: 'missing' } })
    expect(asked?.target).not.toMatchObject({ sandbox: { byDefault: true } })
  })
})

describe('another sandbox for an approved launch', () => {
  const set = async (settings: SandboxSettings, definition = define()) => t.broker.setSandbox(await questionOf(definition, {}), settings)

  test('is kept, on record, and its rules go on', async () => {
    await start()
    addRule()
    await set(on({ hosts: ['a.example'] }))
    expect(t.broker.approvedSandbox('notes')).toMatchObject({ kind: 'on', hosts: ['a.example'], write: [] })
    expect(t.rows().at(-1)).toMatchObject({
      kind: 'config',
      decision: 'sandbox',
      by: 'person',
      detail: { sandbox: { hosts: ['a.example'] } },
    })
    expect([await call(), await start()]).toMatchObject(['allowed', { asked: undefined, sandbox: { hosts: ['a.example'] } }])
    expect(await call(t.restart())).toBe('allowed')
  })

  test('is refused for a launch that is not approved, and for what no sandbox can give', async () => {
    await expect(set(on())).rejects.toMatchObject({ code: 'server.refused' })
    await start()
    await expect(set(on(), define({ args: ['evil'] }))).rejects.toMatchObject({ code: 'server.refused' })
    await expect(set(on({ read: [join(root, '.data')] }))).rejects.toMatchObject({ code: 'server.sandbox-grant' })
    expect(await why()).toBeUndefined()
  })

  test('of a server that needs none is refused, also in an answer', async () => {
    const docker = define({ command: 'docker', args: ['run', 'x'] })
    expect((await start(docker, { answer: allow(on()) })).refused).toMatchObject({ code: 'contract.invalid' })
    const { asked, sandbox } = await start(docker)
    expect([asked?.why.kind, sandbox]).toEqual(['first-launch', undefined])
    await expect(set(on(), docker)).rejects.toMatchObject({ code: 'contract.invalid' })
  })
})

test('no place of secrets is granted by a suggestion: it is only named', async () => {
  const { asked } = await start(define({ args: ['~/.ssh', '~/notes', join(root, '.data')] }))
  expect(asked).toMatchObject({
    suggested: [{ value: join(root, '.ssh'), review: true }, { value: notes }],
    target: { sandbox: { read: [], write: [notes] } },
  })
})
