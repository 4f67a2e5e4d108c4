// Message inspectors: what goes over the wire to one server while the person wants to see it, in memory and for this run alone. Known
// secrets are masked before anything is kept (docs/notes/message-inspector.md). Messages are linked to their request by id or token.
import { isJsonObject } from '#app/json.ts'
import { defined, parseJson } from '#app/or-else.ts'
import type { Inspecting, WireDirection, WireKind, WireMessage } from '#app/server/wire-message.ts'
import { looksSecret, MASK, maskUrl } from '#app/text/secret-names.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import { type CapturedMessage, type CapturedText, captureText, type Tap } from './wire-tap.ts'

type Id = string | number

/** Facts that the protocol gives about a message, read from its text; of one that was cut, from its two ends. */
interface MessageFacts {
  readonly kind: WireKind
  readonly method?: string
  readonly id?: Id
  readonly token?: Id
  /** Progress token that a notification belongs to. */
  readonly progressOf?: Id
  /** Id of the request that a notification cancels. */
  readonly cancels?: Id
}

const other: MessageFacts = { kind: 'other' }
/** Longer names and ids are nobody's, and would be kept with every message. */
const longest = 1000
const isId = (value: unknown): value is Id => typeof value === 'number' || (typeof value === 'string' && value.length <= longest)

export const wireMessageFacts = ({ text, tail }: CapturedText): MessageFacts =>
  tail === undefined ? factsOfMessage(parseJson(text)) : factsOfEnds(text, tail)

function factsOfMessage(message: unknown): MessageFacts {
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
    const { progressToken, requestId } = said
    const progressOf = method === 'notifications/progress' && isId(progressToken) ? progressToken : undefined
    const cancels = method === 'notifications/cancelled' && isId(requestId) ? requestId : undefined
    return { kind: 'notification', ...named, ...defined({ progressOf, cancels }) }
  }
  const meta = said['_meta']
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined
  return { kind: 'request', ...named, ...id, ...(isId(token) ? { token } : {}) }
}

/** Text without nested objects or arrays: before the first such member, or after the last. */
const flat = String.raw`(?:[^{}[\]"]|"(?:[^"\\]|\\.){0,300}")*?`
const methodFirst = new RegExp(String.raw`^\s*\{${flat}"method"\s*:\s*("(?:[^"\\]|\\.){1,300}")`)
const outcomeFirst = new RegExp(String.raw`^\s*\{${flat}"(result|error)"\s*:`)
const id = String.raw`"id"\s*:\s*(\d{1,15}|"(?:[^"\\]|\\.){0,300}")`
const idFirst = new RegExp(String.raw`^\s*\{${flat}${id}`)
const idLast = new RegExp(String.raw`[}\]]\s*,${flat}${id}${flat}\}\s*$`)
/** Characters in which the first few members stand. */
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

interface MessageHistoryOptions {
  readonly clock: Clock
  readonly onNews: (last: number) => void
  readonly maxMessages?: number
  /** Size limit, in UTF-16 units of text. */
  readonly maxSize?: number
  readonly batchMs?: number
}

const mostAtOnce = 200
const largestAtOnce = 400_000

/** Cost of one message beside its text, in UTF-16 units. */
const overhead = 200
const sizeOf = ({ text, http }: WireMessage): number =>
  overhead + text.length + (http?.headers.reduce((sum, { name, value }) => sum + name.length + value.length, http.line.length) ?? 0)

