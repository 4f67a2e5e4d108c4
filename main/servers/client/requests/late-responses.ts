// Responses that are still wanted although nobody waits for them: those to calls that were cancelled because they took too
// long. Every other response to an unknown id is dropped. Bounded in count and in time; gone with the connection.
import type { RequestId } from '@modelcontextprotocol/client'
import type { JsonObject } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'

export interface LateReceiver {
  /** Whether a response is still wanted; asked when the request is cancelled. */
  wanted(): boolean
  /** Takes the CallToolResult as it came over the wire; called once at most. */
  take(result: JsonObject): void
}

export type LateResponses = ReturnType<typeof createLateResponses>

/** Late responses that one connection waits for; beyond it the oldest are given up. */
export const mostLate = 100
export const longestLateMs = 10 * 60_000

export function createLateResponses(clock: Clock) {
  const owed = new Map<RequestId, { readonly receiver: LateReceiver; readonly until: number }>()

  function prune(): void {
    const now = clock.now()
    for (const [id, { until }] of owed) {
      if (until >= now && owed.size <= mostLate) return
      owed.delete(id)
    }
  }
  return {
    cancelled(id: RequestId, receiver: LateReceiver | undefined): void {
      if (!receiver?.wanted()) return
      owed.set(id, { receiver, until: clock.now() + longestLateMs })
      prune()
    },
    receiverOf(id: RequestId): LateReceiver | undefined {
      prune()
      const found = owed.get(id)
      owed.delete(id)
      return found?.receiver
    },
  }
}
