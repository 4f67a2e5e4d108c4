// Agents over Streamable HTTP, with the official SDK's client in either era, and by hand where the client would not do it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ConsentAnswer, ConsentRequest } from '#app/consent/request.ts'
import type { GateClientDraft } from '#app/gate.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { listenForAgents } from './agent-http.ts'

const everything = new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url).pathname
let one: TestHost
let folder: string
let url: string
let answers: (request: ConsentRequest) => ConsentAnswer | undefined
const asked: ConsentRequest[] = []
const ending: (() => Promise<unknown>)[] = []

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function listen(host: TestHost['host']): Promise<void> {
  await host.listenForAgents((port, onOther) =>
    listenForAgents({ host, port, version: '0.1.0', log: silentLog, clock: systemClock, onOther }),
  )
}
const http = async () => (await one.host.request('gate.list', {})).http

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-agents-'))
  const server = { command: process.execPath, args: [everything, 'stdio'] }
  writeFileSync(join(folder, 'servers.json'), JSON.stringify({ mcpServers: { everything: server } }))
  one = makeTestHost({ dataDir: folder, startServers: false })
  answers = () => ({ kind: 'allow', scope: 'once' })
  one.host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    const { request } = event.payload
    asked.push(request)
    const answer = request.kind === 'launch' ? ({ kind: 'allow', scope: 'always' } as const) : answers(request)
    if (answer) queueMicrotask(() => one.host.context.broker.answer(request.id, answer))
  })
  await listen(one.host)
  await one.host.request('settings.set', { gateHttp: true, gatePort: await freePort() })
  await expect.poll(async () => (await http()).url).toBeTruthy()
  url = (await http()).url ?? ''
})
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
  await one.host.dispose()
  asked.length = 0
  rmSync(folder, { recursive: true, force: true })
})

const add = async (draft: Partial<GateClientDraft> = {}) =>
  (await one.host.request('gate.add', { draft: { name: 'Code', servers: ['everything'], ...draft } })) as {
    client: { id: string }
    token: string
  }
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

async function connect(token: string, { mode = 'auto', capabilities = {} } = {}) {
  const client = new Client({ name: 'claims-to-be', version: '9' }, { capabilities, versionNegotiation: { mode: mode as 'auto' } })
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: bearer(token) } })
  await client.connect(transport)
  ending.push(() => client.close())
  return client
}
const text = (result: unknown): string => (result as { content: { text: string }[] }).content.map((block) => block.text).join()
const post = (body: unknown, headers: Record<string, string>, method = 'POST'): Promise<Response> =>
  fetch(url, {
    method,
    headers: { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json', ...headers },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
const initialize = (revision: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})
const connections = async () => (await one.host.request('gate.list', {})).clients.flatMap((client) => client.connections)

describe.each(['legacy', 'auto'])('an agent over HTTP (%s)', (mode) => {
  it('sees the tools of its entry, and each call is asked in its name', async () => {
    const { client, token } = await add()
    const agent = await connect(token, { mode })
    expect(agent.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern')
    // A list does not wait for a server that is slow to start.
    await expect.poll(async () => (await agent.listTools()).tools.map(({ name }) => name)).toContain('echo')
    expect(text(await agent.callTool({ name: 'echo', arguments: { message: 'hello' } }))).toBe('Echo: hello')
    expect(asked.find(({ kind }) => kind === 'tool-call')).toMatchObject({
      server: 'everything',
      agent: { client: client.id, name: 'Code', claimed: 'claims-to-be 9', verified: false },
    })
    expect(await connections()).toMatchObject([{ transport: 'http', client: client.id }])
  })

  it('hears that the person is waited for, and takes the question back when it cancels', async () => {
    const { token } = await add()
    answers = () => undefined
    const agent = await connect(token, { mode })
    const stop = new AbortController()
    const told: (string | undefined)[] = []
    const call = agent.callTool(
      { name: 'echo', arguments: { message: 'a' } },
      { signal: stop.signal, onprogress: ({ message }) => told.push(message) },
    )
    call.catch(() => undefined)
    await expect.poll(() => told).toEqual(['waits for your answer in Assent'])
    stop.abort()
    await expect.poll(() => one.host.snapshot().consentRequests).toEqual([])
  })

  it('fills in the forms of servers where it can show them', async () => {
    const { token } = await add()
    const agent = await connect(token, { mode, capabilities: { elicitation: { form: {} } } })
    agent.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada' } }))
    await expect.poll(async () => (await agent.listTools()).tools.map(({ name }) => name)).toContain('trigger-elicitation-request')
    expect(text(await agent.callTool({ name: 'trigger-elicitation-request', arguments: {} }))).toContain('Ada')
  })

  it('takes its question along when its program ends', async () => {
    const { token } = await add()
    answers = () => undefined
    const agent = await connect(token, { mode })
    void agent.callTool({ name: 'echo', arguments: { message: 'a' } }).catch(() => undefined)
    await expect.poll(() => one.host.snapshot().consentRequests).toHaveLength(1)
    await agent.close()
    await expect.poll(() => one.host.snapshot().consentRequests).toEqual([])
  })

  it('hears that lists changed', async () => {
    const { client, token } = await add()
    const heard: string[] = []
    const agent = new Client(
      { name: 'listens', version: '1' },
      {
        versionNegotiation: { mode: mode as 'auto' },
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void heard.push('tools') } },
      },
    )
    await agent.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: bearer(token) } }))
    ending.push(() => agent.close())
    await agent.listTools()
    await expect
      .poll(async () => {
        await one.host.request('gate.change', { id: client.id, draft: { name: 'Code', servers: heard.length % 2 ? ['everything'] : [] } })
        return heard.length > 0
      })
      .toBe(true)
  })
})

