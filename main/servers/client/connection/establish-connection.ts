// Makes a connection: one new SDK client on one new channel, first as a draft that is not yet connected, then as a
// connection whose requests go through the interceptors and end when the channel does.
import { Client, type ClientCapabilities, type ResponseCacheStore } from '@modelcontextprotocol/client'
import { SKILLS_EXTENSION_ID as skillsExtension } from '@modelcontextprotocol/client/ext/skills'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { mcpAppMimeType, uiExtension } from '#app/mcp-apps/tool-interface.ts'
import type { OAuthGrant } from '#app/server/auth-status.ts'
import { icons } from '#app/server/catalogue.ts'
import type { Session } from '#app/server/server-state.ts'
import { createRunningTimeouts } from '#main/servers/transport/pausable-timeouts.ts'
import { draftVersion, supportedVersions } from '#main/servers/transport/protocol-versions.ts'
import { serverCapabilitiesOf } from '../requests/capability-check.ts'
import { afterCloseMs } from '../requests/connection-errors.ts'
import { createDisconnectRace } from '../requests/disconnect-race.ts'
import { createLateResponses } from '../requests/late-responses.ts'
import type { ConnectionState, SendRequest } from '../requests/request-context.ts'
import { requestInterceptors, withInterceptors } from '../requests/request-interceptors.ts'
import { createRunningCalls } from '../requests/running-calls.ts'
import { handleServerRequests } from '../requests/server-requests.ts'
import { createTaskWatch, tasksExtension } from '../requests/task.ts'
import { createUrlElicitations } from '../requests/url-elicitation.ts'
import type { Connection, ConnectOptions } from './connection.ts'
import { createNotificationHub } from './notifications.ts'
import type { ChannelEnd, ServerChannel } from './server-channel.ts'
import { createTransportAdapter, rawResult, receiver } from './transport-adapter.ts'

export const clientCapabilities: ClientCapabilities = {
  roots: { listChanged: true },
  sampling: { tools: {} },
  // The form holds the proposed values, and whoever answers decides on them: the SDK must not put back what they took out.
  elicitation: { form: {}, url: {} },
  // Clients declare the core form of tasks (2025-11-25) only when they take some, which this one does not.
  extensions: { [skillsExtension]: {}, [tasksExtension]: {}, [uiExtension]: { mimeTypes: [mcpAppMimeType] } },
}
export const clientInfo = (version: string) => ({ name: 'assent', title: 'Assent', version })

/** Milliseconds for the SDK's timers: ours decide, and above 2³¹ a timer would fire at once. */
export const never = 2 ** 31 - 1

/** Cache for the SDK that keeps nothing: the host caches, and the SDK does not hear of changes (`notifications.ts`). */
const keepsNothing: ResponseCacheStore = {
  get: () => undefined,
  set: () => 0,
  delete: () => undefined,
  evict: () => undefined,
  clear: () => undefined,
}

/** Authorization extensions (modelcontextprotocol/ext-auth) by the grant that speaks them; each is declared only to the server that it is spoken with. */
const grantExtensions: Partial<Record<OAuthGrant, string>> = {
  'client-credentials': 'io.modelcontextprotocol/oauth-client-credentials',
  'cross-app': 'io.modelcontextprotocol/enterprise-managed-authorization',
}

function capabilitiesFor(grant: OAuthGrant | undefined): ClientCapabilities {
  const spoken = grant && grantExtensions[grant]
  return spoken === undefined
    ? clientCapabilities
    : { ...clientCapabilities, extensions: { ...clientCapabilities.extensions, [spoken]: {} } }
}

interface DraftOptions extends Pick<ConnectOptions, 'grant' | 'server' | 'version' | 'handlers' | 'clock' | 'trace' | 'steps' | 'waits'> {
  readonly greeted?: boolean | undefined
  readonly negotiate: boolean
  readonly versions?: readonly string[] | undefined
}

export type DraftConnection = ReturnType<typeof draftConnection>

