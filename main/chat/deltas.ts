// Text as it streams, in batches: told at most every 40 ms, kept at most every 250 ms. It holds no text of its own
// beyond the batch; the message it belongs to is the writer's.
import type { Clock } from '#main/base/clock.ts'

export interface Delta {
  readonly part: number
  readonly offset: number
  readonly text: string
}
export interface DeltaBatcher {
  /** `offset`: how much of the part there was before. */
  add(part: number, offset: number, text: string): void
  /** Tells what is waiting, now. */
  tell(): void
  /** Forgets what is waiting and stops the timers: the whole message is about to be told and kept. */
  clear(): void
}

export const TELL_EVERY_MS = 40
export const KEEP_EVERY_MS = 250

export function createDeltaBatcher(options: { clock: Clock; onTell: (delta: Delta) => void; onKeep: () => void }): DeltaBatcher {
  const { clock, onTell, onKeep } = options
  let waiting: Delta | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  let cancelTell: (() => void) | undefined
  let cancelKeep: (() => void) | undefined

  function tell(): void {
    cancelTell?.()
    cancelTell = undefined
    if (!waiting) return
    const delta = waiting
    waiting = undefined
    toldAt = clock.now()
    onTell(delta)
  }
  return {
    add(part, offset, text) {
      if (waiting && waiting.part !== part) tell()
      waiting = waiting ? { ...waiting, text: waiting.text + text } : { part, offset, text }
      cancelKeep ??= clock.after(KEEP_EVERY_MS, () => {
        cancelKeep = undefined
        onKeep()
      })
      const due = toldAt + TELL_EVERY_MS - clock.now()
      if (due <= 0) tell()
      else cancelTell ??= clock.after(due, tell)
    },
    tell,
    clear() {
      cancelTell?.()
      cancelKeep?.()
      cancelTell = undefined
      cancelKeep = undefined
      waiting = undefined
    },
  }
}
