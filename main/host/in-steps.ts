// Work on the profile that waits until the first page is there: some milliseconds at a time, with as many between them for everything
// else.
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/log.ts'

const STEP_MS = 10

export interface StepsOptions {
  readonly name: string
  /** Whether there is more to do. */
  readonly work: { step(ms: number): boolean }
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  /** Looks again that long after all was done; without it, all stays done. */
  readonly againAfterMs?: number
}

/** Returns its undo. What fails goes on with the next start. */
export function inSteps({ name, work, clock, log, againAfterMs }: StepsOptions): () => void {
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
