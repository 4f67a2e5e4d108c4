// Tool calls from their question to their end. One `CallContext` is passed from where a call begins down to the wire, so that what a
// server asks in its course finds the conversation. The chat keeps one list of all calls, each connection one of those in flight on it.
import type { Progress } from '#app/chat/message.ts'
import type { OverdueCall } from '#app/chat/overdue-call.ts'
import type { Json, JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { BlockedTarget } from '#app/server/sandbox/sandbox-report.ts'
import type { LogLevel, Session } from '#app/server/server-state.ts'
import type { Clock } from '#main/base/clock.ts'
import type { RequestCause } from '#main/consent/broker-api.ts'

export interface CallTimeout {
  /** When the last progress came, in milliseconds since the epoch. */
  readonly since: number
  /** When the call ends unless somebody waits, in milliseconds since the epoch. */
  readonly endsAt: number
  wait(): void
}

export interface CallOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** Told when there was no progress for that time: the call has as long again. Undefined: that is over. Absent: it ends at once. */
  readonly onOverdue?: (overdue: CallTimeout | undefined) => void
  /** Told of a result that comes after the call was ended by `tool.timeout`, while its connection stands; once at most. */
  readonly onLate?: (late: Pick<CallOutcome, 'result' | 'bytes'>) => void
  /** Told of all that the server's sandbox refused in its course so far. */
  readonly onBlocked?: (blocked: readonly BlockedTarget[]) => void
  /** Milliseconds without progress; default: the definition's, then the settings'. */
  readonly timeoutMs?: number
}

export interface CallActivity {
  /** Notes that the person is asked; returns its undo. */
  asked(): () => void
  /** Stops the call's time while what comes before its answer waits for the person: a start, a sign-in. Returns its undo. */
  pause(): () => void
  /** Milliseconds in which the person was waited for so far: none of the call's. */
  askedMs(): number
}

/** `onAsked`: told of each question; returns its undo. */
export function createCallActivity(clock: Pick<Clock, 'now'>, onAsked: () => () => void = () => () => undefined): CallActivity {
  let [open, since, total] = [0, 0, 0]
  function pause(): () => void {
    if (open === 0) since = clock.now()
    open += 1
    let closed = false
    return () => {
      if (closed) return
      closed = true
      open -= 1
      if (open === 0) total += clock.now() - since
    }
  }
  return {
    asked() {
      const [undo, resume] = [onAsked(), pause()]
      return () => {
        undo()
        resume()
      }
    },
    pause,
    askedMs: () => total + (open > 0 ? clock.now() - since : 0),
  }
}

export interface MadeTask {
  readonly taskId: string
  /** Time of its making in milliseconds since the epoch. */
  readonly at: number
  readonly ttlMs?: number | undefined
}

/** MCP, "Logging". */
export interface LogWord {
  readonly level: LogLevel
  readonly logger?: string | undefined
  readonly data: Json | undefined
}

/** `signal`: aborts when no answer is wanted any more. `key`: that of the question in its round (2026-07-28). */
type Forwarded = (params: JsonObject, signal: AbortSignal, key?: string) => Promise<JsonObject>
export interface CallForward {
  readonly elicit?: Forwarded
  readonly sample?: Forwarded
  /** Asks the agent for its folders, which `roots` has then. Absent: it tells of them by itself, or its entry allows none. */
  readonly askRoots?: (signal: AbortSignal, key?: string) => Promise<void>
  /** Folders that the agent offers and its entry allows, by absolute path. */
  readonly roots: () => readonly string[]
  /** Gets the server's log messages. The same function in all calls whose agent ties them to no request. */
  readonly log?: (word: LogWord) => void
  /** Level that the agent asked for. */
  readonly logLevel?: LogLevel | undefined
}

export interface CallContext extends CallOptions, RequestCause {
  /** Told of a task that the call was answered with, so that it can be asked for after a restart. */
  onTask?(task: MadeTask): void
  /** The caller wants a task where the tool may be one (2025-11-25). */
  readonly asTask?: true
  /** Whether the task is to go on when the call ends here: the host quits. */
  leavesTask?(): boolean
  readonly callId: string
  readonly server: string
  readonly tool: string
  /** Told while a question of the server is open. */
  readonly activity?: CallActivity
  /** Agent that calls, which gets its server's questions in place of the person (`assent mcp`). */
  readonly forward?: CallForward
  cancel?(): void
  wait?(): void
  /** Shows on its row what the call waits for. */
  note?(text: string): void
}

export interface CallOutcome {
  /** CallToolResult as it came over the wire. */
  readonly result: JsonObject
  readonly bytes: number
  readonly durationMs: number
  readonly session: Session
}

export interface OfferedTool {
  readonly server: string
  readonly tool: ToolEntry
  readonly trusted: boolean
  readonly local: boolean
}

export type RunningCalls = ReturnType<typeof createRunningCalls>

/** `onOverdue`: told when the overdue calls change; `fresh` is the one that was added. */
export function createRunningCalls(onOverdue?: (calls: readonly OverdueCall[], fresh: OverdueCall | undefined) => void) {
  const calls = new Map<string, CallContext>()
  const silent = new Map<string, OverdueCall>()
  const setOverdue = (callId: string, times: Pick<OverdueCall, 'since' | 'endsAt'> | undefined): void => {
    const { conversationId, ...call } = calls.get(callId) ?? {}
    const fresh =
      times && 'tool' in call && conversationId !== undefined
        ? { conversationId, callId, server: call.server, tool: call.tool, ...times }
        : undefined
    if (!silent.delete(callId) && !fresh) return
    if (fresh) silent.set(callId, fresh)
    onOverdue?.([...silent.values()], fresh)
  }
  return {
    add(call: CallContext): () => void {
      calls.set(call.callId, call)
      return () => {
        setOverdue(call.callId, undefined)
        calls.delete(call.callId)
      }
    },
    get size(): number {
      return calls.size
    },
    get: (callId: string): CallContext | undefined => calls.get(callId),
    /** Returns the only call; undefined when there is none or more than one, for then nobody can tell which a server means. */
    only: (): CallContext | undefined => (calls.size === 1 ? calls.values().next().value : undefined),
    /** Returns the agent's receiver of a log message, which names no call: that of all calls, where they have the same. */
    logReceiver(): CallForward['log'] {
      const all = new Set([...calls.values()].map(({ forward }) => forward?.log))
      return all.size === 1 ? [...all][0] : undefined
    },
    /** Returns a call to this server, when all its calls run in one conversation: a server's question is shown there. */
    inOneConversation(server: string): CallContext | undefined {
      const own = [...calls.values()].filter((call) => call.server === server)
      return new Set(own.map((call) => call.conversationId)).size === 1 ? own[0] : undefined
    },
    /** Notes that a call makes no progress; undefined: it does again, or the person waits. */
    setOverdue,
    overdue: (): readonly OverdueCall[] => [...silent.values()],
  }
}
