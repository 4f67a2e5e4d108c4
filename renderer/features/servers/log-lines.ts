// What the page keeps of a server's log: bounded, in order, without doubles; escape sequences are data and never drawn.
import type { LogLine } from '#app/server/state.ts'

export const keptLines = 2000

export interface LogPage {
  readonly lines: readonly LogLine[]
  /** Lines that are gone: the host's bound and ours together. */
  readonly dropped: number
}
export const emptyLog: LogPage = { lines: [], dropped: 0 }

/** `dropped` is the host's count so far; a batch may overlap with what is here (fetch and event cross on the way). */
export function addLines(page: LogPage, lines: readonly LogLine[], dropped: number, limit: number = keptLines): LogPage {
  const last = page.lines.at(-1)?.seq ?? -1
  const fresh = lines.filter((line) => line.seq > last)
  if (fresh.length === 0 && dropped <= page.dropped) return page
  const all = [...page.lines, ...fresh]
  const over = Math.max(0, all.length - limit)
  return { lines: over > 0 ? all.slice(over) : all, dropped: Math.max(page.dropped, dropped) + over }
}

// CSI, OSC (ended by BEL or ST, or cut off), and two-byte escapes: ECMA-48. Built from text: control characters in a literal are a lint error.
const esc = '\\u001b'
const sequence = new RegExp(
  [
    `(?:${esc}\\[|\\u009b)[0-?]*[ -/]*[@-~]`,
    `(?:${esc}\\]|\\u009d)[^\\u0007\\u001b\\u009c]*(?:\\u0007|${esc}\\\\|\\u009c)?`,
    `${esc}[PX^_][^\\u001b]*(?:${esc}\\\\)?`,
    `${esc}[ -/]*[0-~]`,
  ].join('|'),
  'g',
)

/** Without colours, cursor moves and titles; a carriage return within the line leaves what a terminal would show last. */
export function plainText(text: string): string {
  const plain = text.replace(sequence, '').replace(/\r+$/, '')
  return plain.includes('\r') ? plain.slice(plain.lastIndexOf('\r') + 1) : plain
}

export type LogFilter = 'all' | 'warnings' | 'errors'
const errors = new Set(['error', 'critical', 'alert', 'emergency'])

/** stderr has no levels, so it is never filtered as an error: only lines that name one are. */
export function passes(line: LogLine, filter: LogFilter): boolean {
  if (filter === 'all') return true
  if (line.level !== undefined && errors.has(line.level)) return true
  return filter === 'warnings' && line.level === 'warning'
}

export const lineTone = (line: LogLine): 'bad' | 'warn' | 'host' | 'plain' => {
  if (line.level !== undefined && errors.has(line.level)) return 'bad'
  if (line.level === 'warning' || line.source === 'stdout') return 'warn'
  return line.source === 'host' ? 'host' : 'plain'
}

export const clockTime = (time: number): string => new Date(time).toLocaleTimeString('en-GB', { hour12: false })

export const logText = (lines: readonly LogLine[]): string =>
  lines
    .map((line) => `${new Date(line.time).toISOString()} ${line.source}${line.level ? ` ${line.level}` : ''} ${plainText(line.text)}`)
    .join('\n')
