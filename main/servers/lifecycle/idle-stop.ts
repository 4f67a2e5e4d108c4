// Stops a server that nobody needed for as long as its definition says. Calls and other requests, subscriptions and open questions
// need it. Catalogue changes do not: the lists are remembered, and fetched again when it starts.
import type { Clock } from '#main/base/clock.ts'

export type IdleStep =
  | { readonly kind: 'never' }
  /** Check again after `afterMs` milliseconds. */
  | { readonly kind: 'look'; readonly afterMs: number }
  | { readonly kind: 'stop' }

export interface IdleFacts {
  readonly now: number
  readonly usedAt: number
  readonly needed: boolean
  readonly idleMinutes: number | undefined
}

export function nextIdleStep({ now, usedAt, needed, idleMinutes }: IdleFacts): IdleStep {
  if (idleMinutes === undefined) return { kind: 'never' }
  const idleMs = idleMinutes * 60_000
  if (needed) return { kind: 'look', afterMs: idleMs }
  const left = usedAt + idleMs - now
  return left <= 0 ? { kind: 'stop' } : { kind: 'look', afterMs: left }
}

export function createIdleStop(options: {
  readonly clock: Clock
  readonly isReady: () => boolean
  readonly idleMinutes: () => number | undefined
  /** Whether the server is needed beyond what `use` tells. */
  readonly isNeeded: () => boolean
  readonly stop: () => void
}) {
  const { clock, isReady, idleMinutes, isNeeded, stop } = options
  let uses = 0
  let usedAt = clock.now()
  let watching: { readonly idleMinutes: number | undefined; cancel(): void } | undefined

  function look(): void {
    const needed = uses > 0 || isNeeded()
    if (needed) usedAt = clock.now()
    const minutes = idleMinutes()
    const step = nextIdleStep({ now: clock.now(), usedAt, needed, idleMinutes: minutes })
    const cancel = step.kind === 'look' ? clock.after(Math.min(step.afterMs, longestTimerMs), look) : () => undefined
    watching = { idleMinutes: minutes, cancel }
    if (step.kind === 'stop') stop()
  }

  return {
    use(): () => void {
      let over = false
      uses += 1
      return () => {
        if (over) return
        over = true
        uses -= 1
        usedAt = clock.now()
      }
    },
    changed(): void {
      if (!isReady()) {
        watching?.cancel()
        watching = undefined
        return
      }
      if (!watching) usedAt = clock.now()
      else if (watching.idleMinutes === idleMinutes()) return
      watching?.cancel()
      look()
    },
  }
}

/** Timers of Node beyond it fire at once. */
const longestTimerMs = 2 ** 31 - 1
