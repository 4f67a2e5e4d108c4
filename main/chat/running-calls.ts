// The calls that are under way, so that what a server asks in their course finds its conversation, and a person can end
// one of them, or wait for one that gives no word.
import type { OverdueCall } from '#app/chat/overdue-call.ts'
import type { RequestOrigin } from '#main/consent/broker-api.ts'
import type { ActivityTracker } from './turn-activity.ts'

export interface RunningCall {
  readonly callId: string
  /** Undefined: in none, the person made it themselves. */
  readonly conversationId: string | undefined
  readonly server: string
  readonly tool: string
  /** Of its conversation. */
  readonly activity?: ActivityTracker
  /** The view of that call made it. */
  readonly view?: RequestOrigin['view']
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
  /** It gives no word; undefined: it does again, or the person waits. What has ended is overdue no longer. */
  setOverdue(callId: string, times: Pick<OverdueCall, 'since' | 'endsAt'> | undefined): void
  /** In the order in which they fell silent. */
  overdue(): readonly OverdueCall[]
  /**
   * The conversation in which a server's question is shown: that of the call it names, else the only one in which a
   * call to this server runs. With several, nobody can say.
   */
  askedIn(server: string, callId: string | undefined): RunningCall | undefined
}

/** `onOverdue`: the calls that are overdue are others than before; `fresh` is the one that came to them. */
export function createRunningCalls(onOverdue: (calls: readonly OverdueCall[], fresh: OverdueCall | undefined) => void): RunningCalls {
  const calls = new Map<string, RunningCall>()
  const silent = new Map<string, OverdueCall>()
  const setOverdue: RunningCalls['setOverdue'] = (callId, times) => {
    const call = calls.get(callId)
    const { conversationId } = call ?? {}
    const fresh = call &&
      times &&
      conversationId !== undefined && { conversationId, callId, server: call.server, tool: call.tool, ...times }
    if (!silent.delete(callId) && !fresh) return
    if (fresh) silent.set(callId, fresh)
    onOverdue([...silent.values()], fresh || undefined)
  }
  return {
    add(call) {
      calls.set(call.callId, call)
      return () => {
        setOverdue(call.callId, undefined)
        calls.delete(call.callId)
      }
    },
    get: (callId) => calls.get(callId),
    setOverdue,
    overdue: () => [...silent.values()],
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
