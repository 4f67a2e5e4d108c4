// What a server and a host leave behind: 200 repetitions of an end in good order, of a host killed at any moment, and of a
// host killed together with its guard, each with one server of every shape.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { seeded } from '#app/testing/seeded.ts'
import { gone, look } from './census.ts'
import { promised } from './limits.ts'
import { openHost } from './open-host.ts'
import type { RunOptions } from './options.ts'
import type { Row } from './row.ts'
import { leastProcesses, markOf, type Shape, serversFile, shapes } from './shapes.ts'

/** What is there so long after will stay. */
const patienceMs = 60_000

interface Tally {
  readonly detected: number[]
  readonly wrong: string[]
  orphans: number
}

type Repetition = (context: {
  readonly rep: number
  readonly mark: string
  readonly random: () => number
  count(shape: Shape): Promise<void>
  wrong(word: string): void
}) => Promise<void>

/** A row a shape. */
async function repeat(fault: string, reps: number, options: RunOptions, repetition: Repetition): Promise<Row[]> {
  const tallies = new Map(shapes.map((shape): [Shape, Tally] => [shape, { detected: [], wrong: [], orphans: 0 }]))
  const run = `${process.pid}-${fault.replaceAll(' ', '-')}`
  let next = 0
  const work = async (): Promise<void> => {
    for (let rep = next++; rep < reps; rep = next++) {
      const mark = `${run}-${rep}`
      const wrong = (word: string): void => {
        for (const { wrong } of tallies.values()) wrong.push(word)
      }
      const count = async (shape: Shape): Promise<void> => {
        const { ms, orphans } = await gone(markOf(mark, shape), patienceMs)
        const tally = tallies.get(shape)
        tally?.detected.push(ms)
        if (tally) tally.orphans += orphans.length
        if (orphans.length > 0) tally?.wrong.push(`repetition ${rep} left ${orphans.length} processes behind`)
      }
      try {
        await repetition({ rep, mark, random: seeded(options.seed + rep), count, wrong })
      } catch (error) {
        wrong(`repetition ${rep}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.parallel, reps) }, work))
  return [...tallies].map(([shape, tally]) => ({ fault: `${fault}, ${shape}`, reps, lost: 0, ...tally }))
}

/** Of the shapes whose processes are not all there. */
function missing(mark: string): Shape[] {
  const found = look()
  return shapes.filter((shape) => (found.get(markOf(mark, shape))?.length ?? 0) < leastProcesses[shape])
}

function expectAll(mark: string, wrong: (word: string) => void): void {
  for (const shape of missing(mark)) wrong(`${shape} was not all there before it was ended`)
}

const close =
  (options: RunOptions, how: (rep: number) => 'stop' | 'quit'): Repetition =>
  async ({ rep, mark, count, wrong }) => {
    const { host, remove } = openHost({
      servers: serversFile(mark, rep % 4 > 1),
      sandboxed: true,
      ...(options.quick ? { grace: { stdin: 300, terminate: 300, kill: 1000 } } : {}),
    })
    try {
      const { servers } = host.context
      await Promise.all(shapes.map((shape) => servers.start(shape)))
      expectAll(mark, wrong)
      const ends = how(rep) === 'stop' ? shapes.map((shape) => servers.stop(shape)) : [host.dispose()]
      await Promise.all([...ends, ...shapes.map(count)])
    } finally {
      await remove()
    }
  }

/** Half of them stop each server, half quit the host. */
export const closes = (options: RunOptions): Promise<Row[]> =>
  repeat(
    'graceful close',
    options.reps,
    options,
    close(options, (rep) => (rep % 2 === 0 ? 'stop' : 'quit')),
  )

/** One at a time: how long a person waits for it. */
export async function quits(options: RunOptions): Promise<Row[]> {
  const rows = await repeat(
    'quit by itself',
    Math.ceil(options.reps / 20),
    { ...options, parallel: 1 },
    close(options, () => 'quit'),
  )
  return rows.map((row) => ({ ...row, withinMs: promised.quitMs }))
}

interface Doomed {
  readonly child: ChildProcess
  readonly dataDir: string
  /** Resolves when it has said so, or has ended. */
  said(word: string): Promise<void>
}

function startDoomed(mark: string, odd: boolean, cache: string): Doomed {
  const dataDir = mkdtempSync(join(tmpdir(), 'assent-fault-'))
  writeFileSync(join(dataDir, 'servers.json'), serversFile(mark, odd))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'host.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  })
  const heard = new Set<string>()
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => heard.add(line))
  return {
    child,
    dataDir,
    async said(word) {
      while (!heard.has(word) && child.exitCode === null && child.signalCode === null)
        await Promise.race([once(lines, 'line'), once(child, 'exit')])
    },
  }
}

/** A moment while it starts, or soon after all is ready. */
async function anyMoment(host: Doomed, random: () => number): Promise<'starting' | 'ready'> {
  await host.said('starting')
  if (random() < 0.5) {
    await wait(random() * 800)
    return 'starting'
  }
  await host.said('ready')
  await wait(random() * 50)
  return 'ready'
}

/** Half of them while the servers start, half once they are ready. */
export const kills = (options: RunOptions): Promise<Row[]> =>
  repeat('host kill -9', options.reps, options, async ({ rep, mark, random, count, wrong }) => {
    const host = startDoomed(mark, rep % 2 === 1, options.cache)
    try {
      if ((await anyMoment(host, random)) === 'ready') expectAll(mark, wrong)
      if (!host.child.kill('SIGKILL')) wrong('the host had ended by itself')
      await Promise.all(shapes.map(count))
    } finally {
      host.child.kill('SIGKILL')
      rmSync(host.dataDir, { recursive: true, force: true })
    }
  })

/** Nobody is left to end the servers but the next host on the same profile. */
export const reaps = (options: RunOptions): Promise<Row[]> =>
  repeat('host and guard kill -9, next start', Math.ceil(options.reps / 10), options, async ({ rep, mark, random, count, wrong }) => {
    const doomed = startDoomed(mark, rep % 2 === 1, options.cache)
    try {
      const moment = await anyMoment(doomed, random)
      for (const guard of guardsOf(doomed.child.pid ?? 0)) process.kill(guard, 'SIGKILL')
      doomed.child.kill('SIGKILL')
      await once(doomed.child, 'exit')
      if (moment === 'ready' && !look().has(markOf(mark, 'stubborn'))) wrong('the stubborn one did not outlive the host and its guard')
      const { host } = openHost({ dataDir: doomed.dataDir, sandboxed: true })
      await Promise.all(shapes.map(count))
      await host.dispose()
    } finally {
      doomed.child.kill('SIGKILL')
      rmSync(doomed.dataDir, { recursive: true, force: true })
    }
  })

/** Children of the host that are shells reading lines. */
function guardsOf(host: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const isChild = stat.slice(stat.lastIndexOf(')') + 4).startsWith(`${host} `)
      return isChild && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes('read -r line') ? [Number(name)] : []
    } catch {
      return [] // It has ended meanwhile.
    }
  })
}
