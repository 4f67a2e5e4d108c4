// What a piece of work costs the process that it runs in: how long the loop was held at once, and by how much its memory
// grew at most.
import { readFileSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

export interface Strain {
  readonly loopHeldMs: { readonly p99: number; readonly max: number }
  /** The longest that this thread itself computed from one turn of a timer to the next: on a busy machine the truer figure. */
  readonly computedMs: number
  /** Of resident memory, in MB. `peak` is exact on Linux, elsewhere sampled. */
  readonly memoryMB: { readonly before: number; readonly peak: number; readonly after: number }
}

const tenths = (value: number): number => Math.round(value * 10) / 10
const megabytes = (bytes: number): number => tenths(bytes / 1024 / 1024)

/** Linux keeps the highest resident memory, and can be told to begin anew (proc(5), `clear_refs`). */
function watchPeak(): () => number {
  let largest = process.memoryUsage.rss()
  const look = (): void => {
    largest = Math.max(largest, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 10)
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5')
  return () => {
    clearInterval(timer)
    look()
    if (process.platform !== 'linux') return largest
    return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024
  }
}

function watchComputing(): () => number {
  let longest = 0
  let last = process.threadCpuUsage()
  const look = (): void => {
    const now = process.threadCpuUsage()
    longest = Math.max(longest, (now.user + now.system - last.user - last.system) / 1000)
    last = now
  }
  const timer = setInterval(look, 1)
  return () => {
    clearInterval(timer)
    look()
    return longest
  }
}

export async function strainOf(work: () => Promise<unknown>): Promise<Strain> {
  globalThis.gc?.()
  await wait(50)
  const before = process.memoryUsage.rss()
  const peak = watchPeak()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const computed = watchComputing()
  await work()
  await wait(20) // How long the last turn took is known in a later one.
  delay.disable()
  const computedMs = tenths(computed())
  const highest = peak()
  globalThis.gc?.()
  await wait(50)
  return {
    computedMs,
    loopHeldMs: { p99: tenths(delay.percentile(99) / 1e6), max: tenths(delay.max / 1e6) },
    memoryMB: { before: megabytes(before), peak: megabytes(highest), after: megabytes(process.memoryUsage.rss()) },
  }
}

/** Memory once taken is not given back at once, so that only the first of several alike may grow. In MB. */
export const largestGrowth = (strains: readonly Strain[]): number =>
  tenths(Math.max(...strains.map(({ memoryMB }) => memoryMB.peak - memoryMB.before)))
