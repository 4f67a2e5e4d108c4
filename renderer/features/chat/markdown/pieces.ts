// Bounds what one block costs. A block that is longer than a person reads in one is cut at its lines into pieces that are parsed
// and drawn one by one; what a piece may come to in nodes is told from its characters, before anything is parsed.
import type { Block } from './blocks.ts'

/** UTF-16 units of a piece. */
export const longestPiece = 6000
/** Tokens of a piece, and levels within each other; beyond either it is drawn as plain text. */
export const mostTokens = 2000
export const mostLevels = 60

const cut = new WeakMap<Block, readonly Block[]>()

/** The block itself where it is short. Pieces of a table begin with its head, so the texts of pieces need not join to the block's. */
export function piecesOf(block: Block): readonly Block[] {
  if (block.kind === 'fence' || block.text.length <= longestPiece) return [block]
  const known = cut.get(block)
  if (known) return known
  const { text, start } = block
  const head = tableHead(text)
  const pieces: Block[] = []
  for (let at = 0; at < text.length; ) {
    const end = endOfPiece(text, at)
    pieces.push({ kind: 'markdown', start: start + at, text: (at > 0 ? head : '') + text.slice(at, end) })
    at = end
  }
  cut.set(block, pieces)
  return pieces
}

/** Behind the last line that leaves the next one at the left edge; else behind a line, a word, or within one. */
function endOfPiece(text: string, from: number): number {
  const most = from + longestPiece
  if (most >= text.length) return text.length
  const least = from + longestPiece / 2
  const half = text.slice(least, most)
  for (let at = half.lastIndexOf('\n'); at >= 0; at = at > 0 ? half.lastIndexOf('\n', at - 1) : -1)
    if (!/\s/.test(text.charAt(least + at + 1))) return least + at + 1
  for (const sign of ['\n', ' ']) {
    const at = half.lastIndexOf(sign)
    if (at >= 0) return least + at + 1
  }
  // Not between the halves of a character.
  return /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most
}

const delimiter = /^ {0,3}\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/

/** The two lines that a table begins with; empty: it is none, or its head alone is too long. */
function tableHead(text: string): string {
  const first = text.indexOf('\n')
  const second = text.indexOf('\n', first + 1)
  if (first < 0 || second < 0 || second > longestPiece / 4) return ''
  return delimiter.test(text.slice(first + 1, second).trimEnd()) ? text.slice(0, second + 1) : ''
}

const weights = new WeakMap<Block, number>()

/** About how many nodes and lines it comes to. Of code, that of its frame: it is text alone, and bounds itself. */
export function weightOf(block: Block): number {
  if (block.kind === 'fence') return 40
  const known = weights.get(block)
  if (known !== undefined) return known
  const { text } = block
  let signs = 0
  for (let at = 0; at < text.length; at += 1) signs += weightOfUnit(text.charCodeAt(at))
  const made = 4 + text.length / 100 + signs
  weights.set(block, made)
  return made
}

/** What may become a node of its own: signs and line ends, a dollar most of all, marks, format characters, halves of characters. */
function weightOfUnit(unit: number): number {
  if (unit === 0x24) return 8
  if (unit < 0x80) {
    const isWord = unit === 0x20 || (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a)
    return isWord ? 0 : 1
  }
  return (unit >= 0x300 && unit < 0x370) || (unit >= 0x2000 && unit < 0x2070) || (unit >= 0xd800 && unit < 0xf900) ? 1 : 0
}

/** UTF-16 units of a message that are looked at before the person asks for more. */
export const longestUnasked = 300_000

/** The beginning of it, up to the end of a line where there is one. */
export function beginningOf(text: string, times: number): string {
  const most = longestUnasked * times
  if (text.length <= most) return text
  const line = text.lastIndexOf('\n', most)
  return text.slice(0, line > most / 2 ? line + 1 : most).toWellFormed()
}
