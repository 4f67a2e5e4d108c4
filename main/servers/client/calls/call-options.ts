import type { Progress } from '#app/chat/message.ts'
import type { JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { Session } from '#app/server/server-state.ts'
import type { CallTimeout } from './overdue-call.ts'

export interface Cancellable {
  readonly signal: AbortSignal
}

export interface CallOptions extends Cancellable {
  readonly onProgress?: (progress: Progress) => void
  /**
   * Told when there was no word for that time, and with nothing when that is over: it then has as long again, or until
   * somebody waits. Absent: it ends at once.
   */
  readonly onOverdue?: (overdue: CallTimeout | undefined) => void
  /** Told of a result that comes after the call was ended by `tool.timeout`, while its connection stands; once at most. */
  readonly onLate?: (late: Pick<CallOutcome, 'result' | 'bytes'>) => void
  /** Milliseconds without progress; default: the definition's, then the settings'. */
  readonly timeoutMs?: number
}

export interface CallOutcome {
  /** CallToolResult as it came over the wire. */
  readonly result: JsonObject
  /** Its size there. */
  readonly bytes: number
  readonly durationMs: number
  readonly session: Session
}

export interface OfferedTool {
  readonly server: string
  readonly tool: ToolEntry
  readonly trusted: boolean
  /** It runs on this machine. */
  readonly local: boolean
}
