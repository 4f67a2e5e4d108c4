// Large results over stdio: 9.9 MB through the whole host against the bare SDK client on its own transport, the same server
// program in the same run, rounds interleaved; and one of 50 MB, of which nothing is to be left but a word on why.
import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { toErrorValue } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { median, ratio, summarise, timed } from './statistics.ts'
import { largestGrowth, type Strain, strainOf } from './strain.ts'
import { openWholeHost, type WholeHost } from './whole-host.ts'

const command = { command: process.execPath, args: [resolve(import.meta.dirname, 'server.mjs')] }
const bytes = 9_900_000
const rounds = 7
const shapes = ['text', 'rows'] as const

const sizeOf = (result: JsonObject): number => JSON.stringify(result).length

async function compare(client: Client, { call }: WholeHost, shape: (typeof shapes)[number]): Promise<Record<string, unknown>> {
  const bare: number[] = []
  const through: number[] = []
  const strains: Strain[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const warm = round === 0
    await timed(() => client.callTool({ name: shape, arguments: { bytes } }), warm ? [] : bare)
    let result: JsonObject = {}
    const strain = await strainOf(() =>
      timed(
        async () => {
          result = (await call('bench', shape, { bytes })).result
        },
        warm ? [] : through,
      ),
    )
    if (sizeOf(result) < 0.9 * bytes) throw new Error(`only ${sizeOf(result)} bytes arrived`)
    if (!warm) strains.push(strain)
  }
  const bareSdk = summarise(bare)
  const wholeHost = summarise(through)
  return {
    bareSdk,
    wholeHost,
    ratioP50: ratio(wholeHost.p50Ms, bareSdk.p50Ms),
    loopHeldMs: median(strains.map(({ loopHeldMs }) => loopHeldMs.max)),
    computedMs: median(strains.map(({ computedMs }) => computedMs)),
    memoryGrownMB: largestGrowth(strains),
  }
}

async function tooLarge({ call }: WholeHost): Promise<Record<string, unknown>> {
  let told: unknown
  const strain = await strainOf(async () => {
    told = await call('bench', 'text', { bytes: 50_000_000 }).then(
      ({ bytes: arrived }) => `${arrived} bytes arrived`,
      (error: unknown) => toErrorValue(error),
    )
  })
  return { told, ...strain }
}

export async function benchPayload(): Promise<Record<string, unknown>> {
  const whole = await openWholeHost({ bench: command })
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  try {
    await whole.call('bench', 'echo', { word: 'warm' })
    const fiftyMegabytes = await tooLarge(whole)
    await client.connect(new StdioClientTransport(command))
    await client.listTools()
    const result: Record<string, unknown> = {}
    for (const shape of shapes) result[shape] = await compare(client, whole, shape)
    return { bytes, ...result, fiftyMegabytes }
  } finally {
    await client.close()
    await whole.remove()
  }
}
