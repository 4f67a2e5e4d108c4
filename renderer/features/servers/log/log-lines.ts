// Log lines that the page keeps of one server, bounded and in order, and the rows that are shown of them. Pure.

import { clockWithSeconds } from '#app/i18n/format-values.ts'
import type { LogLine } from '#app/server/server-state.ts'

const keptLines = 2000

export interface LogPage {
  readonly lines: readonly LogLine[]
  /** Number of lines that the host and the page dropped. */
  readonly dropped: number
  /** Lines of earlier runs of Assent, with negative numbers. */
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
const errors: ReadonlySet<string> = new Set(['error', 'critical', 'alert', 'emergency'])

/** Whether a line is shown. stderr has no levels, so only lines with a level count as warnings or errors. */
export function passes(line: LogLine, filter: LogFilter, source: LogSource = 'all'): boolean {
  if (source !== 'all' && line.source !== source) return false
  return filter === 'all' || errors.has(line.level ?? '') || (filter === 'warnings' && line.level === 'warning')
}

export const lineTone = (line: LogLine): 'bad' | 'warn' | 'host' | 'plain' => {
  if (errors.has(line.level ?? '')) return 'bad'
  if (line.level === 'warning' || line.source === 'stdout') return 'warn'
  return line.source === 'host' ? 'host' : 'plain'
}

export const clockTime = clockWithSeconds

export type LogRow =
  | { readonly kind: 'line'; readonly key: string; readonly line: LogLine }
  /** Divider above the lines of this run of Assent. */
  | { readonly kind: 'this-run'; readonly key: string }

interface LogView {
  readonly filter: LogFilter
  readonly source: LogSource
  /** Lines up to this number are put away. */
  readonly clearedTo: number
}

/** Rows of a log, with a divider below the lines of earlier runs. */
export function logRows({ lines, earlier }: LogPage, { filter, source, clearedTo }: LogView): LogRow[] {
  const kept = (line: LogLine): boolean => line.seq > clearedTo && passes(line, filter, source)
  const row = (line: LogLine): LogRow => ({ kind: 'line', key: String(line.seq), line })
  const before = earlier.filter(kept)
  const now = lines.filter(kept).map(row)
  return before.length === 0 ? now : [...before.map(row), { kind: 'this-run', key: 'this-run' }, ...now]
}

export const linesOf = (rows: readonly LogRow[]): LogLine[] => rows.flatMap((row) => (row.kind === 'line' ? [row.line] : []))
