import type { Clock } from '#main/base/clock.ts'

/** Rejects with the signal's reason when it aborts meanwhile. */
export async function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const over = Promise.withResolvers<void>()
  const cancel = clock.after(ms, over.resolve)
  const onAbort = (): void => over.reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    await over.promise
  } finally {
    cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Tells when nothing more can come of it. */
export function watchEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      onEnd()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
