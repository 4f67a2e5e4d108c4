import type { Clock } from '#main/base/clock.ts'
import { type Log, logFailure } from '#main/base/host-log.ts'

/** Milliseconds that work waits for the first page. A page takes half a second; a browser that has to be started takes longer. */
const withinMs = 2000

/** Calls `begin` once the first page has painted, or is late: servers that start would take the processors from it. */
export function awaitFirstPage({ clock, isExpected, begin }: { clock: Clock; isExpected: boolean; begin: () => void }) {
  let begun = false
  const once = (): void => {
    if (begun) return
    begun = true
    cancel()
    begin()
  }
  const cancel = clock.after(isExpected ? withinMs : 0, once)
  return {
    shown: once,
    dispose(): void {
      begun = true
      cancel()
    },
  }
}

const STEP_MS = 10

interface BackgroundTaskOptions {
  readonly name: string
  /** One step of at most `ms` milliseconds; false: all is done. */
  readonly work: { step(ms: number): boolean }
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  /** Milliseconds after which work that was done is looked at again; default: never. */
  readonly againAfterMs?: number
}

/** Does work in steps, with as much time between them for everything else. A failure ends it until the next start. Returns its undo. */
export function runInBackground({ name, work, clock, log, againAfterMs }: BackgroundTaskOptions): () => void {
  let cancel: () => void = () => {}
  const step = (): void =>
    logFailure(log, `Work on the profile (${name}) failed`, () => {
      if (work.step(STEP_MS)) cancel = clock.after(STEP_MS, step)
      else if (againAfterMs !== undefined) cancel = clock.after(againAfterMs, step)
    })
  step()
  return () => cancel()
}
