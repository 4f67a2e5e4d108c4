// What users of gateways and aggregators of MCP servers reported as broken there, each as a promise of ours. The issues stand at each.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { listenForAgents } from './agent-http.ts'
import { wholeResult, wholeTool } from './shared-server.testing.ts'

const program = new URL('shared-server.testing.ts', import.meta.url).pathname
const shared = (name: string, ...tools: string[]) => ({ command: process.execPath, args: [program, name, ...tools], sandboxEnabled: false })
let one: TestHost
let folder: string
let url: string
const ending: (() => Promise<unknown>)[] = []

/** `started`: before anybody is connected, so that lists are there. */
async function open(mcpServers: object, started: readonly string[] = Object.keys(mcpServers)): Promise<void> {
  writeFileSync(join(folder, 'servers.json'), JSON.stringify({ mcpServers }))
  one = makeTestHost({ dataDir: folder, startServers: false })
  ending.push(() => one.host.dispose())
  one.host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    const { id, kind } = event.payload.request
    queueMicrotask(() => one.host.context.broker.answer(id, { kind: 'allow', scope: kind === 'launch' ? 'always' : 'once' }))
  })
  const free = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => free.once('listening', resolve))
  const { port } = free.address() as { port: number }
  await new Promise((resolve) => free.close(resolve))
  const { host } = one
  await host.listenForAgents((at, onOther) =>
    listenForAgents({ host, port: at, version: '0', log: silentLog, clock: systemClock, onOther }),
  )
  await host.request('settings.set', { gateHttp: true, gatePort: port })
  await expect.poll(async () => (await host.request('gate.list', {})).http.url).toBeTruthy()
  for (const name of started) await host.request('server.start', { name })
  url = `http://127.0.0.1:${port}/mcp`
}
const token = async () => ((await one.host.request('gate.add', { draft: { name: 'Code', servers: 'all' } })) as { token: string }).token

