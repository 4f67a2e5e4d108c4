// Splits Markdown into blocks that can be parsed one by one, so that a streamed answer only parses its last block.
// It splits where no parser would join again: before and after a top-level fence, before a heading, and after a blank
// line unless what follows may belong to the block before (indented lines; items of a list). When unsure it does not
// split: a block too large costs time, a block too small would change what is shown.

export interface Block {
  readonly kind: 'markdown' | 'fence'
  /** Offset of its first character in the whole text. */
  readonly start: number
  readonly text: string
}

type Kind = 'none' | 'paragraph' | 'list' | 'fence'

/** Its indentation and its signs. Not one pattern: a line of backticks alone would be walked again from each of them. */
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

/** The blocks in order; their texts joined are the text again. */
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
      if (afterBlank && !joins) close(at)
      else if (kind !== 'list' && heading.test(line)) close(at)
      if (item && kind === 'none') kind = 'list'
      else if (item && kind === 'paragraph') kind = 'list'
      else if (kind === 'none') kind = 'paragraph'
      afterBlank = false
    }
    at = end
  }
  close(text.length)
  return blocks
}

/**
 * The blocks of a text that begins with the text of `before`. Blocks but the last two keep their identity: where the
 * last one begins may still change while its first line is being written, all boundaries before it stand.
 */
export function growBlocks(before: readonly Block[], text: string): readonly Block[] {
  const settled = before.slice(0, -2)
  const tail = splitBlocks(text, before[settled.length]?.start ?? 0)
  // What came out the same keeps its object, so that its rendering is kept as well.
  const kept = tail.map((block, index) => {
    const old = before[settled.length + index]
    return old && old.start === block.start && old.text === block.text && old.kind === block.kind ? old : block
  })
  return [...settled, ...kept]
}

/** Of a fence: its language and its code, without the fence's own lines. `closed`: its last line came. */
export function readFence(text: string): { readonly language: string; readonly code: string; readonly closed: boolean } {
  const firstEnd = text.indexOf('\n')
  const first = firstEnd < 0 ? text : text.slice(0, firstEnd)
  const [indent, fence] = fenceOpening(first) ?? ['', '```']
  const language =
    first
      .slice(indent.length + fence.length)
      .trim()
      .split(/\s+/)[0] ?? ''
  if (firstEnd < 0) return { language, code: '', closed: false }
  const lines = text.slice(firstEnd + 1).split('\n')
  while (lines.length > 1 && blank.test(lines.at(-1) ?? '')) lines.pop()
  const closed = closesFence((lines.at(-1) ?? '').replace(/\r$/, ''), fence)
  if (closed) lines.pop()
  return { language, code: lines.map((line) => stripIndent(line, indent.length)).join('\n'), closed }
}

/** A fence's own indentation is taken off each of its lines (CommonMark 4.5). */
function stripIndent(line: string, width: number): string {
  let at = 0
  while (at < width && line[at] === ' ') at++
  return line.slice(at)
}
