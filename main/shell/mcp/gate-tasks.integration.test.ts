// Tasks of agents at the gate (MCP 2025-11-25, "Tasks"; the extension of 2026-07-28), each era to each era, with servers written by hand.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ConsentAnswer, ConsentRequest } from '#app/consent/request.ts'
import { gateTokenVariable } from '#app/gate.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { surroundings } from '#main/shell/node/data-dir.ts'
import { openStateKey } from '#main/shell/node/state-key.ts'
import { listenForCommands } from '#main/shell/socket/listen-for-commands.ts'

const entry = new URL('../cli/main.ts', import.meta.url).pathname
const rawServer = (name: string) => ({
  command: process.execPath,
  args: [new URL(`../../../e2e/servers/raw/${name}.ts`, import.meta.url).pathname],
  sandboxEnabled: false,
})
type Era = 'legacy' | 'modern'
type Line = Readonly<Record<string, unknown>> & { readonly id?: number | string; readonly method?: string }
type Told = Readonly<Record<string, unknown>> & { readonly taskId: string; readonly status: string }

let folder: string
let one: TestHost
let listening: Awaited<ReturnType<typeof listenForCommands>>
let answer: (request: ConsentRequest) => ConsentAnswer | undefined
const ending: (() => unknown)[] = []
const env = () => ({ PATH: process.env['PATH'] ?? '', HOME: folder, ASSENT_NO_KEYRING: '1', XDG_STATE_HOME: join(folder, 'state') })

async function open(): Promise<void> {
  const dataDir = join(folder, 'profile')
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(
    join(dataDir, 'servers.json'),
    JSON.stringify({ mcpServers: { legacy: rawServer('core-tasks'), modern: rawServer('modern-tasks') } }),
  )
  const stateKey = await openStateKey({ dataDir, where: { ...surroundings(), env: env() } })
  one = makeTestHost({ dataDir, stateKey, startServers: false, version: '0.1.0' })
  const { host } = one
  host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    const { request } = event.payload
    const given = request.kind === 'launch' ? ({ kind: 'allow', scope: 'always' } as const) : answer(request)
    if (given) queueMicrotask(() => host.context.broker.answer(request.id, given))
  })
  listening = await listenForCommands({ host: async () => host, dataDir, version: '0.1.0', log: silentLog, clock: systemClock })
  for (const name of ['legacy', 'modern']) await host.request('server.start', { name })
}
async function close(): Promise<void> {
  await listening.close()
  await one.host.dispose()
}
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'assent-tasks-')))
  answer = () => ({ kind: 'allow', scope: 'once' })
  await open()
})
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
  await close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})
const addAgent = async (name = 'Code', servers: 'all' | string[] = 'all') =>
  ((await one.host.request('gate.add', { draft: { name, servers } })) as { token: string }).token

