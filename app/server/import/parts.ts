// A page's text taken apart: code blocks of Markdown, JSON with prose around it, links and badges. Lines and columns stay
// those of what was pasted, and a long page costs one reading.

const lineBreaks = (text: string): string => text.replace(/[^\n]+/g, '')

export interface CodeBlock {
  readonly language: string
  readonly text: string
  /** Lines of the page before it. */
  readonly before: number
}

/** The fenced blocks of a Markdown text; one that is not closed goes on to the end. */
export function codeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  const fence = /^([ \t>]*)(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*\n/gm
  let lines = 0
  let counted = 0
  for (let open = fence.exec(text); open; open = fence.exec(text)) {
    const start = open.index + open[0].length
    const mark = open[2] ?? ''
    const close = new RegExp(`^[ \\t>]*${mark[0]}{${mark.length},}[ \\t]*$`, 'gm')
    close.lastIndex = start
    const end = close.exec(text)?.index ?? text.length
    const quoted = (open[1] ?? '').includes('>')
    const inner = text.slice(start, end)
    lines += lineBreaks(text.slice(counted, start)).length
    counted = start
    blocks.push({
      language: (open[3] ?? '').toLowerCase(),
      text: quoted ? inner.replace(/^([ \t]*)>/gm, '$1 ') : inner,
      before: lines,
    })
    fence.lastIndex = Math.min(text.length, text.indexOf('\n', end) === -1 ? text.length : text.indexOf('\n', end))
  }
  return blocks
}

/** The JSON of a text that has prose before or after it, or undefined. */
export function jsonInProse(text: string): string | undefined {
  const start = /^[ \t]*(?:\{|\[[ \t]*\{|["“][\w.@/ -]{1,80}["”][ \t]*:[ \t]*[{[])/m.exec(text)
  if (!start) return undefined
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  if (end < start.index) return undefined
  // A comma after the last brace belongs to what it was cut from.
  return lineBreaks(text.slice(0, start.index)) + text.slice(start.index, end + 1)
}

/** What stands before the address of an image, which leads nowhere: `![words](` and `src="`. */
const beforeImage = /!\[[^[\]\n]*\]\($|\bsrc\s*=\s*["']?$/i
const imageFile = /\.(?:svg|png|jpe?g|gif|webp|ico)(?:[?#]|$)/i
/** Pages about a server, of its source and its packages. */
const about =
  /^https?:\/\/(?:[\w-]+\.)*(?:github\.com|gitlab\.com|npmjs\.(?:com|org)|pypi\.org|shields\.io|hub\.docker\.com)(?:[/:?#]|$)|^https?:\/\/(?:www\.)?(?:smithery\.ai|glama\.ai|mcp\.so|pulsemcp\.com|lobehub\.com|modelcontextprotocol\.io)(?:[/:?#]|$)|^https?:\/\/docs\.(?![^/]*mcp)|\/docs\//i
const schemes = 'https?://|(?:vscode|vscode-insiders|vscodium):(?=/*mcp/)|(?:cursor|goose|lmstudio|assent)://'

/** Addresses and links that install, in their order, each once. */
export const addressesIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(new RegExp(`(?:${schemes})[^\\s<>"'\`)\\]]+`, 'gi'))]
      .filter(({ index }) => !beforeImage.test(text.slice(Math.max(0, index - 300), index)))
      // `…?id=<id>` is a part of an address.
      .filter(({ 0: url, index }) => !(url.endsWith('=') && /^[<{]/.test(text.slice(index + url.length))))
      .map(([url]) => url.replace(/[.,;:!?]+$/, '')),
  ),
]

/** Without the calls of `curl`, whose headers an address alone would lose. */
export const withoutCalls = (text: string): string =>
  text.replace(/^[ \t]*(?:[$%>] +)?curl\b(?:[^\n]*\\\n)*[^\n]*$/gm, (call) => lineBreaks(call))

/** Not an image, and not a page about a server. */
export const mayBeServer = (url: string): boolean => URL.canParse(url) && /^https?:/i.test(url) && !imageFile.test(url) && !about.test(url)

export const looksLikeServer = (url: string): boolean =>
  mayBeServer(url) && /(^|[./-])(mcp|sse)([./?-]|$)/i.test(url.replace(/^https?:\/\//, ''))