/** Messages of one server, bounded in number and size: the oldest goes first. Pages are told of more, and fetch what they show. */
export function createMessageHistory(options: MessageHistoryOptions) {
  const { clock, onNews, maxMessages = 2000, maxSize = 4_000_000, batchMs = 250 } = options
  let messages: WireMessage[] = []
  let size = 0
  let last = 0
  let cancelBatch: (() => void) | undefined

  /** Numbers have no gaps. */
  const indexOf = (seq: number): number => Math.max(0, seq - (messages[0]?.seq ?? last + 1))

  function tell(): void {
    cancelBatch ??= clock.after(batchMs, () => {
      cancelBatch = undefined
      onNews(last)
    })
  }

  return {
    add(message: WireMessage): void {
      messages.push(message)
      last = message.seq
      size += sizeOf(message)
      while (messages.length > maxMessages || (size > maxSize && messages.length > 1)) size -= sizeOf(messages.shift() as WireMessage)
      tell()
    },
    after(seq: number) {
      const from = indexOf(seq + 1)
      let end = from
      for (let taken = 0; end < messages.length && end - from < mostAtOnce && taken < largestAtOnce; end += 1)
        taken += sizeOf(messages[end] as WireMessage)
      return { messages: messages.slice(from, end), first: messages[0]?.seq ?? last + 1, last }
    },
    all: () => [...messages],
    at: (seq: number) => (messages[indexOf(seq)]?.seq === seq ? messages[indexOf(seq)] : undefined),
    clear(): void {
      messages = []
      size = 0
      tell()
    },
    dispose(): void {
      cancelBatch?.()
      cancelBatch = undefined
    },
  }
}

interface PairedRequest {
  readonly seq: number
  readonly time: number
  readonly method: string | undefined
}

/** Requests that wait for their answer, or for word of how they get on. */
const mostOpen = 1000

const opposite = (direction: WireDirection): WireDirection => (direction === 'sent' ? 'received' : 'sent')
const key = (direction: WireDirection, id: string | number): string => `${direction} ${typeof id} ${id}`

