// What broke in other gateways and in agents of stdio servers, by their issues, each as a promise of `assent mcp`.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gateTokenVariable } from '#app/gate.ts'
import { orElse } from '#app/or-else.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { listenForCommands } from '#main/shell/socket/listen-for-commands.ts'

const entry = new URL('../cli/main.ts', import.meta.url).pathname
const program = new URL('odd-server.testing.ts', import.meta.url).pathname
let folder: string
let one: TestHost
const ending: (() => unknown)[] = []

const odd = (name: string, kind = 'all') => ({
  command: process.execPath,
  args: [program, name, join(folder, 'marks'), kind],
  sandboxEnabled: false,
})
const marks = (): string[] => orElse(() => readFileSync(join(folder, 'marks'), 'utf8').trim().split('\n'), [])

async function open(mcpServers: Record<string, object>): Promise<string> {
  const dataDir = join(folder, 'profile')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers }))
  one = makeTestHost({ dataDir, startServers: false })
  const { host } = one
  ending.push(() => host.dispose())
  host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    const { id, kind } = event.payload.request
    queueMicrotask(() => host.context.broker.answer(id, { kind: 'allow', scope: kind === 'launch' ? 'always' : 'once' }))
  })
  const listening = await listenForCommands({ host: async () => host, dataDir, version: '0.1.0', log: silentLog, clock: systemClock })
  ending.push(() => listening.close())
  for (const name of Object.keys(mcpServers)) await host.request('server.start', { name })
  return ((await host.request('gate.add', { draft: { name: 'Code', servers: 'all' } })) as { token: string }).token
}
const launch = () => [entry, 'mcp', '--data-dir', one.dataDir]
const env = (token: string) => ({ PATH: process.env['PATH'] ?? '', HOME: folder, [gateTokenVariable]: token })

async function connect(token: string, mode: 'legacy' | 'auto' = 'legacy'): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: launch(), env: env(token) }))
  ending.push(() => client.close())
  return client
}
const text = (result: unknown): string => (result as { content: { text: string }[] }).content.map((block) => block.text).join()

interface Line {
  readonly id?: number
  readonly method?: string
  readonly result?: Record<string, unknown>
  readonly params?: Record<string, unknown>
}
/** An agent of raw lines. */
async function raw(token: string, variables: Record<string, string> = env(token)) {
  const child: ChildProcess = spawn(process.execPath, launch(), { env: variables, stdio: ['pipe', 'pipe', 'ignore'] })
  ending.push(() => child.kill('SIGKILL'))
  const lines: string[] = []
  // No `readline`: it ends lines at U+2028 too, which may stand in JSON as it is.
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const whole = `${rest}${chunk}`.split('\n')
    rest = whole.pop() ?? ''
    lines.push(...whole)
  })
  const parsed = (): Line[] => lines.map((line) => JSON.parse(line) as Line)
  const send = (message: object): void => void child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const answer = async (id: number): Promise<Line | undefined> => {
    await expect.poll(() => parsed().some((line) => line.id === id)).toBe(true)
    return parsed().find((line) => line.id === id)
  }
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  })
  await answer(0)
  send({ method: 'notifications/initialized' })
  return { child, lines, parsed, send, answer }
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'assent-odd-')))
})
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

