// From a launch that was allowed to a connection that stands: start, find the era, shake hands. A stdio server is asked
// for its era in place; one that ends on being asked is started once more and spoken to the old way.
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import type { Session } from '#app/server/state.ts'
import type { Clock } from '#main/base/clock.ts'
import { type Connection, clientCapabilities, clientInfo, draftConnection, establish } from './connection.ts'
import { classifyDiscover, discoverParams } from './discover.ts'
import { toStartFailure } from './failures.ts'
import type { ServerRequestHandlers } from './handlers.ts'
import type { Ending, Link } from './link.ts'
import type { RawTransport } from './stdio/raw-requests.ts'
import type { Trace } from './trace.ts'
import { mutual, versionMismatch } from './versions.ts'

export interface ConnectOptions {
  readonly server: string
  readonly version: string
  readonly handlers: ServerRequestHandlers
  readonly clock: Clock
  /** Goes with each request. */
  readonly trace?: Trace | undefined
  /** Aborting ends whatever was started. */
  readonly signal: AbortSignal
  readonly onNegotiating: () => void
}

export interface ProcessConnectOptions extends ConnectOptions {
  /** Starts a process of the server; called twice at most. */
  readonly launch: () => Promise<Link<RawTransport>>
  /** It was legacy the last time: the question is skipped, unless that fails. */
  readonly knownLegacy: boolean
  /** It ended on being asked a moment ago: spoken to the old way, and not asked again. */
  readonly shunsProbe: boolean
  readonly onShunned: () => void
}

/** A silent server is taken for an old one after this. */
const probeMs = 10_000
/** `npx` and the like may fetch a whole package before they answer. */
const handshakeMs = 60_000

export async function connectProcess(options: ProcessConnectOptions): Promise<Connection> {
  if (options.shunsProbe) return onNewLink(options, (link) => handshake(options, link, { kind: 'legacy' }, 'initialize'))
  if (options.knownLegacy) {
    try {
      return await onNewLink(options, (link) => handshake(options, link, { kind: 'legacy' }, 'remembered'))
    } catch (error) {
      // It may have learnt a newer revision since. What has nothing to do with that would fail again.
      const { code } = toStartFailure(options.server, error)
      if (options.signal.aborted || (code !== 'server.not-mcp' && code !== 'server.exited' && code !== 'server.version-mismatch'))
        throw error
    }
  }
  const probed = await onNewLink(options, (link) => probeAndShake(options, link))
  if (probed !== 'ended') return probed
  options.onShunned()
  return onNewLink(options, (link) => handshake(options, link, { kind: 'legacy' }, 'initialize'))
}

async function probeAndShake(options: ProcessConnectOptions, link: Link<RawTransport>): Promise<Connection | 'ended'> {
  const { server, clock, signal } = options
  const params = discoverParams(clientInfo(options.version), clientCapabilities)
  const verdict = classifyDiscover(await link.transport.request('server/discover', params, { timeoutMs: probeMs, clock, signal }))
  switch (verdict.kind) {
    case 'ended':
      return 'ended'
    case 'modern':
      return handshake(options, link, { kind: 'modern', discover: verdict.discover }, 'discover')
    case 'legacy':
      return handshake(options, link, { kind: 'legacy' }, 'initialize')
    case 'mismatch':
      throw versionMismatch(server, verdict.supported)
  }
}

type Prior = NonNullable<NonNullable<Parameters<ReturnType<typeof draftConnection>['client']['connect']>[1]>['prior']>

async function handshake(options: ConnectOptions, link: Link, prior: Prior, foundBy: Session['foundBy']): Promise<Connection> {
  const draft = draftConnection(options.server, link, { ...options, negotiate: false })
  try {
    await draft.client.connect(draft.wire, { prior, timeout: handshakeMs, signal: options.signal })
  } catch (error) {
    const theirs = draft.wire.initialized?.['protocolVersion']
    if (theirs === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(theirs))) throw error
    throw versionMismatch(options.server, [String(theirs)])
  }
  return establish(options.server, link, draft, { foundBy, clock: options.clock })
}

