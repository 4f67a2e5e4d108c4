import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { HostError } from '#app/errors.ts'

/** Bytes since the last blank line, which ends an event. */
function afterLastEvent(chunk: Uint8Array): number | undefined {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  const end = Math.max(bytes.lastIndexOf('\n\n'), bytes.lastIndexOf('\n\r\n'), bytes.lastIndexOf('\r\r'))
  return end === -1 ? undefined : bytes.length - end
}

/** Whatever its parameters are. */
export const isEventStream = (response: { readonly headers: { get(name: string): string | null } }): boolean =>
  response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'text/event-stream'

/** The body, which fails once the answer (or, in an event stream, one event) is longer than `maxBytes`. */
export function capBody(
  response: { readonly body: unknown; readonly headers: { get(name: string): string | null } },
  server: string,
  maxBytes: number,
): ReadableStream<Uint8Array> {
  const streamed = isEventStream(response)
  let held = 0
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      held += chunk.byteLength
      if (held > maxBytes)
        throw new HostError('server.too-large', `“${server}” sent more than ${Math.round(maxBytes / 1024 / 1024)} MB at once.`, {
          data: { server, limit: maxBytes },
        })
      if (streamed) held = afterLastEvent(chunk) ?? held
      controller.enqueue(chunk)
    },
  })
  return (response.body as NodeReadableStream<Uint8Array>).pipeThrough(cap)
}
