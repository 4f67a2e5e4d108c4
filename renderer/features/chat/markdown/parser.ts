// Markdown to tokens. Raw HTML is off, so tags are text; links are never made out of bare words; a target stays as it
// was written (no decoding of punycode), since what is shown must be where it goes.
import MarkdownIt, { type Token } from 'markdown-it'
import addFootnotes from 'markdown-it-footnote'
import { addMath } from './math-rules.ts'

export type { Token }

const parser = new MarkdownIt({ html: false, linkify: true, typographer: false, breaks: false })
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
parser.normalizeLink = (url) => url
parser.normalizeLinkText = (url) => url
parser.use(addFootnotes)
// Definitions stay where they are: a message collects those of all its blocks. A note within the text has no block to be
// collected from, and no model writes one.
parser.core.ruler.disable('footnote_tail')
parser.inline.ruler.disable('footnote_inline')
addMath(parser)

/** `labels`: of footnotes that are defined anywhere in the message; a block sees only its own. */
export const parseMarkdown = (text: string, labels: readonly string[] = []): readonly Token[] =>
  parser.parse(text, labels.length === 0 ? {} : { footnotes: { refs: Object.fromEntries(labels.map((label) => [`:${label}`, -1])) } })
