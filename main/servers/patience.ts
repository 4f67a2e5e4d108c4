import type { Clock } from '#main/base/clock.ts'

/** How long a call may go without a word. The SDK's own timer cannot wait while a person fills in a form. */
export interface Patience {
  /** Word came: the time begins anew. */
  renew(): void
  /** A person is asked: time stands still until the returned function is called. May be nested. */
  pause(): () => void
  stop(): void
}

export function createPatience(clock: Clock, ms: number, onLost: () => void): Patience {
  let pauses = 0
  let stopped = false
  let cancel = clock.after(ms, onLost)
  const restart = (): void => {
    cancel()
    if (!stopped && pauses === 0) cancel = clock.after(ms, onLost)
  }
  return {
    renew: restart,
    pause() {
      let held = true
      pauses += 1
      cancel()
      return () => {
        if (!held) return
        held = false
        pauses -= 1
        restart()
      }
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}
