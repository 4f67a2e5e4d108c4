// Connects to a server: start, detection of the era, handshake. A stdio server is asked for its era in place; one that ends on
// being asked is started once more and sent `initialize` only.
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { Session } from '#app/server/server-state.ts'
import { doneWithin, orAborted } from '#main/base/abort.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { limitTime } from '#main/servers/transport/pausable-timeouts.ts'
import { commonVersions, draftVersion, versionMismatchError } from '#main/servers/transport/protocol-versions.ts'
import type { RawTransport } from '#main/servers/transport/stdio/raw-requests.ts'
import { toStartFailure } from '../requests/connection-errors.ts'
import type { Connection, ConnectOptions } from './connection.ts'
import { detectEra, discoverParams } from './detect-era.ts'
import { clientCapabilities, clientInfo, type DraftConnection, draftConnection, establish, never } from './establish-connection.ts'
import type { Remembered } from './remembered-era.ts'
import type { ChannelEnd, ServerChannel } from './server-channel.ts'

export interface ProcessConnectOptions extends ConnectOptions {
  /** Starts a process of the server, unless the signal has aborted; called a few times at most. */
  readonly launch: () => Promise<ServerChannel<RawTransport>>
  /** The question is skipped, unless that fails. */
  readonly remembered: Remembered
  /** The process ended on `server/discover` a moment ago: only `initialize` is sent. */
  readonly shunsProbe: boolean
  readonly onShunned: () => void
}

/** `npx` and the like may fetch a whole package before they answer. */
const handshakeMs = 60_000

export async function connectProcess(options: ProcessConnectOptions): Promise<Connection> {
  const greet = (foundBy: Session['foundBy']): Promise<Connection> =>
    inCommonVersion((versions) => onNewLink(options, (link) => handshake(options, link, { prior: legacy, foundBy, versions })))
  if (options.shunsProbe) return greet('initialize')
  if (options.remembered !== undefined) {
    try {
      return await greet('remembered')
    } catch (error) {
      // It may have learnt a newer revision since. What has nothing to do with that would fail again.
      if (options.signal.aborted || !mayHaveChanged(toStartFailure(options.server, error))) throw error
    }
  }
  const probed = await inCommonVersion((versions) => onNewLink(options, (link) => probeAndShake(options, link, versions)))
  if (probed !== 'ended') return probed
  options.onShunned()
  options.steps?.step('start again')(true, t`it may mind the question: greeted the old way`)
  return greet('initialize')
}

const legacy = { kind: 'legacy' } as const
const mayHaveChanged = ({ code }: HostError): boolean =>
  code === 'server.not-mcp' || code === 'server.exited' || code === 'server.version-mismatch'

const mayMindTheQuestion = ({ code }: HostError): boolean =>
  code === 'server.not-mcp' || code === 'server.exited' || code === 'server.connection-lost'

async function probeAndShake(
  options: ProcessConnectOptions,
  channel: ServerChannel<RawTransport>,
  versions: readonly string[] | undefined,
): Promise<Connection | 'ended'> {
  const { server, clock, signal } = options
  const discover = discoverParams(clientInfo(options.version), clientCapabilities)
  const discoverInDraft = discoverParams(clientInfo(options.version), clientCapabilities, draftVersion)
  const initialize = { capabilities: clientCapabilities as JsonObject, clientInfo: clientInfo(options.version) }
  const answerMs = options.startTimeoutMs ?? handshakeMs
  const era = await detectEra(channel.transport, { discover, discoverInDraft, initialize, clock, signal, steps: options.steps, answerMs })
  switch (era.kind) {
    case 'ended':
      return 'ended'
    case 'modern':
      return handshake(options, channel, { prior: { kind: 'modern', discover: era.discover }, foundBy: 'discover' })
    case 'legacy':
      if (era.answer) channel.transport.answered('initialize', era.answer)
      try {
        return await handshake(options, channel, { prior: legacy, foundBy: 'initialize', versions, greeted: era.answer !== undefined })
      } catch (error) {
        // It may want to hear nothing before that: then a process that was asked nothing tells.
        if (signal.aborted || !mayMindTheQuestion(toStartFailure(server, error))) throw error
        return 'ended'
      }
    case 'silent':
      throw notAnswered(server, answerMs)
    case 'mismatch':
      throw versionMismatchError(server, era.supported)
  }
}