/** An agent of raw lines. `tasks`: in the newer era, whether it declares them. */
async function connect(token: string, era: Era, { tasks = true, forms = true } = {}) {
  const child: ChildProcess = spawn(process.execPath, [entry, 'mcp', '--data-dir', one.dataDir], {
    env: { ...env(), [gateTokenVariable]: token },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  ending.push(() => child.kill('SIGKILL'))
  const lines: Line[] = []
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const whole = `${rest}${chunk}`.split('\n')
    rest = whole.pop() ?? ''
    lines.push(...whole.map((line) => JSON.parse(line) as Line))
  })
  let last = 0
  const send = (message: object): void => void child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const extensions = tasks ? { 'io.modelcontextprotocol/tasks': {} } : {}
  const capabilities = { ...(forms ? { elicitation: { form: {} } } : {}), ...(era === 'modern' ? { extensions } : {}) }
  const clientInfo = { name: 'raw', version: '1' }
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  const reply = async (id: number | string): Promise<{ result?: Record<string, unknown>; error?: { code: number; message: string } }> => {
    await expect.poll(() => lines.some((line) => line.id === id && !line.method), { timeout: 20_000 }).toBe(true)
    return lines.find((line) => line.id === id && !line.method) as never
  }
  const begin = (method: string, params: object = {}): number => {
    last += 1
    send({ id: last, method, params: era === 'modern' ? { ...params, _meta: envelope } : params })
    return last
  }
  const request = (method: string, params: object = {}) => reply(begin(method, params))
  const result = async (method: string, params: object = {}) => {
    const { result: given, error } = await request(method, params)
    if (!given) throw new Error(`${error?.code} ${error?.message}`)
    return given
  }
  const hello = await result(era === 'legacy' ? 'initialize' : 'server/discover', {
    ...(era === 'legacy' ? { protocolVersion: '2025-11-25', capabilities, clientInfo } : {}),
  })
  if (era === 'legacy') send({ method: 'notifications/initialized' })
  await expect.poll(async () => JSON.stringify(await result('tools/list')), { timeout: 20_000 }).toContain('plain')
  return {
    child,
    lines,
    send,
    begin,
    reply,
    request,
    result,
    hello,
    /** Begins a task of a tool, as its era does. */
    async task(name: string, ttl = 60_000): Promise<Told> {
      const made = await result('tools/call', { name, arguments: {}, ...(era === 'legacy' ? { task: { ttl } } : {}) })
      return (era === 'legacy' ? made['task'] : made) as Told
    },
    get: async (taskId: string) => (await result('tasks/get', { taskId })) as Told,
    /** State of a task once it has that status. */
    async until(taskId: string, status: string): Promise<Told> {
      await expect.poll(async () => (await result('tasks/get', { taskId }))['status'], { timeout: 20_000, interval: 100 }).toBe(status)
      return (await result('tasks/get', { taskId })) as Told
    },
  }
}
const related = (taskId: string) => ({ 'io.modelcontextprotocol/related-task': { taskId } })
const done = [{ type: 'text', text: 'done' }]
const noSuchTask = { error: { code: -32602, message: expect.stringContaining('There is no such task') } }
const endsOf = async (tool: string) => {
  const { rows } = await one.host.request('audit.list', { limit: 50, filter: { kinds: ['call', 'result'] } })
  return rows.filter((row) => row.tool === tool).map(({ kind, decision }) => `${kind} ${decision}`)
}

/** Eras of the server: both, and in `npm test` one (e2e/full-only.ts). */
const inQuick = (era: 'legacy' | 'modern') => (process.env['ASSENT_TESTS'] === 'quick' ? [era] : (['legacy', 'modern'] as const))

describe.each(inQuick('legacy'))('an agent of the older era, a server of the %s one', (server) => {
  it('begins a task, polls it, lists it and fetches its result, on record as any call', async () => {
    const { result, task, get, until, hello, request } = await connect(await addAgent('Code', [server]), 'legacy')
    expect(hello['capabilities']).toMatchObject({ tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } })
    const tools = (await result('tools/list'))['tools'] as { name: string; execution?: unknown }[]
    expect(tools.find(({ name }) => name === 'plain')?.execution).toEqual({ taskSupport: 'optional' })
    const { taskId, ...made } = await task('plain')
    expect(made).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: expect.any(Number) })
    expect(Date.parse(String(made['createdAt']))).toBeGreaterThan(Date.now() - 60_000)
    expect(taskId).toMatch(/^[\w-]{32}$/)
    expect(await result('tasks/result', { taskId })).toEqual({ content: done, _meta: related(taskId) })
    expect(await until(taskId, 'completed')).toMatchObject({ taskId, status: 'completed' })
    expect(((await result('tasks/list'))['tasks'] as Told[]).map((one) => [one.taskId, one.status])).toEqual([[taskId, 'completed']])
    expect(await request('tasks/cancel', { taskId })).toMatchObject({ error: { code: -32602 } })
    expect((await get(taskId)).status).toBe('completed')
    expect(await endsOf('plain')).toEqual(['result done', 'call sent'])
    expect(await result('tools/call', { name: 'plain', arguments: {} })).toEqual({ content: done })
  }, 60_000)

  it('answers its form on the stream of the result, with the task named', async () => {
    const { lines, send, begin, reply, task, until } = await connect(await addAgent('Code', [server]), 'legacy')
    const { taskId } = await task('asks')
    await until(taskId, 'input_required')
    const fetched = begin('tasks/result', { taskId })
    for (const turn of server === 'legacy' ? [1] : [1, 2]) {
      await expect.poll(() => lines.filter(({ method }) => method === 'elicitation/create').length, { timeout: 20_000 }).toBe(turn)
      const form = lines.filter(({ method }) => method === 'elicitation/create').at(-1)
      expect(form?.['params']).toMatchObject({ _meta: related(taskId) })
      send({ id: form?.id, result: { action: 'accept', content: { name: 'Ada' } } })
    }
    expect(JSON.stringify(await reply(fetched))).toContain('Ada')
    expect((await until(taskId, 'completed')).status).toBe('completed')
  }, 60_000)

  it('cancels a task, which its server is told and which stays cancelled', async () => {
    const { result, task, request, get } = await connect(await addAgent('Code', [server]), 'legacy')
    const { taskId } = await task('slow')
    await expect.poll(() => endsOf('slow'), { timeout: 20_000 }).toEqual(['call sent'])
    expect(await result('tasks/cancel', { taskId })).toMatchObject({ taskId, status: 'cancelled' })
    expect((await get(taskId)).status).toBe('cancelled')
    expect(await request('tasks/cancel', { taskId })).toMatchObject({ error: { code: -32602 } })
    await expect.poll(() => endsOf('slow'), { timeout: 20_000 }).toEqual(['result cancelled', 'call sent'])
    const seen = async () => JSON.stringify(await result('tools/call', { name: 'seen', arguments: {} }))
    await expect.poll(seen, { timeout: 20_000 }).toContain('tasks/cancel')
  }, 60_000)

  it('reads the tool’s error, the protocol’s and the server’s cancel', async () => {
    const { task, until, request } = await connect(await addAgent('Code', [server]), 'legacy')
    const [errs, breaks, dropped] = [await task(server === 'legacy' ? 'fails' : 'errs'), await task('breaks'), await task('dropped')]
    await until(errs.taskId, 'failed')
    expect(await request('tasks/result', { taskId: errs.taskId })).toMatchObject({ result: { isError: true } })
    await until(breaks.taskId, 'failed')
    expect(await request('tasks/result', { taskId: breaks.taskId })).toMatchObject({
      error: { code: server === 'legacy' ? -32602 : -32603 },
    })
    await until(dropped.taskId, 'cancelled')
  }, 60_000)
})

