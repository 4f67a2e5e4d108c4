// What a sandbox refused, with a real server in a real one: seen at the call, listed, answered, and on record.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isCallEnded } from '#app/chat/next-call-state.ts'
import type { EventPayload } from '#app/contract/events.ts'
import type { JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { eventually } from '#main/base/eventually.testing.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { findEngine } from '#main/servers/process/sandbox/find-engine.ts'
import { makeTestHost, type TestHost } from './host.testing.ts'

/** Server whose tools tell what the system answered. `--needs`: a file or host without which it does not start. */
const program = `
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
const proxy = new URL(process.env.HTTP_PROXY ?? 'http://127.0.0.1:1')
const reach = (to) => new Promise((resolve, reject) => {
  const asked = request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: to })
  asked.on('connect', ({ statusCode }, socket) => { socket.destroy(); statusCode === 200 ? resolve('reached') : reject(new Error('fetch failed: ' + statusCode)) })
  asked.on('response', ({ statusCode }) => reject(new Error('fetch failed: ' + statusCode)))
  asked.on('error', reject)
  asked.end()
})
const tools = {
  reach: ({ to }) => reach(to),
  read: ({ path }) => readFileSync(path, 'utf8'),
  write: ({ path }) => (writeFileSync(path, 'x'), 'written'),
  open: () => { throw new Error('unable to open database file') },
  fail: ({ text }) => { throw new Error(text) },
}
const [, , kind, what] = process.argv
if (kind === 'file') readFileSync(what)
if (kind === 'host') await reach(what)
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'probe', version: '1' } }),
  'tools/list': () => ({ tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) }),
  'tools/call': async ({ name, arguments: args }) => {
    try { return { content: [{ type: 'text', text: await tools[name](args) }] } }
    catch (error) { return { isError: true, content: [{ type: 'text', text: error.message }] } }
  },
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = answers[method]
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(answer ? { result: await answer(params) } : { error: { code: -32601, message: 'no' } }) }))
}
`

let root: string
let web: Server
let granted: string
const open: TestHost[] = []
beforeAll(async () => {
  // Beside the home folder and the folder for temporary files, of which the sandbox has its own.
  mkdirSync('test-results', { recursive: true })
  root = realpathSync(mkdtempSync(join('test-results', 'attempts-')))
  for (const folder of ['server', 'notes', '.ssh']) mkdirSync(join(root, folder))
  writeFileSync(join(root, 'server/probe.mjs'), program)
  // The package ends there, or this repository would be readable with it.
  writeFileSync(join(root, 'server/package.json'), '{}')
  writeFileSync(join(root, 'notes/todo.md'), 'milk')
  web = createServer((_, response) => response.end('hello'))
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  granted = `127.0.0.1:${(web.address() as AddressInfo).port}`
})
afterAll(() => {
  web.close()
  rmSync(root, { recursive: true, force: true })
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.remove()))
})