type Schema = { readonly type?: unknown; readonly required?: unknown }
describe('a tool that a client would refuse', () => {
  // anthropics/claude-code 88049, 44364 and 10030, Kuadrant/mcp-gateway 662, mastra-ai/mastra 21859, NousResearch/hermes-agent 101804:
  // one schema without an object at its top took all tools of the gateway away
  it('takes no other tool away, of its server or another, and each schema is one of an object', async () => {
    const agent = await raw(await open({ odd: odd('odd', 'odd'), fine: odd('fine') }))
    agent.send({ id: 1, method: 'tools/list' })
    const tools = ((await agent.answer(1))?.result?.['tools'] ?? []) as { name: string; inputSchema: Schema; outputSchema?: Schema }[]
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['odd__good', 'fine__good']))
    const wrong = tools.filter(({ inputSchema, outputSchema }) =>
      [inputSchema, outputSchema ?? { type: 'object' }].some(
        (schema) => schema?.type !== 'object' || (schema.required !== undefined && !Array.isArray(schema.required)),
      ),
    )
    expect(wrong).toEqual([])
  })

  // anthropics/claude-code 88882, ankimcp/anki-mcp-server-addon 75
  it('for the dialect of its output’s schema can be called', async () => {
    const agent = await connect(await open({ odd: odd('odd') }))
    await agent.listTools()
    expect(await agent.callTool({ name: 'draft' })).toMatchObject({ structuredContent: { a: 1 } })
  })

  // hostinger/api-mcp-server 49 and 52, barryw/ImmichMCP 4, l22-io/orchard-mcp 14, openai/codex 6073
  it('for its name has one that models take, also where there is one server, and is called by it', async () => {
    const agent = await connect(await open({ odd: odd('odd') }))
    const names = (await agent.listTools()).tools.map(({ name }) => name)
    expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,51}$/.test(name))).toEqual([])
    expect(names).toContain('good')
    expect(text(await agent.callTool({ name: names.find((name) => name.includes('page')) ?? '' }))).toBe('odd get page.v1')
  })
})

describe('a result', () => {
  // sparfenyuk/mcp-proxy 133 and 196
  it('of structured content alone is told as text too', async () => {
    const agent = await connect(await open({ odd: odd('odd') }))
    const result = await agent.callTool({ name: 'bare' })
    expect([result.structuredContent, JSON.parse(text(result))]).toEqual([{ a: 1 }, { a: 1 }])
  })

  // agentgateway/agentgateway 1582, agno-agi/agno 10009: a link in a result that no list has
  it('with a link is of the server that gave it: the link can be read', async () => {
    const agent = await connect(await open({ first: odd('first'), second: odd('second') }))
    await agent.callTool({ name: 'second__link' })
    expect((await agent.readResource({ uri: 'report://2026/q3' })).contents).toMatchObject([{ text: 'second has it' }])
    await expect(agent.readResource({ uri: 'report://never/given' })).rejects.toThrow()
  })

  // punkpeye/mcp-proxy and others: U+2028 and carriage returns taken for the end of a line
  it('with separators of lines, NUL and half a character comes as one line', async () => {
    const agent = await raw(await open({ odd: odd('odd') }))
    agent.send({ id: 1, method: 'tools/call', params: { name: 'breaks' } })
    expect(text((await agent.answer(1))?.result)).toMatch(/^a\u2028b\u2029c\0d.e\r\nf$/u)
  })
})

describe('progress', () => {
  // anthropics/claude-code 47765 and 64475, GLips/Figma-Context-MCP 362: what came after the answer closed the connection
  // twentyhq/twenty 24559, kaeawc/auto-mobile 6118, BerriAI/litellm 32402: a token of another form
  it.each([0, 7, 'seven'])('has the token of its request (%s), and none comes after the answer', async (progressToken) => {
    const agent = await raw(await open({ odd: odd('odd') }))
    agent.send({ id: 1, method: 'tools/call', params: { name: 'late', _meta: { progressToken } } })
    await agent.answer(1)
    agent.send({ id: 2, method: 'tools/call', params: { name: 'good' } })
    await agent.answer(2)
    const seen = agent.parsed().map(({ id, method }) => method ?? id)
    expect(seen.slice(seen.indexOf(1))).not.toContain('notifications/progress')
    const told = agent.parsed().filter(({ method }) => method === 'notifications/progress')
    expect(new Set(told.map(({ params }) => params?.['progressToken']))).toEqual(new Set([progressToken]))
    const steps = told.map(({ params }) => Number(params?.['progress']))
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b))
  })

  it('is told to nobody who did not ask for it', async () => {
    const agent = await raw(await open({ odd: odd('odd') }))
    agent.send({ id: 1, method: 'tools/call', params: { name: 'late' } })
    await agent.answer(1)
    expect(agent.parsed().filter(({ method }) => method === 'notifications/progress')).toEqual([])
  })
})

