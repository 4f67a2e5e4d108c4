// Queue of programs that start by themselves (at launch, after a failure, to be listed), a few at a time: forty at once would
// leave nothing to the window, and be ready no sooner. A start holds its place until the handshake, its failure, or a time after
// which it no longer waits for this computer. A server that a person or a call waits for does not queue.
import { availableParallelism } from 'node:os'
import type { Clock } from '#main/base/clock.ts'

export interface StartSlot {
  /** Resolves when it may start, and when the signal aborts. */
  readonly came: Promise<void>
  /** Somebody waits for it now. */
  hurry(): void
  /** Leaves the queue: the server has started, or will not. May be called twice. */
  over(): void
}

export interface StartQueue {
  ask(signal: AbortSignal): StartSlot
}

interface StartQueueOptions {
  readonly clock: Clock
  readonly places?: number
  /** Milliseconds. */
  readonly holdMs?: number
}

export function createStartQueue({ clock, places = 2 * availableParallelism(), holdMs = 500 }: StartQueueOptions): StartQueue {
  const waiting = new Set<() => void>()
  let taken = 0
  let planned = false

  /** One a turn of the loop: to start a program holds the loop for a while, and others have work as well. */
  function plan(): void {
    if (planned || waiting.size === 0 || taken >= places) return
    planned = true
    setImmediate(() => {
      planned = false
      const [next] = waiting
      if (taken < places) next?.()
      plan()
    })
  }

  return {
    ask(signal) {
      const { promise: came, resolve } = Promise.withResolvers<void>()
      let free: (() => void) | undefined
      const leave = (): void => {
        waiting.delete(take)
        signal.removeEventListener('abort', over)
        resolve()
      }
      const take = (): void => {
        leave()
        taken += 1
        const cancel = clock.after(holdMs, () => free?.())
        free = () => {
          free = undefined
          cancel()
          taken -= 1
          plan()
        }
      }
      const over = (): void => {
        leave()
        free?.()
      }
      waiting.add(take)
      signal.addEventListener('abort', over, { once: true })
      plan()
      return { came, hurry: leave, over }
    },
  }
}
