// Each way in which something leaves the host, driven through a real server with a person who answers, and the rows that it
// leaves in the record: what was asked, what was decided and by whom, what went and how it ended.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { AuditRow } from '#app/consent/audit-row.ts'
import type { ConsentAnswer, ConsentKind } from '#app/consent/request.ts'
import type { JsonObject } from '#app/json.ts'
import { newId } from '#main/base/ids.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'

const program = fileURLToPath(new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url))
const name = 'everything'
const secret = 'kept-input-s3cret'
const { signal } = new AbortController()

let folder: string
let test: TestHost
const answers = new Map<ConsentKind, ConsentAnswer>()
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-root-'))
  const env = { API_TOKEN: '${' + 'input:token}', PLAIN_KEY: 'in-the-file-s3cret' }
  const entry = { command: process.execPath, args: [program, 'stdio'], env, trusted: true }
  test = makeTestHost({ servers: JSON.stringify({ mcpServers: { [name]: entry } }), startServers: false, roots: [folder] })
  test.host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    const { id, kind } = event.payload.request
    const answer = answers.get(kind) ?? ({ kind: 'allow', scope: 'once' } as const)
    setImmediate(() => void test.host.request('consent.answer', { id, answer }))
  })
})
afterAll(async () => {
  await test.remove()
  rmSync(folder, { recursive: true })
})
beforeEach(() => answers.clear())

const store = () => test.host.context.store
const words = ({ kind, decision, by, tool, detail }: AuditRow): string =>
  [kind, detail['request'] ?? detail['method'] ?? tool, decision, by].filter((word) => word !== null && word !== undefined).join(' ')

/** The rows that `work` leaves, in a word or two each. */
async function rowsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = store().audit.head()?.seq ?? 0
  await work()
  return [...store().audit.all()].filter(({ seq }) => seq > before).map(words)
}
async function call(tool: string, args: JsonObject = {}): Promise<void> {
  const { broker, servers } = test.host.context
  const entry = servers.catalogue(name).tools.find((each) => each.name === tool)
  if (!entry) throw new Error(`The server offers no tool ${tool}`)
  const verdict = await broker.toolCall({ server: name, callId: newId(), tool: entry, trusted: true, local: true, arguments: args, signal })
  if (verdict.kind === 'allowed')
    await test.host.context.servers.call(verdict.approval, { ...verdict.approval, signal }).catch(() => undefined)
}
const asked = ['request tool-call', 'decision tool-call allowed person']
const rest = (tool: string, end = 'done'): string => `result ${tool} ${end}`

it('what the person says of trust is on record, and what the file says of it is not taken for their word', async () => {
  expect([...store().audit.all()].map(words)).not.toContain('config trusted')
  const definition = test.host.context.config.definitions().get(name)
  if (!definition) throw new Error('no definition')
  await test.host.request('server.save', { name, definition: { ...definition, trusted: true } })
  expect([...store().audit.all()].map(words)).toContain('config trusted')
})

it('a start: a value is kept, the launch asked for and allowed, folders told, and that it runs', async () => {
  const rows = await rowsOf(async () => {
    await test.host.request('server.setSecret', { name, id: 'token', value: secret })
    await test.host.request('server.start', { name })
    await eventually(() => expect([...store().audit.all()].map(words)).toContain('exchange roots/list answered'))
  })
  expect(new Set(rows)).toEqual(
    new Set([
      'config secret-set person',
      'request launch',
      'launch launch allowed person',
      'launch started',
      'request roots',
      'decision roots allowed person',
      'exchange roots/list answered',
    ]),
  )
  const told = [...store().audit.all()].find((row) => words(row) === 'exchange roots/list answered')
  expect(told?.detail).toMatchObject({ roots: [pathToFileURL(folder).href] })
})

