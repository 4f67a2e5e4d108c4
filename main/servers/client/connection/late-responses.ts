// Whose answer is still wanted although nobody waits for it: that of a call which was cancelled because it took too long.
// The wire drops every other answer to an id that it does not know. Bounded in count and in time; gone with the connection.
import type { RequestId } from '@modelcontextprotocol/client'
import type { JsonObject } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'

export interface LateReceiver {
  /** Asked when the request is cancelled. */
  wanted(): boolean
  /** CallToolResult as it came over the wire. Once at most. */
  take(result: JsonObject): void
}

/** Hangs on the parameters of a request. A symbol: it goes through the SDK with them, and never onto the wire. */
export const lateReceiver = Symbol('late taker')

export const lateReceiverOf = (params: object | undefined): LateReceiver | undefined =>
  (params as { readonly [lateReceiver]?: LateReceiver } | undefined)?.[lateReceiver]

export interface LateResponses {
  cancelled(id: RequestId, taker: LateReceiver | undefined): void
  /** Undefined: this answer is nobody's. Asked a second time, it always is. */
  takerOf(id: RequestId): LateReceiver | undefined
}

/** On one connection; beyond it the oldest are given up. */
export const mostLate = 100
export const longestLateMs = 10 * 60_000

export function createLateResponses(clock: Clock): LateResponses {
  /** In the order in which they were cancelled. */
  const owed = new Map<RequestId, { readonly taker: LateReceiver; readonly until: number }>()

  function prune(): void {
    const now = clock.now()
    for (const [id, { until }] of owed) {
      if (until >= now && owed.size <= mostLate) return
      owed.delete(id)
    }
  }
  return {
    cancelled(id, taker) {
      if (!taker?.wanted()) return
      owed.set(id, { taker, until: clock.now() + longestLateMs })
      prune()
    },
    takerOf(id) {
      prune()
      const found = owed.get(id)
      owed.delete(id)
      return found?.taker
    },
  }
}
