// Edits of other programs' config files: one server is added to a text, or cut out of it, and nothing else changes: comments, order,
// unknown keys and layout stay. Each edit is a list of splices, so that it can be undone byte for byte, and is refused unless the text
// after it means what the text before meant, but for that server.
import { isDeepStrictEqual } from 'node:util'
import { createScanner, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser'
import { parse as parseToml, stringify as writeToml } from 'smol-toml'
import { isMap, isScalar, type Pair, parseDocument, type Scalar, stringify as writeYaml, type YAMLMap } from 'yaml'
import type { JsonObject } from '#app/json.ts'

type ConfigFormat = 'json' | 'toml' | 'yaml'

/** Map of a config file that holds the servers: format, and its keys from the root. */
export interface ServerMap {
  readonly format: ConfigFormat
  readonly keys: readonly string[]
}

/** Replacement of `length` UTF-16 units at `offset` of the text before; those of one edit do not overlap and are in order. */
export interface Splice {
  readonly offset: number
  readonly length: number
  readonly text: string
}

/** Text that cannot be edited without a change of something else. */
export class UneditableConfig extends Error {}

export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = ''
  let at = 0
  for (const { offset, length, text: next } of splices) {
    result += text.slice(at, offset) + next
    at = offset + length
  }
  return result + text.slice(at)
}

/** Reads the servers of a map by name. @throws {UneditableConfig} for a text with errors */
export function serversIn(text: string, { format, keys }: ServerMap): Readonly<Record<string, unknown>> {
  let value = parse(text, format)
  for (const key of keys) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return isRecord(value) ? value : {}
}

/** Splices that add a server. @throws {UneditableConfig} also where the name is taken */
export function addServer(text: string, map: ServerMap, name: string, entry: JsonObject): Splice[] {
  if (Object.hasOwn(serversIn(text, map), name)) throw new UneditableConfig('taken')
  return checked(text, map, insert(text, map, rawEntry(map, name, entry, layoutOf(text))), { [name]: entry })
}

/** Splices that cut a server out, and its text, which `putServerBack` takes. @throws {UneditableConfig} */
export function cutServer(text: string, map: ServerMap, name: string): { readonly splices: Splice[]; readonly raw: string } {
  if (!Object.hasOwn(serversIn(text, map), name)) throw new UneditableConfig('missing')
  const cut = { json: cutJson, toml: cutToml, yaml: cutYaml }[map.format](text, map.keys, name)
  return { ...cut, splices: checked(text, map, cut.splices, { [name]: undefined }) }
}

/** Splices that put a server back that was cut out of a text that has changed since. @throws {UneditableConfig} */
export function putServerBack(text: string, map: ServerMap, name: string, raw: string, entry: unknown): Splice[] {
  if (Object.hasOwn(serversIn(text, map), name)) throw new UneditableConfig('taken')
  return checked(text, map, insert(text, map, raw), { [name]: entry })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

function parse(text: string, format: ConfigFormat): unknown {
  if (text.trim() === '') return {}
  if (format === 'json') return getNodeValue(jsonTree(text))
  try {
    if (format === 'toml') return parseToml(text.replace(/^\uFEFF/, ''))
    return yamlDocument(text).toJS({ maxAliasCount: 100 }) ?? {}
  } catch (error) {
    throw error instanceof UneditableConfig ? error : new UneditableConfig('syntax')
  }
}

/** Returns the splices if the text after them has the changed servers, and all else as before. `undefined`: the server is gone. */
function checked(text: string, map: ServerMap, splices: Splice[], changes: Readonly<Record<string, unknown>>): Splice[] {
  const after = parse(applySplices(text, splices), map.format)
  const wanted = structuredClone(parse(text, map.format))
  let holder = wanted
  for (const key of map.keys) {
    if (!isRecord(holder)) throw new UneditableConfig('shape')
    holder[key] ??= {}
    holder = holder[key]
  }
  if (!isRecord(holder)) throw new UneditableConfig('shape')
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) delete holder[name]
    else holder[name] = value
  if (!isDeepStrictEqual(plain(after), plain(wanted))) throw new UneditableConfig('shape')
  return splices
}

