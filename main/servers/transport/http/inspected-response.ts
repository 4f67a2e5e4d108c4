// Tells the message inspector of HTTP: the request and its body, status and headers of the response, then its body, whole or event
// by event. While nobody listens the streams are not touched.
import { maskUrl } from '#app/text/secret-names.ts'
import { captureText, gather, type Tap } from '../inspector/wire-tap.ts'

type Answered = Pick<Response, 'status' | 'statusText'> & { readonly headers: Iterable<readonly [string, string]> }

/** Tells the tap of a request. Returns its number. */
export function tapRequest(tap: Tap | undefined, url: string, init: RequestInit | undefined, headers: Headers): number | undefined {
  if (!tap?.on) return undefined
  const http = { line: `${init?.method ?? 'GET'} ${maskUrl(url)}`, headers: [...headers] }
  const { body } = init ?? {}
  return tap.tell(
    typeof body === 'string'
      ? { direction: 'sent', ...captureText(body), http }
      : { direction: 'sent', bare: true, text: '', size: 0, http },
  )
}

/** `to`: the number of the request. */
export function tapResponse(tap: Tap | undefined, { status, statusText, headers }: Answered, to: number | undefined): void {
  if (!tap?.on) return
  const http = { line: `${status} ${statusText}`.trim(), headers: [...headers] }
  tap.tell({ direction: 'received', bare: true, text: '', size: 0, http, of: to })
}

/** The same stream; what went through it is told at its end. */
export function tapBody(tap: Tap | undefined, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  if (!tap?.on) return body
  const gathering = gather()
  const told = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      gathering.add(chunk)
      out.enqueue(chunk)
    },
    flush() {
      const piece = gathering.piece()
      if (tap.on && piece.size > 0) tap.tell({ direction: 'received', ...piece })
    },
  })
  return body.pipeThrough(told)
}

const decoder = new TextDecoder()
const newline = new Uint8Array([10])

/** `lines`: of one event, as they came. One without data, such as a word to keep the stream open, is no message. */
export function tapEvent(tap: Tap | undefined, lines: readonly Uint8Array[]): void {
  if (!tap?.on) return
  const data = gather()
  let any = false
  let id: string | undefined
  let name: string | undefined
  for (const line of lines) {
    const { field, value } = split(line)
    if (field === 'id') id = decoder.decode(value)
    if (field === 'event') name = decoder.decode(value)
    if (field !== 'data') continue
    if (any) data.add(newline)
    any = true
    data.add(value)
  }
  const piece = any ? data.piece() : wholeEvent(lines)
  const nothing = !any || piece.size === 0
  tap.tell({ direction: 'received', ...(nothing ? { bare: true } : {}), ...piece, event: { id, name } })
}

const colon = 58
const space = 32
const longestField = 20

function split(line: Uint8Array): { readonly field: string; readonly value: Uint8Array } {
  const at = line.subarray(0, longestField).indexOf(colon)
  if (at === -1) return { field: decoder.decode(line.subarray(0, longestField)), value: new Uint8Array() }
  return { field: decoder.decode(line.subarray(0, at)), value: line.subarray(line[at + 1] === space ? at + 2 : at + 1) }
}

function wholeEvent(lines: readonly Uint8Array[]) {
  const all = gather()
  for (const line of lines) {
    all.add(line)
    all.add(newline)
  }
  return all.piece()
}
