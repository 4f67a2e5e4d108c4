// A page's text taken apart: code blocks of Markdown, JSON with prose around it, and lines. What is not meant is blanked
// out rather than cut, so that lines and columns stay those of what was pasted.

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

export interface CodeBlock {
  readonly language: string
  /** The whole text, with all but the block blanked out. */
  readonly text: string
}

/** The fenced blocks of a Markdown text; one that is not closed goes on to the end. */
export function codeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  const fence = /^([ \t>]*)(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*\n/gm
  for (let open = fence.exec(text); open; open = fence.exec(text)) {
    const start = open.index + open[0].length
    const mark = open[2] ?? ''
    const close = new RegExp(`^[ \\t>]*${mark[0]}{${mark.length},}[ \\t]*$`, 'gm')
    close.lastIndex = start
    const end = close.exec(text)?.index ?? text.length
    const quoted = (open[1] ?? '').includes('>')
    const inner = text.slice(start, end)
    blocks.push({
      language: (open[3] ?? '').toLowerCase(),
      text: blank(text.slice(0, start)) + (quoted ? inner.replace(/^([ \t]*)>/gm, '$1 ') : inner),
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
  return blank(text.slice(0, start.index)) + text.slice(start.index, end + 1)
}

/** Addresses in a text that lead to a server by their looks. */
export const addressesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/https?:\/\/[^\s<>"'`)\]]+/g)].map(([url]) => url.replace(/[.,;:!?]+$/, ''))),
]

export const looksLikeServer = (url: string): boolean =>
  URL.canParse(url) && /(^|[./-])(mcp|sse)([./?-]|$)/i.test(url.replace(/^https?:\/\//, ''))
