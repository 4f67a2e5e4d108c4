// The host that the suite measures: a whole one, in a profile of its own, whose one server is the suite's. Whoever is asked
// says yes, and fills in nothing, so that defaults are the host's to apply. In their browser they are signed in already:
// it goes where it is sent, and so ends where the host listens.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { newId } from '#main/base/ids.ts'
import { createMemorySecrets } from '#main/base/secret-store.ts'
import { createHost, type Host } from '#main/host.ts'
import { createCliPolicy } from '#main/shell/cli/approval-policy.ts'
import { listenForAgents } from '#main/shell/mcp/agent-http.ts'
import { createNodePlatform } from '#main/shell/node/node-platform.ts'

export const server = 'suite'

/** Ways to use the server: by the host itself, or by an agent through its gate. */
export interface ServerUse {
  lists(): Promise<{
    readonly tools: readonly Pick<ToolEntry, 'name' | 'inputSchema'>[]
    readonly resources: readonly Listed<'uri'>[]
    readonly prompts: readonly Listed<'name'>[]
  }>
  call(tool: string, args: JsonObject): Promise<unknown>
  read(uri: string): Promise<unknown>
  getPrompt(name: string): Promise<unknown>
}
type Listed<K extends string> = Readonly<Record<K, string>>

export interface ConformanceHost extends ServerUse {
  readonly host: Host
  dispose(): Promise<void>
}

async function browse({ url }: { readonly url: string }): Promise<'host'> {
  fetch(url).catch(() => undefined) // Whoever listens for it says whether it came.
  return 'host'
}

/** `entry`: what stands in the servers file beside the URL. */
export function openHost(url: string, entry: JsonObject = {}): ConformanceHost {
  const dataDir = mkdtempSync(join(tmpdir(), 'assent-conformance-'))
  const configFile = join(dataDir, 'suite.json')
  writeFileSync(configFile, JSON.stringify({ mcpServers: { [server]: { url, ...entry } } }))
  const policy = createCliPolicy({ approve: 'all', elicit: {}, launchUnasked: true })
  const host = createHost({
    dataDir,
    configFile,
    version: '0.0.0',
    startServers: false,
    sandbox: 'off',
    platform: createNodePlatform({ kind: 'cli', secrets: createMemorySecrets(), openUrl: browse }),
    policy: (request) => (request.kind === 'sign-in' ? { kind: 'allow', scope: 'once' } : policy.answer(request)),
  })
  const { servers, broker } = host.context
  const { signal } = new AbortController()
  return {
    host,
    lists: async () => servers.catalogue(server),
    read: (uri) => servers.readResource(server, uri, { signal }),
    getPrompt: (name) => servers.getPrompt(server, name, {}, { signal }),
    async call(name, args) {
      const tool = servers.catalogue(server).tools.find((entry) => entry.name === name)
      if (!tool) throw new Error(`The server offers no tool ${name}`)
      const question = { server, callId: newId(), tool, trusted: false, local: true, arguments: args, signal }
      const verdict = await broker.toolCall(question)
      if (verdict.kind !== 'allowed') throw new Error(`The call of ${name} was not allowed`)
      return servers.call(verdict.approval, { ...verdict.approval, signal })
    },
    async dispose() {
      await host.dispose()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Has the host listen for agents at a free port. */
export async function openGate(host: Host): Promise<{ readonly url: string; readonly token: string }> {
  let url = ''
  await host.listenForAgents(async (_port, onOther) => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const { port } = free.address() as AddressInfo
    await new Promise((resolve) => free.close(resolve))
    const listener = await listenForAgents({ host, port, version: '0.0.0', log: silentLog, clock: systemClock, onOther })
    url = listener.url
    return listener
  })
  await host.request('settings.set', { gateHttp: true })
  while (url === '') await new Promise((resolve) => setTimeout(resolve, 20))
  const { token } = await host.request('gate.add', { draft: { name: 'Suite', servers: 'all', sampling: true, roots: ['/'] } })
  return { url, token }
}

/** Uses the server as an agent does, with the official client: what it cannot answer is asked in the host. */
export async function agentAtGate(host: Host): Promise<ServerUse> {
  const { url, token } = await openGate(host)
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }))
  return {
    lists: async () => ({ ...(await client.listTools()), ...(await client.listResources()), ...(await client.listPrompts()) }) as never,
    call: (name, args) => client.callTool({ name, arguments: args }),
    read: (uri) => client.readResource({ uri }),
    getPrompt: (name) => client.getPrompt({ name }),
  }
}
