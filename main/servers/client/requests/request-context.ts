import type { ServerCapabilities } from '@modelcontextprotocol/client'
import type { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { LogLevel, Session } from '#app/server/server-state.ts'
import type { Clock } from '#main/base/clock.ts'
import type { IdleTimeout } from '#main/servers/transport/idle-timeout.ts'
import type { PausableTimeouts, RunningTimeouts } from '#main/servers/transport/pausable-timeouts.ts'
import type { AuditStore } from '#main/store/store-api.ts'
import type { DisconnectRace } from './disconnect-race.ts'
import type { LateReceiver } from './late-responses.ts'
import type { CallContext } from './running-calls.ts'
import type { OpenServerRequests, UrlElicitations } from './server-request-handlers.ts'

export interface RequestOptions {
  readonly signal: AbortSignal
  /** Tool call that the request belongs to: what the server asks meanwhile is asked in its course. */
  readonly call?: CallContext
  readonly tool?: ToolEntry
  /** Time that the server has; starts anew with each round of questions. */
  readonly timeout?: IdleTimeout
  readonly onProgress?: (update: JsonObject) => void
  readonly late?: LateReceiver
}

export interface ClientRequest {
  readonly method: string
  readonly params: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

export interface RequestContext extends RequestOptions {
  readonly connection: ConnectionState
  /** Aborts with `signal`, for a reason that the server may read. */
  readonly wireSignal: AbortSignal
}

export interface ConnectionState {
  readonly server: string
  readonly session: Session
  readonly capabilities: ServerCapabilities
  readonly pid: number | undefined
  readonly clock: Clock
  readonly serverRequests: OpenServerRequests
  readonly urlElicitations: UrlElicitations
  /** Timeouts of everything that waits for the server; they pause during a sign-in. */
  readonly timeouts: PausableTimeouts
  /** Timeouts of its calls and requests; they pause while a question of the server is open. */
  readonly running: RunningTimeouts
  readonly ended: Promise<{ readonly error: HostError }>
  readonly over: HostError | undefined
  readonly disconnects: DisconnectRace
  lose(error: HostError): void
}

export type SendRequest = (request: ClientRequest, context: RequestContext) => Promise<JsonObject>

/** Sees a request before it is sent, and its result or error before the caller does. `next` sends it, any number of times. */
export type Interceptor = (request: ClientRequest, context: RequestContext, next: SendRequest) => Promise<JsonObject>

export interface RequestServices {
  readonly audit: Pick<AuditStore, 'append'>
  /** Level from which on a modern server may log. */
  readonly logLevel: () => LogLevel
  /** Fetches the catalogue again and returns the tool as it is by now. @throws {HostError} `tool.changed` if more than its headers changed */
  readonly refreshTool: (tool: ToolEntry, signal: AbortSignal) => Promise<ToolEntry>
}
