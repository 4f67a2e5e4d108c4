// Splits Markdown into blocks that can be parsed one by one, so that a streamed answer parses only its last block, long blocks into
// pieces, and groups pieces into runs that are rendered together. The number of nodes of a piece is estimated from its characters
// before anything is parsed.
import { mostMarks } from '#renderer/ui/lib/text-segments.ts'
import { weakMemo } from './weak-memo.ts'

export interface Block {
  readonly kind: 'markdown' | 'fence'
  readonly start: number
  readonly text: string
}

type Kind = 'none' | 'paragraph' | 'list' | 'fence'

/** Indentation and signs of an opening fence. One pattern alone would be quadratic on a line of backticks. */
function fenceOpening(line: string): readonly [indent: string, fence: string] | undefined {
  const [, indent = '', fence = ''] = /^( {0,3})(`{3,}|~{3,})/.exec(line) ?? []
  if (fence === '' || (fence.startsWith('`') && line.includes('`', indent.length + fence.length))) return undefined
  return [indent, fence]
}
const listItem = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:\s|$)/
const heading = /^ {0,3}#{1,6}(?:\s|$)/
const blank = /^[ \t]*$/
const indented = /^[ \t]/

function closesFence(line: string, fence: string): boolean {
  const trimmed = line.trim()
  return /^ {0,3}\S/.test(line) && trimmed.length >= fence.length && trimmed === (fence[0] ?? '').repeat(trimmed.length)
}

/**
 * Splits a text into blocks, whose texts joined are the text again. Splits only where no parser would join: around a top-level
 * fence, before a heading, and after a blank line unless the next line may belong to the block (indented, or a list's item). A
 * block that is too large costs time; one that is too small would change the rendering.
 */
export function splitBlocks(text: string, from = 0): Block[] {
  const blocks: Block[] = []
  let start = from
  let kind: Kind = 'none'
  let fence = ''
  let afterBlank = false

  const close = (end: number): void => {
    if (end > start) blocks.push({ kind: kind === 'fence' ? 'fence' : 'markdown', start, text: text.slice(start, end) })
    start = end
    kind = 'none'
    afterBlank = false
  }

  for (let at = from; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline + 1
    const line = text.slice(at, newline < 0 ? end : newline).replace(/\r$/, '')

    if (kind === 'fence') {
      if (newline >= 0 && closesFence(line, fence)) close(end)
      at = end
      continue
    }
    const opening = fenceOpening(line)
    // Two spaces or more may put a fence inside a list item.
    if (opening && !(kind === 'list' && opening[0].length >= 2)) {
      close(at)
      kind = 'fence'
      fence = opening[1]
    } else if (blank.test(line)) {
      afterBlank = kind !== 'none'
    } else {
      const item = listItem.test(line)
      const joins = indented.test(line) || (kind === 'list' && item)
      if ((afterBlank && !joins) || (kind !== 'list' && heading.test(line))) close(at)
      if (item) kind = 'list'
      else if (kind === 'none') kind = 'paragraph'
      afterBlank = false
    }
    at = end
  }
  close(text.length)
  return blocks
}

/**
 * Splits a text that begins with the text of `before`. All blocks but the last two keep their identity: the beginning of the last
 * one may change while its first line is written, earlier boundaries are final.
 */
export function growBlocks(before: readonly Block[], text: string): readonly Block[] {
  const settled = before.slice(0, -2)
  const tail = splitBlocks(text, before[settled.length]?.start ?? 0)
  // Equal blocks keep their object, and so their rendering.
  const kept = tail.map((block, index) => {
    const old = before[settled.length + index]
    return old && old.start === block.start && old.text === block.text && old.kind === block.kind ? old : block
  })
  return [...settled, ...kept]
}

export interface ReadFence {
  readonly language: string
  /** All of the opening line behind the fence; begins with the language. */
  readonly info: string
  readonly code: string
  /** Whether the closing line is there. */
  readonly closed: boolean
}

/** Reads a fence, without the fence's own lines. */
export function readFence(text: string): ReadFence {
  const firstEnd = text.indexOf('\n')
  const first = firstEnd < 0 ? text : text.slice(0, firstEnd)
  const [indent, fence] = fenceOpening(first) ?? ['', '```']
  const info = first.slice(indent.length + fence.length).trim()
  const language = info.split(/\s+/)[0] ?? ''
  if (firstEnd < 0) return { language, info, code: '', closed: false }
  const lines = text.slice(firstEnd + 1).split('\n')
  while (lines.length > 1 && blank.test(lines.at(-1) ?? '')) lines.pop()
  // A fence's own indentation is removed from each of its lines (CommonMark 4.5).
  const ownIndent = new RegExp(`^ {0,${indent.length}}`)
  const closed = closesFence((lines.at(-1) ?? '').replace(/\r$/, ''), fence)
  if (closed) lines.pop()
  return { language, info, code: lines.map((line) => line.replace(ownIndent, '')).join('\n'), closed }
}

/** Limits of a piece: UTF-16 units and weight (about its nodes). */
export const longestBlock = 6000
const heaviestPiece = 700
const shortestPiece = 1000
/** Limits of tokens and nested levels; a piece beyond either is drawn as plain text. */
export const mostTokens = 6000
export const mostLevels = 60

/** Splits a long block into pieces; each piece of a table begins with its head, so the texts need not join to the block's. */
export const splitLongBlock = (block: Block): readonly Block[] =>
  block.kind === 'fence' || block.text.length <= shortestPiece ? [block] : piecesOf(block)

const piecesOf = weakMemo((block: Block): readonly Block[] => {
  const { text, start } = block
  const head = tableHead(text)
  const pieces: Block[] = []
  for (let at = 0; at < text.length; ) {
    const end = endOfPiece(text, at)
    if (at === 0 && end === text.length) pieces.push(block)
    else pieces.push({ kind: 'markdown', start: start + at, text: (at > 0 ? head : '') + text.slice(at, end) })
    at = end
  }
  return pieces
})

/** End of a piece: after a line before one without indentation; else after a line, after a word, or within a word. */
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
  // Keeps surrogate pairs together.
  return /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most
}

