// Recent log lines of a server, bounded in lines and size, with secrets masked. New lines go out in batches. Of a batch too large
// for a page only the end is sent: the page sees the gap in `seq`, and `lines()` returns what is still held.
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { LogLine } from '#app/server/server-state.ts'
import type { Clock } from '#main/base/clock.ts'
import { createMask } from '#main/base/redact-secrets.ts'

export interface NewLine {
  readonly source: LogLine['source']
  readonly level?: LogLine['level']
  readonly text: string
  readonly droppedBefore?: number | undefined
}

export type LogBuffer = ReturnType<typeof createLogBuffer>

export interface LogBufferOptions {
  readonly clock: Clock
  /** Called with new lines, at most every `batchMs`, and the count of dropped ones. */
  readonly onLines: (lines: LogLine[], dropped: number) => void
  /** Called with each masked line at once. */
  readonly keep?: (line: LogLine) => void
  readonly maxLines?: number
  /** Size limit in UTF-16 units. */
  readonly maxSize?: number
  readonly batchMs?: number
  readonly maxBatch?: number
  /** Masks what the host knows of other servers and of models. */
  readonly known?: ((text: string) => string) | undefined
}

export function createLogBuffer(options: LogBufferOptions) {
  const { clock, onLines, keep, maxLines = 2000, maxSize = 1_000_000, batchMs = 100, maxBatch = 500, known = String } = options
  let lines: LogLine[] = []
  let size = 0
  let seq = 0
  let told = 0
  let dropped = 0
  const secrets = new Set<string>()
  let own = createMask([])
  const mask = (text: string): string => own(known(text))
  let cancelBatch: (() => void) | undefined
  let disposed = false

  const sendBatch = (): void => {
    cancelBatch = undefined
    const fresh = lines.slice(Math.max(0, lines.length - Math.min(seq - told, maxBatch)))
    told = seq
    if (fresh.length > 0) onLines(fresh, dropped)
  }

  return {
    add({ source, level, text: raw, droppedBefore = 0 }: NewLine): void {
      const text = mask(raw)
      seq += 1
      dropped += droppedBefore
      size += text.length
      const line: LogLine = { seq, time: clock.now(), source, ...defined({ level }), text }
      lines.push(line)
      // The page shows the count; a log file has only lines. A line of the host says it itself.
      if (droppedBefore > 0 && source !== 'host')
        keep?.({ ...line, source: 'host', level: 'warning', text: t`${droppedBefore} lines were left out.` })
      keep?.(line)
      for (; lines.length > maxLines || (size > maxSize && lines.length > 1); dropped += 1) size -= lines.shift()?.text.length ?? 0
      if (!disposed) cancelBatch ??= clock.after(batchMs, sendBatch)
    },
    lines: (): LogLine[] => [...lines],
    get dropped() {
      return dropped
    },
    /** Masks these values too in lines added from now on. */
    mask(values: readonly string[]): void {
      for (const value of values) secrets.add(value)
      own = createMask([...secrets])
    },
    masked: mask,
    clear(): void {
      lines = []
      size = 0
      told = seq
    },
    dispose(): void {
      disposed = true
      cancelBatch?.()
      cancelBatch = undefined
    },
  }
}