/** Value without prototypes and empty maps, which stand for nothing. Dates of TOML stay what they are. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!isRecord(value)) return value
  const fields = Object.entries(value).map(([key, one]) => [key, plain(one)] as const)
  return Object.fromEntries(fields.filter(([, one]) => !(isRecord(one) && Object.keys(one).length === 0)))
}

interface Layout {
  readonly unit: string
  readonly eol: string
}

function layoutOf(text: string): Layout {
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return { unit: unit.startsWith('\t') ? '\t' : unit.slice(0, 8), eol: text.includes('\r\n') ? '\r\n' : '\n' }
}

const nest = (keys: readonly string[], value: JsonObject): JsonObject => keys.reduceRight((inner, key) => ({ [key]: inner }), value)

/** Text of a new entry, its first line without indentation. */
function rawEntry({ format, keys }: ServerMap, name: string, entry: JsonObject, { unit, eol }: Layout): string {
  if (format === 'json') {
    const whole = JSON.stringify(entry, null, unit).replace(
      /\[\s+([^[\]{}]*?)\s+\]/g,
      (_, items: string) => `[${items.replace(/\n\s+/g, ' ')}]`,
    )
    return `${JSON.stringify(name)}: ${whole}`.replaceAll('\n', eol)
  }
  const text = format === 'toml' ? writeToml(nest([...keys, name], entry)) : writeYaml({ [name]: entry }, { lineWidth: 0 })
  return text.trimEnd().replaceAll('\n', eol)
}

function insert(text: string, { format, keys }: ServerMap, raw: string): Splice[] {
  if (format === 'json') return insertJson(text, keys, raw)
  return format === 'yaml' ? insertYaml(text, keys, raw) : insertToml(text, raw)
}

// JSON, with comments and commas at the end.

function jsonTree(text: string): Node {
  const errors: ParseError[] = []
  const tree = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true })
  if (errors.length > 0 || tree?.type !== 'object') throw new UneditableConfig('syntax')
  return tree
}

const endOf = ({ offset, length }: Node): number => offset + length

/** Last property of the name, which is the one that counts. */
const property = (object: Node, key: string): Node | undefined => object.children?.findLast((one) => one.children?.[0]?.value === key)

/** Deepest object that is there on the way to the map, and the keys that are missing. */
function deepest(tree: Node, keys: readonly string[]): { readonly object: Node; readonly missing: readonly string[] } {
  let object = tree
  for (const [index, key] of keys.entries()) {
    const next = property(object, key)?.children?.[1]
    if (next === undefined) return { object, missing: keys.slice(index) }
    if (next.type !== 'object') throw new UneditableConfig('shape')
    object = next
  }
  return { object, missing: [] }
}

function insertJson(text: string, keys: readonly string[], raw: string): Splice[] {
  const layout = layoutOf(text)
  const { unit, eol } = layout
  const nested = (missing: readonly string[]): string =>
    missing.reduceRight((inner, key) => `${JSON.stringify(key)}: {${eol}${unit}${inner.replaceAll('\n', `\n${unit}`)}${eol}}`, raw)
  if (text.trim() === '') {
    const whole = `{${eol}${unit}${nested(keys).replaceAll('\n', `\n${unit}`)}${eol}}${eol}`
    return [{ offset: 0, length: text.length, text: whole }]
  }
  const { object, missing } = deepest(jsonTree(text), keys)
  return insertMember(text, object, nested(missing), layout)
}

const indentAt = (text: string, offset: number): string => /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? ''

function insertMember(text: string, object: Node, member: string, { unit, eol }: Layout): Splice[] {
  const base = indentAt(text, object.offset)
  const close = endOf(object) - 1
  const first = object.children?.[0]
  const last = object.children?.at(-1)
  const ownLine = first && /\n[ \t]*$/.test(text.slice(object.offset, first.offset))
  const indent = ownLine ? indentAt(text, first.offset) : base + unit
  const lines = indented(member, indent)
  if (!last) {
    const inner = text.slice(object.offset + 1, close)
    if (inner.trim() === '') return [{ offset: object.offset + 1, length: inner.length, text: `${eol}${indent}${lines}${eol}${base}` }]
    const end = inner.trimEnd()
    const after = inner.slice(end.length).includes('\n') ? '' : eol + base
    return [{ offset: object.offset + 1 + end.length, length: 0, text: `${eol}${indent}${lines}${after}` }]
  }
  const comma = commaFrom(text, endOf(last), close)
  const from = comma === undefined ? endOf(last) : comma + 1
  const line = text.slice(from, close).includes('\n')
  const at = line ? restOfLine(text, from) : from
  const added = line ? `${eol}${indent}${lines}` : ` ${onOneLine(member)}`
  const ended = comma === undefined ? added : `${added},`
  if (comma !== undefined) return [{ offset: at, length: 0, text: ended }]
  if (at === from) return [{ offset: at, length: 0, text: `,${ended}` }]
  return [
    { offset: from, length: 0, text: ',' },
    { offset: at, length: 0, text: ended },
  ]
}

const indented = (text: string, indent: string): string => text.replaceAll('\n', `\n${indent}`)

/** Entry on one line. One that has comments keeps its lines. */
function onOneLine(member: string): string {
  const errors: ParseError[] = []
  const tree = parseTree(`{${member}}`, errors, { disallowComments: true })
  if (!tree || errors.length > 0) return member
  const [[key, value] = []] = Object.entries(getNodeValue(tree) as object)
  return key === undefined ? member : `${JSON.stringify(key)}: ${JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')}`
}

