// The `fetch` under the SDK's HTTP transport. It waits as long as the call does (Node's own gives up after 300 s of silence), caps
// what it reads, sends the person's headers to the server's own origin only, and ends every request with a response or an error.
// Errors name the cause by the codes of Node, OpenSSL and undici, and hold nothing of the request.
import type { FetchLike } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { maskUrl } from '#app/text/secret-names.ts'
import { wait } from '#main/base/abort.ts'
import { errorReason, vouched } from '#main/base/authorities/certificate-authorities.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import { captureText, gather, type Tap } from '../inspector/wire-tap.ts'
import { createDispatchers, loadUndici, type OnResolved, type Passage, type Proxies, type Undici } from './dispatchers.ts'
import { capBody, isEventStream, type RepairOptions, readReply, repairEvents } from './event-stream.ts'
import { httpStatusError, isErrorStatus, movedError, movedTo, retryAfterMs, tooManyRequestsError } from './redirects.ts'
import { addStandardHeaders, type RequestFacts, readRequest } from './request-headers.ts'
import { createResumption } from './resumption.ts'

// Tells the message inspector of HTTP: the request and its body, status and headers of the response, then its body, whole or event
// by event. While nobody listens the streams are not touched.

type Answered = Pick<Response, 'status' | 'statusText'> & { readonly headers: Iterable<readonly [string, string]> }

