// `assent mcp` as agents start it: a process with a token, beside a running host or with a headless one of its own, real servers behind it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ConsentAnswer, ConsentRequest } from '#app/consent/request.ts'
import { type GateClientDraft, gateTokenVariable } from '#app/gate.ts'
import { orElse } from '#app/or-else.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { entry } from '#main/shell/cli/cli.testing.ts'
import { surroundings } from '#main/shell/node/data-dir.ts'
import { openStateKey } from '#main/shell/node/state-key.ts'
import { readJoinFile } from '#main/shell/socket/join-file.ts'
import { joinHost, takeOver } from '#main/shell/socket/join-host.ts'
import { listenForCommands } from '#main/shell/socket/listen-for-commands.ts'

const everything = new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url).pathname
const version = '0.1.0'

const env = () => ({
  PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
  ASSENT_NO_KEYRING: '1',
  HOME: folder,
  XDG_STATE_HOME: join(folder, 'state'),
})
let one: TestHost
let folder: string
let listening: { close(): Promise<void> }
const ending: (() => Promise<unknown>)[] = []
const asked: ConsentRequest[] = []
let answers: (request: ConsentRequest) => ConsentAnswer | undefined

/** Opens a host on the profile, as the app does: a headless one that runs there gives it over. */
async function open(): Promise<void> {
  const server = { command: process.execPath, args: [everything, 'stdio'] }
  const dataDir = join(folder, 'profile')
  await takeOver(dataDir)
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { everything: server, other: server } }))
  const stateKey = await openStateKey({ dataDir, where: { ...surroundings(), env: { ...env(), XDG_STATE_HOME: join(folder, 'state') } } })
  one = makeTestHost({ dataDir, stateKey, startServers: false, version })
  one.host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    asked.push(event.payload.request)
    const answer = event.payload.request.kind === 'launch' ? ({ kind: 'allow', scope: 'always' } as const) : answers(event.payload.request)
    if (answer) queueMicrotask(() => one.host.context.broker.answer(event.payload.request.id, answer))
  })
  const { host } = one
  listening = await listenForCommands({ host: async () => host, dataDir, version, log: silentLog, clock: systemClock })
}

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'assent-gate-')))
  answers = () => ({ kind: 'allow', scope: 'once' })
  await open()
})
/** Ends the host, and leaves the agents. */
async function close(): Promise<void> {
  await listening.close()
  await one.host.dispose()
}
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
  await close()
  asked.length = 0
  rmSync(folder, { recursive: true, force: true })
})

const add = async (draft: Partial<GateClientDraft> = {}) =>
  (await one.host.request('gate.add', { draft: { name: 'Code', servers: ['everything'], ...draft } })) as {
    client: { id: string }
    token: string
  }

async function connect(token: string, { mode = 'auto', capabilities = {} } = {}): Promise<Client> {
  const client = new Client({ name: 'claims-to-be', version: '9' }, { capabilities, versionNegotiation: { mode: mode as 'auto' } })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [entry, 'mcp', '--data-dir', one.dataDir],
    env: { ...env(), [gateTokenVariable]: token },
    cwd: folder,
    stderr: 'inherit',
  })
  await client.connect(transport)
  ending.push(() => client.close())
  return client
}
/** Waits for a tool that its server adds once it knows what its client can do. */
const lists = (agent: Client, tool: string) =>
  expect.poll(async () => (await agent.listTools()).tools.map(({ name }) => name), { timeout: 20_000 }).toContain(tool)
const text = (result: unknown): string => (result as { content: { text: string }[] }).content.map((block) => block.text).join()

