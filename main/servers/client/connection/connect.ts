// Connects to a server: start, detection of the era, handshake. A stdio server is asked for its era in place; one that ends on
// being asked is started once more and sent `initialize` only.
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { Session } from '#app/server/server-state.ts'
import { doneWithin, orAborted } from '#main/base/abort.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { limitTime } from '#main/servers/transport/pausable-timeouts.ts'
import { commonVersions, versionMismatchError } from '#main/servers/transport/protocol-versions.ts'
import type { RawTransport } from '#main/servers/transport/stdio/raw-requests.ts'
import { toStartFailure } from '../requests/connection-errors.ts'
import { type Connection, type ConnectOptions, usualStartMs } from './connection.ts'
import { detectEra } from './detect-era.ts'
import { type DraftConnection, draftConnection, establish, never } from './establish-connection.ts'
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

export async function connectProcess(options: ProcessConnectOptions): Promise<Connection> {
  const greet = (foundBy: Session['foundBy']): Promise<Connection> =>
    inCommonVersion((versions) =>
      onNewChannel(options, options.launch, (channel) => handshake(options, channel, { prior: legacy, foundBy, versions })),
    )
  if (options.shunsProbe) return greet('initialize')
  if (options.remembered !== undefined) {
    try {
      return await greet('remembered')
    } catch (error) {
      // It may have learnt a newer revision since. What has nothing to do with that would fail again.
      if (options.signal.aborted || !mayHaveChanged(toStartFailure(options.server, error))) throw error
    }
  }
  const probed = await inCommonVersion((versions) =>
    onNewChannel(options, options.launch, (channel) => probeAndShake(options, channel, versions)),
  )
  if (probed !== 'ended') return probed
  options.onShunned()
  options.steps?.step('start again')(true, t`greeted with initialize`)
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
  const { server, signal } = options
  const answerMs = options.startTimeoutMs ?? usualStartMs
  const era = await detectEra(channel.transport, { ...options, answerMs })
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
  /** Era that is known; undefined: the SDK finds it. */
  readonly prior: Prior | undefined
  /** Default: by the era that the SDK finds. */
  readonly foundBy?: Session['foundBy']
  readonly versions?: readonly string[] | undefined
  readonly greeted?: boolean
}

async function handshake(
  options: ConnectOptions,
  channel: ServerChannel,
  { prior, foundBy, versions, greeted }: Handshake,
): Promise<Connection> {
  const draft = draftConnection(channel, { ...options, versions, greeted, negotiate: !prior && versions === undefined })
  try {
    await connectInTime(options, draft, prior)
  } catch (error) {
    const { offered, initialized } = draft.transport.versions
    const theirs = prior && initialized?.['protocolVersion']
    if (offered !== undefined) throw versionMismatchError(options.server, offered)
    if (theirs === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(theirs))) throw error
    throw versionMismatchError(options.server, [String(theirs)])
  }
  const byEra = draft.client.getProtocolEra() === 'modern' ? 'discover' : 'initialize'
  return establish(channel, draft, { ...options, foundBy: foundBy ?? byEra })
}

/** The SDK's own timers would run while a person signs in. */
async function connectInTime(options: ConnectOptions, { client, transport }: DraftConnection, prior: Prior | undefined): Promise<void> {
  const { clock, waits, server } = options
  const ms = options.startTimeoutMs ?? usualStartMs
  const limit = limitTime(ms, { clock, waits, signals: [options.signal], onLapse: () => notAnswered(server, ms) })
  try {
    // The SDK's own question for the era heeds no signal.
    const connecting = client.connect(transport, { ...defined({ prior }), timeout: never, signal: limit.signal })
    await orAborted(connecting, limit.signal, () => limit.signal.reason)
  } catch (error) {
    throw limit.lapsed ? notAnswered(server, ms) : error
  } finally {
    limit.stop()
  }
}

const notAnswered = (server: string, timeoutMs: number): HostError =>
  new HostError('server.start-timeout', t`“${server}” did not answer in time.`, { data: { server, timeoutMs } })

/** A process whose pipes are closed has ended, or is about to. */
const exitAfterPipesMs = 5000

/** Runs an attempt on its own channel, which is closed unless it became a connection. Says why it failed: a process's exit before all. */
async function onNewChannel<C extends ServerChannel, T extends Connection | 'ended'>(
  options: ConnectOptions,
  open: () => C | Promise<C>,
  attempt: (channel: C) => Promise<T>,
): Promise<T> {
  const { signal, clock } = options
  const channel = await open()
  options.onNegotiating()
  let ending: ChannelEnd | undefined
  void channel.ended.then((end) => {
    ending = end
  })
  const onAbort = (): void => void channel.close()
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    const result = await attempt(channel)
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
    return await inCommonVersion((versions) => onHttpChannel(options, { prior: undefined, versions }))
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
  inCommonVersion((versions) => onHttpChannel(options, { prior: legacy, foundBy, versions }))

async function onHttpChannel(options: HttpConnectOptions, how: Handshake): Promise<Connection> {
  options.signal.throwIfAborted()
  return onNewChannel(options, options.open, (channel) => handshake(options, channel, how))
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

/** HTTP+SSE of 2024-11-05. */
export const connectSse = (options: HttpConnectOptions, foundBy: Session['foundBy'] = 'initialize'): Promise<Connection> =>
  inCommonVersion((versions) => openStream(options, { prior: legacy, foundBy, versions }))

async function openStream(options: HttpConnectOptions, how: Handshake): Promise<Connection> {
  options.signal.throwIfAborted()
  return onNewChannel(options, options.openSse, async (channel) => {
    // The SDK waits for the endpoint without end.
    const { server, clock, waits } = options
    const silent = (): HostError => new HostError('server.start-timeout', t`“${server}” did not answer in time.`, { data: { server } })
    const limit = limitTime(sseStartMs, { clock, waits, signals: [options.signal], onLapse: silent })
    try {
      return await orAborted(handshake(options, channel, how), limit.signal, () => limit.signal.reason)
    } finally {
      limit.stop()
    }
  })
}
