import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Clock } from './clock.ts'

const cancelled = (): HostError => new HostError('cancelled', t`It was cancelled.`)

/** Settles like `work`, which is left to end by itself when the signal aborts. @throws {unknown} `reason()` at once then */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal, reason: () => unknown = cancelled): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {}) // Nobody waits for it any more.
    return Promise.reject(reason())
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(reason())
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Resolves after so many milliseconds. @throws {unknown} the signal's reason when that aborts first */
export async function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const over = Promise.withResolvers<void>()
  const cancel = clock.after(ms, over.resolve)
  try {
    await (signal ? orAborted(over.promise, signal, () => signal.reason) : over.promise)
  } finally {
    cancel()
  }
}

/** Resolves with whether the work is done within so many milliseconds. @throws {unknown} its error by then, or the signal's reason */
export async function doneWithin(work: Promise<unknown>, clock: Clock, ms: number, signal?: AbortSignal): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const cancel = clock.after(ms, () => late.resolve(false))
  const onAbort = (): void => late.reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work.then(() => true), late.promise])
  } finally {
    cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}
