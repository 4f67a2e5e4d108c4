// Bounds what one block costs. A block that is longer than a person reads in one is cut at its lines into pieces that are parsed
// and drawn one by one; what a piece may come to in nodes is told from its characters, before anything is parsed.
import { mostMarks } from '#renderer/ui/revealed.tsx'
import type { Block } from './blocks.ts'

/** UTF-16 units of a piece, and what it weighs. */
export const longestPiece = 6000
const heaviestPiece = 700
const shortestPiece = 1000
/** Tokens of a piece, and levels within each other; beyond either it is drawn as plain text. A table within the weight has fewer. */
export const mostTokens = 6000
export const mostLevels = 60

const cut = new WeakMap<Block, readonly Block[]>()

/** The block itself where it is short. Pieces of a table begin with its head, so the texts of pieces need not join to the block's. */
export function piecesOf(block: Block): readonly Block[] {
  if (block.kind === 'fence') return [block]
  const known = cut.get(block)
  if (known) return known
  const { text, start } = block
  const head = tableHead(text)
  const pieces: Block[] = []
  for (let at = 0; at < text.length; ) {
    const end = endOfPiece(text, at)
    if (at === 0 && end === text.length) pieces.push(block)
    else pieces.push({ kind: 'markdown', start: start + at, text: (at > 0 ? head : '') + text.slice(at, end) })
    at = end
  }
  cut.set(block, pieces)
  return pieces
}

/** Behind the last line that leaves the next one at the left edge; else behind a line, a word, or within one. */
function endOfPiece(text: string, from: number): number {
  const most = reach(text, from)
  if (most >= text.length) return text.length
  const least = Math.floor((from + most) / 2)
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

/** As far as a piece from there may be at most. */
const reach = (text: string, from: number): number => {
  const { at } = weigh(text, from, Math.min(text.length, from + longestPiece), heaviestPiece)
  return Math.max(at, Math.min(text.length, from + shortestPiece))
}

const delimiter = /^ {0,3}\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/

/** The two lines that a table begins with; empty: it is none, or its head alone is too long. */
function tableHead(text: string): string {
  const first = text.indexOf('\n')
  const second = text.indexOf('\n', first + 1)
  if (first < 0 || second < 0 || second > longestPiece / 4) return ''
  return delimiter.test(text.slice(first + 1, second).trimEnd()) ? text.slice(0, second + 1) : ''
}

/** Cells of the tables in it, of which the parser makes one for each column of each row, written or not. */
export function cellsOf(text: string): number {
  let columns = 0
  for (const [line] of text.matchAll(/^[ \t>]*[|:-][|:\- \t]*$/gm)) columns = Math.max(columns, line.split('|').length - 1)
  return columns === 0 ? 0 : columns * text.split('\n').length
}

const weights = new WeakMap<Block, number>()

/** About how many nodes and lines it comes to. Of code, that of its frame: it is text alone, and bounds itself. */
export function weightOf(block: Block): number {
  if (block.kind === 'fence') return 40
  const known = weights.get(block)
  if (known !== undefined) return known
  const { text } = block
  const made = 4 + text.length / 100 + weigh(text, 0, text.length, Number.POSITIVE_INFINITY).weight
  weights.set(block, made)
  return made
}

/** What the text between weighs, and where that comes to `most`. Marks beyond those that a letter bears are one name. */
function weigh(text: string, from: number, to: number, most: number): { readonly weight: number; readonly at: number } {
  let weight = 0
  let marks = 0
  let at = from
  for (; at < to && weight < most; at += 1) {
    const unit = text.charCodeAt(at)
    marks = isMark(unit) ? marks + 1 : 0
    if (marks <= mostMarks) weight += weightOfUnit(unit)
  }
  return { weight, at }
}

/** Of those that come in thousands. */
const isMark = (unit: number): boolean => (unit >= 0x300 && unit < 0x370) || (unit >= 0x483 && unit < 0x48a)

/** What may become a node of its own: signs and line ends, a dollar most of all, marks, format characters, halves of characters. */
function weightOfUnit(unit: number): number {
  if (unit === 0x24) return 8
  if (unit < 0x80) {
    const isWord = unit === 0x20 || (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a)
    return isWord ? 0 : 1
  }
  return isMark(unit) || (unit >= 0x2000 && unit < 0x2070) || (unit >= 0xd800 && unit < 0xf900) ? 1 : 0
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
