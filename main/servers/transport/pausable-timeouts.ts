// Time that stands still while somebody is asked. A sign-in may be needed in the midst of a start or a call: whatever is
// timed on that server then waits along, also what begins meanwhile.
import type { Clock } from '#main/base/clock.ts'
import { createIdleTimeout, type IdleTimeout } from './idle-timeout.ts'

export interface PausableTimeouts {
  /** Returns its undo. */
  add(idleTimeout: IdleTimeout): () => void
  /** Stops the time of all until the returned function is called. May be nested. */
  pause(): () => void
}

export function createPausableTimeouts(): PausableTimeouts {
  const timed = new Map<IdleTimeout, (() => void) | undefined>()
  let pauses = 0
  return {
    add(patience) {
      timed.set(patience, pauses > 0 ? patience.pause() : undefined)
      return () => timed.delete(patience)
    },
    pause() {
      let held = true
      pauses += 1
      if (pauses === 1) for (const patience of timed.keys()) timed.set(patience, patience.pause())
      return () => {
        if (!held) return
        held = false
        pauses -= 1
        if (pauses > 0) return
        for (const [patience, resume] of timed) {
          timed.set(patience, undefined)
          resume?.()
        }
      }
    },
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
  const patience = createIdleTimeout(options.clock, ms, () => {
    lapsed = true
    control.abort(options.onLapse())
  })
  const remove = options.waits.add(patience)
  return {
    signal: AbortSignal.any([...options.signals, control.signal]),
    get lapsed() {
      return lapsed
    },
    stop() {
      remove()
      patience.stop()
    },
  }
}
