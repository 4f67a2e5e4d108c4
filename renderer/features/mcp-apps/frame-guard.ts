// Guards the bridge against the messages of a view, which is untrusted code. Anything but a small JSON-RPC message is dropped, as
// are messages that come too fast; a flood ends the view.
import { orElse } from '#app/or-else.ts'

type GuardedMessage = { readonly kind: 'message'; readonly message: object } | { readonly kind: 'dropped' | 'flood' }

/** Limit of one message as JSON, in UTF-16 units. */
export const largestMessage = 2_000_000
/** Limits of messages: of a burst, then a second. */
const burst = 400
const perSecond = 100
/** Messages that are a flood at once, and the number that is forgotten in a second: 3,000 in one second are a flood, and 1,000 a second for four. */
export const floodSize = 2700
const forgottenPerSecond = 300
/** Limits of characters: of a burst, then a second. */
const burstSize = 8_000_000
const sizePerSecond = 1_000_000

/** `now`: milliseconds. */
export function createFrameGuard(now: () => number) {
  let messageTokens = burst
  let sizeTokens = burstSize
  let at = now()
  let recent = 0
  return {
    hear(data: unknown): GuardedMessage {
      const time = now()
      const passed = (time - at) / 1000
      at = time
      messageTokens = Math.min(burst, messageTokens + passed * perSecond)
      sizeTokens = Math.min(burstSize, sizeTokens + passed * sizePerSecond)
      recent = Math.max(0, recent - passed * forgottenPerSecond) + 1
      if (recent > floodSize) return { kind: 'flood' }
      if (messageTokens < 1 || sizeTokens <= 0 || !isJsonRpc(data)) return { kind: 'dropped' }
      messageTokens -= 1
      // What is not JSON (a circle, a bigint) is no message of this protocol.
      const text = orElse(() => JSON.stringify(data), undefined)
      if (text === undefined) return { kind: 'dropped' }
      sizeTokens -= text.length
      return text.length > largestMessage ? { kind: 'dropped' } : { kind: 'message', message: JSON.parse(text) as object }
    },
  }
}

/** Whether the data is a JSON-RPC 2.0 request, notification or response. The bridge checks the content by schema. */
function isJsonRpc(data: unknown): data is object {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false
  const { jsonrpc, id, method, result, error } = data as Readonly<Record<string, unknown>>
  if (jsonrpc !== '2.0') return false
  const hasId = (typeof id === 'string' && id.length <= 200) || Number.isSafeInteger(id)
  if (typeof method === 'string') return method.length <= 200 && (id === undefined || hasId)
  return method === undefined && hasId && (result === undefined) !== (error === undefined)
}
