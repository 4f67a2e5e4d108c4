// Adapts event streams to the SDK: a batch (2025-03-26) becomes one event for each message. A resumed stream begins with the id it was
// resumed from, so that it can be resumed again, and repeated events are left out. Only an incomplete event is held back.
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { supportedIn } from '../protocol-versions.ts'
import { answeredId, brokenResponse, classifyEnvelope, failedResponse, tooManyParts } from '../stdio/message-envelope.ts'
import { headSize, leastLookedOver, lookOver, stepSize } from '../stdio/paced-reader.ts'
import { headerMismatch } from './mirrored-headers.ts'
import type { RequestFacts } from './request-headers.ts'
import type { StreamPosition } from './resumption.ts'

// The answer to one posted message ends its request, whatever it holds: an error that names no request is the answer to the one
// that was asked, and what is no answer becomes an error.

/** Messages, broken answers as errors for their request must end too, and the count of what was no message. */
function takeMessages(items: readonly unknown[]): { readonly messages: readonly JSONRPCMessage[]; readonly strays: number } {
  const messages: JSONRPCMessage[] = []
  let strays = 0
  for (const item of items) {
    const envelope = classifyEnvelope(item)
    if (envelope.kind === 'message') messages.push(envelope.message)
    else if (envelope.kind === 'broken-answer') messages.push(failedResponse(envelope.id, brokenResponse()))
    else strays += 1
  }
  return { messages, strays }
}

function readAnswers(value: unknown, id: RequestId): ReturnType<typeof takeMessages> {
  const { messages, strays } = takeMessages(Array.isArray(value) ? value : [value])
  if (messages.some((message) => !('method' in message) && message.id === id)) return { messages, strays }
  const unnamed = Array.isArray(value) || messages.length > 0 ? undefined : errorWithId(value, id)
  if (unnamed !== undefined) return { messages: [unnamed], strays: 0 }
  return { messages: [...messages, failedResponse(id, noResponse())], strays }
}

/** An error that names no request, or none that is known, in answer to a single one is the answer to that. */
function errorWithId(value: unknown, id: RequestId): JSONRPCMessage | undefined {
  if (!isJsonObject(value as Json) || 'method' in (value as JsonObject)) return undefined
  const envelope = classifyEnvelope({ ...(value as JsonObject), jsonrpc: '2.0', id })
  return envelope.kind === 'message' && 'error' in envelope.message ? envelope.message : undefined
}

/** Nothing shows whether what was asked was done. */
const noResponse = (): HostError => new HostError('server.connection-lost', t`The server closed the connection.`)

interface ReplyOptions {
  readonly server: string
  readonly inSession: boolean
  readonly onStrays: (count: number) => void
}

