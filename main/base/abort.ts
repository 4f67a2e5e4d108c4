import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'

const cancelled = (): HostError => new HostError('cancelled', t`It was cancelled.`)

/** Settles like `work`, or rejects with `reason()` at once when the signal aborts; `work` is then left to end by itself. */
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
