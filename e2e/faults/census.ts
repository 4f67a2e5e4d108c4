// Counts what a repetition has started and still runs, by a mark in the environment that is the suite's own: what the host
// uses to find its processes is not asked. One look serves all repetitions that wait at the time.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

export const markVariable = 'ASSENT_FAULT_MARK'
/** Begins the argument by which a sandbox's own processes are found. */
export const markArgument = 'mark='

/** Running processes by their mark. Linux alone shows every process's environment. */
export function look(): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const mark =
      new RegExp(`(?:^|\0)${markVariable}=([^\0]*)`).exec(read(`/proc/${name}/environ`))?.[1] ??
      new RegExp(`\0${markArgument}([^\0]*)`).exec(read(`/proc/${name}/cmdline`))?.[1]
    if (mark === undefined || /\) [ZX] /.test(read(`/proc/${name}/stat`))) continue
    found.set(mark, [...(found.get(mark) ?? []), Number(name)])
  }
  return found
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // It has ended meanwhile, or is another user's.
  }
}

interface Waiter {
  readonly mark: string
  readonly until: number
  readonly from: number
  resolve(outcome: Gone): void
}

interface Gone {
  /** Milliseconds until none was left. */
  readonly ms: number
  /** Those that were still there at the end of the time. */
  readonly orphans: readonly number[]
}

const waiters = new Set<Waiter>()
let looking = false

/** Resolves when nothing with this mark is left, at the latest after `withinMs`; kills what is then still there. */
export function gone(mark: string, withinMs: number): Promise<Gone> {
  const from = performance.now()
  return new Promise((resolve) => {
    waiters.add({ mark, from, until: from + withinMs, resolve })
    void keepLooking()
  })
}

async function keepLooking(): Promise<void> {
  if (looking) return
  looking = true
  while (waiters.size > 0) {
    const found = look()
    const now = performance.now()
    for (const waiter of waiters) {
      const orphans = found.get(waiter.mark) ?? []
      if (orphans.length > 0 && now < waiter.until) continue
      for (const pid of orphans) end(pid)
      waiters.delete(waiter)
      waiter.resolve({ ms: now - waiter.from, orphans })
    }
    await wait(50)
  }
  looking = false
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
