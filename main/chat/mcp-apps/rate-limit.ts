// How much a view may ask of the host: a burst, and then so many a second; and so many at a time.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Clock } from '#main/base/clock.ts'

export interface RateLimit {
  /** Rejects with `view.refused` when it is too much. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createRateLimit({
  clock,
  burst,
  perSecond,
  atOnce,
}: {
  readonly clock: Clock
  readonly burst: number
  readonly perSecond: number
  readonly atOnce: number
}): RateLimit {
  let left = burst
  let at = clock.now()
  let running = 0
  return {
    async run(work) {
      const now = clock.now()
      left = Math.min(burst, left + ((now - at) / 1000) * perSecond)
      at = now
      if (left < 1 || running >= atOnce) throw new HostError('view.refused', t`The view asks for too much at a time.`)
      left -= 1
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
      }
    },
  }
}