it('a call: asked, allowed, sent, and its result by size and hash', async () => {
  expect(await rowsOf(() => call('echo', { message: 'hello' }))).toEqual([...asked, 'call echo sent person', rest('echo')])
  const { detail } = store().audit.list({ limit: 1 })[0] as AuditRow
  expect(detail).toMatchObject({ bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

it('a call that is refused, with the word that was given, is sent nowhere', async () => {
  answers.set('tool-call', { kind: 'deny', word: 'not now' })
  expect(await rowsOf(() => call('echo', { message: 'hello' }))).toEqual(['request tool-call', 'decision tool-call denied person'])
  expect(store().audit.list({ limit: 1 })[0]?.detail).toMatchObject({ word: 'not now' })
})

it('a call by rule: the rule, and what it allowed', async () => {
  answers.set('tool-call', { kind: 'allow', scope: 'always' })
  const made = await rowsOf(() => call('get-tiny-image'))
  expect(made.slice(0, 3)).toEqual([...asked, 'rule get-tiny-image added person'])
  expect((await rowsOf(() => call('get-tiny-image'))).slice(0, 2)).toEqual([
    'decision tool-call allowed rule',
    'call get-tiny-image sent rule',
  ])
  const id = test.host.snapshot().rules[0]?.id ?? ''
  const rows = await rowsOf(async () => {
    await test.host.request('rule.remove', { id })
    await test.host.request('rule.restore', { id })
    await test.host.request('rule.remove', { id })
  })
  expect(rows).toEqual(['removed', 'restored', 'removed'].map((change) => `rule get-tiny-image ${change} person`))
})

it('a model is asked: the prompt going in, the answer going out, and what the server got', async () => {
  const rows = await rowsOf(() => call('trigger-sampling-request', { prompt: 'Sum up' }))
  expect(rows.slice(3)).toEqual([
    'request sampling',
    'decision sampling allowed person',
    'request sampling-result',
    'decision sampling-result allowed person',
    'exchange sampling/createMessage answered',
    rest('trigger-sampling-request'),
  ])
})

it('an answer of the model that is kept back goes nowhere, and that is on record', async () => {
  answers.set('sampling-result', { kind: 'deny' })
  const rows = await rowsOf(() => call('trigger-sampling-request', { prompt: 'Sum up' }))
  expect(rows.slice(5, 8)).toEqual([
    'request sampling-result',
    'decision sampling-result denied person',
    'exchange sampling/createMessage failed',
  ])
})

it.each([
  ['allow', 'allowed', 'accept'],
  ['deny', 'denied', 'decline'],
  ['cancel', 'cancelled', 'cancel'],
] as const)('a form that is answered with %s, without what was filled in', async (kind, outcome, action) => {
  const content = { name: 'Ada of the form', email: 'ada@example.com', check: true }
  answers.set('elicitation-form', kind === 'allow' ? { kind, scope: 'once', content } : { kind })
  const rows = await rowsOf(() => call('trigger-elicitation-request'))
  expect(rows.slice(3, 6)).toEqual([
    'request elicitation-form',
    `decision elicitation-form ${outcome} person`,
    'exchange elicitation/create answered',
  ])
  const row = [...store().audit.all()].findLast((each) => each.detail['method'] === 'elicitation/create')
  expect(row?.detail).toMatchObject({ action })
  expect(JSON.stringify([...store().audit.all()])).not.toContain('Ada of the form')
})

it('a page to open', async () => {
  const rows = await rowsOf(() => call('trigger-url-elicitation', { url: 'https://example.com/in?code=abc', errorPath: false }))
  expect(rows.slice(3, 6)).toEqual([
    'request elicitation-url',
    'open-url elicitation-url allowed person',
    'exchange elicitation/create answered',
  ])
  expect(await rowsOf(() => test.host.request('app.openUrl', { url: 'https://example.com/a' }))).toEqual(['open-url allowed person'])
})

it('a question that is withdrawn', async () => {
  const { broker, servers } = test.host.context
  const tool = servers.catalogue(name).tools.find((each) => each.name === 'echo')
  const gone = new AbortController()
  if (!tool) throw new Error('no echo')
  const undo = test.host.onEvent((event) => {
    if (event.name === 'consent.opened') gone.abort()
  })
  const rows = await rowsOf(() =>
    broker.toolCall({ server: name, callId: newId(), tool, trusted: true, local: true, arguments: {}, signal: gone.signal }),
  )
  undo()
  expect(rows).toEqual(['request tool-call', 'decision tool-call withdrawn'])
})

it('what is asked of the server in the person’s name: a resource, a prompt, a suggestion', async () => {
  const { servers } = test.host.context
  const rows = await rowsOf(async () => {
    await servers.readResource(name, 'demo://resource/static/document/architecture.md', { signal })
    await servers.getPrompt(name, 'simple-prompt', {}, { signal })
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const
    await servers.complete(name, { ref, argument: { name: 'department', value: 'S' } }, { signal })
    await servers.getPrompt(name, 'no-such-prompt', {}, { signal }).catch(() => undefined)
  })
  const pair = (method: string, end = 'done'): string[] => [`exchange ${method} sent person`, `exchange ${method} ${end}`]
  expect(rows).toEqual([
    ...pair('resources/read'),
    ...pair('prompts/get'),
    ...pair('completion/complete'),
    ...pair('prompts/get', 'failed'),
  ])
})

it('what consent rests on: folders, tools that are switched off, a server that is trusted no more or starts with Assent', async () => {
  const definition = test.host.context.config.definitions().get(name)
  if (!definition) throw new Error('no definition')
  const rows = await rowsOf(async () => {
    await test.host.request('folder.set', { owner: { kind: 'everyone' }, paths: [folder] })
    await test.host.request('server.setToolEnabled', { name, tool: 'echo', enabled: false })
    await test.host.request('server.setToolEnabled', { name, tool: 'echo', enabled: true })
    await test.host.request('server.save', { name, definition: { ...definition, trusted: false, start: 'launch' } })
  })
  for (const row of [
    'config folders person',
    'config echo tool-off person',
    'config echo tool-on person',
    'config trusted-no-more',
    'config starts-with-assent',
    'config changed person',
  ])
    expect(rows).toContain(row)
})

it('arguments that hold a kept value or one of the file stand masked, and the record is whole', async () => {
  await call('echo', { message: `I know ${secret} and in-the-file-s3cret`, nested: { deep: [secret] } })
  const text = JSON.stringify([...store().audit.all()])
  expect(text).toContain('I know')
  expect(text).not.toMatch(/kept-input-s3cret|in-the-file-s3cret/)
  expect(store().audit.verify()).toBeUndefined()
  expect(await test.host.request('audit.verify', {})).toMatchObject({ fault: null, rows: store().audit.head()?.seq })
})

it('all of it is exported as JSON Lines, or what fits a filter', async () => {
  const to = mkdtempSync(join(tmpdir(), 'assent-export-'))
  test.platform.chooseFolder = async () => to
  const { path, rows } = await test.host.request('audit.export', { filter: { kinds: ['call'] } })
  const lines = readFileSync(String(path), 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as AuditRow).kind)).toEqual(Array.from({ length: rows }, () => 'call'))
  expect(rows).toBe(store().audit.count({ kinds: ['call'] }))
  const other = join(to, 'other')
  mkdirSync(other)
  test.platform.chooseFolder = async () => other
  store().audit.append({ kind: 'config', server: 'evil\u001b]52;c;aGk=\u0007\u009b2J\u202e', decision: 'changed', by: 'person' })
  const whole = readFileSync(String((await test.host.request('audit.export', { filter: { kinds: ['config'] } })).path), 'utf8')
  // Somebody may print it on a terminal.
  expect(whole).not.toMatch(/[^\P{C}\n]/u)
  expect(JSON.parse(whole.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ server: 'evil\u001b]52;c;aGk=\u0007\u009b2J\u202e' })
  test.platform.chooseFolder = async () => null
  expect(await test.host.request('audit.export', { filter: {} })).toEqual({ path: null, rows: 0 })
  rmSync(to, { recursive: true })
})
