// Puts an event stream right for the SDK, which takes one message an event. A server of 2025-03-26 may answer with a batch:
// its array becomes one event for each message, in order, without what is no message. A stream that was resumed is begun
// with the id it was resumed from, so that it can be resumed again should it end before it has said anything, and what is
// sent in it a second time is left out. Nothing is held back but the event that is not whole yet. After each piece the
// rest of the host has its turn, however much there is.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { takeMessages } from './answers.ts'
import { type SizeLimit, tooLarge } from './cap-body.ts'
import type { StreamPlace } from './resumption.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const lf = 10
const cr = 13
const newline = encoder.encode('\n')

export interface RepairOptions {
  /** Where the stream goes on from; its ids are told to it. */
  readonly place?: StreamPlace
  /** So many things in a batch were no message. */
  readonly onStrays?: (count: number) => void
  /** It cannot be resumed (2026-07-28 has no GET), so nobody is to try: its ids are left out. */
  readonly final?: boolean
  /** Of one event: the stream may go on for ever. */
  readonly limit?: SizeLimit
  /** Each event as it came, in its lines. */
  readonly onEvent?: (lines: readonly Uint8Array[]) => void
}

export function repairEvents({ place, onStrays, final = false, limit, onEvent }: RepairOptions): TransformStream<Uint8Array, Uint8Array> {
  let parts: Uint8Array[] = []
  let afterCr = false
  let event: Uint8Array[] = []
  /** Bytes of the event that is not whole yet. */
  let held = 0

  function hold(bytes: number): void {
    held += bytes
    if (limit && held > limit.maxBytes) throw tooLarge(limit)
  }

  function takeLine(line: Uint8Array, out: TransformStreamDefaultController<Uint8Array>): void {
    if (line.length > 0) {
      event.push(line)
      return
    }
    if (event.length > 0) onEvent?.(event)
    const lines = final ? event.filter((each) => !isId(each)) : event
    event = []
    held = 0
    const id = idOf(lines)
    if (id !== undefined && place?.saw(id) === 'before') return
    if (id !== undefined || lines.some(isData)) place?.brought()
    const batch = lines.some(startsArray)
    const written = batch ? [encoder.encode(split(lines, onStrays))] : withData(lines, id).flatMap((each) => [each, newline])
    for (const each of written) out.enqueue(each)
    if (!batch) out.enqueue(newline)
  }

  return new TransformStream({
    start(out) {
      if (place?.from !== undefined) out.enqueue(encoder.encode(`id: ${place.from}\ndata:\n\n`))
    },
    async transform(chunk, out) {
      let from = 0
      let nextLf = chunk.indexOf(lf)
      let nextCr = chunk.indexOf(cr)
      if (afterCr && nextLf === 0) {
        from = 1
        nextLf = chunk.indexOf(lf, 1)
      }
      if (chunk.length > 0) afterCr = false
      while (nextLf !== -1 || nextCr !== -1) {
        const at = nextCr === -1 || (nextLf !== -1 && nextLf < nextCr) ? nextLf : nextCr
        parts.push(chunk.subarray(from, at))
        hold(at - from)
        takeLine(parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts), out)
        parts = []
        from = at + 1
        if (chunk[at] === cr && chunk[from] === lf) from += 1
        else if (chunk[at] === cr && from === chunk.length) afterCr = true
        if (nextLf !== -1 && nextLf < from) nextLf = chunk.indexOf(lf, from)
        if (nextCr !== -1 && nextCr < from) nextCr = chunk.indexOf(cr, from)
      }
      if (from < chunk.length) {
        parts.push(chunk.subarray(from))
        hold(chunk.length - from)
      }
      await nextTurn()
    },
    // An event that was cut off is none (HTML, "Server-sent events").
  })
}

const field = (name: string) => {
  const prefix = encoder.encode(name)
  return (line: Uint8Array): boolean =>
    prefix.every((byte, index) => line[index] === byte) && (line.length === prefix.length || line[prefix.length] === 58)
}
const isData = field('data')
const isId = field('id')
const isEvent = field('event')

/** What stands after the colon. */
const textOf = (line: Uint8Array): string => {
  const text = decoder.decode(line)
  const colon = text.indexOf(':')
  return colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, '')
}

function idOf(lines: readonly Uint8Array[]): string | undefined {
  const line = lines.findLast(isId)
  const id = line && textOf(line)
  return id === '' || id?.includes('\0') ? undefined : id
}

/** An id moves the place in the stream also where nothing is said; the SDK hears of it only with data. */
const withData = (lines: readonly Uint8Array[], id: string | undefined): readonly Uint8Array[] =>
  id !== undefined && !lines.some(isData) ? [...lines, encoder.encode('data:')] : lines

/** Whether it is a line of data whose first sign is `[`. */
function startsArray(line: Uint8Array): boolean {
  if (!isData(line)) return false
  let at = 5
  while (line[at] === 32 || line[at] === 9) at += 1
  return line[at] === 91
}

function split(lines: readonly Uint8Array[], onStrays: RepairOptions['onStrays']): string {
  const ahead = lines
    .filter((line) => !isData(line))
    .map((line) => `${decoder.decode(line)}\n`)
    .join('')
  const data = lines.filter(isData).map(textOf)
  const items = asArray(data.join('\n'))
  if (items === undefined) return `${ahead}${data.map((line) => `data: ${line}\n`).join('')}\n`
  const named = lines.find(isEvent)
  const repeated = named === undefined ? '' : `${decoder.decode(named)}\n`
  const { messages, strays } = takeMessages(items)
  if (strays > 0) onStrays?.(strays)
  return (
    messages.map((message, index) => `${index === 0 ? ahead : repeated}data: ${JSON.stringify(message)}\n\n`).join('') ||
    `${ahead}data:\n\n`
  )
}

function asArray(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    // Whoever reads the event says that it is no JSON.
    return undefined
  }
}
