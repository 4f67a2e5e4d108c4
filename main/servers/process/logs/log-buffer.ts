// The last lines that a server said, for its page and for the message when it fails. Bounded in lines and bytes; the
// values that it is told to mask never get in. New lines go out in batches, and of a batch too long for a page to keep up
// with only the end: the page sees the gap in `seq`, and `lines()` has what there still is.

import { t } from '#app/i18n/translate.ts'
import type { LogLine } from '#app/server/server-state.ts'
import type { Clock } from '#main/base/clock.ts'
import { createMask } from './redact-secrets.ts'

export interface NewLine {
  readonly source: LogLine['source']
  readonly level?: LogLine['level']
  readonly text: string
  /** Lines that were left out just before this one. */
  readonly droppedBefore?: number | undefined
}

export interface LogBuffer {
  add(line: NewLine): void
  lines(): LogLine[]
  /** Lines that are here no more, or never were. */
  readonly dropped: number
  /** Hides these values too in whatever is added from now on. */
  mask(values: readonly string[]): void
  /** A text as it may be shown. */
  masked(text: string): string
  clear(): void
  dispose(): void
}

export interface LogBufferOptions {
  readonly clock: Clock
  /** New lines, at most every `batchMs`, and how many have been dropped so far. */
  readonly onLines: (lines: LogLine[], dropped: number) => void
  /** Each line as it may be kept, at once. */
  readonly keep?: (line: LogLine) => void
  readonly maxLines?: number
  /** In UTF-16 units of text. */
  readonly maxSize?: number
  readonly batchMs?: number
  readonly maxBatch?: number
}

export function createLogBuffer(options: LogBufferOptions): LogBuffer {
  const { clock, onLines, keep, maxLines = 2000, maxSize = 1_000_000, batchMs = 100, maxBatch = 500 } = options
  let lines: LogLine[] = []
  /** Lines before this index have been dropped; they are cut off now and then, so that dropping one costs nothing. */
  let first = 0
  let size = 0
  let seq = 0
  let told = 0
  let dropped = 0
  const secrets = new Set<string>()
  let mask = createMask([])
  let cancelBatch: (() => void) | undefined
  let disposed = false

  const dropFirst = (): void => {
    size -= lines[first]?.text.length ?? 0
    first += 1
    dropped += 1
    if (first > maxLines) {
      lines = lines.slice(first)
      first = 0
    }
  }

  const sendBatch = (): void => {
    cancelBatch = undefined
    const fresh = lines.slice(Math.max(first, lines.length - Math.min(seq - told, maxBatch)))
    told = seq
    if (fresh.length > 0) onLines(fresh, dropped)
  }

  return {
    add({ source, level, text: raw, droppedBefore = 0 }) {
      const text = mask(raw)
      seq += 1
      dropped += droppedBefore
      size += text.length
      const line: LogLine = { seq, time: clock.now(), source, ...(level === undefined ? {} : { level }), text }
      lines.push(line)
      // On the page the count says so; what is kept has only its lines. A line of the host's own says it itself.
      if (droppedBefore > 0 && source !== 'host')
        keep?.({ ...line, source: 'host', level: 'warning', text: t`${droppedBefore} lines were left out.` })
      keep?.(line)
      while (lines.length - first > maxLines || (size > maxSize && lines.length - first > 1)) dropFirst()
      if (!disposed) cancelBatch ??= clock.after(batchMs, sendBatch)
    },
    lines: () => lines.slice(first),
    get dropped() {
      return dropped
    },
    mask(values) {
      for (const value of values) secrets.add(value)
      mask = createMask([...secrets])
    },
    masked: (text) => mask(text),
    clear() {
      lines = []
      first = 0
      size = 0
      told = seq
    },
    dispose() {
      disposed = true
      cancelBatch?.()
      cancelBatch = undefined
    },
  }
}