describe('an agent', () => {
  it('sees the tools of the servers of its entry by their own names, and each call is asked in its name', async () => {
    const { client, token } = await add()
    const agent = await connect(token)
    const { tools } = await agent.listTools()
    expect(tools.map(({ name }) => name)).toContain('echo')
    expect(text(await agent.callTool({ name: 'echo', arguments: { message: 'hello' } }))).toBe('Echo: hello')
    const call = asked.find(({ kind }) => kind === 'tool-call')
    expect(call).toMatchObject({
      kind: 'tool-call',
      server: 'everything',
      agent: {
        client: client.id,
        name: 'Code',
        claimed: 'claims-to-be 9',
        ...(process.platform === 'linux' ? { verified: true, folder, program: realpathSync(process.execPath) } : { verified: false }),
      },
    })
    expect(call?.joined).toBe(undefined)
    const { rows } = await one.host.request('audit.list', { limit: 3, filter: { kinds: ['call', 'result', 'decision'] } })
    expect(rows.map(({ kind, detail }) => [kind, detail['agent'], detail['agentId']])).toEqual(
      ['result', 'call', 'decision'].map((kind) => [kind, 'Code', client.id]),
    )
  })

  it('reads a denial with its reason, and a rule made for another agent answers nothing', async () => {
    const [first, second] = [await add(), await add({ name: 'Other' })]
    answers = () => ({ kind: 'allow', scope: 'always' })
    const agent = await connect(first.token)
    const call = { name: 'echo', arguments: { message: 'a' } }
    await agent.callTool(call)
    expect([text(await agent.callTool(call)), asked.filter(({ kind }) => kind === 'tool-call').length]).toEqual(['Echo: a', 1])
    answers = () => ({ kind: 'deny', word: 'not today' })
    const denied = await (await connect(second.token)).callTool(call)
    expect([denied.isError, text(denied)]).toEqual([true, expect.stringContaining('not today')])
  })

  it('hears that the person is waited for, and takes the question back when it cancels', async () => {
    const { token } = await add()
    answers = () => undefined
    const agent = await connect(token)
    const stop = new AbortController()
    const told: (string | undefined)[] = []
    const call = agent.callTool(
      { name: 'echo', arguments: { message: 'a' } },
      { signal: stop.signal, onprogress: ({ message }) => told.push(message) },
    )
    call.catch(() => undefined)
    await expect.poll(() => told).toEqual(['waits for your answer in Assent'])
    expect(one.host.snapshot().consentRequests).toHaveLength(1)
    stop.abort()
    await expect.poll(() => one.host.snapshot().consentRequests).toEqual([])
    const { rows } = await one.host.request('audit.list', { limit: 20, filter: { kinds: ['call'] } })
    expect(rows).toEqual([])
  })

  it('ends with its process: its question is withdrawn, and nobody is connected', async () => {
    const { token } = await add()
    answers = () => undefined
    const agent = await connect(token)
    void agent.callTool({ name: 'echo', arguments: { message: 'a' } }).catch(() => undefined)
    await expect.poll(() => one.host.snapshot().consentRequests).toHaveLength(1)
    await agent.close()
    await expect.poll(() => one.host.snapshot().consentRequests).toEqual([])
    await expect.poll(async () => (await one.host.request('gate.list', {})).clients.flatMap(({ connections }) => connections)).toEqual([])
  })

  it('has resources, templates, prompts and completions, each of which but a completion is asked', async () => {
    const { token } = await add()
    const agent = await connect(token)
    const { resources } = await agent.listResources()
    const uri = resources[0]?.uri ?? ''
    expect((await agent.readResource({ uri })).contents[0]?.uri).toBe(uri)
    const { resourceTemplates } = await agent.listResourceTemplates()
    expect(resourceTemplates.length).toBeGreaterThan(0)
    const { prompts } = await agent.listPrompts()
    expect(prompts.map(({ name }) => name)).toContain('simple-prompt')
    expect((await agent.getPrompt({ name: 'simple-prompt' })).messages.length).toBeGreaterThan(0)
    const ref = { type: 'ref/prompt' as const, name: 'completable-prompt' }
    expect((await agent.complete({ ref, argument: { name: 'department', value: 'S' } })).completion.values).toContain('Sales')
    expect(asked.flatMap((request) => (request.kind === 'tool-call' ? [request.tool] : []))).toEqual(['resources/read', 'prompts/get'])
  })

  it('calls tools of two servers by names that do not collide', async () => {
    const { token } = await add({ servers: 'all' })
    const agent = await connect(token)
    const names = (await agent.listTools()).tools.map(({ name }) => name)
    expect([names.includes('everything__echo'), names.includes('other__echo'), new Set(names).size === names.length]).toEqual([
      true,
      true,
      true,
    ])
    expect(text(await agent.callTool({ name: 'other__echo', arguments: { message: 'two' } }))).toBe('Echo: two')
    expect(asked.at(-1)).toMatchObject({ server: 'other' })
  })

  it.each(['legacy', 'auto'])('fills in the forms of servers itself where it can show them (%s)', async (mode) => {
    const { token } = await add()
    const agent = await connect(token, { mode, capabilities: { elicitation: { form: {} } } })
    agent.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada' } }))
    await lists(agent, 'trigger-elicitation-request')
    expect(text(await agent.callTool({ name: 'trigger-elicitation-request', arguments: {} }))).toContain('Ada')
    expect(asked.map(({ kind }) => kind)).toEqual(['launch', 'tool-call'])
  })

  it.each(['legacy', 'auto'])('gives servers answers of its model where its entry allows that (%s)', async (mode) => {
    const { token } = await add({ sampling: true })
    const agent = await connect(token, { mode, capabilities: { sampling: {} } })
    agent.setRequestHandler('sampling/createMessage', async () => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: 'of the agent' },
    }))
    await lists(agent, 'trigger-sampling-request')
    expect(text(await agent.callTool({ name: 'trigger-sampling-request', arguments: { prompt: 'p' } }))).toContain('of the agent')
    expect(asked.map(({ kind }) => kind)).toEqual(['launch', 'tool-call'])
  })
})

