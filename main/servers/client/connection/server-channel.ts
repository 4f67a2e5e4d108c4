// A transport to one server, of whatever kind, and the one promise of its end.
import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { Exit, Session } from '#app/server/server-state.ts'
import { doneWithin } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import type { AuthSession } from '#main/servers/auth/auth-session.ts'
import { authorizedFetch } from '#main/servers/auth/authorized-fetch.ts'
import { defaultLimits } from '#main/servers/process/stdio-limits.ts'
import { createHttpFetch, type HttpFetchOptions } from '#main/servers/transport/http/http-fetch.ts'

export interface ChannelEnd {
  readonly error: HostError
  readonly exit?: Exit
}

export interface ServerChannel<T extends Transport = Transport> {
  readonly kind: NonNullable<Session['transport']>
  readonly transport: T
  readonly pid: number | undefined
  /** Bytes of stdout so far that are no protocol; absent over HTTP. */
  readonly stray?: () => number
  readonly ended: Promise<ChannelEnd>
  close(): Promise<void>
}

/** Bytes of one HTTP answer or event: as much as a line over stdio. */
const maxBytes = defaultLimits.maxLine
/** Milliseconds: a server may ask to be called again at once, which would be a flood. */
const minReconnectMs = 500
/** Milliseconds: or so late that nobody would still wait for the response. */
const maxReconnectMs = 60_000
const goodbyeMs = 1000

interface HttpChannelOptions extends Pick<HttpFetchOptions, 'server' | 'url' | 'headers' | 'clock' | 'proxies' | 'tap'> {
  readonly clock: Clock
  /** Absent: a 401 is final. */
  readonly signIn: AuthSession | undefined
}

interface ChannelParts extends Pick<HttpFetchOptions, 'onLost' | 'onNote' | 'onStreamEnd' | 'answersElsewhere'> {
  readonly onFailed?: (error: unknown) => void
}

function openHttp({ signIn, ...options }: HttpChannelOptions, { onFailed, ...parts }: ChannelParts) {
  const { server, url } = options
  const http = createHttpFetch({
    ...options,
    ...parts,
    maxBytes,
    // The sign-in learns where the server was reached: that decides which addresses it may name.
    ...(signIn ? { onResolved: (name: string, addresses: readonly string[]) => void signIn.resolved(name, addresses) } : {}),
  })
  const fetch = signIn ? authorizedFetch({ server, url, session: signIn, fetch: http.fetch, ...defined({ onFailed }) }) : http.fetch
  return { fetch, close: http.close }
}

export function httpChannel(options: HttpChannelOptions): ServerChannel {
  const { server, url, clock } = options
  const ended = Promise.withResolvers<ChannelEnd>()
  let forgotten = false
  const onLost = (error: HostError): void => {
    forgotten = error.data['status'] === 404
    ended.resolve({ error })
  }
  const http = openHttp(options, { onLost, onNote: (note) => transport.onerror?.(note) })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: http.fetch,
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

/** Opens the transport of 2024-11-05. Its one stream is the session and ends the channel: the SDK would open another without a session. */
export function sseChannel(options: HttpChannelOptions): ServerChannel {
  const { server, url } = options
  const ended = Promise.withResolvers<ChannelEnd>()
  const end = (error: HostError): void => ended.resolve({ error })
  const lost = (): void => end(new HostError('server.connection-lost', t`The connection to “${server}” was lost.`, { data: { server } }))
  const http = openHttp(options, {
    onLost: end,
    onStreamEnd: lost,
    answersElsewhere: true,
    onNote: (note) => transport.onerror?.(note),
    // The SDK opens the stream again and again, whatever is wrong; a sign-in that failed ends that.
    onFailed: (error) => {
      if (error instanceof HostError) end(error)
    },
  })
  const transport = new SSEClientTransport(new URL(url), { fetch: http.fetch })
  return {
    kind: 'sse',
    transport,
    pid: undefined,
    ended: ended.promise,
    async close() {
      end(stopped(server))
      await transport.close().catch(() => undefined)
      await http.close()
    },
  }
}

const stopped = (server: string): HostError => new HostError('server.stopped', t`“${server}” was stopped.`, { data: { server } })
