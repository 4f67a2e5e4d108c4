// For tests: a clock that is moved by hand.
import type { Clock } from './clock.ts'

export interface ManualClock extends Clock {
  advance(ms: number): void
  /** Timers that are set. */
  readonly pending: number
}

export function manualClock(start = 1_000_000): ManualClock {
  let time = start
  const timers = new Set<{ at: number; callback: () => void }>()
  return {
    now: () => time,
    after(ms, callback) {
      const timer = { at: time + ms, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(ms) {
      const end = time + ms
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (!next) break
        timers.delete(next)
        time = Math.max(time, next.at)
        next.callback()
      }
      time = end
    },
    get pending() {
      return timers.size
    },
  }
}
