// Work on the profile that waits until the first page is there: some milliseconds at a time, with as many between them for
// everything else. What starts with the host waits until the first page is painted: programs that start would take the
// processors from it. Not for long, though, for a page may not come; and not at all where there is none.
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'

interface FirstPage {
  /** A page says that the person sees it. */
  shown(): void
  dispose(): void
}

/** From the start of the host. A page takes half a second; a browser that has to be started first, longer than anybody should wait. */
const withinMs = 2000

/** `begin` is called once, in a later turn, unless it was disposed of before. */
export function awaitFirstPage({ clock, isExpected, begin }: { clock: Clock; isExpected: boolean; begin: () => void }): FirstPage {
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
    dispose() {
      begun = true
      cancel()
    },
  }
}

const STEP_MS = 10

interface BackgroundTaskOptions {
  readonly name: string
  /** Whether there is more to do. */
  readonly work: { step(ms: number): boolean }
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  /** Looks again that long after all was done; without it, all stays done. */
  readonly againAfterMs?: number
}

/** Returns its undo. What fails goes on with the next start. */
export function runInBackground({ name, work, clock, log, againAfterMs }: BackgroundTaskOptions): () => void {
  let cancel: () => void = () => {}
  const step = (): void => {
    try {
      if (work.step(STEP_MS)) cancel = clock.after(STEP_MS, step)
      else if (againAfterMs !== undefined) cancel = clock.after(againAfterMs, step)
    } catch (error) {
      log.error(`Work on the profile (${name}) failed`, error)
    }
  }
  step()
  return () => cancel()
}
