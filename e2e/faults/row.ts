// What is measured of one fault, and how it is printed. A row passes when none of its repetitions found anything wrong; in a
// full run, its figures have to be as promised, too (`limits.ts`).
import { percentile } from '../../bench/statistics.ts'

export interface Row {
  readonly fault: string
  readonly reps: number
  /** Milliseconds until it was noticed, or until nothing was left; one a repetition. */
  readonly detected: readonly number[]
  /** What is promised for each of these; absent: nothing. */
  readonly withinMs?: number
  /** Calls that came to no end, or to a wrong one. */
  readonly lost: number
  readonly orphans: number
  /** Milliseconds that calls of another server took meanwhile. */
  readonly peers?: readonly number[]
  /** Bytes by which the host grew, at most. */
  readonly grown?: number
  /** What was not as promised, in words. */
  readonly wrong: readonly string[]
  /** Why it could not be tried here. */
  readonly skipped?: string
}

const ms = (samples: readonly number[] | undefined, share: number): string =>
  samples === undefined || samples.length === 0 ? '–' : `${Math.round(percentile(samples, share))} ms`

const cells = (row: Row): string[] => [
  row.fault,
  String(row.reps),
  ms(row.detected, 0.5),
  ms(row.detected, 0.95),
  ms(row.peers, 0.99),
  row.grown === undefined ? '–' : `${Math.round(row.grown / 2 ** 20)} MB`,
  String(row.lost),
  String(row.orphans),
]

const widths = [44, 5, 12, 10, 10, 8, 6, 8]
const line = (texts: readonly string[]): string =>
  texts.map((text, n) => (n === 0 ? text.padEnd(widths[n] ?? 0) : text.padStart(widths[n] ?? 0))).join('')

export const heading = `        ${line(['fault', 'reps', 'seen in p50', 'p95', 'peers p99', 'memory', 'lost', 'orphans'])}\n`

/** What went wrong in the same words many times is said once. */
export function rowText(row: Row): string {
  const counts = new Map<string, number>()
  for (const word of row.wrong) counts.set(word, (counts.get(word) ?? 0) + 1)
  const words = [...counts].slice(0, 8).map(([word, count]) => `          ${word}${count > 1 ? ` (${count} times)` : ''}\n`)
  if (row.skipped !== undefined) return `skipped ${row.fault}: ${row.skipped}\n`
  return `${row.wrong.length === 0 ? 'passed' : 'FAILED'}  ${line(cells(row))}\n${words.join('')}`
}
