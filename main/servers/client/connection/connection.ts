// One connection to one server: one new SDK client on one new link, from the first word to the last. A late event of an
// old one can therefore never touch a new one. What is asked of it ends at once when the link does.
import {
  Client,
  type ClientCapabilities,
  type RequestOptions,
  type ResponseCacheStore,
  SdkError,
  SdkErrorCode,
  type ServerCapabilities,
} from '@modelcontextprotocol/client'
import { SKILLS_EXTENSION_ID as skillsExtension } from '@modelcontextprotocol/client/ext/skills'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { mcpAppMimeType, uiExtension } from '#app/mcp-apps/tool-interface.ts'
import { icons } from '#app/server/catalogue.ts'
import type { Session } from '#app/server/server-state.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { StepRecorder } from '#main/servers/process/start-recorder.ts'
import type { PausableTimeouts } from '#main/servers/transport/pausable-timeouts.ts'
import { draftVersion, revisionLost, supportedVersions } from '#main/servers/transport/protocol-versions.ts'
import { requestInRounds } from '../server-requests/multi-round-trip.ts'
import type { OpenServerRequests, ServerRequestHandlers } from '../server-requests/server-request-handlers.ts'
import { handleServerRequests } from '../server-requests/server-requests.ts'
import {
  completeUrlElicitations,
  createRunningRequests,
  createUrlElicitations,
  type RunningRequests,
  type UrlElicitations,
  urlElicitationsIn,
} from '../server-requests/url-elicitation.ts'
import { createTaskWatch, type TaskWatch, tasksExtension } from '../tasks/task.ts'
import { cancelReason } from './cancel-reason.ts'
import { serverCapabilitiesOf } from './capability-check.ts'
import { toFailure } from './connection-errors.ts'
import { createDisconnectRace } from './disconnect-race.ts'
import { createLateResponses } from './late-responses.ts'
import { createNotificationHub, type NotificationHub } from './notifications.ts'
import type { ChannelEnd, ServerChannel } from './server-channel.ts'
import type { Trace } from './trace-context.ts'
import { createTransportAdapter, progressTaker, rawResult, type TransportAdapter } from './transport-adapter.ts'

export const clientCapabilities: ClientCapabilities = {
  roots: { listChanged: true },
  sampling: { tools: {} },
  // What is proposed stands in the form, and whoever answers decides on it: the SDK must not put back what they took out.
  elicitation: { form: {}, url: {} },
  // Of the older, core form of tasks a client declares only that it takes some, which this one does not.
  extensions: { [skillsExtension]: {}, [tasksExtension]: {}, [uiExtension]: { mimeTypes: [mcpAppMimeType] } },
}
export const clientInfo = (version: string) => ({ name: 'assent', title: 'Assent', version })

/** Our own timers decide; the SDK's must not come first, and above 2³¹ it would fire at once. */
export const never = 2 ** 31 - 1

/** What may be kept, and for how long, is the host's business; of changes the SDK does not even hear (`notices.ts`). */
const keepsNothing: ResponseCacheStore = {
  get: () => undefined,
  set: () => 0,
  delete: () => undefined,
  evict: () => undefined,
  clear: () => undefined,
}

export interface Connection {
  readonly server: string
  readonly session: Session
  readonly capabilities: ServerCapabilities
  readonly pid: number | undefined
  readonly client: Client
  readonly calls: RunningRequests
  readonly tasks: TaskWatch
  readonly serverRequests: OpenServerRequests
  /** Time that stands still while a person signs in. */
  readonly timeouts: PausableTimeouts
  readonly notifications: NotificationHub
  /** Resolves when it is over, whoever ended it. */
  readonly ended: Promise<ChannelEnd>
  /**
   * What came of a request, as it came, once what the server asked in its course was answered. Rejects with a HostError,
   * or a ProtocolError that came over the wire.
   */
  request(method: string, params: Readonly<Record<string, Json>>, options: AskOptions): Promise<JsonObject>
  /** It counts as over, for this reason; whoever owns it closes it. */
  lose(error: HostError): void
  close(): Promise<void>
}