/** Kinds of tokens: the enumeration of jsonc-parser is for its own build. */
const tokens = { comma: 5, lineComment: 12, blockComment: 13, space: 15, end: 17 }

/** Position of the first comma between two places, outside of comments. */
function commaFrom(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text)
  scanner.setPosition(from)
  for (let kind = scanner.scan(); kind !== tokens.end && scanner.getTokenOffset() < to; kind = scanner.scan())
    if (kind === tokens.comma) return scanner.getTokenOffset()
  return undefined
}

/** End of the line, or of the comments on it. */
function restOfLine(text: string, from: number): number {
  const scanner = createScanner(text)
  scanner.setPosition(from)
  let end = from
  for (;;) {
    const kind = scanner.scan()
    if (kind === tokens.lineComment || kind === tokens.blockComment) end = scanner.getPosition()
    else if (kind !== tokens.space) return end
    if (text.slice(from, end).includes('\n')) return end
  }
}

function cutJson(text: string, keys: readonly string[], name: string): { splices: Splice[]; raw: string } {
  const { object } = deepest(jsonTree(text), keys)
  const members = object.children ?? []
  if (members.filter((one) => one.children?.[0]?.value === name).length !== 1) throw new UneditableConfig('shape')
  const index = members.findIndex((one) => one.children?.[0]?.value === name)
  const member = members[index] as Node
  const close = endOf(object) - 1
  const raw = unindented(text.slice(member.offset, endOf(member)), indentAt(text, member.offset))
  const before = members[index - 1]
  const comma = commaFrom(text, endOf(member), members[index + 1]?.offset ?? close)
  const lead = /(?:\r?\n)?[ \t]*$/.exec(text.slice(before ? endOf(before) : object.offset + 1, member.offset))?.[0] ?? ''
  const alone = /^[ \t]*,?[ \t]*(?:\r?\n|$)/.test(text.slice(endOf(member)))
  const inLine = !lead.includes('\n')
  const start = alone || inLine ? member.offset - lead.length : member.offset
  if (members.length === 1 && text.slice(object.offset + 1, start).trim() === '' && /^\s*,?\s*$/.test(text.slice(endOf(member), close)))
    return { raw, splices: [{ offset: object.offset, length: object.length, text: '{}' }] }
  const previous = before && comma === undefined ? commaFrom(text, endOf(before), member.offset) : undefined
  const commas = [previous, comma].flatMap((offset) => (offset === undefined ? [] : [{ offset, length: 1, text: '' }]))
  const cut = { offset: start, length: endOf(member) - start, text: '' }
  return { raw, splices: joined(text, previous === undefined ? [cut, ...commas] : [...commas, cut]) }
}

/** Cuts as one where nothing but spaces is between them: a line break may end a comment. */
const joined = (text: string, [one, other]: readonly Splice[]): Splice[] => {
  if (!one || !other) return one ? [one] : []
  const gap = text.slice(one.offset + one.length, other.offset)
  return /^[ \t]*$/.test(gap) ? [{ ...one, length: one.length + gap.length + other.length }] : [one, other]
}

const unindented = (text: string, indent: string): string => text.replaceAll(`\n${indent}`, '\n')

// TOML: a table at the end; it is cut from its header to the next one.

function insertToml(text: string, raw: string): Splice[] {
  const { eol } = layoutOf(text)
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol
  return [{ offset: text.length, length: 0, text: `${gap}${raw}${eol}` }]
}

interface TomlHeader {
  readonly offset: number
  readonly keys: readonly string[]
}

