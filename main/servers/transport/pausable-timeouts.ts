// Timeouts of one server that pause together while the person is asked: in the course of a start or a call the server may put
// a question or need a sign-in. Timeouts that begin meanwhile are paused as well.
import type { Clock } from '#main/base/clock.ts'
import { createIdleTimeout, type IdleTimeout } from './idle-timeout.ts'

export interface PausableTimeouts {
  /** Returns its undo. */
  add(idleTimeout: IdleTimeout): () => void
  /** Stops the time of all until the returned function is called. May be nested. */
  pause(): () => void
  /** Whether something waits. */
  busy(): boolean
}

export function createPausableTimeouts(): PausableTimeouts {
  const timed = new Map<IdleTimeout, (() => void) | undefined>()
  let pauses = 0
  return {
    add(timeout) {
      timed.set(timeout, pauses > 0 ? timeout.pause() : undefined)
      return () => timed.delete(timeout)
    },
    pause() {
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
    busy: () => timed.size > 0,
  }
}

interface TimeLimit {
  /** Aborts with one of `signals`, or with what `onLapse` makes once the time is over. */
  readonly signal: AbortSignal
  readonly lapsed: boolean
  stop(): void
}

export function limitTime(
  ms: number,
  options: {
    readonly clock: Clock
    readonly waits: PausableTimeouts
    readonly signals: readonly AbortSignal[]
    readonly onLapse: () => Error
  },
): TimeLimit {
  const control = new AbortController()
  let lapsed = false
  const timeout = createIdleTimeout(options.clock, ms, () => {
    lapsed = true
    control.abort(options.onLapse())
  })
  const remove = options.waits.add(timeout)
  return {
    signal: AbortSignal.any([...options.signals, control.signal]),
    get lapsed() {
      return lapsed
    },
    stop() {
      remove()
      timeout.stop()
    },
  }
}