describe('without a token of an entry', () => {
  it.each(['', 'assent_mcp_guess', 'x'.repeat(54)])('the process with “%s” ends, and nothing is asked', async (token) => {
    await expect(connect(token)).rejects.toThrow()
    expect(asked).toEqual([])
  })
})

describe('without a running host', () => {
  it('a headless one ends seconds after it listened where whoever started it has left', async () => {
    await close()
    const { dataDir } = one
    const headless = spawn(process.execPath, [entry, 'mcp', '--data-dir', dataDir], {
      env: { ...env(), ASSENT_MCP_HOST: '1' },
      stdio: 'ignore',
    })
    const ended = once(headless, 'exit')
    ending.push(async () => headless.kill('SIGKILL'))
    await expect.poll(() => readJoinFile(dataDir), { timeout: 20_000 }).toBeDefined()
    const listened = performance.now()
    await ended
    expect([readJoinFile(dataDir), performance.now() - listened < 20_000]).toEqual([undefined, true])
    await open()
  }, 240_000)

  it('agents share a headless one, which commands join, and which hands over what waits to the app that opens', async () => {
    const [first, second] = [await add(), await add({ name: 'Other' })]
    // Their lists are known from now on.
    const before = await connect(first.token)
    await before.listTools()
    await before.close()
    const { dataDir } = one
    const notified = join(folder, 'notified')
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin', 'notify-send'), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${notified}'\n`, { mode: 0o755 })
    await close()
    const agents = await Promise.all([connect(first.token), connect(second.token)])
    for (const agent of agents) expect((await agent.listTools()).tools.length).toBeGreaterThan(5)
    const joined = await joinHost(dataDir, version)
    const { clients } = (await joined?.request('gate.list', {})) ?? { clients: [] }
    joined?.close()
    expect(clients.map(({ name, connections }) => [name, connections.length])).toEqual([
      ['Code', 1],
      ['Other', 1],
    ])
    const told: unknown[] = []
    const call = agents[0]?.callTool({ name: 'echo', arguments: { message: 'kept' } }, { onprogress: ({ message }) => told.push(message) })
    await expect.poll(() => told[0], { timeout: 10_000 }).toContain('assent serve')
    if (process.platform === 'linux')
      await expect.poll(() => orElse(() => readFileSync(notified, 'utf8'), '')).toContain('“everything” waits')
    await open()
    expect(text(await call)).toBe('Echo: kept')
    expect(asked.filter(({ kind }) => kind === 'tool-call')).toMatchObject([{ agent: { name: 'Code' } }])
    await close()
    // Nobody is left: the headless host that took the profile again ends, and with it the lock.
    for (const agent of agents) await agent.close()
    await expect.poll(() => readJoinFile(dataDir), { timeout: 20_000 }).toBe(undefined)
    await open()
  }, 240_000)
})