/** Makes a client that answers its server's requests but is not yet connected. */
export function draftConnection(channel: ServerChannel, options: DraftOptions) {
  const client = new Client(clientInfo(options.version), {
    capabilities: capabilitiesFor(options.grant),
    responseCacheStore: keepsNothing,
    supportedProtocolVersions: [...(options.versions ?? supportedVersions)],
    ...(options.negotiate ? { versionNegotiation: { mode: 'auto' as const, probe: { timeoutMs: never } } } : {}),
  })
  const over = new AbortController()
  void channel.ended.then(({ error }) => over.abort(error))
  const shared = {
    calls: createRunningCalls(),
    tasks: createTaskWatch(),
    urlElicitations: createUrlElicitations(),
    timeouts: options.waits,
    running: createRunningTimeouts(),
    notifications: createNotificationHub(),
  }
  const serverRequests = handleServerRequests(client, { ...options, ...shared, over: over.signal })
  const late = createLateResponses(options.clock)
  return { ...shared, client, serverRequests, transport: createTransportAdapter(channel.transport, { ...options, ...shared, late }) }
}

/** Characters of what a server says of itself that are kept, and told to every page with each change of its state. */
const longestInstructions = 20_000
const longestName = 200
const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text)

/** Icons, if they are few and small; none of them is cut. */
function smallIcons(given: unknown): Pick<NonNullable<Session['serverInfo']>, 'icons'> | undefined {
  const parsed = icons.safeParse(given)
  return parsed.success && JSON.stringify(parsed.data).length <= longestInstructions ? { icons: parsed.data } : undefined
}

function sessionOf({ client, transport }: DraftConnection, channel: ServerChannel, foundBy: Session['foundBy']): Session {
  const info = client.getServerVersion()
  const instructions = client.getInstructions()
  const spoken = {
    era: client.getProtocolEra() ?? 'legacy',
    protocolVersion: transport.versions.inDraft ? draftVersion : (client.getNegotiatedProtocolVersion() ?? ''),
  }
  const serverInfo = info && {
    name: cut(info.name, longestName),
    version: cut(info.version, longestName),
    ...(info.title === undefined ? {} : { title: cut(info.title, longestName) }),
    ...smallIcons(info.icons),
  }
  return {
    ...spoken,
    foundBy,
    transport: channel.kind,
    ...(serverInfo ? { serverInfo } : {}),
    ...(instructions ? { instructions: cut(instructions, longestInstructions) } : {}),
    offers: serverCapabilitiesOf({ session: spoken, capabilities: client.getServerCapabilities() ?? {} }),
  }
}

/** Sends a request through the SDK's client. Its progress and a late result come from the transport adapter. */
const sendBy =
  (client: Client): SendRequest =>
  ({ method, params, headers }, { onProgress, late, wireSignal }) => {
    const heard = onProgress || late ? { [receiver]: { onProgress, late } } : {}
    return client.request({ method, params: { ...params, ...heard } }, rawResult, {
      timeout: never,
      ...(headers ? { headers } : {}),
      // Makes the SDK send a progress token, and nothing else.
      ...(onProgress ? { onprogress: () => undefined } : {}),
      signal: wireSignal,
      allowInputRequired: true,
    }) as Promise<JsonObject>
  }

/** Makes the connection of a draft whose client has connected. */
export function establish(
  channel: ServerChannel,
  draft: DraftConnection,
  { server, clock, requests, foundBy }: Pick<ConnectOptions, 'server' | 'clock' | 'requests'> & Pick<Session, 'foundBy'>,
): Connection {
  const { client, transport: _, ...shared } = draft
  const closed = Promise.withResolvers<ChannelEnd>()
  client.onclose = () => {
    const error = new HostError('server.connection-lost', t`The connection to “${server}” was lost.`, { data: { server } })
    clock.after(afterCloseMs, () => closed.resolve({ error }))
  }
  let over: HostError | undefined
  const ended = Promise.race([channel.ended, closed.promise]).then((end) => {
    over = end.error
    return end
  })
  const base = {
    ...shared,
    server,
    session: sessionOf(draft, channel, foundBy),
    capabilities: client.getServerCapabilities() ?? {},
    pid: channel.pid,
    ended,
    lose: (error: HostError) => closed.resolve({ error }),
  }
  const state: ConnectionState = {
    ...base,
    clock,
    disconnects: createDisconnectRace(ended.then(({ error }) => error)),
    get over() {
      return over
    },
  }
  const send = withInterceptors(requestInterceptors(requests), sendBy(client))
  return {
    ...base,
    client,
    stray: channel.stray ?? (() => 0),
    request: (method, params, options) => send({ method, params }, { ...options, connection: state, wireSignal: options.signal }),
    async close() {
      closed.resolve({ error: new HostError('server.stopped', t`“${server}” was stopped.`, { data: { server } }) })
      await channel.close()
      await client.close().catch(() => undefined)
    },
  }
}
