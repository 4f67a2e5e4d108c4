// What the page keeps of a server's log: bounded, in order, without doubles; and which of it is shown.

import { clockWithSeconds } from '#app/i18n/format-values.ts'
import type { LogLine } from '#app/server/server-state.ts'

const keptLines = 2000

export interface LogPage {
  readonly lines: readonly LogLine[]
  /** Lines that are gone: the host's bound and ours together. */
  readonly dropped: number
  /** Of runs of Assent before this one; numbered below nought. */
  readonly earlier: readonly LogLine[]
}
export const emptyLog: LogPage = { lines: [], dropped: 0, earlier: [] }

/** `dropped` is the host's count so far; a batch may overlap with what is here (fetch and event cross on the way). */
export function addLines(page: LogPage, lines: readonly LogLine[], dropped: number, limit: number = keptLines): LogPage {
  const last = page.lines.at(-1)?.seq ?? -1
  const fresh = lines.filter((line) => line.seq > last)
  if (fresh.length === 0 && dropped <= page.dropped) return page
  const all = [...page.lines, ...fresh]
  const over = Math.max(0, all.length - limit)
  return { ...page, lines: over > 0 ? all.slice(over) : all, dropped: Math.max(page.dropped, dropped) + over }
}

export type LogFilter = 'all' | 'warnings' | 'errors'
export type LogSource = LogLine['source'] | 'all'
const errors = new Set(['error', 'critical', 'alert', 'emergency'])

/** stderr has no levels, so it is never filtered as an error: only lines that name one are. */
export function passes(line: LogLine, filter: LogFilter, source: LogSource = 'all'): boolean {
  if (source !== 'all' && line.source !== source) return false
  if (filter === 'all') return true
  if (line.level !== undefined && errors.has(line.level)) return true
  return filter === 'warnings' && line.level === 'warning'
}

export const lineTone = (line: LogLine): 'bad' | 'warn' | 'host' | 'plain' => {
  if (line.level !== undefined && errors.has(line.level)) return 'bad'
  if (line.level === 'warning' || line.source === 'stdout') return 'warn'
  return line.source === 'host' ? 'host' : 'plain'
}

export const clockTime = clockWithSeconds

export type LogRow =
  | { readonly kind: 'line'; readonly key: string; readonly line: LogLine }
  /** Below it is what this run of Assent heard. */
  | { readonly kind: 'this-run'; readonly key: string }

interface LogView {
  readonly filter: LogFilter
  readonly source: LogSource
  /** Lines up to this number are put away. */
  readonly clearedTo: number
}

/** What is shown of a log, with a divider where there is something from before this run. */
export function logRows({ lines, earlier }: LogPage, { filter, source, clearedTo }: LogView): LogRow[] {
  const kept = (line: LogLine): boolean => line.seq > clearedTo && passes(line, filter, source)
  const row = (line: LogLine): LogRow => ({ kind: 'line', key: String(line.seq), line })
  const before = earlier.filter(kept)
  const now = lines.filter(kept).map(row)
  return before.length === 0 ? now : [...before.map(row), { kind: 'this-run', key: 'this-run' }, ...now]
}

export const linesOf = (rows: readonly LogRow[]): LogLine[] => rows.flatMap((row) => (row.kind === 'line' ? [row.line] : []))
