// Parses Markdown to tokens. Raw HTML is off, so tags are text; bare words never become links; a target stays as it was written
// (punycode is not decoded), since the shown address must be the real one.
import MarkdownIt, { type Token } from 'markdown-it'
import addFootnotes from 'markdown-it-footnote'
import { addMath } from './math-rules.ts'
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
addMath(parser)

/** Text of an inline note; undefined for any other label. An inline note's label is the note as it is written. */
export const inlineNoteOf = (label: string): string | undefined => (label.startsWith('^[') ? label.slice(2, -1) : undefined)

/** Labels of the inline notes in a text, in order. */
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
