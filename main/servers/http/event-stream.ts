// Puts an event stream right for the SDK, which takes one message an event. A server of 2025-03-26 may answer with a batch:
// its array becomes one event for each message, in order. A stream that was resumed is begun with the id it was resumed
// from, so that it can be resumed again should it end before it has said anything. All else goes through as it came, line
// by line; nothing is held back but the line that is not whole yet and the data of a batch.

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const lf = 10
const cr = 13

/** `resumedFrom`: the Last-Event-ID that was asked for. */
export function repairEvents(resumedFrom: string | null): TransformStream<Uint8Array, Uint8Array> {
  let parts: Uint8Array[] = []
  let afterCr = false
  /** The data lines of an event that may be a batch, and the lines that came among them. */
  let batch: { readonly data: string[]; readonly others: string[] } | undefined
  let eventLine: string | undefined

  function takeLine(line: Uint8Array, out: TransformStreamDefaultController<Uint8Array>): void {
    if (line.length === 0) {
      if (batch) out.enqueue(encoder.encode(split(batch.data, batch.others, eventLine)))
      else out.enqueue(encoder.encode('\n'))
      batch = undefined
      eventLine = undefined
      return
    }
    const data = startsArray(line) || batch ? dataOf(decoder.decode(line)) : undefined
    if (data !== undefined) {
      batch ??= { data: [], others: [] }
      batch.data.push(data)
    } else if (batch) batch.others.push(decoder.decode(line))
    else {
      if (line.length < 256 && decoder.decode(line.subarray(0, 6)) === 'event:') eventLine = decoder.decode(line)
      out.enqueue(line)
      out.enqueue(encoder.encode('\n'))
    }
  }

  return new TransformStream({
    start(out) {
      if (resumedFrom !== null) out.enqueue(encoder.encode(`id: ${resumedFrom}\ndata:\n\n`))
    },
    transform(chunk, out) {
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
        takeLine(parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts), out)
        parts = []
        from = at + 1
        if (chunk[at] === cr && chunk[from] === lf) from += 1
        else if (chunk[at] === cr && from === chunk.length) afterCr = true
        if (nextLf !== -1 && nextLf < from) nextLf = chunk.indexOf(lf, from)
        if (nextCr !== -1 && nextCr < from) nextCr = chunk.indexOf(cr, from)
      }
      if (from < chunk.length) parts.push(chunk.subarray(from))
    },
    // An event that was cut off is none (HTML, "Server-sent events").
  })
}

const prefix = encoder.encode('data:')

/** Whether it is a line of data whose first sign is `[`. */
function startsArray(line: Uint8Array): boolean {
  if (!prefix.every((byte, index) => line[index] === byte)) return false
  let at = prefix.length
  while (line[at] === 32 || line[at] === 9) at += 1
  return line[at] === 91
}

const dataOf = (line: string): string | undefined => (line.startsWith('data:') ? line.slice(5).replace(/^ /, '') : undefined)

function split(data: readonly string[], others: readonly string[], eventLine: string | undefined): string {
  const text = data.join('\n')
  const ahead = others.map((line) => `${line}\n`).join('')
  const named = eventLine ?? others.find((line) => line.startsWith('event:'))
  const messages = asArray(text)
  if (messages === undefined) return `${ahead}${data.map((line) => `data: ${line}\n`).join('')}\n`
  const repeated = named === undefined ? '' : `${named}\n`
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