/** One that refuses our newest revision at the handshake names its own: begun with anew, in one that both know. */
async function inCommonVersion<T>(attempt: (versions?: readonly string[]) => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    const versions = error instanceof HostError ? commonVersions(error) : []
    if (versions.length === 0) throw error
    return attempt(versions)
  }
}

type Prior = NonNullable<NonNullable<Parameters<DraftConnection['client']['connect']>[1]>['prior']>

interface Handshake {
  readonly prior: Prior
  readonly foundBy: Session['foundBy']
  readonly versions?: readonly string[] | undefined
  /** `initialize` was answered already. */
  readonly greeted?: boolean
}

async function handshake(
  options: ConnectOptions,
  channel: ServerChannel,
  { prior, foundBy, versions, greeted }: Handshake,
): Promise<Connection> {
  const draft = draftConnection(channel, { ...options, versions, greeted, negotiate: false })
  try {
    await connectInTime(options, draft, { prior })
  } catch (error) {
    const theirs = draft.transport.initialized?.['protocolVersion']
    if (draft.transport.offered !== undefined) throw versionMismatchError(options.server, draft.transport.offered)
    if (theirs === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(theirs))) throw error
    throw versionMismatchError(options.server, [String(theirs)])
  }
  return establish(channel, draft, { ...options, foundBy })
}

/** The SDK's own timers would run while a person signs in. */
async function connectInTime(
  options: ConnectOptions,
  { client, transport }: DraftConnection,
  how: { readonly prior?: Prior },
): Promise<void> {
  const { clock, waits, server } = options
  const ms = options.startTimeoutMs ?? handshakeMs
  const limit = limitTime(ms, { clock, waits, signals: [options.signal], onLapse: () => notAnswered(server, ms) })
  try {
    // The SDK's own question for the era heeds no signal.
    await orAborted(client.connect(transport, { ...how, timeout: never, signal: limit.signal }), limit.signal, () => limit.signal.reason)
  } catch (error) {
    throw limit.lapsed ? notAnswered(server, ms) : error
  } finally {
    limit.stop()
  }
}

const notAnswered = (server: string, timeoutMs: number): HostError =>
  new HostError('server.start-timeout', t`“${server}” was started but did not answer.`, { data: { server, timeoutMs } })

/** Runs one attempt on a link of its own, and leaves nothing of it behind unless it became a connection. */
async function onNewLink<T extends Connection | 'ended'>(
  options: ProcessConnectOptions,
  attempt: (channel: ServerChannel<RawTransport>) => Promise<T>,
): Promise<T> {
  const link = await options.launch()
  options.onNegotiating()
  return guarded(options, link, () => attempt(link))
}

/** A process whose pipes are closed has ended, or is about to. */
const exitAfterPipesMs = 5000