const mediaType = ({ headers }: { readonly headers: { get(name: string): string | null } }): string =>
  (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
/** Whether a response is an event stream, whatever its media type's parameters are. */
export const isEventStream = (response: Parameters<typeof mediaType>[0]): boolean => mediaType(response) === 'text/event-stream'
const saysNothing: ReadonlySet<number> = new Set([202, 204, 205])

export async function readReply(response: Response, asked: RequestFacts, { server, inSession, onStrays }: ReplyOptions): Promise<Response> {
  const { id } = asked
  if (id === undefined) return response
  // In a session 404 says that it is over, whatever else it says.
  if (response.status === 404 && inSession) return response
  if (response.status === 400 || response.status === 404) return refused(response, asked, inSession)
  if (saysNothing.has(response.status)) {
    await response.body?.cancel()
    return withJson([failedResponse(id, noResponse())], 200)
  }
  const type = mediaType(response)
  if (response.ok && isGreeting(asked) && type !== 'application/json' && type !== 'text/event-stream')
    throw notMcp(server, type, await beginning(response))
  if (!response.ok || type !== 'application/json') return response
  const read = await readJson(response)
  if (read instanceof HostError) return withJson([failedResponse(id, read)], 200)
  const { messages, strays } = readAnswers(read, id)
  // Nobody begins so. To the question for the era, which an older server does not know, anything may be answered.
  if (asked.method === 'initialize' && strays > 0 && messages.length === 1)
    throw notMcp(server, type, JSON.stringify(read).slice(0, shownLength))
  if (strays > 0) onStrays(strays)
  return withJson(messages, response.status, response.headers)
}

const isGreeting = ({ method }: RequestFacts): boolean => method === 'initialize' || method === 'server/discover'

/** UTF-16 units of a body that is no MCP, as it is shown in an error. */
const shownLength = 200

function notMcp(server: string, type: string, output: string): HostError {
  const message = t`“${server}” is not an MCP server.`
  return new HostError('server.not-mcp', message, { data: { server, type, output: output.replace(/\s+/g, ' ').trim() } })
}

async function beginning(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return Buffer.from(value ?? []).toString('utf8', 0, shownLength)
}

/** Whether JSON would take too long to parse. The SDK parses and copies it whole. */
async function isCostly(bytes: Buffer): Promise<boolean> {
  const large = lookOver(bytes, false)
  while (large && !large.step(stepSize)) await nextTurn()
  return large?.isRefused() ?? false
}

async function readJson(response: Response): Promise<unknown> {
  try {
    const bytes = Buffer.from(await response.arrayBuffer())
    return (await isCostly(bytes)) ? tooManyParts() : (JSON.parse(decoder.decode(bytes)) as unknown)
  } catch (error) {
    if (error instanceof HostError) throw error
    return error instanceof SyntaxError
      ? new HostError('server.protocol', t`The server sent an invalid message.`)
      : new HostError('server.connection-lost', t`The server closed the connection.`)
  }
}

async function refused(response: Response, asked: RequestFacts, inSession: boolean): Promise<Response> {
  const text = await response.text()
  const plain = new Response(text, { status: response.status, statusText: response.statusText, headers: response.headers })
  // A page of that length is no error of the protocol.
  const error = asked.id === undefined || text.length >= leastLookedOver ? undefined : errorWithId(parseJson(text), asked.id)
  if (error === undefined || !('error' in error)) return plain
  // An older server that refuses our revision at the handshake may say so too. Else 400 to that may mean an older one still.
  if (!asked.modern) return inSession || (asked.method === 'initialize' && supportedIn(error.error)) ? withJson([error], 200) : plain
  const mismatch = response.status === 400 ? headerMismatch(error.error) : undefined
  if (mismatch && asked.id !== undefined) return withJson([failedResponse(asked.id, mismatch)], 200)
  // The SDK takes such a body only with this status.
  return new Response(JSON.stringify(error), { status: 400, headers: response.headers })
}

/** Hands over the JSON text that was read: a response of many megabytes is not written and read once more. */
function withJson(messages: readonly JSONRPCMessage[], status: number, headers?: Headers): Response {
  const response = new Response(null, { status, headers: { 'content-type': 'application/json' } })
  const session = headers?.get('mcp-session-id')
  if (session) response.headers.set('mcp-session-id', session)
  const read = messages.length === 1 ? messages[0] : messages
  return Object.defineProperty(response, 'json', { value: () => Promise.resolve(read) })
}

/** Limit of one response or one event, in bytes. */
interface SizeLimit {
  readonly server: string
  readonly maxBytes: number
}

const tooLargeError = ({ server, maxBytes }: SizeLimit): HostError =>
  new HostError('server.too-large', t`“${server}” sent more than ${Math.round(maxBytes / 1024 / 1024)} MB at once.`, {
    data: { server, limit: maxBytes },
  })

/** The body, which fails once the answer is longer than the limit. */
export function capBody(body: unknown, limit: SizeLimit): ReadableStream<Uint8Array> {
  let held = 0
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      held += chunk.byteLength
      if (held > limit.maxBytes) throw tooLargeError(limit)
      controller.enqueue(chunk)
    },
  })
  return (body as NodeReadableStream<Uint8Array>).pipeThrough(cap)
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const lf = 10
const cr = 13
const space = 32
const newline = encoder.encode('\n')

export interface RepairOptions {
  readonly place?: StreamPosition
  readonly onStrays?: (count: number) => void
  /** The stream cannot be resumed (2026-07-28 has no GET): its event ids are left out. */
  readonly final?: boolean
  /** Limit of one event: the stream may go on for ever. */
  readonly limit?: SizeLimit
  /** Each event as it came, in its lines. */
  readonly onEvent?: (lines: readonly Uint8Array[]) => void
}