describe.each(inQuick('modern'))('an agent of the newer era, a server of the %s one', (server) => {
  it('gets a task where the server makes one, and the result with it', async () => {
    const { result, request, task, until, hello } = await connect(await addAgent('Code', [server]), 'modern')
    expect(hello['capabilities']).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } })
    expect(JSON.stringify(await result('tools/list'))).not.toContain('taskSupport')
    const made = await task('plain')
    expect(made).toMatchObject({ resultType: 'task', status: 'working', ttlMs: expect.any(Number), pollIntervalMs: expect.any(Number) })
    expect(await until(made.taskId, 'completed')).toMatchObject({ resultType: 'complete', result: { content: done } })
    expect(JSON.stringify(await result('tasks/get', { taskId: made.taskId }))).not.toContain('related-task')
    expect(await request('tasks/cancel', { taskId: made.taskId })).toMatchObject({ result: { resultType: 'complete' } })
    expect(await result('tools/call', { name: 'seen', arguments: {} })).toMatchObject({ resultType: 'complete' })
    for (const method of ['tasks/result', 'tasks/list'])
      expect(await request(method, { taskId: made.taskId })).toMatchObject({ error: { code: -32601 } })
    expect(await endsOf('plain')).toEqual(['result done', 'call sent'])
  }, 60_000)

  it('answers its questions with the task', async () => {
    const { result, task, until } = await connect(await addAgent('Code', [server]), 'modern')
    const { taskId } = await task('asks')
    for (const field of server === 'legacy' ? ['Ada'] : ['Ada', 'Grace']) {
      const open = (await until(taskId, 'input_required'))['inputRequests'] as Record<string, { method: string }>
      const [[key = '', question] = []] = Object.entries(open)
      expect([Object.keys(open).length, question?.method]).toEqual([1, 'elicitation/create'])
      const inputResponses = { [key]: { action: 'accept', content: { name: field } }, never: { action: 'accept' } }
      expect(await result('tasks/update', { taskId, inputResponses })).toMatchObject({ resultType: 'complete' })
      await expect.poll(async () => JSON.stringify(await result('tasks/get', { taskId })), { timeout: 20_000 }).not.toContain(`"${key}":`)
    }
    expect(JSON.stringify(await until(taskId, 'completed'))).toContain('Ada')
  }, 60_000)

  it('cancels a task', async () => {
    const { result, task, until } = await connect(await addAgent('Code', [server]), 'modern')
    const { taskId } = await task('slow')
    expect(await result('tasks/cancel', { taskId })).toEqual(expect.objectContaining({ resultType: 'complete' }))
    expect((await until(taskId, 'cancelled')).status).toBe('cancelled')
    await expect.poll(() => endsOf('slow'), { timeout: 20_000 }).toEqual(['result cancelled', 'call sent'])
  }, 60_000)

  it('gets no task without declaring them, and is told so when it asks for one', async () => {
    const { result, request } = await connect(await addAgent('Code', [server]), 'modern', { tasks: false })
    expect(await result('tools/call', { name: 'plain', arguments: {} })).toMatchObject({ resultType: 'complete', content: done })
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect(await request(method, { taskId: 'any', inputResponses: {} })).toMatchObject({ error: { code: -32021 } })
  }, 60_000)
})