describe('a session', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('is begun in revision %s, and ended by DELETE', async (revision) => {
    const { token } = await add({ servers: [] })
    const begun = await post(initialize(revision), bearer(token))
    const id = begun.headers.get('mcp-session-id') ?? ''
    expect([begun.status, (await begun.text()).includes(`"protocolVersion":"${revision}"`), id.length > 40]).toEqual([200, true, true])
    expect(await connections()).toHaveLength(1)
    const headers = { ...bearer(token), 'Mcp-Session-Id': id, 'MCP-Protocol-Version': revision }
    expect((await post(undefined, headers, 'DELETE')).status).toBe(200)
    expect(await connections()).toEqual([])
    expect((await post({ jsonrpc: '2.0', id: 2, method: 'ping' }, headers)).status).toBe(404)
  })

  it('of an earlier run is begun anew with its old id', async () => {
    const { token } = await add({ servers: [] })
    const begun = await post(initialize('2025-11-25'), { ...bearer(token), 'Mcp-Session-Id': 'of-an-earlier-run' })
    expect([begun.status, begun.headers.get('mcp-session-id') === 'of-an-earlier-run']).toEqual([200, false])
  })

  it('is not there for another agent, and ends with the token', async () => {
    const [mine, other] = [await add({ servers: [] }), await add({ name: 'Other', servers: [] })]
    const id = (await post(initialize('2025-11-25'), bearer(mine.token))).headers.get('mcp-session-id') ?? ''
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
    const session = { 'Mcp-Session-Id': id }
    expect((await post(ping, { ...bearer(other.token), ...session })).status).toBe(404)
    expect((await post(ping, { ...bearer(mine.token), ...session })).status).toBe(200)
    await one.host.request('gate.renewToken', { id: mine.client.id })
    expect((await post(ping, { ...bearer(mine.token), ...session })).status).toBe(401)
    expect(await connections()).toEqual([])
  })

  it('that nobody uses makes room for another one', async () => {
    const { token } = await add({ servers: [] })
    for (let at = 0; at < 40; at += 1) expect((await post(initialize('2025-11-25'), bearer(token))).status).toBe(200)
    expect(await connections()).toHaveLength(32)
  })
})

describe('the port', () => {
  it('is closed when it is switched off, and the same after a restart', async () => {
    const { token } = await add({ servers: [] })
    await one.host.request('settings.set', { gateHttp: false })
    await expect.poll(http).toEqual({})
    await expect(post({}, bearer(token))).rejects.toThrow()
    await one.host.request('settings.set', { gateHttp: true })
    await expect.poll(http).toEqual({ url })
    await one.host.dispose()
    await expect(post({}, bearer(token))).rejects.toThrow()
    one = makeTestHost({ dataDir: folder, startServers: false })
    await listen(one.host)
    expect(await http()).toEqual({ url })
  })

  it('that is taken is said', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo
    await one.host.request('settings.set', { gatePort: port })
    await expect.poll(http).toEqual({ problem: `Port ${port} is taken by another program.` })
    await new Promise((resolve) => taken.close(resolve))
  })
})