interface AskOptions extends RequestOptions {
  readonly signal: AbortSignal
  /** In whose course the server asks. */
  readonly callId?: string
  /** The server answered with questions. */
  readonly onRound?: () => void
}

export interface DraftConnection {
  readonly client: Client
  readonly transport: TransportAdapter
  readonly calls: RunningRequests
  readonly tasks: TaskWatch
  readonly urlElicitations: UrlElicitations
  readonly serverRequests: OpenServerRequests
  readonly timeouts: PausableTimeouts
  readonly notifications: NotificationHub
}

/** A client that answers what its server asks, not yet connected. */
export function draftConnection(
  server: string,
  channel: ServerChannel,
  options: {
    readonly version: string
    readonly handlers: ServerRequestHandlers
    readonly clock: Clock
    readonly trace?: Trace | undefined
    readonly steps?: StepRecorder | undefined
    /** `initialize` was answered before. */
    readonly greeted?: boolean | undefined
    readonly waits: PausableTimeouts
    readonly negotiate: boolean
    /** Revisions to offer, the first one first; default: all that are known. */
    readonly versions?: readonly string[] | undefined
  },
): DraftConnection {
  const client = new Client(clientInfo(options.version), {
    capabilities: clientCapabilities,
    responseCacheStore: keepsNothing,
    supportedProtocolVersions: [...(options.versions ?? supportedVersions)],
    ...(options.negotiate ? { versionNegotiation: { mode: 'auto' as const, probe: { timeoutMs: never } } } : {}),
  })
  const calls = createRunningRequests()
  const tasks = createTaskWatch()
  const pages = createUrlElicitations()
  const over = new AbortController()
  void channel.ended.then(({ error }) => over.abort(error))
  const asks = handleServerRequests(client, {
    server,
    handlers: options.handlers,
    calls,
    tasks,
    pages,
    clock: options.clock,
    over: over.signal,
  })
  const notices = createNotificationHub()
  return {
    client,
    transport: createTransportAdapter(channel.transport, { ...options, tasks, notices, late: createLateResponses(options.clock) }),
    calls,
    tasks,
    urlElicitations: pages,
    serverRequests: asks,
    timeouts: options.waits,
    notifications: notices,
  }
}

/** A process whose pipes have closed is given this long to end; then it is no server any more, alive or not. */
const afterCloseMs = 1000

/** What a server says of itself is kept, and told to every page with each change of its state. */
const longestInstructions = 20_000
const longestName = 200
const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text)

/** Kept only when they are few and small; a picture that is cut is none. */
function smallIcons(given: unknown): Pick<NonNullable<Session['serverInfo']>, 'icons'> | undefined {
  const parsed = icons.safeParse(given)
  return parsed.success && JSON.stringify(parsed.data).length <= longestInstructions ? { icons: parsed.data } : undefined
}

