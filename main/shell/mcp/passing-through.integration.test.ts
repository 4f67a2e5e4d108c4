// What passes through the gate both ways, each era to each era, and what a `kill -9` of either side leaves behind.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client, LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GateClientDraft, gateTokenVariable } from '#app/gate.ts'
import { orElse } from '#app/or-else.ts'
import type { TestHost } from '#main/host/host.testing.ts'
import { readJoinFile } from '#main/shell/socket/join-file.ts'
import { takeOver } from '#main/shell/socket/join-host.ts'
import type { listenForCommands } from '#main/shell/socket/listen-for-commands.ts'
import { openPassingHost } from './passing-host.testing.ts'

const entry = new URL('../cli/main.ts', import.meta.url).pathname
const passingHost = new URL('passing-host.testing.ts', import.meta.url).pathname
const eras = ['legacy', 'modern'] as const
type Era = (typeof eras)[number]

let folder: string
let marks: string
let one: TestHost
let listening: Awaited<ReturnType<typeof listenForCommands>>
const ending: (() => Promise<unknown>)[] = []
const env = () => ({ PATH: process.env['PATH'] ?? '', ASSENT_NO_KEYRING: '1', HOME: folder, XDG_STATE_HOME: join(folder, 'state') })

async function open(): Promise<void> {
  const opened = await openPassingHost(folder)
  one = opened.one
  listening = opened.listening
}
async function close(): Promise<void> {
  await listening.close()
  await one.host.dispose()
}
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'assent-passing-')))
  marks = join(folder, 'marks')
  await open()
})
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
  await close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const add = async (draft: Partial<GateClientDraft> = {}) =>
  (await one.host.request('gate.add', { draft: { name: 'Code', servers: 'all', ...draft } })) as { client: { id: string }; token: string }
const marked = (): string[] => orElse(() => readFileSync(marks, 'utf8').trim().split('\n'), [])
const text = (result: unknown): string => (result as { content: { text: string }[] }).content.map((block) => block.text).join()

async function connect(token: string, era: Era, capabilities = {}) {
  const client = new Client(
    { name: 'agent', version: '1' },
    {
      capabilities,
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : 'auto' },
      listChanged: { tools: { onChanged: () => undefined } },
    },
  )
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [entry, 'mcp', '--data-dir', one.dataDir],
    env: { ...env(), [gateTokenVariable]: token },
    cwd: folder,
    stderr: 'inherit',
  })
  await client.connect(transport)
  ending.push(() => client.close())
  const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name)
  return { client, names, transport }
}

describe.each(eras.flatMap((agent) => eras.map((server) => [agent, server] as const)))(
  'an agent of the %s era and a server of the %s era',
  (era, server) => {
    it('pass lists that change, large results, updates and roots', async () => {
      const shared = join(folder, 'shared')
      mkdirSync(shared)
      const { token } = await add({ servers: [server], roots: [shared] })
      const { client, names } = await connect(token, era, { roots: {} })
      client.setRequestHandler('roots/list', () => ({ roots: [shared, tmpdir()].map((path) => ({ uri: pathToFileURL(path).href })) }))
      await expect.poll(names, { timeout: 20_000 }).toContain('grow')
      await client.callTool({ name: 'grow' })
      await expect.poll(names, { timeout: 20_000 }).toContain('grown')
      expect(text(await client.callTool({ name: 'big' }))).toHaveLength(3_000_000)
      const updated: string[] = []
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri))
      if (era === 'legacy') await client.subscribeResource({ uri: 'note://one' })
      else await client.listen({ resourceSubscriptions: ['note://one'] })
      await client.callTool({ name: 'touch' })
      await expect.poll(() => updated, { timeout: 20_000 }).toEqual(['note://one'])
      const logs: unknown[] = []
      client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params))
      const heardAt = async (level?: 'debug' | 'warning') => {
        logs.length = 0
        if (level && era === 'legacy') await client.setLoggingLevel(level)
        await client.callTool({ name: 'log', ...(level && era === 'modern' ? { _meta: { [LOG_LEVEL_META_KEY]: level } } : {}) })
        return [...logs]
      }
      const word = (level: string) => ({ level, logger: 'passing', data: level })
      // A server of the older era is told one level, which is the person's: info, where they chose none.
      const all = (server === 'legacy' ? ['info', 'error'] : ['debug', 'info', 'error']).map(word)
      expect(await heardAt()).toEqual(era === 'modern' ? [] : [word('info'), word('error')])
      expect(await heardAt('warning')).toEqual([word('error')])
      expect(await heardAt('debug')).toEqual(all)
      expect(JSON.parse(text(await client.callTool({ name: 'where' })))).toEqual({
        roots: [{ uri: pathToFileURL(shared).href, name: 'shared' }],
      })
    }, 90_000)
  },
)

