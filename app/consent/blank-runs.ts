// Blanks that could push what follows out of view: empty lines in a row, and spaces in a row within a line. Each run is named
// in its place, with its length. Spaces at the beginning of a line are its indentation and stay.
import { numberWords } from '../words/formats.ts'
import { t } from '../words/translate.ts'

export type BlankPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'blank'; readonly text: string; readonly name: string }

/** Fewer stay as they are. */
export const LEAST_EMPTY_LINES = 3
const LEAST_SPACES = 24

const EMPTY_LINE = '[^\\S\\n]*\\n'
const RUN = new RegExp(
  `(?<=^|\\n)(?<lines>(?:${EMPTY_LINE}){${LEAST_EMPTY_LINES},})|(?<=\\S)(?<spaces>[^\\S\\n\\r]{${LEAST_SPACES},})`,
  'gu',
)

export const emptyLinesWords = (count: number): string => t`${numberWords(count)} empty lines`

/** The text in order: joined, the texts of the pieces are the text again. */
export function foldBlanks(text: string): readonly BlankPiece[] {
  const pieces: BlankPiece[] = []
  let end = 0
  for (const match of text.matchAll(RUN)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) })
    const [run] = match
    const count = match.groups?.['lines'] === undefined ? run.length : run.split('\n').length - 1
    pieces.push({
      kind: 'blank',
      text: run,
      name: match.groups?.['lines'] === undefined ? t`${numberWords(count)} spaces` : emptyLinesWords(count),
    })
    end = match.index + run.length
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) })
  return pieces
}
