// The calls that are under way, so that what a server asks in their course finds its conversation, and a person can end
// one of them.
import type { ActivityTracker } from './activity.ts'

export interface RunningCall {
  readonly callId: string
  readonly conversationId: string
  readonly server: string
  readonly activity: ActivityTracker
  /** Aborts with the call. */
  readonly signal: AbortSignal
  cancel(): void
  /** The person gives it more time, if it is overdue. */
  wait(): void
  /** Says on its row what it waits for. */
  note(text: string): void
}

export interface RunningCalls {
  /** Returns its undo. */
  add(call: RunningCall): () => void
  get(callId: string): RunningCall | undefined
  /**
   * The conversation in which a server's question is shown: that of the call it names, else the only one in which a
   * call to this server runs. With several, nobody can say.
   */
  askedIn(server: string, callId: string | undefined): RunningCall | undefined
}

export function createRunningCalls(): RunningCalls {
  const calls = new Map<string, RunningCall>()
  return {
    add(call) {
      calls.set(call.callId, call)
      return () => calls.delete(call.callId)
    },
    get: (callId) => calls.get(callId),
    askedIn(server, callId) {
      if (callId !== undefined) {
        const named = calls.get(callId)
        return named?.server === server ? named : undefined
      }
      const own = [...calls.values()].filter((call) => call.server === server)
      return new Set(own.map((call) => call.conversationId)).size === 1 ? own[0] : undefined
    },
  }
}