/** Ends the link when the attempt fails or is called off, and says why it failed: the exit of a process before all else. */
async function guarded<T extends Connection | 'ended'>(
  options: ConnectOptions,
  channel: ServerChannel,
  attempt: () => Promise<T>,
): Promise<T> {
  const { signal, clock } = options
  let ending: ChannelEnd | undefined
  void channel.ended.then((end) => {
    ending = end
  })
  const onAbort = (): void => void channel.close()
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    const result = await attempt()
    signal.throwIfAborted()
    if (result === 'ended') await channel.close()
    return result
  } catch (error) {
    const failure = toStartFailure(options.server, error)
    const broken = failure.code === 'server.connection-lost'
    if (channel.pid !== undefined) {
      // Pipes may close a moment before the process is known to have ended; where many start at once, a long one.
      await doneWithin(channel.ended, clock, broken ? exitAfterPipesMs : 500)
    }
    const died = ending
    await channel.close()
    if (signal.aborted) throw signal.reason
    // What the host itself found wrong, or the server said before it was ended for it, says more than that it is gone.
    const heard = error instanceof HostError || isProtocolError(error) || failure.code === 'server.not-mcp'
    throw died && (!heard || broken) ? died.error : failure
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

interface HttpConnectOptions extends ConnectOptions {
  readonly open: () => ServerChannel
  /** The transport of 2024-11-05, at the same URL. */
  readonly openSse: () => ServerChannel
  /** Era of the last run: a newer one is tried only when that fails. */
  readonly remembered?: Remembered
}

/** An event stream of the older transport must have named its endpoint by then. */
const sseStartMs = 15_000

/** The SDK itself finds the era over HTTP. What refuses to be posted to may be a server of 2024-11-05 (HTTP+SSE). */
export async function connectHttp(options: HttpConnectOptions): Promise<Connection> {
  if (options.remembered !== undefined) {
    try {
      return await (options.remembered === 'sse' ? connectSse(options, 'remembered') : greetHttp(options, 'remembered'))
    } catch (error) {
      // Only one that is there, and answers otherwise than it did, may have changed.
      if (options.signal.aborted || !answersOtherwise(error)) throw error
    }
  }
  try {
    return await inCommonVersion((versions) => onHttpLink(options, (link) => negotiate(options, link, versions)))
  } catch (error) {
    const broke = brokeOnQuestion(error)
    if (options.signal.aborted || (!broke && !mayBeOlder(error))) throw error
    try {
      return await (broke ? greetHttp(options, 'initialize') : connectSse(options))
    } catch (second) {
      // There is no such stream either: what it said first is what is wrong.
      throw options.signal.aborted ? second : error
    }
  }
}

const greetHttp = (options: HttpConnectOptions, foundBy: Session['foundBy']): Promise<Connection> =>
  inCommonVersion((versions) => onHttpLink(options, (link) => handshake(options, link, { prior: legacy, foundBy, versions })))

async function onHttpLink(options: HttpConnectOptions, attempt: (channel: ServerChannel) => Promise<Connection>): Promise<Connection> {
  options.signal.throwIfAborted()
  const link = options.open()
  options.onNegotiating()
  return guarded(options, link, () => attempt(link))
}

const refusals: ReadonlySet<HostErrorCode> = new Set([
  'server.not-mcp',
  'server.version-mismatch',
  'server.protocol',
  'server.start-timeout',
])

const answersOtherwise = (error: unknown): boolean => error instanceof HostError && (refusals.has(error.code) || mayBeOlder(error))

const hasStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof HostError && error.code === 'server.http-status' && statuses.includes(Number(error.data['status']))

const mayBeOlder = (error: unknown): boolean => hasStatus(error, 400, 404, 405)

/** Some old ones throw on a method they do not know, or on any before `initialize`. The SDK takes that for an outage. */
const brokeOnQuestion = (error: unknown): boolean => hasStatus(error, 500, 501)

async function negotiate(options: ConnectOptions, channel: ServerChannel, versions: readonly string[] | undefined): Promise<Connection> {
  const draft = draftConnection(channel, { ...options, versions, negotiate: versions === undefined })
  try {
    await connectInTime(options, draft, {})
  } catch (error) {
    const { offered } = draft.transport
    if (offered !== undefined) throw versionMismatchError(options.server, offered)
    throw error
  }
  const foundBy = draft.client.getProtocolEra() === 'modern' ? 'discover' : 'initialize'
  return establish(channel, draft, { ...options, foundBy })
}

type SseConnectOptions = Pick<HttpConnectOptions, 'openSse'> & ConnectOptions

/** HTTP+SSE of 2024-11-05. */
export const connectSse = (options: SseConnectOptions, foundBy: Session['foundBy'] = 'initialize'): Promise<Connection> =>
  inCommonVersion((versions) => openStream(options, { prior: legacy, foundBy, versions }))

async function openStream(options: SseConnectOptions, how: Handshake): Promise<Connection> {
  options.signal.throwIfAborted()
  const link = options.openSse()
  options.onNegotiating()
  return guarded(options, link, async () => {
    // The SDK waits for the endpoint without end.
    const { server, clock, waits } = options
    const silent = (): HostError =>
      new HostError('server.start-timeout', t`“${server}” opened a stream but did not say where to send to.`, { data: { server } })
    const limit = limitTime(sseStartMs, { clock, waits, signals: [options.signal], onLapse: silent })
    try {
      return await orAborted(handshake(options, link, how), limit.signal, () => limit.signal.reason)
    } finally {
      limit.stop()
    }
  })
}
