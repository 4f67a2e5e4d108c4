// The `fetch` under the SDK's HTTP transport. Node's own gives up on a stream that is silent for 300 s and holds answers
// of any size; this one waits as long as the call does, caps what it takes in, sends the person's headers to the server's
// own origin only, and says plainly why a server was not reached.
import type { FetchLike } from '@modelcontextprotocol/client'
import { Agent, fetch as undiciFetch } from 'undici'
import { HostError } from '#app/errors.ts'
import { capBody, isEventStream } from './cap-body.ts'
import { repairEvents } from './event-stream.ts'

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
}

export interface HttpFetch {
  readonly fetch: FetchLike
  /** Ends every request. */
  close(): Promise<void>
}

/** Ours or the SDK's to say, whatever the config file says. */
const reserved = /^(host|content-length|content-type|accept|connection|transfer-encoding|mcp-.*)$/i

/** Failures before anything was sent: the request has certainly not run. */
const neverSent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const withoutBody: ReadonlySet<number> = new Set([101, 204, 205, 304])

export function createHttpFetch(options: HttpFetchOptions): HttpFetch {
  const { server, maxBytes, onLost, onStreamEnd } = options
  const origin = new URL(options.url).origin
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } })
  const own = Object.entries(options.headers).filter(([name]) => !reserved.test(name))

  const fetch: FetchLike = async (url, init) => {
    const headers = new Headers(init?.headers)
    if (new URL(url).origin === origin) for (const [name, value] of own) if (!headers.has(name)) headers.set(name, value)
    let response: Awaited<ReturnType<typeof undiciFetch>>
    try {
      // The DOM's types and undici's describe the same objects but do not know each other.
      const request = { ...init, headers: [...headers], dispatcher: agent } as unknown as Parameters<typeof undiciFetch>[1]
      response = await undiciFetch(String(url), request)
    } catch (error) {
      if (init?.signal?.aborted) throw error
      const failure = unreachable(server, origin, error)
      if (init?.method === 'POST') onLost(failure)
      throw failure
    }
    if (response.status === 404 && init?.method === 'POST' && headers.has('mcp-session-id'))
      onLost(new HostError('server.connection-lost', `“${server}” has forgotten the session.`, { data: { server, status: 404 } }))
    const streams = isEventStream(response)
    if (init?.method === 'GET' && response.ok && !streams) {
      // A page where a stream should be: the SDK would ask for it again and again.
      await response.body?.cancel()
      return new Response(null, { status: 405 })
    }
    const capped = response.body && !withoutBody.has(response.status) ? capBody(response, server, maxBytes) : null
    const body = capped && streams ? capped.pipeThrough(repairEvents(headers.get('last-event-id'))) : capped
    const watched = body && init?.method !== 'POST' && onStreamEnd ? watchEnd(body, onStreamEnd) : body
    return new Response(watched, { status: response.status, statusText: response.statusText, headers: [...response.headers] })
  }
  return { fetch, close: () => agent.destroy() }
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

function unreachable(server: string, origin: string, error: unknown): HostError {
  const cause = error instanceof Error ? error.cause : undefined
  const reason = String((cause as { code?: unknown } | undefined)?.code ?? 'failed')
  return new HostError('server.unreachable', `“${server}” could not be reached at ${origin} (${reason}).`, {
    data: { server, origin, reason, sent: !neverSent.has(reason) && !reason.includes('CERT') },
    cause: error,
  })
}