/** Runs one attempt on a link of its own, and leaves nothing of it behind unless it became a connection. */
async function onNewLink<T extends Connection | 'ended'>(
  options: ProcessConnectOptions,
  attempt: (link: Link<RawTransport>) => Promise<T>,
): Promise<T> {
  options.signal.throwIfAborted()
  const link = await options.launch()
  options.onNegotiating()
  return guarded(options, link, () => attempt(link))
}

/** Ends the link when the attempt fails or is called off, and says why it failed: the exit of a process before all else. */
async function guarded<T extends Connection | 'ended'>(options: ConnectOptions, link: Link, attempt: () => Promise<T>): Promise<T> {
  const { signal, clock } = options
  let ending: Ending | undefined
  void link.ended.then((end) => {
    ending = end
  })
  const onAbort = (): void => void link.close()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const result = await attempt()
    signal.throwIfAborted()
    if (result === 'ended') await link.close()
    return result
  } catch (error) {
    if (link.pid !== undefined) {
      // Pipes may close a moment before the process is known to have ended.
      const settled = Promise.withResolvers<void>()
      const cancel = clock.after(500, settled.resolve)
      await Promise.race([link.ended, settled.promise])
      cancel()
    }
    const died = ending
    await link.close()
    if (signal.aborted) throw signal.reason
    const failure = toStartFailure(options.server, error)
    // What the host itself found wrong says more than that the process is gone.
    const own = error instanceof HostError && error.code !== 'server.connection-lost'
    throw died && !own ? died.error : failure
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

export interface HttpConnectOptions extends ConnectOptions {
  readonly open: () => Link
  /** The transport of 2024-11-05, at the same URL. */
  readonly openSse: () => Link
}

/** An event stream of the older transport must have named its endpoint by then. */
const sseStartMs = 15_000

/** The SDK itself finds the era over HTTP. What refuses to be posted to may be a server of 2024-11-05 (HTTP+SSE). */
export async function connectHttp(options: HttpConnectOptions): Promise<Connection> {
  options.signal.throwIfAborted()
  const link = options.open()
  options.onNegotiating()
  try {
    return await guarded(options, link, () => negotiate(options, link))
  } catch (error) {
    if (options.signal.aborted || !mayBeOlder(error)) throw error
    try {
      return await connectSse(options)
    } catch (second) {
      // There is no such stream either: what it said first is what is wrong.
      throw options.signal.aborted ? second : error
    }
  }
}

const mayBeOlder = (error: unknown): boolean =>
  error instanceof HostError && error.code === 'server.http-status' && [400, 404, 405].includes(Number(error.data['status']))

async function negotiate(options: ConnectOptions, link: Link): Promise<Connection> {
  const draft = draftConnection(options.server, link, { ...options, negotiate: true })
  try {
    await draft.client.connect(draft.wire, { timeout: handshakeMs, signal: options.signal })
  } catch (error) {
    const { offered } = draft.wire
    if (offered !== undefined && mutual(offered).length === 0) throw versionMismatch(options.server, offered)
    throw error
  }
  const foundBy = draft.client.getProtocolEra() === 'modern' ? 'discover' : 'initialize'
  return establish(options.server, link, draft, { foundBy, clock: options.clock })
}

/** HTTP+SSE of 2024-11-05. */
export async function connectSse(options: Pick<HttpConnectOptions, 'openSse'> & ConnectOptions): Promise<Connection> {
  options.signal.throwIfAborted()
  const link = options.openSse()
  options.onNegotiating()
  return guarded(options, link, async () => {
    // The SDK waits for the endpoint without end.
    const late = Promise.withResolvers<never>()
    const stop = (): void => late.reject(options.signal.reason)
    options.signal.addEventListener('abort', stop, { once: true })
    const cancel = options.clock.after(sseStartMs, () =>
      late.reject(
        new HostError('server.start-timeout', `“${options.server}” opened a stream but did not say where to send to.`, {
          data: { server: options.server },
        }),
      ),
    )
    try {
      return await Promise.race([handshake(options, link, { kind: 'legacy' }, 'initialize'), late.promise])
    } finally {
      cancel()
      options.signal.removeEventListener('abort', stop)
      late.promise.catch(() => undefined)
    }
  })
}