async function connect(given?: string, mode: 'legacy' | 'auto' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } })
  const headers = { Authorization: `Bearer ${given ?? (await token())}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  ending.push(() => client.close())
  return client
}
const text = (result: unknown): string => (result as { content: { text: string }[] }).content.map((block) => block.text).join()
const names = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-shared-'))
})
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

describe('servers behind one gate', () => {
  // sparfenyuk/mcp-proxy 198, open-webui/mcpo 193, mcp-router 145, metatool-ai/metamcp 140
  it('one that does not start takes none of the others away, nor holds up their lists', async () => {
    await open(
      {
        broken: { command: '/nowhere/at-all', sandboxEnabled: false },
        silent: { command: 'sleep', args: ['60'], sandboxEnabled: false },
        good: shared('good'),
      },
      [],
    )
    const agent = await connect()
    const begun = performance.now()
    await names(agent)
    expect(performance.now() - begun).toBeLessThan(10_000)
    // On a busy computer the good server may be listed a moment later.
    await expect.poll(() => names(agent)).toContain('good__say')
    expect(text(await agent.callTool({ name: 'good__say', arguments: { word: 'hello' } }))).toBe('good say hello')
  }, 240_000)

  // metatool-ai/metamcp 166 and 283, samanhappy/mcphub 742, 1mcp-app/agent 414
  it('one that ended is there again at the next call, for agents that stayed connected', async () => {
    await open({ good: shared('good') })
    const agent = await connect()
    const pid = Number(text(await agent.callTool({ name: 'pid' })))
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => one.host.snapshot().servers[0]?.state.kind).not.toBe('ready')
    expect(Number(text(await agent.callTool({ name: 'pid' })))).not.toBe(pid)
  }, 40_000)

  // BerriAI/litellm 17561, langchain 40471, wso2/carbon-apimgt 13901
  it('a result keeps structuredContent, _meta and annotations, also one of a tool that failed', async () => {
    await open({ good: shared('good') })
    expect(await (await connect()).callTool({ name: 'whole', arguments: { old: 1 } })).toMatchObject(wholeResult)
  }, 40_000)

  // mozilla-ai/mcpd 279, sigbit/mcp-auth-proxy 178
  it('a definition keeps $defs, definitions, additionalProperties, outputSchema, annotations and _meta', async () => {
    await open({ good: shared('good') })
    const { tools } = await (await connect()).listTools()
    expect(tools.find(({ name }) => name === 'whole')).toEqual(wholeTool)
  }, 40_000)

  // IBM/mcp-context-forge 6635, Kuadrant/mcp-gateway 1532; DeusData/codebase-memory-mcp 1247
  it('all pages of a list are offered, once, also of a list that names its last page as the next', async () => {
    await open({ good: shared('good') })
    const listed = await names(await connect())
    expect(listed).toEqual(['fail', 'meta', 'pid', 'say', 'whole'])
  }, 40_000)

  // T4cceptor/centian 70
  it('an error of the protocol keeps its code, message and data', async () => {
    await open({ good: shared('good') })
    await expect((await connect()).callTool({ name: 'fail' })).rejects.toMatchObject({
      code: -32055,
      message: expect.stringContaining('Quota is used up'),
      data: { until: 'tomorrow' },
    })
  }, 40_000)

  // BerriAI/litellm 22178 and sparfenyuk/mcp-proxy 189 wanted _meta passed on. Here the person sees what a server gets, and sees no _meta.
  it('a call carries nothing to its server that the person did not see', async () => {
    await open({ good: shared('good') })
    const said = text(await (await connect()).callTool({ name: 'meta', _meta: { 'com.example/note': 'unseen' } }))
    expect(said).not.toContain('unseen')
  }, 40_000)
})

describe('names', () => {
  // mcp-router 100, strands-agents/harness-sdk 4513: models take 64 characters, of which Claude Code puts `mcp__assent__` before each
  it('fit 64 characters with the name of Assent before them, and no two are the same', async () => {
    const long = 'get_installable_artifact_upload_and_processing_status'
    const server = 'the-awslabs-infrastructure-as-code-mcp-server'
    await open({ [server]: shared('a', long, `${long}_x`), [`${server}-b`]: shared('b', long) })
    const agent = await connect()
    const listed = await names(agent)
    expect(listed.filter((name) => !/^[a-zA-Z0-9_-]{1,51}$/.test(name))).toEqual([])
    expect([listed.length, new Set(listed).size]).toEqual([13, 13])
    const said = await Promise.all(listed.filter((name) => name.includes('__get_inst')).map((name) => agent.callTool({ name }).then(text)))
    expect(said).toEqual([`a ${long}`, `a ${long}_x`, `b ${long}`])
  }, 40_000)

  // NousResearch/hermes-agent 73668, docker/mcp-gateway 11, langchain-mcp-adapters 605
  it('that would read alike once put together stay two, and each calls its own', async () => {
    await open({ a: shared('a', 'b__c', 'read-file', 'read_file', 'read.file'), a__b: shared('a__b', 'c') })
    const agent = await connect()
    const listed = await names(agent)
    const said = await Promise.all(listed.filter((name) => /read|_c_|c$/.test(name)).map((name) => agent.callTool({ name }).then(text)))
    expect(new Set(said)).toEqual(new Set(['a b__c', 'a read-file', 'a read.file', 'a read_file', 'a__b c']))
  }, 40_000)

  // giantswarm/muster 1096: the later server of one address answered for the one that was listed; PrefectHQ/fastmcp 4250
  it('of resources: what is read is of the server whose entry was listed, also by a template with a query', async () => {
    await open({ first: shared('first'), second: shared('second') })
    const agent = await connect()
    await names(agent)
    const { resources } = await agent.listResources()
    expect(resources.map(({ uri, name }) => [uri, name])).toEqual([['shared://doc', 'doc of first']])
    const read = async (uri: string) => (await agent.readResource({ uri })).contents.map((part) => (part as { text: string }).text)
    expect(await read('shared://doc')).toEqual(['first'])
    expect(await read('second://7?format=xml')).toEqual(['second'])
  }, 40_000)
})

describe('agents beside each other', () => {
  // docker/mcp-gateway 483, metatool-ai/metamcp 162, supercorp-ai/supergateway 108
  it('share one process of a server, and leave nothing behind', async () => {
    await open({ good: shared('good') })
    const given = await token()
    const agents = await Promise.all(Array.from({ length: 8 }, (_, at) => connect(given, at % 2 ? 'legacy' : 'auto')))
    const pids = await Promise.all(agents.map(async (agent) => text(await agent.callTool({ name: 'pid' }))))
    expect(new Set(pids).size).toBe(1)
    for (const agent of agents) await agent.close()
    // Clients end no session of the older era: those that nobody uses make room.
    for (let at = 0; at < 40; at += 1) await (await connect(given, 'legacy')).close()
    expect(text(await (await connect(given)).callTool({ name: 'pid' }))).toBe(pids[0])
  }, 240_000)

  const post = async (given: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${given}`,
        'MCP-Protocol-Version': '2025-11-25',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    })
  async function session(given: string): Promise<Record<string, string>> {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
    const begun = await post(given, { id: 0, method: 'initialize', params })
    await begun.text()
    const id = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' }
    await post(given, { method: 'notifications/initialized' }, id)
    return id
  }
  const say = (word: string, ms: number) => ({ id: 1, method: 'tools/call', params: { name: 'say', arguments: { word, ms } } })

  // GHSA-345p-7cg4-v4c7, modelcontextprotocol/python-sdk 3060 and 3137
  it('get their own answers where their requests have one id', async () => {
    await open({ good: shared('good') })
    const given = await token()
    const sessions = await Promise.all([session(given), session(given), session(given)])
    const words = ['slow', 'quick', 'other']
    const heard = await Promise.all(sessions.map(async (id, at) => (await post(given, say(words[at] ?? '', 600 - at * 300), id)).text()))
    expect(heard.map((body) => /good say (\w+)/.exec(body)?.[1])).toEqual(words)
  }, 40_000)

  // anthropics/claude-ai-mcp 539: a client that gives all its requests one id, also while others of it run
  it('never get the answer to another request of their session that has its id', async () => {
    await open({ good: shared('good') })
    const given = await token()
    const id = await session(given)
    await (await post(given, { id: 5, method: 'tools/list' }, id)).text()
    const first = post(given, say('slow', 1500), id)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const second = await post(given, say('quick', 0), id)
    const late = AbortSignal.timeout(5000)
    const bodies = await Promise.all([
      first.then((response) => response.text()),
      Promise.race([second.text(), new Promise<string>((resolve) => late.addEventListener('abort', () => resolve('nothing came')))]),
    ])
    expect(bodies[0]).not.toContain('quick')
    expect(bodies[0]).toContain('good say slow')
    expect(bodies[1]).not.toContain('slow')
    expect(bodies[1]).not.toBe('nothing came')
  }, 40_000)
})
