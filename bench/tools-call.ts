// tools/call through the whole host (a rule allows, the decision, the call and its result are written to the record)
// against the bare SDK client, on the same server program in the same run. Rounds are interleaved, so that whatever
// else the machine does touches both alike.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { newId } from '#main/base/ids.ts'
import { createHost, type Host } from '#main/host.ts'
import { createNodePlatform } from '#main/shell/node/platform.ts'
import { createMemorySecrets } from '#main/shell/node/secrets.ts'
import { ratio, summarise } from './statistics.ts'

const everything = resolve(import.meta.dirname, '../node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const command = { command: process.execPath, args: [everything, 'stdio'] }
const rounds = 10
const callsARound = 40
const warmUp = 20

async function timed(work: () => Promise<unknown>, samples: number[]): Promise<void> {
  const started = performance.now()
  await work()
  samples.push(performance.now() - started)
}

async function callThroughHost(host: Host, message: string): Promise<void> {
  const { broker, servers } = host.parts
  const tool = servers.catalogue('everything').tools.find((entry) => entry.name === 'echo')
  if (!tool) throw new Error('server-everything offers no echo')
  const signal = new AbortController().signal
  const verdict = await broker.toolCall({
    server: 'everything',
    callId: newId(),
    tool,
    trusted: false,
    local: true,
    arguments: { message },
    signal,
  })
  if (verdict.kind !== 'allowed') throw new Error(`the call was ${verdict.kind}`)
  const outcome = await servers.call(verdict.approval, { signal })
  if (JSON.stringify(outcome.result).includes(message) === false) throw new Error('the echo did not come back')
}

export async function benchToolsCall(): Promise<Record<string, unknown>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assent-bench-'))
  const configFile = join(dataDir, 'mcp.json')
  writeFileSync(configFile, JSON.stringify({ mcpServers: { everything: command } }))
  const host = createHost({
    dataDir,
    configFile,
    version: 'bench',
    startServers: false,
    platform: createNodePlatform({ kind: 'cli', secrets: createMemorySecrets() }),
    // The first answer makes a rule; every later call is allowed by it, unasked.
    policy: () => ({ kind: 'allow', scope: 'always' }),
  })
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  try {
    await client.connect(new StdioClientTransport(command))
    await client.listTools()
    await host.parts.servers.start('everything')

    const bare: number[] = []
    const through: number[] = []
    const callBare = (message: string) => client.callTool({ name: 'echo', arguments: { message } })
    for (let i = 0; i < warmUp; i++) {
      await callBare(`warm ${i}`)
      await callThroughHost(host, `warm ${i}`)
    }
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < callsARound; i++) await timed(() => callBare(`bare ${round} ${i}`), bare)
      for (let i = 0; i < callsARound; i++) await timed(() => callThroughHost(host, `host ${round} ${i}`), through)
    }
    const broken = host.parts.store.audit.verify()
    if (broken) throw new Error(`the record broke at ${broken.seq}: ${broken.reason}`)
    const rows = [...host.parts.store.audit.all()].length
    const bareSummary = summarise(bare)
    const hostSummary = summarise(through)
    return { bareSdk: bareSummary, wholeHost: hostSummary, auditRows: rows, ratioP50: ratio(hostSummary.p50Ms, bareSummary.p50Ms) }
  } finally {
    await client.close()
    await host.dispose()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
