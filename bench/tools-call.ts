// tools/call through the whole host (a rule allows, the decision, the call and its result are written to the record)
// against the bare SDK client, on the same server program in the same run. Rounds are interleaved, so that whatever
// else the machine does touches both alike.
import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { ratio, summarise, timed } from './statistics.ts'
import { openWholeHost } from './whole-host.ts'

const everything = resolve(import.meta.dirname, '../node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const command = { command: process.execPath, args: [everything, 'stdio'] }
const rounds = 10
const callsARound = 40
const warmUp = 20

export async function benchToolsCall(): Promise<Record<string, unknown>> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  const { host, call, remove } = await openWholeHost({ everything: command })
  try {
    await client.connect(new StdioClientTransport(command))
    await client.listTools()

    const bare: number[] = []
    const through: number[] = []
    const callBare = (message: string) => client.callTool({ name: 'echo', arguments: { message } })
    const callThroughHost = async (message: string): Promise<void> => {
      const { result } = await call('everything', 'echo', { message })
      if (JSON.stringify(result).includes(message) === false) throw new Error('the echo did not come back')
    }
    for (let i = 0; i < warmUp; i++) {
      await callBare(`warm ${i}`)
      await callThroughHost(`warm ${i}`)
    }
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < callsARound; i++) await timed(() => callBare(`bare ${round} ${i}`), bare)
      for (let i = 0; i < callsARound; i++) await timed(() => callThroughHost(`host ${round} ${i}`), through)
    }
    const broken = host.context.store.audit.verify()
    if (broken) throw new Error(`the record broke at ${broken.seq}: ${broken.reason}`)
    const rows = [...host.context.store.audit.all()].length
    const bareSummary = summarise(bare)
    const hostSummary = summarise(through)
    return { bareSdk: bareSummary, wholeHost: hostSummary, auditRows: rows, ratioP50: ratio(hostSummary.p50Ms, bareSummary.p50Ms) }
  } finally {
    await client.close()
    await remove()
  }
}