const rowsOf = async (kinds: ('call' | 'result')[]) => {
  const { rows } = await one.host.request('audit.list', { limit: 20, filter: { kinds } })
  return rows.map(({ kind, tool, decision, detail }) => [kind, tool, decision, detail['agent']])
}
describe.runIf(process.platform === 'linux')('kill -9 in the middle of a call', () => {
  it('of the agent: the call ends as cancelled, on record, and nothing runs on', async () => {
    const { token } = await add({ servers: ['legacy'] })
    const { transport, client, names } = await connect(token, 'legacy')
    await expect.poll(names, { timeout: 20_000 }).toContain('hang')
    client.callTool({ name: 'hang' }).catch(() => undefined)
    await expect.poll(marked, { timeout: 20_000 }).toEqual(['hang'])
    process.kill(transport.pid ?? 0, 'SIGKILL')
    await expect.poll(() => rowsOf(['result']), { timeout: 20_000 }).toEqual([['result', 'hang', 'cancelled', 'Code']])
    await expect.poll(async () => (await one.host.request('gate.list', {})).clients[0]?.connections, { timeout: 20_000 }).toEqual([])
  }, 90_000)

  it('of the host: the agent reads that the outcome is not known, so does the record, and it is not run again', async () => {
    const { token } = await add({ servers: ['legacy'] })
    await close()
    const host = spawn(process.execPath, [passingHost, folder], { env: { ...process.env, ...env() }, stdio: 'inherit' })
    ending.push(async () => host.kill('SIGKILL'))
    await expect.poll(() => readJoinFile(one.dataDir), { timeout: 30_000 }).toBeDefined()
    const { client, names } = await connect(token, 'legacy')
    await expect.poll(names, { timeout: 30_000 }).toContain('hang')
    await client.subscribeResource({ uri: 'note://one' })
    const call = client.callTool({ name: 'hang' })
    await expect.poll(marked, { timeout: 30_000 }).toEqual(['hang'])
    host.kill('SIGKILL')
    const result = await call
    expect([result.isError, text(result)]).toEqual([true, expect.stringContaining('not known whether hang ran')])
    // The agent has started a host without a window, which gives the profile over.
    await expect.poll(names, { timeout: 30_000 }).toContain('hang')
    await takeOver(one.dataDir)
    await open()
    const updated: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri))
    await expect.poll(async () => (await one.host.request('gate.list', {})).clients[0]?.connections.length, { timeout: 30_000 }).toBe(1)
    await client.callTool({ name: 'touch' })
    await expect.poll(() => updated, { timeout: 20_000 }).toEqual(['note://one'])
    const ends = (await rowsOf(['call', 'result'])).filter(([, tool]) => tool === 'hang')
    expect([marked(), ends]).toEqual([
      ['hang'],
      [
        ['result', 'hang', 'unknown', 'Code'],
        ['call', 'hang', 'sent', 'Code'],
      ],
    ])
  }, 120_000)
})
