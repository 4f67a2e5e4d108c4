// Timeouts that pause while the person is asked. A sign-in pauses all of a server's. A question of the server pauses only the calls and
// requests that run on its connection then: else a server could hold its start, its lists and later calls open by asking.
import type { Clock } from '#main/base/clock.ts'
import { createIdleTimeout, type IdleTimeout } from './idle-timeout.ts'

export type PausableTimeouts = ReturnType<typeof createPausableTimeouts>
export type RunningTimeouts = ReturnType<typeof createRunningTimeouts>

/** Timeouts of the calls and requests that run on one connection. */
export function createRunningTimeouts() {
  const running = new Set<IdleTimeout>()
  return {
    add(timeout: IdleTimeout): () => void {
      running.add(timeout)
      return () => running.delete(timeout)
    },
    /** Stops the time of all until the returned function is called. May be nested. */
    pause(): () => void {
      const resumes = [...running].map((timeout) => timeout.pause())
      return () => {
        for (const resume of resumes) resume()
      }
    },
    busy: (): boolean => running.size > 0,
  }
}

export function createPausableTimeouts() {
  const timed = new Map<Pick<IdleTimeout, 'pause'>, (() => void) | undefined>()
  let pauses = 0
  return {
    add(timeout: Pick<IdleTimeout, 'pause'>): () => void {
      timed.set(timeout, pauses > 0 ? timeout.pause() : undefined)
      return () => timed.delete(timeout)
    },
    /** Stops the time of all until the returned function is called. May be nested. */
    pause(): () => void {
      let held = true
      pauses += 1
      if (pauses === 1) for (const timeout of timed.keys()) timed.set(timeout, timeout.pause())
      return () => {
        if (!held) return
        held = false
        pauses -= 1
        if (pauses > 0) return
        for (const [timeout, resume] of timed) {
          timed.set(timeout, undefined)
          resume?.()
        }
      }
    },
  }
}

export function limitTime(
  ms: number,
  options: {
    readonly clock: Clock
    readonly waits: PausableTimeouts
    readonly signals: readonly AbortSignal[]
    readonly onLapse: () => Error
  },
) {
  const control = new AbortController()
  let lapsed = false
  const timeout = createIdleTimeout(options.clock, ms, () => {
    lapsed = true
    control.abort(options.onLapse())
  })
  const remove = options.waits.add(timeout)
  return {
    signal: AbortSignal.any([...options.signals, control.signal]),
    get lapsed(): boolean {
      return lapsed
    },
    stop(): void {
      remove()
      timeout.stop()
    },
  }
}
