// Parses Markdown to tokens. Raw HTML is off, so tags are text; bare words never become links; a target stays as it was written
// (punycode is not decoded), since the shown address must be the real one.
import MarkdownIt, { type Token } from 'markdown-it'
import addFootnotes from 'markdown-it-footnote'
import { weakMemo } from './weak-memo.ts'

export type { Token }

const parser = new MarkdownIt({ html: false, linkify: true, typographer: false, breaks: false })
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
parser.normalizeLink = (url) => url
parser.normalizeLinkText = (url) => url
parser.use(addFootnotes)
// Definitions stay in their blocks: a message collects those of all its blocks. An inline note is its own definition.
parser.core.ruler.disable('footnote_tail')
/** `^[A note.]` */
parser.inline.ruler.at('footnote_inline', (state, silent) => {
  const { src, pos } = state
  if (!src.startsWith('^[', pos)) return false
  const end = parser.helpers.parseLinkLabel(state, pos + 1)
  if (end < 0 || src.slice(pos + 2, end).trim() === '') return false
  if (!silent) state.push('footnote_ref', '', 0).meta = { label: src.slice(pos, end + 1) }
  state.pos = end + 1
  return true
})
addMath()

/** Text of an inline note; undefined for any other label. An inline note's label is the note as it is written. */
export const inlineNoteOf = (label: string): string | undefined => (label.startsWith('^[') ? label.slice(2, -1) : undefined)

export function inlineNotesIn(text: string): readonly string[] {
  if (!text.includes('^[')) return []
  const walk = (tokens: readonly Token[]): string[] =>
    tokens.flatMap(({ type, meta, children }) => (type === 'footnote_ref' ? [String(meta?.label)] : walk(children ?? [])))
  return walk(parseMarkdown(text)).filter((label) => inlineNoteOf(label) !== undefined)
}

/** `labels`: footnotes that are defined anywhere in the message; the block's own are added. */
export const parseMarkdown = (text: string, labels: readonly string[] = []): readonly Token[] =>
  parser.parse(text, labels.length === 0 ? {} : { footnotes: { refs: Object.create(refsOf(labels)) as object } })

/** Returns the table of footnotes for all blocks of a message; each block inherits from it. */
const refsOf = weakMemo((labels: readonly string[]): object => Object.fromEntries(labels.map((label) => [`:${label}`, -1])))

// Math: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`. A dollar is a price more often than math, so the text between two of them must look like TeX;
// in doubt it stays text.

/** Limit of a formula in UTF-16 units; a longer one stays text. */
const longest = 4000

/**
 * Whether the text between two single dollars is TeX: Pandoc's rule (no space inside the signs, no digit after the last one), and
 * more than one word only with a sign that prose does not have.
 */
function looksLikeTex(tex: string, after: string): boolean {
  if (tex === '' || /^\s|\s$/.test(tex) || /^\d/.test(after)) return false
  if (!/\s/.test(tex)) return !/^[\d.,]+[-–—/]$/.test(tex)
  if (/[\\^_{}]/.test(tex)) return true
  return /[=<>+*/|]/.test(tex) && !/[A-Za-z]{3,}/.test(tex)
}

/** Index of the next sign without a backslash before it; -1: none. */
function findSign(text: string, sign: string, from: number): number {
  for (let at = text.indexOf(sign, from); at >= 0; at = text.indexOf(sign, at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at
  }
  return -1
}

const pairs = [
  { open: '$$', close: '$$', display: true },
  { open: '\\[', close: '\\]', display: true },
  { open: '\\(', close: '\\)', display: false },
  { open: '$', close: '$', display: false },
] as const

function addMath(): void {
  parser.inline.ruler.before('escape', 'math', (state, silent) => {
    const { src, pos, posMax } = state
    const pair = pairs.find(({ open }) => src.startsWith(open, pos))
    if (!pair) return false
    const from = pos + pair.open.length
    const end = findSign(src, pair.close, from)
    if (end < 0 || end + pair.close.length > posMax || end - from > longest) return false
    const tex = src.slice(from, end)
    if (tex.trim() === '' || (pair.open === '$' && !looksLikeTex(tex, src.slice(end + 1, end + 2)))) return false
    if (!silent) {
      const token = state.push('math_inline', 'math', 0)
      token.content = tex.trim()
      token.markup = src.slice(pos, end + pair.close.length)
      token.meta = { display: pair.display }
    }
    state.pos = end + pair.close.length
    return true
  })

  parser.block.ruler.before(
    'fence',
    'math_block',
    (state, startLine, endLine, silent) => {
      const lineAt = (line: number): string => state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
      const first = lineAt(startLine)
      const pair = first.startsWith('$$') ? pairs[0] : first.startsWith('\\[') ? pairs[1] : undefined
      if (!pair || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false
      const lines: string[] = []
      for (let line = startLine; line < endLine; line++) {
        if (line > startLine && (state.sCount[line] ?? 0) < state.blkIndent) return false
        const text = line === startLine ? first.slice(2) : lineAt(line)
        const end = findSign(text, pair.close, 0)
        if (end >= 0 && text.slice(end + 2).trim() !== '') return false
        lines.push(end < 0 ? text : text.slice(0, end))
        if (end < 0) continue
        const tex = lines.join('\n').trim()
        if (tex === '' || tex.length > longest) return false
        if (!silent) {
          const token = state.push('math_block', 'math', 0)
          token.content = tex
          token.markup = `${pair.open}${lines.join('\n')}${pair.close}`
          token.meta = { display: true }
          token.map = [startLine, line + 1]
          state.line = line + 1
        }
        return true
      }
      return false
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  )
}
