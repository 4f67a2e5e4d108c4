// `assent mcp`: a call of an agent through it against the same call of the host itself, by turns in one run, and how long an agent waits for
// the tools of fifty servers. Everything but the agent's client is as it is installed: the built command line, joined to a running host.
import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { gateTokenVariable } from '#app/gate.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { readAppVersion } from '#main/shell/node/program-files.ts'
import { listenForCommands } from '#main/shell/socket/listen-for-commands.ts'
import { buildIfNeeded } from '../scripts/build-if-needed.ts'
import { goodServer } from './many/good-servers.ts'
import { median, summarise, timed } from './statistics.ts'
import { openWholeHost, type WholeHost } from './whole-host.ts'

const everything = resolve(import.meta.dirname, '../node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const cli = resolve(import.meta.dirname, '../dist/main/cli.js')
const rounds = 10
const callsARound = 40
const warmUp = 20
/** What is promised; milliseconds. */
const promised = { overHostP50Ms: 1.5, fiftyListedMs: 300 }

async function connectAgent({ host }: WholeHost) {
  const { dataDir } = host.snapshot()
  const version = readAppVersion()
  const listening = await listenForCommands({ host: async () => host, dataDir, version, log: silentLog, clock: systemClock })
  const { token } = await host.request('gate.add', { draft: { name: 'bench', servers: 'all' } })
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  const env = { PATH: process.env['PATH'] ?? '', [gateTokenVariable]: token }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp', '--data-dir', dataDir], env }))
  return {
    client,
    async close(): Promise<void> {
      await client.close()
      await listening.close()
    },
  }
}

async function benchCalls(): Promise<Record<string, unknown>> {
  const whole = await openWholeHost({ everything: { command: process.execPath, args: [everything, 'stdio'] } })
  const agent = await connectAgent(whole)
  try {
    const [own, through]: [number[], number[]] = [[], []]
    const byHost = (message: string) => whole.call('everything', 'echo', { message })
    const byAgent = async (message: string): Promise<void> => {
      const { content } = await agent.client.callTool({ name: 'echo', arguments: { message } })
      if (!JSON.stringify(content).includes(message)) throw new Error('the echo did not come back')
    }
    for (let i = 0; i < warmUp; i++) {
      await byHost(`warm ${i}`)
      await byAgent(`warm ${i}`)
    }
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < callsARound; i++) await timed(() => byHost(`host ${round} ${i}`), own)
      for (let i = 0; i < callsARound; i++) await timed(() => byAgent(`agent ${round} ${i}`), through)
    }
    const [host, gate] = [summarise(own), summarise(through)]
    return { host, gate, overHostP50Ms: Math.round((gate.p50Ms - host.p50Ms) * 1000) / 1000 }
  } finally {
    await agent.close()
    await whole.remove()
  }
}

async function benchLists(): Promise<Record<string, unknown>> {
  const names = Array.from({ length: 50 }, (_, n) => `good-${String(n).padStart(2, '0')}`)
  const whole = await openWholeHost(
    Object.fromEntries(names.map((name) => [name, { command: process.execPath, args: [goodServer, name] }])),
  )
  try {
    const listed: number[] = []
    let tools = 0
    for (let round = 0; round < 5; round++) {
      const agent = await connectAgent(whole)
      await timed(async () => {
        tools = (await agent.client.listTools()).tools.length
      }, listed)
      await agent.close()
    }
    return { servers: names.length, tools, medianMs: Math.round(median(listed)), mostMs: Math.round(Math.max(...listed)) }
  } finally {
    await whole.remove()
  }
}

export async function benchGate(): Promise<Record<string, unknown>> {
  await buildIfNeeded()
  return { promised, calls: await benchCalls(), lists: await benchLists() }
}