/** Tells the tap of a request. Returns its number. */
function tapRequest(tap: Tap | undefined, url: string, init: RequestInit | undefined, headers: Headers): number | undefined {
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
function tapResponse(tap: Tap | undefined, { status, statusText, headers }: Answered, to: number | undefined): void {
  if (!tap?.on) return
  const http = { line: `${status} ${statusText}`.trim(), headers: [...headers] }
  tap.tell({ direction: 'received', bare: true, text: '', size: 0, http, of: to })
}

/** The same stream; what went through it is told at its end. */
function tapBody(tap: Tap | undefined, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
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
function tapEvent(tap: Tap | undefined, lines: readonly Uint8Array[]): void {
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

/** Failures before anything was sent: the request has certainly not run. */
const neverSent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ERR_INVALID_URL',
  'UND_ERR_CONNECT_TIMEOUT',
])

const certificate = (): Readonly<Record<string, string>> => ({
  DEPTH_ZERO_SELF_SIGNED_CERT: t`unknown certificate authority`,
  SELF_SIGNED_CERT_IN_CHAIN: t`unknown certificate authority`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: t`unknown certificate authority`,
  UNABLE_TO_GET_ISSUER_CERT: t`unknown certificate authority`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: t`unknown certificate authority`,
  CERT_HAS_EXPIRED: t`its certificate has expired`,
  CERT_NOT_YET_VALID: t`its certificate is not valid yet`,
  CERT_REVOKED: t`its certificate was revoked`,
  ERR_TLS_CERT_ALTNAME_INVALID: t`its certificate is for another name`,
})

const said = (): Readonly<Record<string, string>> => ({
  ECONNREFUSED: t`nothing listens there`,
  ENOTFOUND: t`host not found`,
  EAI_AGAIN: t`host not found`,
  EHOSTUNREACH: t`no network`,
  ENETUNREACH: t`no network`,
  ETIMEDOUT: t`it did not answer in time`,
  UND_ERR_CONNECT_TIMEOUT: t`it did not answer in time`,
  ECONNRESET: t`closed the connection`,
  EPIPE: t`closed the connection`,
  UND_ERR_SOCKET: t`closed the connection`,
})

const isEncryption = (reason: string): boolean => reason === 'EPROTO' || reason.startsWith('ERR_SSL') || reason.startsWith('ERR_TLS')

/** Whether the connection itself was not made, so that whatever asks next will fare no better. */
const notConnected = (reason: string): boolean => neverSent.has(reason) || reason in certificate() || isEncryption(reason)

/** `proxy`: through which it was tried; `passedOver`: a SOCKS proxy that is set and was not used. Hosts. */
function serverUnreachable(server: string, origin: string, error: unknown, { proxy, passedOver }: Partial<Passage> = {}): HostError {
  const raw = errorReason(error)
  // Undici says no more when a proxy will not make the tunnel.
  const refused = proxy !== undefined && raw === 'UND_ERR_ABORTED'
  const reason = refused ? 'proxy' : raw
  const known = refused
    ? t`the proxy refused`
    : (certificate()[reason] ?? said()[reason] ?? (isEncryption(reason) ? t`does not speak TLS` : undefined))
  const why = known === undefined ? reason : `${known} (${reason})`
  return new HostError(
    'server.unreachable',
    proxy === undefined
      ? t`“${server}” could not be reached at ${origin}: ${why}.`
      : t`“${server}” could not be reached at ${origin} through the proxy ${proxy}: ${why}.`,
    {
      data: { server, origin, reason, sent: !refused && !notConnected(reason), ...defined({ proxy, passedOver }) },
      cause: error,
    },
  )
}

/** Tells when nothing more can come of it. */
function watchEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
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

export interface HttpFetchOptions {
  readonly server: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Bytes of one answer, or of one event in a stream. */
  readonly maxBytes: number
  readonly onLost: (error: HostError) => void
  /** A stream that was asked for with GET is over, whoever ended it. */
  readonly onStreamEnd?: () => void
  readonly onNote?: (note: HostError) => void
  /** Answers come in a stream of their own (HTTP+SSE), not to what was posted. */
  readonly answersElsewhere?: boolean
  readonly proxies?: Proxies
  readonly onResolved?: OnResolved
  readonly clock?: Clock
  readonly tap?: Tap | undefined
}

/** Headers that only Assent or the SDK may set, whatever the config file says. */
const reserved = /^(host|content-length|content-type|accept|connection|transfer-encoding|mcp-.*)$/i
const withoutBody: ReadonlySet<number> = new Set([101, 204, 205, 304])
/** A server that wants to be asked later is waited for so long, for what may be asked twice. */
const longestPauseMs = 20_000

type Answer = Awaited<ReturnType<Undici['fetch']>>

interface HttpContext extends Pick<HttpFetchOptions, 'server' | 'maxBytes' | 'onLost' | 'tap'> {
  readonly answersElsewhere: boolean
  readonly clock: Clock
  readonly dispatchers: ReturnType<typeof createDispatchers>
  readonly resumption: ReturnType<typeof createResumption>
  readonly onStrays: (count: number) => void
  streamed: boolean
}

export function createHttpFetch(options: HttpFetchOptions) {
  const { onStreamEnd, onNote, answersElsewhere = false, clock = systemClock } = options
  const origin = new URL(options.url).origin
  const dispatchers = createDispatchers(options.proxies, options.onResolved)
  const own = Object.entries(options.headers).filter(([name]) => !reserved.test(name))
  const context: HttpContext = {
    ...options,
    answersElsewhere,
    clock,
    dispatchers,
    resumption: createResumption(clock.now),
    onStrays: () => onNote?.(straysError()),
    streamed: false,
  }

  const fetch: FetchLike = async (input, init) => {
    const url = String(input)
    const headers = new Headers(init?.headers)
    if (new URL(url).origin === origin) for (const [name, value] of own) if (!headers.has(name)) headers.set(name, value)
    const asked = init?.method === 'POST' ? readRequest(init.body) : undefined
    if (asked) return post(context, { url, init, headers, asked })
    const streams = (init?.method ?? 'GET') === 'GET' && headers.get('accept') === 'text/event-stream'
    const response = streams
      ? await get(context, { url, init, headers })
      : bodyOf(context, await send(context, { url, init, headers }), () => ({}))
    // An answer that refuses the stream ends, and nothing is over with it.
    if (!streams || !onStreamEnd || !response.ok || response.body === null) return response
    return new Response(watchEnd(response.body, onStreamEnd), response)
  }
  return { fetch, close: () => dispatchers.close() }
}

interface HttpRequest {
  readonly url: string
  readonly init: RequestInit | undefined
  readonly headers: Headers
  readonly asked?: RequestFacts
}

const straysError = (): HostError => new HostError('server.protocol', t`The server sent an invalid message.`)

/** Sends it once; what was never heard, or does no harm when heard twice, is tried again on a new connection. */
async function send(context: HttpContext, { url, init, headers, asked }: HttpRequest): Promise<Answer> {
  const { server, dispatchers, tap, answersElsewhere, onLost } = context
  const { dispatcher, ...passage } = await dispatchers.for(url)
  const undici = await loadUndici()
  // The DOM's types and undici's describe the same objects but do not know each other.
  const request = { ...init, headers: [...headers], dispatcher } as unknown as Parameters<Undici['fetch']>[1]
  for (let tries = 0; ; tries += 1) {
    const told = tapRequest(tap, url, init, headers)
    try {
      const response = await vouched(() => undici.fetch(url, request))
      tapResponse(tap, response, told)
      return response
    } catch (error) {
      if (init?.signal?.aborted) throw error
      const reason = errorReason(error)
      if (asked?.safe && tries === 0 && !notConnected(reason) && passage.proxy === undefined) continue
      const failure = serverUnreachable(server, new URL(url).origin, error, passage)
      if (asked ? failure.data['sent'] === false : answersElsewhere) onLost(failure)
      throw failure
    }
  }
}

async function sendPatiently(context: HttpContext, request: HttpRequest): Promise<Answer> {
  const { server, clock } = context
  const until = clock.now() + longestPauseMs
  for (;;) {
    const response = await send(context, request)
    const retryMs = response.status === 429 || response.status === 503 ? retryAfterMs(response, clock.now()) : undefined
    const rest = retryMs ?? (response.status === 429 ? 1000 : undefined)
    const again = request.asked?.safe && rest !== undefined && clock.now() + rest <= until
    if (!again && response.status !== 429) return response
    await response.body?.cancel()
    if (!again) throw tooManyRequestsError(server, retryMs)
    await wait(clock, Math.max(rest, 100), request.init?.signal ?? undefined)
  }
}

async function failUnread(response: Answer, error: HostError): Promise<never> {
  await response.body?.cancel()
  throw error
}

async function post(context: HttpContext, request: Required<HttpRequest>): Promise<Response> {
  const { server, resumption, answersElsewhere, onLost, onStrays } = context
  const { url, headers, asked } = request
  addStandardHeaders(headers, asked)
  const response = await sendPatiently(context, request)
  const to = movedTo(url, 'POST', response)
  if (to !== undefined) return failUnread(response, movedError(server, response.status, to))
  if (response.status === 404 && (answersElsewhere || headers.has('mcp-session-id'))) onLost(forgotten(server))
  else if (answersElsewhere && isErrorStatus(response.status)) return failUnread(response, httpStatusError(server, response))
  const fault = asked.method === 'initialize' ? sessionFault(server, response.headers.get('mcp-session-id')) : undefined
  if (fault) return failUnread(response, fault)
  const body = bodyOf(context, response, () => ({
    ...(asked.modern && !asked.draft ? { final: true } : { place: resumption.begin() }),
    onStrays,
  }))
  return answersElsewhere ? body : readReply(body, asked, { server, inSession: headers.has('mcp-session-id'), onStrays })
}

async function get(context: HttpContext, request: HttpRequest): Promise<Response> {
  const { url, init, headers } = request
  const { server, clock, resumption, answersElsewhere, onLost, onStrays } = context
  const from = headers.get('last-event-id') ?? undefined
  const restMs = resumption.next(from)
  if (restMs === 'enough') return new Response(null, { status: 405 })
  if (restMs > 0) await wait(clock, restMs, init?.signal ?? undefined)
  const response = await send(context, request)
  const to = movedTo(url, 'GET', response)
  if (to !== undefined) return failUnread(response, movedError(server, response.status, to))
  // One that never had such a stream may well say that it finds none.
  if (response.status === 404 && context.streamed && headers.has('mcp-session-id')) onLost(forgotten(server))
  if (response.ok && !isEventStream(response)) {
    // A page where a stream should be: the SDK would ask for it again and again.
    await response.body?.cancel()
    return new Response(null, { status: 405 })
  }
  // The SDK would say nothing of why there is no stream.
  if (answersElsewhere && isErrorStatus(response.status)) onLost(httpStatusError(server, response))
  if (response.ok) context.streamed = true
  return bodyOf(context, response, () => ({ place: resumption.resume(from), onStrays }))
}

function bodyOf({ server, maxBytes, tap }: HttpContext, response: Answer, repair: () => RepairOptions): Response {
  const limit = { server, maxBytes }
  let body: ReadableStream<Uint8Array> | null = null
  if (response.body && !withoutBody.has(response.status))
    body = isEventStream(response)
      ? (response.body as ReadableStream<Uint8Array>).pipeThrough(
          repairEvents({ ...repair(), limit, onEvent: (lines) => tapEvent(tap, lines) }),
        )
      : tapBody(tap, capBody(response.body, limit))
  return new Response(body, { status: response.status, statusText: response.statusText, headers: [...response.headers] })
}

const longestSessionId = 4096

/** Visible ASCII and nothing else (Streamable HTTP, "Session Management"): what else it holds must not be sent back. */
function sessionFault(server: string, id: string | null): HostError | undefined {
  if (id === null || (id.length <= longestSessionId && /^[\x21-\x7e]*$/.test(id))) return undefined
  const message = t`“${server}” sent a session id that is not visible ASCII.`
  return new HostError('server.protocol', message, { data: { server, reason: 'session-id' } })
}

const forgotten = (server: string): HostError =>
  new HostError('server.connection-lost', t`The session of “${server}” has ended.`, { data: { server, status: 404 } })
