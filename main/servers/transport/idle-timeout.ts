import type { Clock } from '#main/base/clock.ts'

/** How long a call may go without a word, and in all. The SDK's own timer cannot wait while a person fills in a form. */
export interface IdleTimeout {
  renew(): void
  /** A person is asked: time stands still until the returned function is called. May be nested. */
  pause(): () => void
  stop(): void
}

/** `silence`: no progress for `ms`. `length`: it took `most` in all (MCP, "Timeouts": a maximum regardless of progress). */
export type TimeoutKind = 'silence' | 'length'

/** Milliseconds. */
export function createIdleTimeout(
  clock: Clock,
  ms: number,
  onLost: (why: TimeoutKind) => void,
  most: number = Number.POSITIVE_INFINITY,
): IdleTimeout {
  let pauses = 0
  let stopped = false
  /** Time that did not stand still, until `since`. */
  let spent = 0
  let since = clock.now()
  let cancel: (() => void) | undefined

  const halt = (): void => {
    if (!cancel) return
    cancel()
    cancel = undefined
    spent += clock.now() - since
  }
  const restart = (): void => {
    halt()
    if (stopped || pauses > 0) return
    since = clock.now()
    const left = Math.max(0, most - spent)
    cancel = clock.after(Math.min(ms, left), () => onLost(left <= ms ? 'length' : 'silence'))
  }
  restart()
  return {
    renew: restart,
    pause() {
      let held = true
      pauses += 1
      halt()
      return () => {
        if (!held) return
        held = false
        pauses -= 1
        restart()
      }
    },
    stop() {
      stopped = true
      halt()
    },
  }
}