function createPairing() {
  const open = new Map<string, PairedRequest>()
  const tokens = new Map<string, PairedRequest>()

  function put(into: Map<string, PairedRequest>, at: string, origin: PairedRequest): void {
    into.delete(at)
    into.set(at, origin)
    const [oldest] = into.keys()
    if (into.size > mostOpen && oldest !== undefined) into.delete(oldest)
  }

  return (facts: MessageFacts, direction: WireDirection, mine: PairedRequest): PairedRequest | undefined => {
    const { kind, id, token, progressOf, cancels } = facts
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

/** Headers that every server sends and nobody looks for. */
const boring =
  /^(?:accept-encoding|accept-language|access-control-.*|alt-svc|cache-control|connection|content-length|content-security-policy|cross-origin-.*|date|etag|keep-alive|nel|permissions-policy|pragma|priority|referrer-policy|report-to|reporting-endpoints|sec-.*|server-timing|strict-transport-security|transfer-encoding|vary|via|x-content-type-options|x-frame-options|x-powered-by|x-xss-protection|cf-.*|expires)$/i
const mostHeaders = 40
const longestHeader = 1000

function shownHeaders(headers: Iterable<readonly [string, string]>, mask: (text: string) => string) {
  const shown: { readonly name: string; readonly value: string }[] = []
  for (const [name, value] of headers) {
    if (shown.length === mostHeaders) break
    if (!boring.test(name)) shown.push({ name: name.slice(0, longestHeader), value: shownValue(name, value, mask) })
  }
  return shown
}

function shownValue(name: string, value: string, mask: (text: string) => string): string {
  // The scheme of a header (`Bearer`) is no secret, and often is what is wrong.
  if (/^(?:proxy-)?authorization$/i.test(name)) return /^[A-Za-z]+ /.test(value) ? `${value.split(' ')[0]} ${MASK}` : MASK
  if (/^dpop$/i.test(name) || looksSecret(name)) return MASK
  const short = value.length > longestHeader ? `${value.slice(0, longestHeader)}…` : value
  return mask(/^(?:content-)?location$/i.test(name) ? maskUrl(short) : short)
}

export type Inspector = ReturnType<typeof createInspector>

interface InspectorOptions {
  readonly clock: Clock
  readonly mask: (text: string) => string
  readonly onNews: (last: number) => void
  readonly onMode: () => void
}

const mostInBatch = 100

export function createInspector(options: InspectorOptions) {
  const { clock, onMode } = options
  const journal = createMessageHistory({ clock, onNews: options.onNews })
  let mode: Inspecting | undefined
  let ofServer = (text: string): string => text
  let pair = createPairing()
  let seq = 0

  const mask = (text: string): string => options.mask(ofServer(text))

  function record(
    { direction, bare = false, http, event, of, ...piece }: CapturedMessage,
    facts = bare ? { kind: 'http' as const } : wireMessageFacts(piece),
  ): number {
    seq += 1
    const mine = { seq, time: clock.now(), method: 'method' in facts ? facts.method : undefined }
    const origin = of === undefined ? pair(facts, direction, mine) : { seq: of, time: journal.at(of)?.time ?? mine.time, method: undefined }
    const method = mine.method ?? origin?.method
    const cut = piece.tail !== undefined
    const message: WireMessage = {
      seq,
      time: mine.time,
      direction,
      kind: facts.kind,
      ...defined({ method: method && mask(method), id: 'id' in facts ? facts.id : undefined }),
      ...(origin === undefined ? {} : { of: origin.seq, ms: Math.max(0, mine.time - origin.time) }),
      size: piece.size,
      // A mask looks for the beginning of a secret before these dots.
      text: cut ? mask(`${piece.text}…`) : mask(event?.name === 'endpoint' ? withoutQuery(piece.text) : piece.text),
      cut,
      ...(http === undefined ? {} : { http: { line: mask(http.line), headers: shownHeaders(http.headers, mask) } }),
      ...(event === undefined || (event.id === undefined && event.name === undefined) ? {} : { event: shownEvent(event) }),
    }
    journal.add(message)
    return seq
  }

  const shownEvent = ({ id, name }: NonNullable<CapturedMessage['event']>): NonNullable<WireMessage['event']> =>
    defined({ id: id && mask(id.slice(0, 200)), name: name && mask(name.slice(0, 200)) })

  const tap: Tap = {
    get on() {
      return mode === 'on'
    },
    tell(heard) {
      if (mode !== 'on') return undefined
      const items = !heard.bare && heard.tail === undefined && /^\s*\[/.test(heard.text) ? parseJson(heard.text) : undefined
      if (!Array.isArray(items) || items.length === 0 || items.length > mostInBatch) return record(heard)
      for (const item of items) record({ ...heard, ...captureText(JSON.stringify(item)) }, factsOfMessage(item))
      return undefined
    },
  }

  return {
    tap,
    get mode(): Inspecting | undefined {
      return mode
    },
    inspect(next: Inspecting | undefined): void {
      if (next === mode) return
      mode = next
      onMode()
    },
    /** A connection is about to be made; its secrets are known to `known`. */
    connecting(known: (text: string) => string): void {
      ofServer = known
      pair = createPairing()
      if (mode !== 'next-start') return
      journal.clear()
      mode = 'on'
      onMode()
    },
    journal,
  }
}

/** The way in of HTTP+SSE has the session in it. */
const withoutQuery = (text: string): string => (/^https?:/.test(text) ? maskUrl(text) : text.replace(/\?.*$/s, '?•••'))

export type Inspectors = ReturnType<typeof createInspectors>

export function createInspectors(options: {
  readonly clock: Clock
  readonly emit: Emit
  readonly mask: (text: string) => string
  readonly onMode: (name: string) => void
}) {
  const { clock, emit, mask, onMode } = options
  const all = new Map<string, Inspector>()
  return {
    of(name: string): Inspector {
      const known = all.get(name)
      if (known) return known
      const made = createInspector({ clock, mask, onNews: (last) => emit('server.messaged', { name, last }), onMode: () => onMode(name) })
      all.set(name, made)
      return made
    },
    mode: (name: string): Inspecting | undefined => all.get(name)?.mode,
    remove(name: string): void {
      all.get(name)?.inspect(undefined)
      all.get(name)?.journal.dispose()
      all.delete(name)
    },
    dispose(): void {
      for (const inspector of all.values()) inspector.journal.dispose()
    },
  }
}
