// Looking for words in a log: which rows hold them, and which pieces of a row they are. Case does not matter.
import { type AnsiStyle, parseAnsi } from '#app/ansi.ts'
import type { LogLine } from '#app/server/state.ts'
import type { LogRow } from './log-lines.ts'

export interface Piece {
  readonly text: string
  readonly style: AnsiStyle
  readonly found: boolean
}

interface Read {
  readonly pieces: readonly Piece[]
  readonly text: string
  readonly folded: string
}
/** A line never changes, and is read again with every letter that is typed. */
const reads = new WeakMap<LogLine, Read>()

function read(line: LogLine): Read {
  const known = reads.get(line)
  if (known) return known
  const pieces = parseAnsi(line.text).map((span) => ({ ...span, found: false }))
  const text = pieces.map((piece) => piece.text).join('')
  const made = { pieces, text, folded: fold(text) }
  reads.set(line, made)
  return made
}

/** Letter by letter: places in the folded text are places in the text. */
const fold = (text: string): string => {
  const folded = text.toLowerCase()
  return folded.length === text.length
    ? folded
    : text.replace(/./gsu, (one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one))
}

/** Indices of the rows that hold `query`. */
export function findRows(rows: readonly LogRow[], query: string): number[] {
  const wanted = fold(query)
  if (wanted === '') return []
  return rows.flatMap((row, index) => (row.kind === 'line' && read(row.line).folded.includes(wanted) ? [index] : []))
}

/** A line's text with its styles, cut where what is looked for begins and ends. */
export function piecesOf(line: LogLine, query: string): readonly Piece[] {
  const { pieces, text, folded } = read(line)
  const wanted = fold(query)
  if (wanted === '') return pieces
  const cuts: number[] = []
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length)) cuts.push(at, at + wanted.length)
  if (cuts.length === 0) return pieces
  const cut: Piece[] = []
  let at = 0
  let next = 0
  for (const { text: own, style } of pieces) {
    const end = at + own.length
    while (at < end) {
      while ((cuts[next] ?? text.length) <= at && next < cuts.length) next += 1
      const to = Math.min(end, cuts[next] ?? end)
      cut.push({ text: text.slice(at, to), style, found: next % 2 === 1 })
      at = to
    }
  }
  return cut
}

/** The match after or before the one of `current`, round the ends. Undefined: there is none. */
export function nextMatch(matches: readonly number[], current: number | undefined, step: 1 | -1): number | undefined {
  if (current === undefined) return step === 1 ? matches[0] : matches.at(-1)
  if (step === 1) return matches.find((match) => match > current) ?? matches[0]
  return matches.findLast((match) => match < current) ?? matches.at(-1)
}
