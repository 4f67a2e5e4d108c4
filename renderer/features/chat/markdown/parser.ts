// Markdown to tokens. Raw HTML is off, so tags are text; links are never made out of bare words; a target stays as it
// was written (no decoding of punycode), since what is shown must be where it goes.
import MarkdownIt, { type Token } from 'markdown-it'

export type { Token }

const parser = new MarkdownIt({ html: false, linkify: true, typographer: false, breaks: false })
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
parser.normalizeLink = (url) => url
parser.normalizeLinkText = (url) => url

export const parseMarkdown = (text: string): readonly Token[] => parser.parse(text, {})
