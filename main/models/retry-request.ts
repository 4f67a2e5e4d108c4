import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { wait } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ModelEvent } from './provider.ts'

/** Tries in all, and the longest wait; beyond it the person decides. */
const MAX_TRIES = 3
const LONGEST_WAIT_MS = 60_000
const passing: ReadonlySet<HostErrorCode> = new Set([
  'model.rate-limited',
  'model.overloaded',
  'model.loading',
  'model.server-error',
  'model.offline',
])

/** Milliseconds before the next try; `undefined`: give up. By `retry-after`, else one second, doubled each time, plus up to a quarter. */
function retryDelay(error: HostError, tries: number, chance: number): number | undefined {
  if (!passing.has(error.code) || tries >= MAX_TRIES) return undefined
  const asked = error.data['retryAfterMs']
  if (typeof asked === 'number') return asked <= LONGEST_WAIT_MS ? asked : undefined
  return Math.round(1000 * 2 ** (tries - 1) * (1 + chance / 4))
}

interface RetryOptions {
  readonly clock: Clock
  /** Random number for the jitter, 0–1. */
  readonly chance?: () => number
  readonly known: (error: unknown) => HostError
}

/** Repeats a request on a passing error, as long as nothing was delivered. @throws {HostError} `model.*`, `cancelled` when aborted */
export async function* withRetries(
  options: RetryOptions,
  signal: AbortSignal,
  run: () => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  const chance = options.chance ?? Math.random
  for (let tries = 1; ; tries += 1) {
    let delivered = false
    try {
      for await (const event of run()) {
        // An SDK may have read ahead: nothing is delivered after an abort.
        if (signal.aborted) throw new HostError('cancelled', t`It was cancelled.`)
        delivered ||= event.type !== 'usage' // counts alone may come twice
        yield event
      }
      return
    } catch (error) {
      const known = error instanceof HostError ? error : options.known(error)
      const afterMs = delivered ? undefined : retryDelay(known, tries, chance())
      if (afterMs === undefined) throw known
      yield { type: 'retrying', afterMs, reason: known.code }
      await wait(options.clock, afterMs, signal).catch(() => {
        throw new HostError('cancelled', t`It was cancelled.`)
      })
    }
  }
}
