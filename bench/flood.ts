// A server that sends 50,000 notifications a second, and what it costs another one: its calls through the whole host while
// all is quiet and while it floods, one after the other several times over.
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { median, percentile, ratio, timed } from './statistics.ts'
import { largestGrowth, type Strain, strainOf } from './strain.ts'
import { openWholeHost, type WholeHost } from './whole-host.ts'

const command = { command: process.execPath, args: [resolve(import.meta.dirname, 'server.mjs')] }
const perSecond = 50_000
const ms = 2000
const rounds = 5
const kinds = ['message', 'progress', 'updated'] as const

interface Round {
  readonly quiet: readonly number[]
  readonly flooded: readonly number[]
  /** Notifications a second. */
  readonly rate: number
  readonly strain: Strain
}

/** As long as `work` takes; milliseconds each. */
async function callPeer({ call }: WholeHost, work: Promise<unknown>): Promise<number[]> {
  const samples: number[] = []
  let over = false
  const end = work.then(() => {
    over = true
  })
  while (!over) {
    await timed(() => call('peer', 'echo', { word: 'well' }), samples)
    await wait(2)
  }
  await end
  return samples
}

async function oneRound(whole: WholeHost, kind: (typeof kinds)[number]): Promise<Round> {
  const quiet = await callPeer(whole, wait(ms))
  let flooded: number[] = []
  let rate = 0
  const strain = await strainOf(async () => {
    const from = performance.now()
    const flood = whole.call('loud', 'flood', { kind, perSecond, ms }, { onProgress: () => undefined })
    flooded = await callPeer(whole, flood)
    const [sent] = (await flood).result['content'] as unknown as [{ readonly text: string }]
    rate = (Number(sent.text) / (performance.now() - from)) * 1000
  })
  return { quiet, flooded, rate, strain }
}

export async function benchFlood(): Promise<Record<string, unknown>> {
  const whole = await openWholeHost({ loud: command, peer: command })
  try {
    const warm = callPeer(whole, wait(1000))
    await warm
    const report: Record<string, unknown> = {}
    for (const kind of kinds) {
      const done: Round[] = []
      for (let round = 0; round < rounds; round += 1) done.push(await oneRound(whole, kind))
      const of = (choose: (round: Round) => number): number => Math.round(median(done.map(choose)) * 100) / 100
      report[kind] = {
        perSecond: Math.round(of(({ rate }) => rate)),
        quietMs: { p50: of(({ quiet }) => percentile(quiet, 0.5)), p99: of(({ quiet }) => percentile(quiet, 0.99)) },
        floodedMs: { p50: of(({ flooded }) => percentile(flooded, 0.5)), p99: of(({ flooded }) => percentile(flooded, 0.99)) },
        // Of each round its own, so that what else the machine does touches both alike.
        ratioP50: of(({ quiet, flooded }) => ratio(percentile(flooded, 0.5), percentile(quiet, 0.5))),
        ratioP99: of(({ quiet, flooded }) => ratio(percentile(flooded, 0.99), percentile(quiet, 0.99))),
        loopHeldMs: { p99: of(({ strain }) => strain.loopHeldMs.p99), max: of(({ strain }) => strain.loopHeldMs.max) },
        computedMs: of(({ strain }) => strain.computedMs),
        memoryGrownMB: largestGrowth(done.map(({ strain }) => strain)),
      }
    }
    return report
  } finally {
    await whole.remove()
  }
}
