// A transport to one server, of whatever kind, and the one promise of its end.
import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Exit, Session } from '#app/server/server-state.ts'
import { doneWithin } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import type { AuthSession } from '#main/servers/auth/auth-session.ts'
import { authorizedFetch } from '#main/servers/auth/authorized-fetch.ts'
import { defaultLimits } from '#main/servers/process/stdio-limits.ts'
import type { Proxies } from '#main/servers/transport/http/dispatchers.ts'
import { createHttpFetch, type HttpFetchOptions } from '#main/servers/transport/http/http-fetch.ts'
import type { Tap } from '#main/servers/transport/inspector/wire-tap.ts'

export interface ChannelEnd {
  readonly error: HostError
  readonly exit?: Exit
}

export interface ServerChannel<T extends Transport = Transport> {
  readonly kind: NonNullable<Session['transport']>
  readonly transport: T
  readonly pid: number | undefined
  /** Resolves when it is over, whoever ended it. Never rejects. */
  readonly ended: Promise<ChannelEnd>
  /** Ends it; resolves when nothing of it is left. */
  close(): Promise<void>
}

/** Bytes of one HTTP answer or event: as much as a line over stdio. */
const maxBytes = defaultLimits.maxLine
/** A server may ask to be called again at once; that would be a flood. */
const minReconnectMs = 500
/** Or so late that nobody would still wait for the answer. */
const maxReconnectMs = 60_000
const goodbyeMs = 1000

interface HttpLinkOptions {
  readonly server: string
  readonly url: string
  /** The definition's, with their variables filled in. */
  readonly headers: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly proxies?: Proxies
  /** Absent: whoever says 401 is believed. */
  readonly signIn: AuthSession | undefined
  readonly tap?: Tap | undefined
}

export function httpChannel({ server, url, headers, clock, proxies, signIn, tap }: HttpLinkOptions): ServerChannel {
  const ended = Promise.withResolvers<ChannelEnd>()
  let forgotten = false
  const onLost = (error: HostError): void => {
    forgotten = error.data['status'] === 404
    ended.resolve({ error })
  }
  const onNote = (note: HostError): void => transport.onerror?.(note)
  const http = createHttpFetch({
    server,
    url,
    headers,
    maxBytes,
    onLost,
    onNote,
    clock,
    tap,
    ...toldOf(signIn),
    ...(proxies ? { proxies } : {}),
  })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: signIn ? authorizedFetch({ server, url, session: signIn, fetch: http.fetch }) : http.fetch,
    reconnectionScheduler: (reconnect, delay) => clock.after(Math.min(Math.max(delay, minReconnectMs), maxReconnectMs), reconnect),
  })
  return {
    kind: 'streamable-http',
    transport,
    pid: undefined,
    ended: ended.promise,
    async close() {
      ended.resolve({ error: stopped(server) })
      // Telling the server that its session is over is a courtesy: it may be gone.
      if (!forgotten) await doneWithin(transport.terminateSession(), clock, goodbyeMs).catch(() => undefined)
      await transport.close().catch(() => undefined)
      await http.close()
    },
  }
}

/**
 * The transport of 2024-11-05. Its one stream is the session: when that ends it is over, for a stream opened anew by the
 * SDK would be a session that was never begun.
 */
export function sseChannel({ server, url, headers, clock, proxies, signIn, tap }: HttpLinkOptions): ServerChannel {
  const ended = Promise.withResolvers<ChannelEnd>()
  const lost = (): void =>
    ended.resolve({ error: new HostError('server.connection-lost', t`“${server}” closed its event stream.`, { data: { server } }) })
  const http = createHttpFetch({
    server,
    url,
    headers,
    maxBytes,
    onLost: (error) => ended.resolve({ error }),
    onStreamEnd: lost,
    onNote: (note) => transport.onerror?.(note),
    answersElsewhere: true,
    clock,
    tap,
    ...toldOf(signIn),
    ...(proxies ? { proxies } : {}),
  })
  // The stream is asked for again and again, whatever is wrong; a sign-in that failed is the end of it.
  const onFailed = (error: unknown): void => {
    if (error instanceof HostError) ended.resolve({ error })
  }
  const fetch = signIn ? authorizedFetch({ server, url, session: signIn, fetch: http.fetch, onFailed }) : http.fetch
  const transport = new SSEClientTransport(new URL(url), { fetch })
  return {
    kind: 'sse',
    transport,
    pid: undefined,
    ended: ended.promise,
    async close() {
      ended.resolve({ error: stopped(server) })
      await transport.close().catch(() => undefined)
      await http.close()
    },
  }
}

/** Tells the sign-in where the server was reached: that decides which addresses it may name. */
const toldOf = (signIn: AuthSession | undefined): Pick<HttpFetchOptions, 'onResolved'> =>
  signIn ? { onResolved: (name, addresses) => void signIn.resolved(name, addresses) } : {}

const stopped = (server: string): HostError => new HostError('server.stopped', t`“${server}” was stopped.`, { data: { server } })