describe('consent and belonging', () => {
  it('asks for a task as for any call; it says that it waits, and a denial is its result', async () => {
    answer = () => undefined
    const { result, task, get, until } = await connect(await addAgent(), 'legacy')
    const { taskId } = await task('legacy__plain')
    await expect.poll(async () => (await get(taskId))['statusMessage'], { timeout: 20_000 }).toContain('waits for your answer in Assent')
    expect(await endsOf('plain')).toEqual([])
    const [request] = one.host.context.broker.open()
    expect(request).toMatchObject({ kind: 'tool-call', agent: { name: 'Code' } })
    one.host.context.broker.answer(request?.id ?? '', { kind: 'deny', word: 'not today' })
    await until(taskId, 'failed')
    expect(await result('tasks/result', { taskId })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('not today') }],
    })
    expect(await endsOf('plain')).toEqual([])
  }, 60_000)

  it('is of its agent: no other one reads, cancels or answers it, nor does a guess', async () => {
    const [mine, theirs] = [await connect(await addAgent('Mine'), 'legacy'), await connect(await addAgent('Theirs'), 'modern')]
    const older = await connect(await addAgent('Older'), 'legacy')
    const { taskId } = await mine.task('legacy__asks')
    await mine.until(taskId, 'input_required')
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      for (const id of [taskId, 'asks', `${taskId}x`])
        expect(await theirs.request(method, { taskId: id, inputResponses: {} })).toMatchObject(noSuchTask)
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      expect(await older.request(method, { taskId })).toMatchObject(noSuchTask)
    expect(await older.result('tasks/list')).toEqual({ tasks: [] })
    expect((await mine.get(taskId)).status).toBe('input_required')
  }, 60_000)

  it('goes on when its connection ends, and another one of its agent fetches it; the end of the entry ends it', async () => {
    const token = await addAgent()
    const first = await connect(token, 'legacy')
    const { taskId } = await first.task('legacy__plain')
    const slow = await first.task('legacy__slow')
    first.child.kill('SIGKILL')
    const second = await connect(token, 'modern')
    expect(await second.until(taskId, 'completed')).toMatchObject({ result: { content: done } })
    const [client] = (await one.host.request('gate.list', {})).clients
    await one.host.request('gate.remove', { id: client?.id ?? '' })
    await expect.poll(() => endsOf('slow'), { timeout: 20_000 }).toEqual(['result cancelled', 'call sent'])
    expect(slow.status).toBe('working')
  }, 60_000)

  it('cannot be found after a restart of the host, which says so; its call is on record as unknown and not run again', async () => {
    const { task, request } = await connect(await addAgent('Code', ['legacy']), 'legacy')
    const { taskId } = await task('slow')
    await expect.poll(() => endsOf('slow'), { timeout: 20_000 }).toEqual(['call sent'])
    await close()
    await open()
    await expect.poll(() => request('tasks/get', { taskId }), { timeout: 30_000 }).toMatchObject(noSuchTask)
    expect((await endsOf('slow')).filter((row) => row.startsWith('call'))).toEqual(['call sent'])
  }, 90_000)

  it('is refused for a tool that cannot be one, and beyond 64 at once', async () => {
    const { request, begin, reply } = await connect(await addAgent('Code', ['legacy']), 'legacy')
    const params = (name: string) => ({ name, arguments: {}, task: {} })
    expect(await request('tools/call', params('seen'))).toMatchObject({ error: { code: -32601 } })
    answer = () => undefined
    const ids = Array.from({ length: 66 }, () => begin('tools/call', params('slow')))
    const outcomes = await Promise.all(ids.map(reply))
    expect(outcomes.filter(({ result }) => result?.['task'] !== undefined)).toHaveLength(64)
    expect(outcomes.at(-1)).toMatchObject({ result: { isError: true } })
  }, 60_000)
})
