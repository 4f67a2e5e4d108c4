// What of a view's messages reaches the bridge. A view is a stranger's code that may say anything, as fast as it can: whatever
// is no small JSON-RPC message is dropped, so is what comes too fast, and a flood ends the view.

type GuardedMessage =
  | { readonly kind: 'message'; readonly message: object }
  | { readonly kind: 'dropped' }
  /** It is to be taken away. */
  | { readonly kind: 'flood' }

/** UTF-16 units of one message as JSON. */
export const largestMessage = 2_000_000
/** A burst, then so many a second; and so many in one second that it is no view any more. */
const burst = 400
const perSecond = 100
export const floodPerSecond = 3000
/** Characters a second, beyond the first burst of them. */
const burstSize = 8_000_000
const sizePerSecond = 1_000_000

interface FrameGuard {
  hear(data: unknown): GuardedMessage
}

/** `now`: milliseconds. */
export function createFrameGuard(now: () => number): FrameGuard {
  let left = burst
  let room = burstSize
  let at = now()
  let second = at
  let inSecond = 0
  return {
    hear(data) {
      const time = now()
      const passed = (time - at) / 1000
      at = time
      left = Math.min(burst, left + passed * perSecond)
      room = Math.min(burstSize, room + passed * sizePerSecond)
      if (time - second >= 1000) {
        second = time
        inSecond = 0
      }
      inSecond += 1
      if (inSecond > floodPerSecond) return { kind: 'flood' }
      if (left < 1 || room <= 0 || !isCall(data)) return { kind: 'dropped' }
      left -= 1
      const text = asJson(data)
      if (text === undefined) return { kind: 'dropped' }
      room -= text.length
      return text.length > largestMessage ? { kind: 'dropped' } : { kind: 'message', message: JSON.parse(text) as object }
    },
  }
}

/** JSON-RPC 2.0: a request, a notification, or an answer. What stands in it is for the schemas of the bridge. */
function isCall(data: unknown): data is object {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false
  const { jsonrpc, id, method, result, error } = data as Readonly<Record<string, unknown>>
  if (jsonrpc !== '2.0') return false
  const hasId = (typeof id === 'string' && id.length <= 200) || Number.isSafeInteger(id)
  if (typeof method === 'string') return method.length <= 200 && (id === undefined || hasId)
  return method === undefined && hasId && (result === undefined) !== (error === undefined)
}

function asJson(data: object): string | undefined {
  try {
    return JSON.stringify(data)
  } catch {
    return undefined // A circle, or a number that JSON has not: no message of this protocol.
  }
}
