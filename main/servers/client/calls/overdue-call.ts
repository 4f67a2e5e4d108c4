// Timeout of one call. A call without progress for its timeout is lost; where a person can be asked, only after a second such period,
// unless they wait (as often as they like). A maximum holds in any case (MCP, "Timeouts").
import type { Clock } from '#main/base/clock.ts'
import { createIdleTimeout, type IdleTimeout, type TimeoutKind } from '#main/servers/transport/idle-timeout.ts'
import type { CallTimeout } from '../requests/running-calls.ts'

export function createCallTimeout(options: {
  readonly clock: Clock
  /** Milliseconds without a word. */
  readonly ms: number
  /** Milliseconds in all. */
  readonly most: number
  /** Undefined: it is overdue no longer. Absent: nobody can be asked. */
  readonly onOverdue?: ((overdue: CallTimeout | undefined) => void) | undefined
  readonly onLost: (why: TimeoutKind, silentMs: number) => void
}): IdleTimeout {
  const { clock, ms, most, onOverdue, onLost } = options
  let heardAt = clock.now()
  let current: CallTimeout | undefined

  function settle(): void {
    if (!current) return
    current = undefined
    onOverdue?.(undefined)
  }
  function heard(): void {
    heardAt = clock.now()
    settle()
  }
  function onLapse(why: TimeoutKind): void {
    if (why === 'length' || current || !onOverdue) {
      current = undefined
      onLost(why, clock.now() - heardAt)
      return
    }
    const mine: CallTimeout = {
      since: heardAt,
      endsAt: clock.now() + ms,
      wait() {
        if (current !== mine) return
        settle()
        inner.renew()
      },
    }
    current = mine
    inner.renew()
    onOverdue(mine)
  }
  const inner = createIdleTimeout(clock, ms, onLapse, most)
  return {
    renew() {
      heard()
      inner.renew()
    },
    pause() {
      heard()
      const resume = inner.pause()
      return () => {
        heardAt = clock.now()
        resume()
      }
    },
    stop() {
      current = undefined
      inner.stop()
    },
  }
}