/** Headers of tables, outside of texts of several lines. */
function tomlHeaders(text: string): TomlHeader[] {
  const found: TomlHeader[] = []
  const part = /"""[\s\S]*?(?<!\\)"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|^[ \t]*\[[^\n]*/gm
  for (const { 0: line, index } of text.matchAll(part)) {
    if (!/^[ \t]*\[/.test(line)) continue
    const keys: string[] = []
    try {
      for (let value: unknown = parseToml(line); isRecord(value) || Array.isArray(value); ) {
        const [entry] = Array.isArray(value) ? [] : Object.entries(value)
        if (entry) keys.push(entry[0])
        value = entry?.[1]
      }
    } catch {
      continue // A line of an array of several lines.
    }
    if (keys.length > 0) found.push({ offset: index, keys })
  }
  return found
}

function cutToml(text: string, keys: readonly string[], name: string): { splices: Splice[]; raw: string } {
  const headers = tomlHeaders(text)
  const isOwn = (header: TomlHeader | undefined): boolean =>
    header !== undefined && [...keys, name].every((key, index) => header.keys[index] === key)
  const raws: string[] = []
  const splices = headers.flatMap((header, index): Splice[] => {
    if (!isOwn(header) || isOwn(headers[index - 1])) return []
    const next = headers.slice(index).find((one) => !isOwn(one))
    const lines = text.slice(header.offset, next?.offset).split(/(?<=\n)/)
    // Comments above the next header are of that one.
    const last = lines.findLastIndex((line) => !/^\s*(?:#|$)/.test(line)) + 1
    const own = lines.slice(0, last).join('')
    raws.push(own.trimEnd())
    const blank = next ? (/^\s*/.exec(lines[last] ?? '')?.[0].length ?? 0) * Number(lines[last]?.trim() === '') : 0
    const gap = next ? 0 : (/(?<=\n)\r?\n$/.exec(text.slice(0, header.offset))?.[0].length ?? 0)
    return [{ offset: header.offset - gap, length: gap + own.length + blank, text: '' }]
  })
  if (splices.length === 0) throw new UneditableConfig('shape')
  return { splices, raw: raws.join('\n\n') }
}

// YAML: a map in block or flow style.

function yamlDocument(text: string) {
  const document = parseDocument(text, { merge: true })
  if (document.errors.length > 0) throw new UneditableConfig('syntax')
  return document
}

type YamlPair = Pair<Scalar, unknown>
type Range = readonly [start: number, valueEnd: number, nodeEnd: number]
const rangeOf = (node: unknown): Range => (node as { range: Range }).range

const pairOf = (map: YAMLMap, key: string): YamlPair | undefined =>
  map.items.find((pair): pair is YamlPair => isScalar(pair.key) && pair.key.value === key)

function yamlMap(text: string, keys: readonly string[]): { readonly root: YAMLMap | undefined; readonly pair: YamlPair | undefined } {
  const { contents } = yamlDocument(text)
  const [key = '', ...deeper] = keys
  if (deeper.length > 0 || (contents !== null && !isMap(contents))) throw new UneditableConfig('shape')
  return { root: contents ?? undefined, pair: contents ? pairOf(contents, key) : undefined }
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

function insertYaml(text: string, keys: readonly string[], raw: string): Splice[] {
  const { eol } = layoutOf(text)
  const { root, pair } = yamlMap(text, keys)
  const block = (column: number): string => raw.replaceAll(/^(?=[^\r\n])/gm, ' '.repeat(column))
  if (!pair) {
    if (root?.flow) throw new UneditableConfig('shape')
    const gap = text === '' || text.endsWith('\n') ? '' : eol
    return [{ offset: text.length, length: 0, text: `${gap}${keys[0]}:${eol}${block(2)}${eol}` }]
  }
  const { key, value } = pair
  const column = rangeOf(key)[0] - lineStart(text, rangeOf(key)[0])
  if (isMap(value) && value.flow) {
    const [start, end] = rangeOf(value)
    if (value.items.length === 0) {
      const lead = /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0
      return [{ offset: start - lead, length: end - start + lead, text: `${eol}${block(column + 2)}` }]
    }
    const [[name = '', entry] = []] = Object.entries(parseDocument(raw).toJS() as object)
    return [{ offset: start + 1, length: 0, text: ` ${JSON.stringify(name)}: ${JSON.stringify(entry)},` }]
  }
  const first = isMap(value) ? value.items[0]?.key : undefined
  if (!first && !(value === null || (isScalar(value) && value.value === null && value.source === ''))) throw new UneditableConfig('shape')
  const inner = first ? rangeOf(first)[0] - lineStart(text, rangeOf(first)[0]) : column + 2
  const end = text.indexOf('\n', rangeOf(key)[1])
  const at = end === -1 ? text.length : end + 1
  return [{ offset: at, length: 0, text: `${end === -1 ? eol : ''}${block(inner)}${eol}` }]
}

function cutYaml(text: string, keys: readonly string[], name: string): { splices: Splice[]; raw: string } {
  const map = yamlMap(text, keys).pair?.value
  const pair = isMap(map) && !map.flow ? pairOf(map, name) : undefined
  if (!isMap(map) || !pair) throw new UneditableConfig('shape')
  const offset = lineStart(text, rangeOf(pair.key)[0])
  const column = rangeOf(pair.key)[0] - offset
  const end = offset + text.slice(offset, rangeOf(pair.value)[1]).trimEnd().length
  const newline = text.indexOf('\n', end)
  const after = newline === -1 ? text.length : newline + 1
  const raw = text
    .slice(offset, after)
    .trimEnd()
    .replaceAll(new RegExp(`^ {0,${column}}`, 'gm'), '')
  // A key without a value is no map.
  const empty = map.items.length > 1 ? '' : `${' '.repeat(column)}{}${text.slice(end, after)}`
  return { raw, splices: [{ offset, length: after - offset, text: empty }] }
}
