import type { Client } from '@modelcontextprotocol/client'
import type { JsonObject } from '#app/json.ts'
import type { OAuthGrant } from '#app/server/auth-status.ts'
import type { Clock } from '#main/base/clock.ts'
import type { StepRecorder } from '#main/servers/process/start-recorder.ts'
import type { PausableTimeouts } from '#main/servers/transport/pausable-timeouts.ts'
import type { ConnectionState, RequestOptions, RequestServices } from '../requests/request-context.ts'
import type { RunningCalls } from '../requests/running-calls.ts'
import type { ServerRequestHandlers } from '../requests/server-request-handlers.ts'
import type { TaskWatch } from '../requests/task.ts'
import type { NotificationHub } from './notifications.ts'
import type { ChannelEnd } from './server-channel.ts'
import type { Trace } from './trace-context.ts'

/** One connection to one server: one SDK client on one channel, from the handshake to its end. Late events of an earlier one never reach it. */
export interface Connection
  extends Pick<ConnectionState, 'server' | 'session' | 'capabilities' | 'pid' | 'serverRequests' | 'timeouts' | 'running' | 'lose'> {
  readonly client: Client
  /** Bytes of stdout so far that are no protocol. */
  readonly stray: () => number
  readonly calls: RunningCalls
  readonly tasks: TaskWatch
  readonly notifications: NotificationHub
  readonly ended: Promise<ChannelEnd>
  /**
   * Sends a request through the interceptors (`request-interceptors.ts`). Resolves with the result as it came.
   * @throws {HostError | ProtocolError} why there is no result; a ProtocolError came over the wire
   */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>
  close(): Promise<void>
}

/** Milliseconds that a server has to answer, unless its entry says otherwise. */
export const usualStartMs = 60_000

export interface ConnectOptions {
  readonly server: string
  /** Grant that the entry signs in by; absent: its default, or no sign-in. */
  readonly grant?: OAuthGrant | undefined
  readonly version: string
  readonly handlers: ServerRequestHandlers
  readonly clock: Clock
  readonly requests: RequestServices
  readonly trace?: Trace | undefined
  readonly steps?: StepRecorder | undefined
  /** Milliseconds that the server may take to answer; default: a minute. */
  readonly startTimeoutMs?: number | undefined
  readonly signal: AbortSignal
  /** Timeouts that pause while the person is asked, for instance to sign in. */
  readonly waits: PausableTimeouts
  readonly onNegotiating: () => void
}