export function repairEvents({ place, onStrays, final = false, limit, onEvent }: RepairOptions): TransformStream<Uint8Array, Uint8Array> {
  let parts: Uint8Array[] = []
  let afterCr = false
  let event: Uint8Array[] = []
  let held = 0

  function hold(bytes: number): void {
    held += bytes
    if (limit && held > limit.maxBytes) throw tooLargeError(limit)
  }

  function takeLine(line: Uint8Array, out: TransformStreamDefaultController<Uint8Array>): void {
    if (line.length > 0) {
      event.push(line)
      return
    }
    if (event.length > 0) onEvent?.(event)
    const lines = final ? event.filter((each) => !isId(each)) : event
    event = []
    held = 0
    const id = idOf(lines)
    if (id !== undefined && place?.saw(id) === 'before') return
    if (id !== undefined || lines.some(isData)) place?.brought()
    const batch = lines.some(startsArray)
    const written = batch ? [encoder.encode(split(lines, onStrays))] : withData(lines, id).flatMap((each) => [each, newline])
    for (const each of written) out.enqueue(each)
    if (!batch) out.enqueue(newline)
  }

  return new TransformStream({
    start(out) {
      if (place?.from !== undefined) out.enqueue(encoder.encode(`id: ${place.from}\ndata:\n\n`))
    },
    async transform(chunk, out) {
      let from = 0
      let nextLf = chunk.indexOf(lf)
      let nextCr = chunk.indexOf(cr)
      if (afterCr && nextLf === 0) {
        from = 1
        nextLf = chunk.indexOf(lf, 1)
      }
      if (chunk.length > 0) afterCr = false
      while (nextLf !== -1 || nextCr !== -1) {
        const at = nextCr === -1 || (nextLf !== -1 && nextLf < nextCr) ? nextLf : nextCr
        parts.push(chunk.subarray(from, at))
        hold(at - from)
        if (at === from && parts.length === 1 && held >= leastLookedOver) event = await withoutCostly(event)
        takeLine(parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts), out)
        parts = []
        from = at + 1
        if (chunk[at] === cr && chunk[from] === lf) from += 1
        else if (chunk[at] === cr && from === chunk.length) afterCr = true
        if (nextLf !== -1 && nextLf < from) nextLf = chunk.indexOf(lf, from)
        if (nextCr !== -1 && nextCr < from) nextCr = chunk.indexOf(cr, from)
      }
      if (from < chunk.length) {
        parts.push(chunk.subarray(from))
        hold(chunk.length - from)
      }
      await nextTurn()
    },
    // An event that was cut off is none (HTML, "Server-sent events").
  })
}

/** The event; in place of an answer that would take too long to parse, its error. @throws {HostError} for any other such message */
async function withoutCostly(event: Uint8Array[]): Promise<Uint8Array[]> {
  const data = event.filter(isData)
  const bytes = Buffer.concat(data.flatMap((line) => [line.subarray(line[5] === space ? 6 : 5), newline]))
  if (!(await isCostly(bytes))) return event
  const error = tooManyParts()
  const id = answeredId(bytes.subarray(0, headSize), bytes.subarray(-headSize))
  if (id === undefined) throw error
  const failed = encoder.encode(`data: ${JSON.stringify(failedResponse(id, error))}`)
  return [...event.filter((line) => !isData(line)), failed]
}

const field = (name: string) => {
  const prefix = encoder.encode(name)
  return (line: Uint8Array): boolean =>
    prefix.every((byte, index) => line[index] === byte) && (line.length === prefix.length || line[prefix.length] === 58)
}
const isData = field('data')
const isId = field('id')
const isEvent = field('event')

const textOf = (line: Uint8Array): string => {
  const text = decoder.decode(line)
  const colon = text.indexOf(':')
  return colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, '')
}

function idOf(lines: readonly Uint8Array[]): string | undefined {
  const line = lines.findLast(isId)
  const id = line && textOf(line)
  return id === '' || id?.includes('\0') ? undefined : id
}

/** An id moves the place in the stream also where nothing is said; the SDK hears of it only with data. */
const withData = (lines: readonly Uint8Array[], id: string | undefined): readonly Uint8Array[] =>
  id !== undefined && !lines.some(isData) ? [...lines, encoder.encode('data:')] : lines

/** Whether it is a line of data whose first sign is `[`. */
function startsArray(line: Uint8Array): boolean {
  if (!isData(line)) return false
  let at = 5
  while (line[at] === 32 || line[at] === 9) at += 1
  return line[at] === 91
}

function split(lines: readonly Uint8Array[], onStrays: RepairOptions['onStrays']): string {
  const ahead = lines
    .filter((line) => !isData(line))
    .map((line) => `${decoder.decode(line)}\n`)
    .join('')
  const data = lines.filter(isData).map(textOf)
  const items = parseJson(data.join('\n'))
  // Whoever reads the event says that it is no JSON.
  if (!Array.isArray(items)) return `${ahead}${data.map((line) => `data: ${line}\n`).join('')}\n`
  const named = lines.find(isEvent)
  const repeated = named === undefined ? '' : `${decoder.decode(named)}\n`
  const { messages, strays } = takeMessages(items)
  if (strays > 0) onStrays?.(strays)
  return (
    messages.map((message, index) => `${index === 0 ? ahead : repeated}data: ${JSON.stringify(message)}\n\n`).join('') ||
    `${ahead}data:\n\n`
  )
}