describe('an agent', () => {
  // hurttlocker/o8 1541, microsoft/azure-devops-mcp 147: a word of a log on stdout
  it('reads nothing but messages, whatever a server writes', async () => {
    const agent = await raw(await open({ odd: odd('odd') }))
    agent.send({ id: 1, method: 'tools/call', params: { name: 'noise' } })
    expect(text((await agent.answer(1))?.result)).toBe('odd noise')
    expect(() => agent.parsed()).not.toThrow()
  })

  // PrefectHQ/fastmcp 4124, lynnswap/XcodeMCPKit 210, mcp-use/mcp-use 2473, Kuadrant/mcp-gateway 422
  it.each([
    ['tool', 'slow', 'tools/call'],
    ['prompt', 'prompt', 'prompts/get'],
  ])(
    'that cancels a %s ends it at its server, while its other requests go on',
    async (_, mark, method) => {
      const agent = await raw(await open({ odd: odd('odd') }))
      agent.send({ id: 1, method, params: { name: mark === 'slow' ? 'slow' : 'hang' } })
      await expect.poll(marks).toContain(mark)
      agent.send({ id: 2, method: 'ping' })
      agent.send({ id: 3, method: 'tools/call', params: { name: 'good' } })
      await agent.answer(2)
      expect(text((await agent.answer(3))?.result)).toBe('odd good')
      agent.send({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'time-out' } })
      await expect.poll(marks).toEqual([mark, 'cancelled'])
    },
    60_000,
  )

  // DeusData/codebase-memory-mcp 1015, gustavoeenriquez/MakerAi 109, upstash/context7 2534, PrefectHQ/fastmcp 3948
  it('that asks for lists which no server has gets empty ones', async () => {
    const agent = await raw(await open({ odd: odd('odd', 'tools') }))
    const methods = ['prompts/list', 'resources/list', 'resources/templates/list']
    for (const [at, method] of methods.entries()) agent.send({ id: at + 1, method })
    const results = await Promise.all(methods.map(async (_, at) => (await agent.answer(at + 1))?.result))
    expect(results).toMatchObject([{ prompts: [] }, { resources: [] }, { resourceTemplates: [] }])
  })

  // metatool-ai/metamcp 314, Umbrella-IT-Group/metamcp 19, envoyproxy/ai-gateway 1619, Kuadrant/mcp-gateway 343
  it('hears of a tool that is switched off while it is connected, and lists it no more', async () => {
    const agent = await connect(await open({ odd: odd('odd'), fine: odd('fine') }))
    let heard = 0
    agent.setNotificationHandler('notifications/tools/list_changed', () => {
      heard += 1
    })
    const names = async () => (await agent.listTools()).tools.map(({ name }) => name)
    expect(await names()).toContain('fine__good')
    await one.host.request('server.setToolEnabled', { name: 'fine', tool: 'good', enabled: false })
    await expect.poll(() => heard, { timeout: 10_000 }).toBeGreaterThan(0)
    expect(await names()).not.toContain('fine__good')
  })

  // openai/codex passes few variables on
  it('starts it without HOME and PATH', async () => {
    const agent = await raw(...(await open({ odd: odd('odd') }).then((token) => [token, { [gateTokenVariable]: token }] as const)))
    agent.send({ id: 1, method: 'tools/call', params: { name: 'good' } })
    expect(text((await agent.answer(1))?.result)).toBe('odd good')
  })

  // ProxymanApp/Proxyman 2727, codefuturist/email-mcp 60, colbymchenry/codegraph 799, abhigyanpatwari/GitNexus 2049
  it.each(['at once', 'later'])('that is gone (%s) leaves no process', async (when) => {
    const token = await open({ odd: odd('odd') })
    const child =
      when === 'later'
        ? (await raw(token)).child
        : spawn(process.execPath, launch(), { env: env(token), stdio: ['pipe', 'ignore', 'ignore'] })
    const ended = once(child, 'exit')
    child.stdin?.end()
    const late = new Promise((resolve) => setTimeout(() => resolve('still there'), 15_000).unref())
    expect(await Promise.race([ended.then(() => 'ended'), late])).toBe('ended')
    child.kill('SIGKILL')
  })
})
