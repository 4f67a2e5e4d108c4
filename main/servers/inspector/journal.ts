// What was told of one server, bounded in number and in size: the oldest goes first. Who shows it is only told that there is
// more, now and then, and fetches what it wants to see: a flood costs a page no more than it can take.
import type { WireMessage } from '#app/server/wire-message.ts'
import type { Clock } from '#main/base/clock.ts'

export interface Journal {
  add(message: WireMessage): void
  /** Those after that number, the oldest first, some of them. */
  after(seq: number): { readonly messages: WireMessage[]; readonly first: number; readonly last: number }
  /** All of them. */
  all(): WireMessage[]
  at(seq: number): WireMessage | undefined
  clear(): void
  dispose(): void
}

export interface JournalOptions {
  readonly clock: Clock
  readonly onNews: (last: number) => void
  readonly maxMessages?: number
  /** In UTF-16 units of text. */
  readonly maxSize?: number
  readonly batchMs?: number
}

/** Of one answer to a page. */
const mostAtOnce = 200
const largestAtOnce = 400_000

/** What one costs beside its text. */
const overhead = 200
const sizeOf = ({ text, http }: WireMessage): number =>
  overhead + text.length + (http?.headers.reduce((sum, { name, value }) => sum + name.length + value.length, http.line.length) ?? 0)

export function createJournal({ clock, onNews, maxMessages = 2000, maxSize = 4_000_000, batchMs = 250 }: JournalOptions): Journal {
  let messages: WireMessage[] = []
  /** Those before this index are gone; they are cut off now and then. */
  let first = 0
  let size = 0
  let last = 0
  let cancelBatch: (() => void) | undefined

  function dropFirst(): void {
    const gone = messages[first]
    if (gone) size -= sizeOf(gone)
    first += 1
    if (first <= maxMessages) return
    messages = messages.slice(first)
    first = 0
  }

  /** Numbers have no gaps. */
  const indexOf = (seq: number): number => first + Math.max(0, seq - (messages[first]?.seq ?? last + 1))

  function tell(): void {
    cancelBatch ??= clock.after(batchMs, () => {
      cancelBatch = undefined
      onNews(last)
    })
  }

  return {
    add(message) {
      messages.push(message)
      last = message.seq
      size += sizeOf(message)
      while (messages.length - first > maxMessages || (size > maxSize && messages.length - first > 1)) dropFirst()
      tell()
    },
    after(seq) {
      const from = indexOf(seq + 1)
      let end = from
      for (let taken = 0; end < messages.length && end - from < mostAtOnce && taken < largestAtOnce; end += 1)
        taken += sizeOf(messages[end] as WireMessage)
      return { messages: messages.slice(from, end), first: messages[first]?.seq ?? last + 1, last }
    },
    all: () => messages.slice(first),
    at: (seq) => (messages[indexOf(seq)]?.seq === seq ? messages[indexOf(seq)] : undefined),
    clear() {
      messages = []
      first = 0
      size = 0
      tell()
    },
    dispose() {
      cancelBatch?.()
      cancelBatch = undefined
    },
  }
}
