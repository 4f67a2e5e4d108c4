// Queue of programs that start by themselves, a few at a time: forty at once would leave nothing to the window, and be ready no
// sooner. A start holds its place until the handshake, its failure or a time. One that a person or a call waits for does not queue.
import { availableParallelism } from 'node:os'
import type { Clock } from '#main/base/clock.ts'

export type StartQueue = ReturnType<typeof createStartQueue>
export type StartSlot = ReturnType<StartQueue['ask']>

/** `holdMs`: milliseconds that a start holds its place at most. */
export function createStartQueue(options: { readonly clock: Clock; readonly places?: number; readonly holdMs?: number }) {
  const { clock, places = 2 * availableParallelism(), holdMs = 500 } = options
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
    ask(signal: AbortSignal) {
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
      // `hurry`: somebody waits for it now. `over`: the server has started, or will not.
      return { came, hurry: leave, over }
    },
  }
}
