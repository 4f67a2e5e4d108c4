import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'

/** Whatever its parameters are. */
export const isEventStream = (response: { readonly headers: { get(name: string): string | null } }): boolean =>
  response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'text/event-stream'

/** In bytes, of one answer or one event. */
export interface SizeLimit {
  readonly server: string
  readonly maxBytes: number
}

export const tooLarge = ({ server, maxBytes }: SizeLimit): HostError =>
  new HostError('server.too-large', t`“${server}” sent more than ${Math.round(maxBytes / 1024 / 1024)} MB at once.`, {
    data: { server, limit: maxBytes },
  })

/** The body, which fails once the answer is longer than the limit. */
export function capBody(body: unknown, limit: SizeLimit): ReadableStream<Uint8Array> {
  let held = 0
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      held += chunk.byteLength
      if (held > limit.maxBytes) throw tooLarge(limit)
      controller.enqueue(chunk)
    },
  })
  return (body as NodeReadableStream<Uint8Array>).pipeThrough(cap)
}
