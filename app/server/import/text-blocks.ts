// Cuts pasted text into the parts that have a language of their own: fenced blocks of Markdown, `<pre>` of HTML, and JSON, TOML and YAML
// that stand between sentences, as they do when a rendered page was copied.

export interface TextBlock {
  /** '' where the text does not say it. */
  readonly language: string
  readonly text: string
  /** Lines before it. */
  readonly before: number
}

export const lineBreaks = (text: string): string => text.replace(/[^\n]+/g, '')

/** Lists the fenced blocks of a Markdown text; one that is not closed goes on to the end. */
export function codeBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  const fence = /^([ \t>]*)(`{3,}(?!`)|~{3,}(?!~))[ \t]*([\w+-]*)(?![\w+-])[^\n]*\n/gm
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
    // What was copied begins within a block: its closing fence stands before any that opens one.
    if (blocks.length === 0 && !open[3] && new RegExp(`^[ \\t>]*${mark}[ \\t]*[\\w+-]`, 'm').test(inner)) {
      blocks.push({ language: '', text: text.slice(0, open.index), before: 0 })
      fence.lastIndex = start
      continue
    }
    lines += lineBreaks(text.slice(counted, start)).length
    counted = start
    const body = quoted ? inner.replace(/^([ \t]*)>/gm, '$1 ') : inner
    blocks.push({ language: (open[3] ?? '').toLowerCase(), text: body, before: lines })
    const next = text.indexOf('\n', end)
    fence.lastIndex = next === -1 ? text.length : next
  }
  return blocks
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }

export const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{2,6}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return name === undefined ? String.fromCodePoint(Math.min(code, 0x10_ff_ff)) : (entities[name.toLowerCase()] ?? whole)
  })

/** Lists the `<pre>` blocks of an HTML text, without the tags that colour them. */
export function preBlocks(text: string): TextBlock[] {
  let lines = 0
  return text.split(/<pre\b/i).flatMap((part, index) => {
    const before = lines
    lines += lineBreaks(part).length
    const end = part.search(/<\/pre>/i)
    const open = part.indexOf('>')
    if (index === 0 || end === -1 || open === -1 || open > end) return []
    const plain = part
      .slice(open + 1, end)
      .replace(/<br\s*\/?>/gi, '\n')
      .replace(/<\/?[a-z][^<>\n]{0,300}>/gi, '')
    return [{ language: '', text: withoutEntities(plain), before: before + lineBreaks(part.slice(0, open)).length }]
  })
}

type Kind = 'json' | 'toml' | 'yaml' | 'text'

const jsonStart = /^[ \t]*(?:\{(?=[\s"'“}/]|$)|\[[ \t]*(?:\{|$)|["“][\w.@/ -]{1,80}["”][ \t]*:[ \t]*[{[])/
const tomlHeader = /^[ \t]*\[\[?[ \t]*(?:"[^"\n]+"|[\w-]+)(?:[ \t]*\.[ \t]*(?:"[^"\n]+"|'[^'\n]+'|[\w-]+))*[ \t]*\]\]?[ \t]*(?:#.*)?$/
const tomlPair = /^[ \t]*(?:"[^"\n]+"|[\w.-]+)[ \t]*=[ \t]*\S/
const yamlKey = /^([ \t]*(?:- )?)["']?[\w.@/-]{1,80}["']?:(?:[ \t]|$)/
const note = /^[ \t]*(?:#|\/\/|$)/
const indentOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].length ?? 0

/** Counts the brackets of a line that stand outside of texts. */
function depthOf(line: string): number {
  let depth = 0
  for (const [piece] of line.matchAll(/"(?:[^"\\]|\\.)*"|“[^”]*”|\/\/.*$|[[{]|[\]}]/g))
    depth += piece === '[' || piece === '{' ? 1 : piece === ']' || piece === '}' ? -1 : 0
  return depth
}

/** Returns the line after JSON that begins at `from`. */
function endOfJson(lines: readonly string[], from: number): number {
  let depth = 0
  for (let at = from; at < lines.length; at++) {
    depth += depthOf(lines[at] ?? '')
    if (depth <= 0) {
      let end = at + 1
      while (/^[\s}\]]*[}\]],?\s*$/.test(lines[end] ?? '')) end++
      return end
    }
  }
  return lines.length
}

function endOfToml(lines: readonly string[], from: number): number {
  let depth = 0
  let at = from
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const isHeader = tomlHeader.test(line)
    if (depth <= 0 && !isHeader && !tomlPair.test(line) && !/^[ \t]*(?:#|$)/.test(line)) break
    depth = isHeader ? 0 : Math.max(0, depth + depthOf(line))
  }
  return at
}

/** Returns the line after YAML that begins at `from`; undefined when it has no map in a map, as a sentence with a colon has none. */
function endOfYaml(lines: readonly string[], from: number): number | undefined {
  const base = indentOf(lines[from] ?? '')
  let isMap = false
  let before = ''
  let at = from
  for (; at < lines.length && (isMap || at < from + 40); at++) {
    const line = lines[at] ?? ''
    const indent = indentOf(line)
    if (note.test(line) || /^[ \t]*---[ \t]*$/.test(line)) continue
    if (indent < base || (indent === base && !yamlKey.test(line) && !(isMap && /^[ \t]*- /.test(line)))) break
    isMap ||= yamlKey.test(line) && /:[ \t]*(?:#.*)?$/.test(before) && (indent > indentOf(before) || /^[ \t]*- /.test(line))
    before = line
  }
  return isMap ? at : undefined
}

/** Cuts a text without fences into data and the text around it. Returns nothing where it is all of one kind. */
export function dataBlocks(text: string): TextBlock[] {
  const lines = text.split('\n')
  const parts: { kind: Kind; from: number; to: number }[] = []
  const add = (kind: Kind, from: number, to: number): void => {
    const last = parts.at(-1)
    if (last && last.kind === kind) last.to = to
    else parts.push({ kind, from, to })
  }
  let before = ''
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    // Within a quoted argument or an object of a program, a line of JSON is a part.
    const isOpen = /[{[,(]\s*$/.test(before)
    const json = !isOpen && jsonStart.test(line) ? endOfJson(lines, at) : undefined
    const toml = !isOpen && json === undefined && tomlHeader.test(line) ? endOfToml(lines, at) : undefined
    const yaml = !isOpen && json === undefined && toml === undefined && yamlKey.test(line) ? endOfYaml(lines, at) : undefined
    const end = json ?? toml ?? yaml ?? at + 1
    const kind = json !== undefined ? 'json' : toml !== undefined ? 'toml' : yaml !== undefined ? 'yaml' : 'text'
    // Comments and empty lines go with what stands before them.
    if (kind === 'text' && note.test(line)) add(parts.at(-1)?.kind ?? 'text', at, end)
    else add(kind, at, end)
    if (line.trim() !== '') before = lines[end - 1] ?? ''
    at = end
  }
  const isText = ({ from, to }: { from: number; to: number }): boolean => lines.slice(from, to).some((line) => !note.test(line))
  if (parts.filter((part) => part.kind !== 'text' || isText(part)).length < 2) return []
  return parts.map(({ kind, from, to }) => ({ language: kind, text: lines.slice(from, to).join('\n'), before: from }))
}