/** A draft whose client has connected. */
export function establish(
  server: string,
  channel: ServerChannel,
  { client, transport, calls, tasks, urlElicitations, serverRequests, timeouts, notifications }: DraftConnection,
  { foundBy, clock }: { readonly foundBy: Session['foundBy']; readonly clock: Clock },
): Connection {
  const info = client.getServerVersion()
  const instructions = client.getInstructions()
  const capabilities = client.getServerCapabilities() ?? {}
  const spoken = {
    era: client.getProtocolEra() ?? 'legacy',
    protocolVersion: transport.inDraft ? draftVersion : (client.getNegotiatedProtocolVersion() ?? ''),
  }
  const session: Session = {
    ...spoken,
    foundBy,
    transport: channel.kind,
    ...(info
      ? {
          serverInfo: {
            name: cut(info.name, longestName),
            version: cut(info.version, longestName),
            ...(info.title === undefined ? {} : { title: cut(info.title, longestName) }),
            ...(smallIcons(info.icons) ?? {}),
          },
        }
      : {}),
    ...(instructions ? { instructions: cut(instructions, longestInstructions) } : {}),
    offers: serverCapabilitiesOf({ session: spoken, capabilities }),
  }
  let over: HostError | undefined
  const closed = Promise.withResolvers<ChannelEnd>()
  client.onclose = () => {
    const error = new HostError('server.connection-lost', t`The connection to “${server}” was lost.`, { data: { server } })
    clock.after(afterCloseMs, () => closed.resolve({ error }))
  }
  const ended = Promise.race([channel.ended, closed.promise]).then((ending) => {
    over = ending.error
    return ending
  })
  const losses = createDisconnectRace(ended.then(({ error }) => error))
  /** Pipes close or break a moment before it is known how the process ended. */
  const howItEnded = async (failure: HostError): Promise<HostError> => {
    const late = Promise.withResolvers<HostError>()
    const cancel = clock.after(afterCloseMs, () => late.resolve(failure))
    const error = await Promise.race([ended.then((ending) => ending.error), late.promise])
    cancel()
    return error
  }
  return {
    server,
    session,
    capabilities,
    pid: channel.pid,
    client,
    calls,
    tasks,
    serverRequests,
    timeouts,
    notifications,
    ended,
    async request(method, params, { callId, onRound, onprogress, ...options }) {
      if (over) throw over
      const lost = losses.watch()
      const aborted = rejectOnAbort(options.signal)
      const send = (sent: Readonly<Record<string, Json>>): Promise<JsonObject> =>
        client.request({ method, params: { ...sent, ...(onprogress ? { [progressTaker]: onprogress } : {}) } }, rawResult, {
          timeout: never,
          ...options,
          // It only makes the token: what comes under it is heard on the wire.
          ...(onprogress ? { onprogress: () => undefined } : {}),
          signal: aborted.told,
          allowInputRequired: true,
        }) as Promise<JsonObject>
      const answer = requestInRounds({ server, method, params, asks: serverRequests, clock, signal: options.signal, callId, onRound, send })
      try {
        return await Promise.race([answer, lost.promise, aborted.promise])
      } catch (error) {
        if (options.signal.aborted) throw options.signal.reason
        if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) throw (await ended).error
        const listed = over || session.era === 'modern' ? undefined : urlElicitationsIn(error)
        if (listed)
          throw await completeUrlElicitations(listed, {
            server,
            pages: urlElicitations,
            asks: serverRequests,
            calls,
            clock,
            signal: options.signal,
            callId,
          })
        const failure = over ?? toFailure(server, error)
        const changed = isProtocolError(failure) ? revisionLost(server, session.protocolVersion, failure) : undefined
        if (changed) {
          closed.resolve({ error: changed })
          throw changed
        }
        throw channel.pid !== undefined && failure instanceof HostError && failure.code === 'server.connection-lost'
          ? await howItEnded(failure)
          : failure
      } finally {
        aborted.release()
        lost.release()
        // The loser of the race has nobody left to tell.
        answer.catch(() => undefined)
      }
    },
    lose: (error) => closed.resolve({ error }),
    async close() {
      closed.resolve({ error: new HostError('server.stopped', t`“${server}” was stopped.`, { data: { server } }) })
      await channel.close()
      await client.close().catch(() => undefined)
    },
  }
}

/** `told`: aborts with it, for a reason that may be read by the server. */
function rejectOnAbort(signal: AbortSignal): { readonly promise: Promise<never>; readonly told: AbortSignal; release(): void } {
  const aborted = Promise.withResolvers<never>()
  const told = new AbortController()
  const onAbort = (): void => {
    told.abort(cancelReason(signal.reason))
    aborted.reject(signal.reason)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  aborted.promise.catch(() => undefined)
  return { promise: aborted.promise, told: told.signal, release: () => signal.removeEventListener('abort', onAbort) }
}
