import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { EventName, EventPayload, HostEvent } from '#app/contract/events.ts'
import { snapshot } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import type { BuiltinLauncher } from '#main/servers/process/server-process.ts'
import { launchStdio } from '#main/servers/transport/stdio/stdio-process.ts'
import type { Host } from '../host.ts'
import { createTestPlatform, makeTestHost, type TestHost } from './host.testing.ts'

const root = join(import.meta.dirname, '../..')
const launchBuiltin: BuiltinLauncher = (_module, env) =>
  launchStdio({
    command: process.execPath,
    args: [join(root, 'resources/demo-server/main.ts')],
    env: { ...env, ASSENT_DEMO_STEP_MS: '10' },
    cwd: root,
    clock: systemClock,
  })
const demo = '{ "mcpServers": { "demo": { "builtin": "demo" } } }'

const open: TestHost[] = []
function make(options: Parameters<typeof makeTestHost>[0] = {}): TestHost {
  const made = makeTestHost(options)
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((test) => test.remove()))
})

/** The next event of the name that fits. */
function next<N extends EventName>(
  host: Host,
  name: N,
  fits: (payload: EventPayload<N>) => boolean = () => true,
): Promise<EventPayload<N>> {
  return new Promise((resolve) => {
    const stop = host.onEvent((event: HostEvent) => {
      if (event.name !== name || !fits(event.payload as EventPayload<N>)) return
      stop()
      resolve(event.payload as EventPayload<N>)
    })
  })
}
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    // No such process.
    return false
  }
}
const stateOf = ({ host }: TestHost) => host.snapshot().servers[0]?.state

it('two hosts live in one process and know nothing of each other', async () => {
  const [one, two] = [make(), make()]
  const sent: string[] = []
  two.host.onEvent(({ name }) => sent.push(name))
  await one.host.request('settings.set', { theme: 'dark' })
  const [first, second] = [one.host.snapshot(), two.host.snapshot()]
  expect([first.settings.theme, second.settings.theme, sent, first.epoch === second.epoch]).toEqual(['dark', 'system', [], false])
  expect([snapshot.safeParse(first).error, snapshot.safeParse(second).error]).toEqual([undefined, undefined])
})

it('a profile belongs to one host at a time, and is free again when that is disposed of', async () => {
  const first = make()
  expect(() => makeTestHost({ dataDir: first.dataDir })).toThrow(expect.objectContaining({ code: 'profile.locked' }))
  await first.host.request('settings.set', { theme: 'light' })
  await Promise.all([first.host.dispose(), first.host.dispose()])
  const second = make({ dataDir: first.dataDir })
  expect(second.host.snapshot().settings.theme).toBe('light')
  await expect(first.host.request('app.snapshot', {})).rejects.toMatchObject({ code: 'link.closed' })
})

it.skipIf(process.platform === 'win32')('the profile is for the person alone', () => {
  expect(statSync(make().dataDir).mode & 0o777).toBe(0o700)
})

it('a server that starts with the app is started without being waited for, and is gone after disposal', async () => {
  const test = make({ servers: demo, launchBuiltin })
  expect(stateOf(test)?.kind).toBe('stopped')
  await expect.poll(() => stateOf(test)?.kind).toBe('ready')
  const state = stateOf(test)
  const pid = state?.kind === 'ready' ? state.pid : undefined
  if (pid === undefined) throw new Error('the demo server has no process')
  expect(isAlive(pid)).toBe(true)
  await test.host.dispose()
  expect(isAlive(pid)).toBe(false)
})

it('a message to the practice model leads to a question, a yes, and a result that is there after a restart', async () => {
  const first = make({ servers: demo, launchBuiltin })
  await first.host.request('server.start', { name: 'demo' })
  const asked = next(first.host, 'consent.opened')
  const { conversationId } = await first.host.request('chat.send', { text: 'List my invoices' })
  const { request } = await asked
  expect([request.kind, request.server, request.conversationId]).toEqual(['tool-call', 'demo', conversationId])
  expect(first.host.snapshot().consentRequests.map(({ id }) => id)).toEqual([request.id])
  expect(first.platform.notified.length).toBe(1)

  await first.host.request('consent.answer', { id: request.id, answer: { kind: 'allow', scope: 'once' } })
  await first.host.context.chat.idle(conversationId)
  const before = await first.host.request('conversation.get', { id: conversationId })
  const calls = before.messages
    .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
    .filter((part) => part.kind === 'tool-call')
  expect(calls.map(({ call }) => call.state.kind)).toEqual(['done'])
  const { rows } = await first.host.request('audit.list', { limit: 100 })
  const starts = rows.filter(({ kind }) => kind === 'launch').map(({ server, decision, by }) => [server, decision, by])
  expect(starts.toReversed()).toEqual([
    ['demo', 'allowed', 'policy'],
    ['demo', 'started', null],
  ])
  expect(rows.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['request', 'decision', 'call', 'result']))
  expect(first.host.context.store.audit.verify()).toBeUndefined()

  await first.host.dispose()
  const second = make({ dataDir: first.dataDir, launchBuiltin, startServers: false })
  const after = await second.host.request('conversation.get', { id: conversationId })
  expect(after.messages).toEqual(before.messages)
})

