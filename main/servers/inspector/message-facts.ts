// What a message is, read from its text as it went over the wire: what the protocol says of it and nothing more. Of one that
// was cut, its two ends tell, where they do so plainly. Pure.
import { isJsonObject, type Json } from '#app/json.ts'
import type { WireKind } from '#app/server/wire-message.ts'
import type { Piece } from './tap.ts'

type Id = string | number

export interface MessageFacts {
  readonly kind: WireKind
  readonly method?: string
  readonly id?: Id
  /** Of a request: progress is told of under it. */
  readonly token?: Id
  /** Of a notification: whose progress it is. */
  readonly progressOf?: Id
  /** Of a notification: the request that it calls off. */
  readonly cancels?: Id
}

const other: MessageFacts = { kind: 'other' }
/** Longer names and ids are nobody's, and would be kept with every message. */
const longest = 1000
const isId = (value: unknown): value is Id => typeof value === 'number' || (typeof value === 'string' && value.length <= longest)

export const factsOf = ({ text, tail }: Piece): MessageFacts => (tail === undefined ? factsOfMessage(parse(text)) : factsOfEnds(text, tail))

export function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    // A line of a log that went astray, for one.
    return undefined
  }
}

export function factsOfMessage(message: Json | undefined): MessageFacts {
  if (!isJsonObject(message)) return other
  const { id: rawId, method, params } = message
  const id = isId(rawId) ? { id: rawId } : {}
  if (typeof method !== 'string') {
    if ('result' in message) return { kind: 'result', ...id }
    return 'error' in message ? { kind: 'error', ...id } : other
  }
  const named = { method: method.slice(0, longest) }
  const said = isJsonObject(params) ? params : {}
  if (rawId === undefined) {
    if (method === 'notifications/progress' && isId(said['progressToken']))
      return { kind: 'notification', ...named, progressOf: said['progressToken'] }
    if (method === 'notifications/cancelled' && isId(said['requestId']))
      return { kind: 'notification', ...named, cancels: said['requestId'] }
    return { kind: 'notification', ...named }
  }
  const meta = said['_meta']
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined
  return { kind: 'request', ...named, ...id, ...(isId(token) ? { token } : {}) }
}

/** Before the first member that is an object or an array, or after the last one. */
const flat = String.raw`(?:[^{}[\]"]|"(?:[^"\\]|\\.){0,300}")*?`
const methodFirst = new RegExp(String.raw`^\s*\{${flat}"method"\s*:\s*("(?:[^"\\]|\\.){1,300}")`)
const outcomeFirst = new RegExp(String.raw`^\s*\{${flat}"(result|error)"\s*:`)
const id = String.raw`"id"\s*:\s*(\d{1,15}|"(?:[^"\\]|\\.){0,300}")`
const idFirst = new RegExp(String.raw`^\s*\{${flat}${id}`)
const idLast = new RegExp(String.raw`[}\]]\s*,${flat}${id}${flat}\}\s*$`)
/** They stand within the first few members. */
const headSize = 1000

function factsOfEnds(text: string, tail: string): MessageFacts {
  const head = text.slice(0, headSize)
  const idText = (idFirst.exec(head) ?? idLast.exec(tail))?.[1]
  const found = idText === undefined ? {} : { id: JSON.parse(idText) as Id }
  const method = methodFirst.exec(head)?.[1]
  if (method !== undefined)
    return { kind: idText === undefined ? 'notification' : 'request', method: JSON.parse(method) as string, ...found }
  const outcome = outcomeFirst.exec(head)?.[1]
  return outcome === 'result' || outcome === 'error' ? { kind: outcome, ...found } : other
}
