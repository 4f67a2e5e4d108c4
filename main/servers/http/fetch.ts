// The `fetch` under the SDK's HTTP transport. Node's own gives up on a stream that is silent for 300 s and holds answers
// of any size; this one waits as long as the call does, caps what it takes in, sends the person's headers to the server's
// own origin only, says plainly why a server was not reached, and sees to it that whatever is answered ends its request.
import type { FetchLike } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { vouched } from '#main/base/authorities/authorities.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import { reasonOf } from '#main/base/reason-of.ts'
import type { Tap } from '../inspector/tap.ts'
import { capBody, isEventStream } from './cap-body.ts'
import { createDispatchers, loadUndici, type OnResolved, type Proxies, type Undici } from './dispatchers.ts'
import { type RepairOptions, repairEvents } from './event-stream.ts'
import { httpStatus, isRefusal, moved, movedTo, retryAfterMs, tooMany } from './refusals.ts'
import { readReply } from './reply.ts'
import { addStandardHeaders, type RequestFacts, readRequest } from './request-facts.ts'
import { createResumption } from './resumption.ts'
import { sessionFault } from './session-id.ts'
import { tapAnswer, tapBody, tapEvent, tapRequest } from './tapped.ts'
import { notConnected, unreachable } from './unreachable.ts'
import { pause, watchEnd } from './waiting.ts'

export interface HttpFetchOptions {
  readonly server: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Bytes of one answer, or of one event in a stream. */
  readonly maxBytes: number
  /** The server was not reached, or does not know the session any more. */
  readonly onLost: (error: HostError) => void
  /** A stream that was asked for with GET is over, whoever ended it. */
  readonly onStreamEnd?: () => void
  /** What was sent in the server's name but could not be used. */
  readonly onNote?: (note: HostError) => void
  /** Answers come in a stream of their own (HTTP+SSE), not to what was posted. */
  readonly answersElsewhere?: boolean
  readonly proxies?: Proxies
  readonly onResolved?: OnResolved
  readonly clock?: Clock
  /** Told of each request and answer, and of each event. */
  readonly tap?: Tap | undefined
}

export interface HttpFetch {
  readonly fetch: FetchLike
  /** Ends every request. */
  close(): Promise<void>
}

/** Ours or the SDK's to say, whatever the config file says. */
const reserved = /^(host|content-length|content-type|accept|connection|transfer-encoding|mcp-.*)$/i
const withoutBody: ReadonlySet<number> = new Set([101, 204, 205, 304])
/** A server that wants to be asked later is waited for so long, for what may be asked twice. */
const longestPauseMs = 20_000

type Answer = Awaited<ReturnType<Undici['fetch']>>