const reach = (text: string, from: number): number => {
  const { at } = weigh(text, from, Math.min(text.length, from + longestBlock), heaviestPiece)
  return Math.max(at, Math.min(text.length, from + shortestPiece))
}

const delimiter = /^ {0,3}\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/

/** First two lines of a table; empty: no table, or its head alone is too long. */
function tableHead(text: string): string {
  const first = text.indexOf('\n')
  const second = text.indexOf('\n', first + 1)
  if (first < 0 || second < 0 || second > longestBlock / 4) return ''
  return delimiter.test(text.slice(first + 1, second).trimEnd()) ? text.slice(0, second + 1) : ''
}

/** Estimates the cells of tables in a text; the parser makes one for each column of each row, written or not. */
export function cellsOf(text: string): number {
  if (!text.includes('|')) return 0
  let columns = 0
  for (const [line] of text.matchAll(/^[ \t>]*[|:-][|:\- \t]*$/gm)) columns = Math.max(columns, line.split('|').length - 1)
  return columns === 0 ? 0 : columns * text.split('\n').length
}

/** Estimates the nodes and lines of a block. Code is text alone and limits itself, so only its frame counts. */
export const weightOf = weakMemo(({ kind, text }: Block): number =>
  kind === 'fence' ? 40 : 4 + text.length / 100 + weigh(text, 0, text.length, Number.POSITIVE_INFINITY).weight,
)

/** Weighs the text up to `to`, or until `most`. Marks beyond those that a letter bears are drawn as one name. */
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

/** Whether the unit is a combining mark of the common blocks. */
const isMark = (unit: number): boolean => (unit >= 0x300 && unit < 0x370) || (unit >= 0x483 && unit < 0x48a)

/** Estimates the nodes of one UTF-16 unit: signs, line ends, most of all dollars, marks, format characters, surrogates. */
function weightOfUnit(unit: number): number {
  if (unit === 0x24) return 8
  if (unit < 0x80) {
    const isWord = unit === 0x20 || (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a)
    return isWord ? 0 : 1
  }
  return isMark(unit) || (unit >= 0x2000 && unit < 0x2070) || (unit >= 0xd800 && unit < 0xf900) ? 1 : 0
}

/** UTF-16 units of a message that are shown before the person asks for more. */
export const longestUnasked = 300_000

/** Beginning of a text with at most so many UTF-16 units, up to the end of a line where possible, never within a surrogate pair. */
export function leadingLines(text: string, most: number): string {
  if (text.length <= most) return text
  const line = text.lastIndexOf('\n', most - 1)
  if (line > most / 2) return text.slice(0, line + 1)
  return text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most)
}

/** Blocks that are rendered together, so that a long answer costs React and the layout a few runs, not every block. */
export type BlockRun = readonly Block[]

const blocksPerRun = 16
/** Weight at which a run is full. */
const weightPerRun = 250

/** Groups blocks into runs; runs with the same blocks as before keep their identity. */
export function growRuns(before: readonly BlockRun[], blocks: readonly Block[]): readonly BlockRun[] {
  const pieces = blocks.flatMap(splitLongBlock)
  const runs: BlockRun[] = []
  for (let at = 0; at < pieces.length; ) {
    const old = before[runs.length]
    const size = sizeOfRun(pieces, at)
    // Only the end of a text changes, so a comparison from the end is short.
    let same = old?.length === size
    for (let index = size - 1; same && index >= 0; index--) same = isSame(old?.[index], pieces[at + index])
    runs.push(same && old ? old : pieces.slice(at, at + size))
    at += size
  }
  return runs
}

/** Pieces of one long block are made anew whenever it grows. */
const isSame = (old: Block | undefined, piece: Block | undefined): boolean =>
  old === piece || (old?.start === piece?.start && old?.kind === piece?.kind && old?.text === piece?.text)

function sizeOfRun(pieces: readonly Block[], from: number): number {
  let weight = 0
  let size = 0
  for (; size < blocksPerRun && weight < weightPerRun; size += 1) {
    const piece = pieces[from + size]
    if (!piece) break
    weight += weightOf(piece)
  }
  return size
}

const weightOfRun = weakMemo((run: BlockRun): number => run.reduce((sum, block) => sum + weightOf(block), 0))

/** Index after the runs from `from` that stay within the weight; at least one run. */
export function runsWithin(runs: readonly BlockRun[], from: number, weight: number): number {
  let sum = 0
  let at = from
  for (; at < runs.length; at += 1) {
    const run = runs[at]
    sum += run ? weightOfRun(run) : 0
    if (sum > weight && at > from) break
  }
  return at
}