it('disposal in the middle of a question ends it, and the turn can be gone on with', async () => {
  const errors: string[] = []
  const log = { ...silentLog, error: (message: string) => void errors.push(message) }
  const first = make({ servers: demo, launchBuiltin, log })
  await first.host.request('server.start', { name: 'demo' })
  const asked = next(first.host, 'consent.opened')
  const { conversationId } = await first.host.request('chat.send', { text: 'List my invoices' })
  await asked
  await first.host.dispose()
  expect(errors).toEqual([])
  const second = make({ dataDir: first.dataDir, launchBuiltin, startServers: false })
  expect(second.host.snapshot().conversations.map(({ id, activity }) => [id, activity.kind])).toEqual([[conversationId, 'interrupted']])
  expect(second.host.snapshot().consentRequests).toEqual([])
})

it('a broken file of servers is a notice that names the line, and goes when it is mended', async () => {
  const test = make({ servers: '{\n  "mcpServers": {\n    "x": { "command": 5 }\n  }\n}' })
  expect(test.host.snapshot().notices).toMatchObject([{ kind: 'config', problems: [{ line: 3, server: 'x' }] }])
  const mended = next(test.host, 'notices.changed')
  await test.host.request('config.save', { text: '{ "mcpServers": {} }' })
  expect((await mended).notices).toEqual([])
})

it('a disk that fills up in the middle of a turn is a notice too', async () => {
  const test = make()
  const { conversations } = test.host.context.store
  const { putMessage } = conversations
  Object.assign(conversations, {
    putMessage(message: Parameters<typeof putMessage>[0]) {
      if (message.role === 'assistant') throw new HostError('disk.full', 'The disk is full.')
      putMessage(message)
    },
  })
  const told = next(test.host, 'notices.changed')
  await test.host.request('chat.send', { text: 'Hello' })
  expect((await told).notices).toMatchObject([{ kind: 'error', error: { code: 'disk.full' } }])
})

it('a server that is saved and removed is told of, and the text comes back for undo', async () => {
  const test = make()
  const added = next(test.host, 'server.changed')
  await test.host.request('server.save', {
    name: 'files',
    definition: { transport: 'stdio', command: 'no-such-program', args: [], env: {}, enabled: true, start: 'needed', trusted: false },
  })
  expect((await added).server.name).toBe('files')
  const removed = next(test.host, 'server.removed')
  const { text } = await test.host.request('server.remove', { name: 'files' })
  expect([(await removed).name, test.host.snapshot().servers, text.includes('no-such-program')]).toEqual(['files', [], true])
  await expect(test.host.request('server.start', { name: 'files' })).rejects.toMatchObject({ code: 'server.unknown' })
})

it('an edit of the file outside the app is taken over', async () => {
  const test = make()
  const added = next(test.host, 'server.changed')
  writeFileSync(join(test.dataDir, 'servers.json'), '{ "mcpServers": { "new": { "url": "https://example.com/mcp" } } }')
  expect((await added).server.name).toBe('new')
})

it('an edit of the file that changes no server is told of too', async () => {
  const test = make()
  const changed = next(test.host, 'config.changed')
  writeFileSync(join(test.dataDir, 'servers.json'), '// Mine\n{ "mcpServers": {} }')
  expect([await changed, (await test.host.request('config.get', {})).text.startsWith('// Mine')]).toEqual([{}, true])
})

it('a chat is renamed, deleted and brought back', async () => {
  const { host } = make()
  const { conversationId: id } = await host.request('chat.send', { text: 'Hello' })
  await host.context.chat.idle(id)
  await host.request('conversation.rename', { id, title: 'Other' })
  const titles = () => host.snapshot().conversations.map(({ title }) => title)
  const seen = [titles()]
  const gone = await host.request('conversation.change', { choice: { kind: 'these', ids: [id] }, change: { kind: 'delete' } })
  seen.push(titles())
  await host.request('conversation.undo', { undo: gone.undo ?? '' })
  seen.push(titles())
  expect(seen).toEqual([['Other'], [], ['Other']])
  await expect(host.request('conversation.rename', { id: 'gone', title: 'x' })).rejects.toMatchObject({ code: 'chat.unknown-conversation' })
})

it('only links to the web are opened', async () => {
  const { host, platform } = make()
  await host.request('app.openUrl', { url: 'https://example.com/a' })
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'ms-msdt:/id', 'not a url'])
    await expect(host.request('app.openUrl', { url })).rejects.toMatchObject({ code: 'contract.invalid' })
  expect(platform.opened).toEqual(['https://example.com/a'])
})

it('a model that nobody lists is refused, and drafts outlive a restart', async () => {
  const first = make()
  await expect(first.host.request('settings.set', { defaultModel: 'no/such' })).rejects.toMatchObject({ code: 'model.unknown' })
  await first.host.request('draft.set', { text: 'half a thou' })
  await first.host.dispose()
  expect(make({ dataDir: first.dataDir }).host.snapshot().drafts).toEqual({ '': 'half a thou' })
})

it('says that secrets are in memory until the keyring has answered, and then no more', async () => {
  const { promise: opened, resolve } = Promise.withResolvers<void>()
  const platform = createTestPlatform()
  let kind: 'keyring' | 'memory' = 'memory'
  const secrets = {
    ...platform.secrets,
    opened,
    get kind() {
      return kind
    },
  }
  const { host } = make({ platform: { ...platform, secrets } })
  expect(host.snapshot().notices).toEqual([{ kind: 'secrets-in-memory' }])
  const told = next(host, 'notices.changed')
  kind = 'keyring'
  resolve()
  expect((await told).notices).toEqual([])
})