export function createHttpFetch(options: HttpFetchOptions): HttpFetch {
  const { server, maxBytes, onLost, onStreamEnd, onNote, answersElsewhere = false, clock = systemClock, tap } = options
  const origin = new URL(options.url).origin
  const dispatchers = createDispatchers(options.proxies, options.onResolved)
  const own = Object.entries(options.headers).filter(([name]) => !reserved.test(name))
  const resumption = createResumption(clock.now)
  let streamed = false

  const onStrays = (count: number): void =>
    onNote?.(
      new HostError(
        'server.protocol',
        count === 1
          ? t`“${server}” sent something in a batch that is no message.`
          : t`“${server}” sent ${count} things in a batch that are no messages.`,
      ),
    )

  /** Once; what was never heard, or does no harm when heard twice, is tried again on a new connection. */
  async function send(url: string, init: RequestInit | undefined, headers: Headers, asked: RequestFacts | undefined): Promise<Answer> {
    const { dispatcher, ...passage } = await dispatchers.for(url)
    const undici = await loadUndici()
    // The DOM's types and undici's describe the same objects but do not know each other.
    const request = { ...init, headers: [...headers], dispatcher } as unknown as Parameters<Undici['fetch']>[1]
    for (let tries = 0; ; tries += 1) {
      const told = tapRequest(tap, url, init, headers)
      try {
        const response = await vouched(() => undici.fetch(url, request))
        tapAnswer(tap, response, told)
        return response
      } catch (error) {
        if (init?.signal?.aborted) throw error
        const reason = reasonOf(error)
        if (asked?.safe && tries === 0 && !notConnected(reason) && passage.proxy === undefined) continue
        const failure = unreachable(server, new URL(url).origin, error, passage)
        if (asked ? failure.data['sent'] === false : answersElsewhere) onLost(failure)
        throw failure
      }
    }
  }

  /** The same, after the server wanted to be asked later: 429, or 503 with Retry-After. */
  async function sendPatiently(
    url: string,
    init: RequestInit | undefined,
    headers: Headers,
    asked: RequestFacts | undefined,
  ): Promise<Answer> {
    const until = clock.now() + longestPauseMs
    for (;;) {
      const response = await send(url, init, headers, asked)
      const wait = response.status === 429 || response.status === 503 ? retryAfterMs(response, clock.now()) : undefined
      const rest = wait ?? (response.status === 429 ? 1000 : undefined)
      const again = asked?.safe && rest !== undefined && clock.now() + rest <= until
      if (!again && response.status !== 429) return response
      await response.body?.cancel()
      if (!again) throw tooMany(server, wait)
      await pause(clock, Math.max(rest, 100), init?.signal ?? undefined)
    }
  }

  async function post(url: string, init: RequestInit | undefined, headers: Headers, asked: RequestFacts): Promise<Response> {
    addStandardHeaders(headers, asked)
    const response = await sendPatiently(url, init, headers, asked)
    const to = movedTo(url, 'POST', response)
    if (to !== undefined) {
      await response.body?.cancel()
      throw moved(server, response.status, to)
    }
    if (response.status === 404 && (answersElsewhere || headers.has('mcp-session-id'))) onLost(forgotten())
    else if (answersElsewhere && isRefusal(response.status)) {
      await response.body?.cancel()
      throw httpStatus(server, response)
    }
    const fault = asked.method === 'initialize' ? sessionFault(server, response.headers.get('mcp-session-id')) : undefined
    if (fault) {
      await response.body?.cancel()
      throw fault
    }
    const body = bodyOf(response, () => ({ ...(asked.modern ? { final: true } : { place: resumption.begin() }), onStrays }))
    return answersElsewhere ? body : readReply(body, asked, { server, inSession: headers.has('mcp-session-id'), onStrays })
  }

  async function get(url: string, init: RequestInit | undefined, headers: Headers): Promise<Response> {
    const from = headers.get('last-event-id') ?? undefined
    const wait = resumption.next(from)
    if (wait === 'enough') return new Response(null, { status: 405 })
    if (wait > 0) await pause(clock, wait, init?.signal ?? undefined)
    const response = await send(url, init, headers, undefined)
    const to = movedTo(url, 'GET', response)
    if (to !== undefined) {
      await response.body?.cancel()
      throw moved(server, response.status, to)
    }
    // One that never had such a stream may well say that it finds none.
    if (response.status === 404 && streamed && headers.has('mcp-session-id')) onLost(forgotten())
    if (response.ok && !isEventStream(response)) {
      // A page where a stream should be: the SDK would ask for it again and again.
      await response.body?.cancel()
      return new Response(null, { status: 405 })
    }
    // The SDK would say nothing of why there is no stream.
    if (answersElsewhere && isRefusal(response.status)) onLost(httpStatus(server, response))
    if (response.ok) streamed = true
    return bodyOf(response, () => ({ place: resumption.resume(from), onStrays }))
  }

  function bodyOf(response: Answer, repair: () => RepairOptions): Response {
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

  const forgotten = (): HostError =>
    new HostError('server.connection-lost', t`“${server}” has forgotten the session.`, { data: { server, status: 404 } })

  const fetch: FetchLike = async (input, init) => {
    const url = String(input)
    const headers = new Headers(init?.headers)
    if (new URL(url).origin === origin) for (const [name, value] of own) if (!headers.has(name)) headers.set(name, value)
    const asked = init?.method === 'POST' ? readRequest(init.body) : undefined
    if (asked) return post(url, init, headers, asked)
    const streams = (init?.method ?? 'GET') === 'GET' && headers.get('accept') === 'text/event-stream'
    const response = streams ? await get(url, init, headers) : bodyOf(await send(url, init, headers, undefined), () => ({}))
    // An answer that refuses the stream ends, and nothing is over with it.
    if (!streams || !onStreamEnd || !response.ok || response.body === null) return response
    return new Response(watchEnd(response.body, onStreamEnd), response)
  }
  return { fetch, close: () => dispatchers.close() }
}
