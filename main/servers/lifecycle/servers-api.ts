// Interface of the servers for the rest of the host.
import type { Skill } from '@modelcontextprotocol/client/ext/skills'
import type { AwaitedServer } from '#app/chat/conversation.ts'
import type { JsonObject } from '#app/json.ts'
import type { Catalogue } from '#app/server/catalogue.ts'
import type { Completion, CompletionQuery } from '#app/server/completion.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { DoctorReport, PathSource } from '#app/server/doctor.ts'
import type { ProcessList, ServerActivity } from '#app/server/server-activity.ts'
import type { LogLevel, LogLine } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import type { SkillText } from '../client/catalogue/skills.ts'
import type { CallContext, CallOptions, CallOutcome, OfferedTool } from '../client/requests/running-calls.ts'
import type { Inspector } from '../transport/inspector/inspector.ts'
import type { ConnectionTest, ConnectionTestRequest } from './connection-test/connection-test.ts'
import type { ConnectionTests } from './connection-test/connection-tests.ts'

type Cancellable = Pick<CallOptions, 'signal'>

export interface Servers {
  views(): ServerSummary[]
  view(name: string): ServerSummary | undefined
  /** The enabled tools of enabled servers, running or remembered, in a stable order. Those that are for views alone are not among them. */
  tools(): OfferedTool[]
  /**
   * Starts the servers that never ran and whose tools nobody knows yet, and resolves when each has started, failed or was
   * refused, and when the signal aborts. `wanted`: whether the chat uses it.
   */
  listed(options: {
    readonly conversationId?: string | undefined
    readonly signal: AbortSignal
    readonly wanted: (server: string) => boolean
    /** Told of those that are waited for, each time that they change. */
    readonly onWaiting: (servers: readonly AwaitedServer[]) => void
  }): Promise<void>
  /** Returns the instructions of all servers in a stable order. */
  instructions(): { readonly server: string; readonly text: string }[]
  catalogue(name: string): Catalogue
  /** Reports on the last start of this run, and why it failed. Starts nothing. */
  doctor(name: string): DoctorReport
  /** Returns the message inspector of a configured server. */
  inspector(name: string): Inspector
  log(name: string): { readonly lines: LogLine[]; readonly dropped: number }
  /** Adds a line of the host's own to its log. */
  note(name: string, level: LogLevel, text: string): void
  /** Returns the counts of this run, and of the calls of the last 24 hours. */
  activity(name: string): ServerActivity
  /** Lists the processes that run for it at this moment. */
  processes(name: string): Promise<ProcessList>
  /** Returns the log from before this run, as far as the disk has it. */
  earlierLog(name: string): Promise<LogLine[]>

  /** Starts the servers that are configured so; their states say how that goes. */
  startAtLaunch(): void
  /** Resolves when it is ready; rejects with why not. One start is ever in flight; further callers share it. */
  start(name: string): Promise<void>
  stop(name: string): Promise<void>
  restart(name: string): Promise<void>
  /**
   * Signs in now, also to use another account; resolves when the server is ready in that person's name. Rejects with
   * `server.sign-in-refused`, `-failed` or `-timeout`, or with why it does not start.
   */
  signIn(name: string): Promise<void>
  /** Stops the server and forgets its tokens; `revoked`: their issuer was told, and took them back. */
  signOut(name: string): Promise<{ readonly revoked: boolean }>
  /** Gives a server's tokens to the name that it is about to get. Returns what undoes it. */
  moveSignIn(from: string, to: string): Promise<() => Promise<void>>
  /** Calls off the sign-in that is under way; whoever waits for it gets `server.sign-in-refused`. */
  cancelSignIn(name: string): Promise<void>
  /** The address that the browser ended at, where it cannot reach this machine. Throws `contract.invalid` when it is not the one. */
  finishSignIn(name: string, address: string): Promise<void>
  setToolEnabled(name: string, tool: string, enabled: boolean): void

  /** Starts the server if need be. Rejects with a HostError, or a ProtocolError that came over the wire. */
  call(call: ApprovedCall, context: CallContext): Promise<CallOutcome>
  readResource(name: string, uri: string, options: Cancellable): Promise<JsonObject>
  getPrompt(name: string, prompt: string, args: Readonly<Record<string, string>>, options: Cancellable): Promise<JsonObject>
  /** Suggestions for what is being typed. Rejects with `cancelled` when a later question about the same argument came. */
  complete(name: string, query: CompletionQuery, options: Cancellable): Promise<Completion>
  /** Milliseconds. Rejects with `server.not-offered` for a server of 2026-07-28, which knows no ping. */
  ping(name: string, options: Cancellable): Promise<number>
  /** `server.resourceUpdated` tells of its changes, also after the server was started anew, until it is stopped. */
  subscribe(name: string, uri: string, options: Cancellable): Promise<void>
  unsubscribe(name: string, uri: string, options: Cancellable): Promise<void>
  /** Remembered for that server, and told to it if it runs. */
  setLogLevel(name: string, level: LogLevel, options: Cancellable): Promise<void>
  /** The folders that servers, or this one, may be told of are not those of before. */
  rootsChanged(name?: string): void

  /** Lists the skills that the server offers; none of them is read ahead. */
  skills(name: string, options: { readonly signal: AbortSignal }): Promise<Skill[]>
  /** One file of a skill, checked against the list; `file` undefined: its SKILL.md. */
  readSkill(name: string, uri: string, file: string | undefined, options: { readonly signal: AbortSignal }): Promise<SkillText>

  /** Starts a server that is not saved, once; the person is asked as for any other. */
  tryOut(question: ConnectionTestRequest): ConnectionTest
  readonly trials: ConnectionTests

  /** Asks the person's shell for PATH and variables anew. Rejects with `environment.no-answer`. */
  readEnvironment(): Promise<{ readonly folders: number; readonly source: PathSource }>
  /** More or less is known of the values that these servers need. */
  inputsChanged(names: readonly string[]): void
  /** Replaces what is configured: starts, restarts, stops and forgets what the difference asks for. */
  configure(definitions: ReadonlyMap<string, ServerDefinition>): void
  /** All trees dead when it resolves. */
  dispose(): Promise<void>
}