/** Proxy that writes down what it is asked for, and agrees to all. */
async function startProxy() {
  const asked: string[] = []
  const server = createServer()
  server.on('connect', (request, client) => {
    asked.push(request.url ?? '')
    client.end('HTTP/1.1 200 OK\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}

interface StartOptions {
  /** Variables of the entry's, and of the person's. */
  readonly env?: Readonly<Record<string, string>>
  readonly theirs?: Readonly<Record<string, string>>
  readonly hosts?: readonly string[]
}

function start(args: string[] = [], dataDir?: string, { env = {}, theirs, hosts = [] }: StartOptions = {}) {
  const entry = {
    command: process.execPath,
    args: [join(root, 'server/probe.mjs'), ...args],
    cwd: join(root, 'server'),
    env,
    sandboxEnabled: true,
    sandbox: { network: { allowedDomains: [granted, ...hosts] } },
  }
  const environment = theirs && createEnvironment({ isTerminal: true, env: { PATH: process.env['PATH'] ?? '', ...theirs }, home: root })
  const servers = JSON.stringify({ mcpServers: { probe: entry } })
  const made = makeTestHost({ servers, sandboxed: true, startServers: false, ...defined({ dataDir, environment }) })
  open.push(made)
  const { host } = made
  const told: EventPayload<'server.sandboxAttempt'>['attempts'] = []
  host.onEvent((event) => {
    if (event.name === 'server.sandboxAttempt') told.push(...event.payload.attempts)
    if (event.name === 'consent.opened' && event.payload.request.kind === 'launch')
      void host.request('consent.answer', { id: event.payload.request.id, answer: { kind: 'allow', scope: 'always' } })
  })
  const named = { name: 'probe' }
  return {
    ...made,
    told,
    start: () => host.request('server.start', named),
    restart: () => host.request('server.restart', named),
    attempts: async () => (await host.request('server.sandboxAttempts', named)).attempts,
    doctor: () => host.request('server.doctor', named),
    view: () => host.snapshot().servers[0],
    answer: (
      attempt: { kind: 'host' | 'read' | 'write'; target: string; port?: number },
      answer: 'once' | 'always' | 'keep',
      reviewed = false,
    ) => host.request('server.answerSandboxAttempt', { ...named, attempt, answer, ...(reviewed ? { reviewed } : {}) }),
    audit: async (text: string) => (await host.request('audit.list', { limit: 50, filter: { text } })).rows,
    async call(tool: string, args: JsonObject) {
      const { tools } = await host.request('server.catalogue', named)
      const fingerprint = tools.find(({ name }) => name === tool)?.fingerprint ?? ''
      const { run } = await host.request('tool.run', { server: 'probe', tool, fingerprint, arguments: JSON.stringify(args) })
      return eventually(async () => {
        const now = (await host.request('tool.getRun', { id: run.id })).run
        expect(now && isCallEnded(now.state)).toBe(true)
        return now?.state ?? run.state
      })
    },
  }
}

const blockedOf = (state: Awaited<ReturnType<ReturnType<typeof start>['call']>>) => ('blocked' in state ? state.blocked : undefined)

describe.skipIf((await findEngine()).kind !== 'bubblewrap')('what the sandbox refused', () => {
  test('is nothing of what the person’s own proxy reaches; one that the entry names is asked for nothing', async () => {
    const [office, trap] = [await startProxy(), await startProxy()]
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY']
    const env = Object.fromEntries(names.map((name) => [name, trap.address]))
    const made = start([], undefined, { env, theirs: { HTTPS_PROXY: office.address }, hosts: ['api.example'] })
    await made.start()
    expect(await made.call('reach', { to: 'api.example:443' })).toMatchObject({ result: { content: [{ text: 'reached' }] } })
    await made.call('reach', { to: 'other.example:443' })
    const outcomes = (await made.attempts()).map(({ target, refused }) => [target, refused])
    expect(outcomes).toEqual([
      ['other.example', 'not-granted'],
      ['api.example', undefined],
    ])
    expect([office.asked, trap.asked]).toEqual([['api.example:443'], []])
    for (const proxy of [office, trap]) proxy.close()
  })

  test('names no secret of the entry, which the server wrote into the name of a host', async () => {
    const secret = 'S3cret-Value-4711-of-the-entry'
    const made = start([], undefined, { env: { NOTES_TOKEN: secret } })
    await made.start()
    const hidden = `${Buffer.from(secret).toString('hex')}.evil.example`
    const failed = await made.call('reach', { to: `${hidden}:443` })
    const shown = { kind: 'host', target: '•••.evil.example', port: 443, refused: 'not-granted' } as const
    expect(blockedOf(failed)).toEqual([shown])
    expect(await made.attempts()).toMatchObject([{ ...shown, allowance: 'never' }])
    const rows = await made.audit('reach')
    expect(rows.flatMap(({ kind, detail }) => (kind === 'result' ? [detail['sandbox']] : []))).toEqual([
      { reached: [], blocked: ['•••.evil.example:443'] },
    ])
    const { kind, target, port } = shown
    await expect(made.answer({ kind, target, port }, 'always')).rejects.toMatchObject({ code: 'server.sandbox-attempt' })
    await made.answer({ kind, target, port }, 'keep')
    expect(await made.attempts()).toMatchObject([{ target, refused: 'denied' }])
    await made.host.dispose()
    const database = readFileSync(join(made.dataDir, 'assent.db'))
    expect([database.includes('.evil.example'), database.includes(hidden.slice(0, 40))]).toEqual([true, false])
  })

  test('is at the call, in the list, on record, and with the doctor, also after a restart of Assent', async () => {
    const first = start()
    await first.start()
    const failed = await first.call('reach', { to: 'api.example:443' })
    expect(blockedOf(failed)).toEqual([{ kind: 'host', target: 'api.example', port: 443, refused: 'not-granted' }])
    await first.call('reach', { to: granted })
    const [, port] = granted.split(':')
    const listed = await first.attempts()
    expect(listed).toMatchObject([
      { kind: 'host', target: '127.0.0.1', port: Number(port), count: 1, tool: 'reach' },
      { kind: 'host', target: 'api.example', port: 443, refused: 'not-granted', count: 1, tool: 'reach', allowance: 'click' },
    ])
    await eventually(() => expect(first.told.map(({ target }) => target)).toEqual(['api.example', '127.0.0.1']))
    expect(first.view()?.blocked).toBe(1)
    const rows = await first.audit('reach')
    expect(rows.flatMap(({ kind, detail }) => (kind === 'result' ? [detail['sandbox']] : []))).toEqual([
      { reached: [granted], blocked: [] },
      { reached: [], blocked: ['api.example:443'] },
    ])
    await first.call('reach', { to: 'api.example:443' })
    expect((await first.doctor()).diagnosis).toMatchObject({ code: 'blocked-by-sandbox', tone: 'warn' })
    await first.host.dispose()
    const second = start([], first.dataDir)
    expect(await second.attempts()).toMatchObject([{ target: 'api.example', count: 2 }, { target: '127.0.0.1' }])
    await second.host.request('server.clearSandboxAttempts', { name: 'probe' })
    expect(await second.attempts()).toEqual([])
  })

  test('explains a start that failed for a host or for a file, and is no explanation where nothing was refused', async () => {
    const reasons = [
      [['host', 'api.example:443'], 'blocked-by-sandbox', 'api.example'],
      [['file', join(root, 'notes/todo.md')], 'blocked-by-sandbox', join(root, 'notes/todo.md')],
      [['file', join(root, 'notes/none.md')], 'crashed-at-once', ''],
    ] as const
    for (const [args, code, target] of reasons) {
      const one = start([...args])
      await expect(one.start()).rejects.toMatchObject({ code: 'server.exited' })
      const { diagnosis } = await one.doctor()
      expect(diagnosis?.code).toBe(code)
      expect(diagnosis?.message).toContain(target)
      expect((await one.attempts()).map((attempt) => attempt.target)).toEqual(target === '' ? [] : [target])
    }
  })

  test('is answered: a host at once, for this start or for good', async () => {
    const one = start()
    await one.start()
    await one.call('reach', { to: 'api.example:443' })
    const target = { kind: 'host', target: 'api.example', port: 443 } as const
    expect(await one.answer(target, 'once')).toEqual({ holds: 'now' })
    // The request is let through, and there is no such host.
    expect(blockedOf(await one.call('reach', { to: 'api.example:443' }))).toBeUndefined()
    expect(await one.attempts()).toMatchObject([{ target: 'api.example', refused: 'not-found' }])
    await one.restart()
    expect(blockedOf(await one.call('reach', { to: 'api.example:443' }))).toHaveLength(1)
    expect(await one.answer(target, 'always')).toEqual({ holds: 'now' })
    await one.restart()
    expect(blockedOf(await one.call('reach', { to: 'api.example:443' }))).toBeUndefined()
    expect(one.view()?.sandbox).toMatchObject({ kind: 'on', grants: { hosts: [granted, 'api.example'].sort() } })
    await one.call('reach', { to: 'ads.example:443' })
    expect(await one.answer({ kind: 'host', target: 'ads.example', port: 443 }, 'keep')).toEqual({ holds: 'now' })
    await one.restart()
    await one.call('reach', { to: 'ads.example:443' })
    expect((await one.attempts())[0]).toMatchObject({ target: 'ads.example', refused: 'denied', count: 2 })
    expect([one.view()?.blocked, one.view()?.sandbox]).toMatchObject([undefined, { grants: { denyHosts: ['ads.example'] } }])
    const decisions = (await one.audit('example')).flatMap(({ kind, decision }) => (kind === 'config' ? [decision] : []))
    expect(decisions).toEqual(expect.arrayContaining(['sandbox-allowed-once', 'sandbox-allowed', 'sandbox-kept-blocked', 'sandbox']))
  })

  test('is answered: a folder at the next start, and once at that alone', async () => {
    const one = start()
    await one.start()
    const [file, folder] = [join(root, 'notes/todo.md'), join(root, 'notes')]
    expect(blockedOf(await one.call('read', { path: file }))).toEqual([{ kind: 'read', target: file, refused: 'not-granted' }])
    expect(blockedOf(await one.call('open', { db: file }))).toHaveLength(1)
    expect(await one.answer({ kind: 'read', target: file }, 'once')).toEqual({ holds: 'next-start' })
    expect((await one.call('read', { path: file })).kind).toBe('done')
    await one.restart()
    expect(await one.call('read', { path: file })).toMatchObject({ kind: 'done', result: { isError: false } })
    // The folder is there now, and may not be written.
    expect(blockedOf(await one.call('write', { path: file }))).toEqual([{ kind: 'write', target: folder, refused: 'not-granted' }])
    expect(await one.answer({ kind: 'write', target: folder }, 'always')).toEqual({ holds: 'next-start' })
    await one.restart()
    expect(await one.call('write', { path: file })).toMatchObject({ kind: 'done', result: { isError: false } })
    expect(existsSync(file)).toBe(true)
  })

  test('is claimed by nobody: what is not listed, never allowed or not reviewed is not answered', async () => {
    const one = start()
    await one.start()
    const key = join(process.env['HOME'] ?? '', '.ssh')
    await one.call('fail', { text: `ENOENT: no such file or directory, open '${join(root, 'none')}'` })
    await one.call('fail', { text: `ENOENT: no such file or directory, open '${join(one.dataDir, 'servers.json')}'` })
    await one.call('fail', { text: `see '${join(root, 'notes/todo.md')}', please` })
    await one.call('reach', { to: 'localhost:80' })
    const listed = (await one.attempts()).map(({ target, allowance }) => [target, allowance])
    expect(listed).toEqual([
      ['localhost', 'never'],
      [join(one.dataDir, 'servers.json'), 'never'],
    ])
    const refused = { code: 'server.sandbox-attempt' }
    await expect(one.answer({ kind: 'read', target: key }, 'once')).rejects.toMatchObject(refused)
    await expect(one.answer({ kind: 'read', target: join(one.dataDir, 'servers.json') }, 'always', true)).rejects.toMatchObject(refused)
    await expect(one.answer({ kind: 'host', target: 'localhost', port: 80 }, 'once')).rejects.toMatchObject(refused)
  })
})
