// Which earlier message one belongs to: an answer to its request, by id and the other direction; progress to its request,
// by token; a notice that a request is called off. Bounded: what is never answered is forgotten in the end.
import type { WireDirection } from '#app/server/wire-message.ts'
import type { MessageFacts } from './message-facts.ts'

export interface Origin {
  readonly seq: number
  readonly time: number
  readonly method: string | undefined
}

/** Requests that wait for their answer, or for word of how they get on. */
const mostOpen = 1000

const opposite = (direction: WireDirection): WireDirection => (direction === 'sent' ? 'received' : 'sent')
const key = (direction: WireDirection, id: string | number): string => `${direction} ${typeof id} ${id}`

export function createPairing(): (facts: MessageFacts, direction: WireDirection, mine: Origin) => Origin | undefined {
  const open = new Map<string, Origin>()
  const tokens = new Map<string, Origin>()

  function put(into: Map<string, Origin>, at: string, origin: Origin): void {
    into.delete(at)
    into.set(at, origin)
    const [oldest] = into.keys()
    if (into.size > mostOpen && oldest !== undefined) into.delete(oldest)
  }

  return ({ kind, id, token, progressOf, cancels }, direction, mine) => {
    if (kind === 'request' && id !== undefined) {
      put(open, key(direction, id), mine)
      if (token !== undefined) put(tokens, key(direction, token), mine)
    }
    if ((kind === 'result' || kind === 'error') && id !== undefined) {
      const at = key(opposite(direction), id)
      const origin = open.get(at)
      open.delete(at)
      return origin
    }
    if (progressOf !== undefined) return tokens.get(key(opposite(direction), progressOf))
    return cancels === undefined ? undefined : open.get(key(direction, cancels))
  }
}
