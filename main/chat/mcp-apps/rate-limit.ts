// Rate limit of an MCP App's requests: a burst, then so many a second, and so many at the same time.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Clock } from '#main/base/clock.ts'

interface Limits {
  readonly clock: Clock
  readonly burst: number
  readonly perSecond: number
  readonly atOnce: number
}

export type RateLimit = ReturnType<typeof createRateLimit>

export function createRateLimit({ clock, burst, perSecond, atOnce }: Limits) {
  let left = burst
  let at = clock.now()
  let running = 0
  return {
    /** @throws HostError `view.refused` above the limit */
    async run<T>(work: () => Promise<T>): Promise<T> {
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
