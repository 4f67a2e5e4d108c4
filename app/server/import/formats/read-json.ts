// Readers of pasted JSON (also without outer braces, or with typographic quotes: the variant that reads best counts) and YAML, whose
// aliases are not followed, since they make a short file a huge one.
import { parse, TomlError } from 'smol-toml'
import { isAlias, isMap, isPair, isScalar, isSeq, parseDocument } from 'yaml'
import { t } from '#app/i18n/translate.ts'
import {
  type ConfigNodeEntry,
  failedTree,
  itemsOf,
  listNode,
  type Node,
  nodeEntries,
  objectNode,
  type ParsedTree,
  ProblemCollector,
  parseJsonTree,
  type TreeError,
  valueNode,
} from '#app/server/config/json-tree.ts'
import { emptySnippet, movePlaces, type Snippet } from '../../candidate.ts'
import { type ImportNote, pasteRemedy, readAs, unreadable } from '../import-notes.ts'
import { type ConfigReading, type MapOptions, readTree } from './read-tree.ts'

/** UTF-16 units; reading as many takes half a second. */
const longestYaml = 250_000
const deepest = 60

function parseYamlTree(text: string): ParsedTree {
  if (text.length > longestYaml) return failedTree(0, t`The text is too long.`, pasteRemedy())
  if (isTooDeep(text)) return failedTree(0, t`The text is nested more than ${deepest} deep.`, pasteRemedy())
  const document = parseDocument(text, {
    prettyErrors: false,
    uniqueKeys: false,
    merge: false,
    logLevel: 'silent',
    resolveKnownTags: false,
  })
  const errors: TreeError[] = document.errors.map(({ pos }) => ({
    offset: pos[0],
    message: t`This is not YAML.`,
    remedy: t`Correct or remove it.`,
  }))
  const alias = (offset: number): void => {
    errors.push({ offset, message: t`An alias (*name) is not followed.`, remedy: t`Write the value itself.` })
  }
  const root = document.contents === null ? undefined : nodeOf(document.contents, alias, 0)
  return { root, errors }
}

/** Finds deep nesting by brackets and indentation. Those in texts count too, which only makes it stricter. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (const [token] of text.matchAll(/[[{\]}]/g)) {
    depth += token === '[' || token === '{' ? 1 : -1
    if (depth > deepest) return true
    if (depth < 0) depth = 0
  }
  return /^(?:[ \t]*- ){60}/m.test(text) || /^ {400}/m.test(text)
}

function nodeOf(value: unknown, alias: (offset: number) => void, depth: number): Node {
  const [start = 0, end = start] = (value as { range?: readonly number[] } | null)?.range ?? []
  const place = { offset: start, length: end - start }
  const nothing = valueNode(null, place)
  if (depth > deepest || value === null) return nothing
  if (isAlias(value)) {
    alias(start)
    return nothing
  }
  if (isScalar(value)) {
    const { value: plain } = value
    return typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean' ? valueNode(plain, place) : nothing
  }
  const inner = (part: unknown): Node => nodeOf(part, alias, depth + 1)
  if (isSeq(value)) return listNode(value.items.map(inner), place)
  if (!isMap(value)) return nothing
  const entries = value.items.flatMap((pair): ConfigNodeEntry[] => {
    if (!isPair(pair)) return []
    const key = inner(pair.key)
    if (key.type === 'null') return []
    return [{ name: String(key.value), key, value: pair.value === null ? valueNode(null, key) : inner(pair.value) }]
  })
  return objectNode(entries, place)
}

interface Variant {
  readonly text: string
  readonly shift: number
  readonly note?: ImportNote
}

const typographic = /[“”„‟«»″]/g

function* variants(written: string): Generator<Variant> {
  // A placeholder where its quotes are missing: `"KEY": <your key>`.
  const text = written.replace(/(:[ \t]*)(<[^<>"\n]{1,80}>)(?=[ \t]*(?:[,}]|$))/gm, '$1"$2"')
  const body = text.replace(/,\s*$/, '')
  // Braces are added to the first or last line only, so that line numbers stay.
  yield { text, shift: 0 }
  yield { text: body, shift: 0 }
  // Comments of a shell.
  if (/^[^"\n]*(?:"[^"\n]*"[^"\n#]*)*[ \t]#/m.test(text))
    yield { text: text.replace(/^((?:[^"\n#]|"(?:[^"\\\n]|\\.)*")*)#.*$/gm, '$1'), shift: 0 }
  yield { text: `{${body}}`, shift: 1 }
  yield { text: `{${body}}}`, shift: 1 }
  yield { text: `${body}}`, shift: 0 }
  yield { text: `${body}}}`, shift: 0 }
  // A diff: what it removes is not there. An object of JavaScript: keys without quotes.
  if (/^\+.*\n/m.test(text)) yield { text: text.replace(/^-.*$/gm, '').replace(/^\+/gm, ' '), shift: 0 }
  if (/[{,]\s*[A-Za-z_$][\w$]*\s*:/.test(text)) yield { text: text.replace(/([{,]\s*)([A-Za-z_$][\w$]*)(?=\s*:)/g, '$1"$2"'), shift: 0 }
  const plain = text.replaceAll('\u00A0', ' ')
  if (plain !== text) yield { text: plain, shift: 0, note: readAs('\u00A0', ' ') }
  if (typographic.test(text)) {
    const straight = plain.replace(typographic, '"').replace(/,\s*$/, '')
    const note = readAs('“ ”', '" "')
    yield { text: straight, shift: 0, note }
    yield { text: `{${straight}}`, shift: 1, note }
  }
}

type Language = 'json' | 'yaml' | 'toml'
const parsers: Readonly<Record<Language, (text: string) => ParsedTree>> = { json: parseJsonTree, yaml: parseYamlTree, toml: parseTomlTree }

/** Reads a file of a known application. One without servers is no problem. */
export function readFileText(text: string, file: string, options: MapOptions & { readonly language: Language }): Snippet {
  const whole = text.replace(/^\uFEFF/, '')
  if (whole.trim() === '') return emptySnippet
  const { root, errors } = parsers[options.language](whole)
  const snippet = readParsed(root, errors, file, whole, options)
  return snippet.format === 'unknown' && errors.length === 0 ? emptySnippet : snippet
}

export function readJsonConfig(text: string, file: string): Snippet {
  let best: { readonly snippet: Snippet; readonly faults: number } | undefined
  for (const variant of variants(text)) {
    const tree = parseJsonTree(variant.text)
    const snippet = readParsed(tree.root, tree.errors, file, variant.text, {})
    const moved = shiftBack(snippet, variant, file)
    if (tree.errors.length === 0 && snippet.format !== 'unknown') return moved
    const more = snippet.servers.length - (best?.snippet.servers.length ?? -1)
    if (more > 0 || (more === 0 && tree.errors.length < (best?.faults ?? 0))) best = { snippet: moved, faults: tree.errors.length }
  }
  return best?.snippet ?? emptySnippet
}

export function readData(language: 'yaml' | 'toml', text: string, file: string): Snippet {
  const { root, errors } = parsers[language](text)
  return readParsed(root, errors, file, text, {})
}

/** Reads text whose first line is a YAML key; undefined when it is no YAML map, as prose with a colon is none. */
export function readAsYaml(text: string, file: string): Snippet | undefined {
  const { root, errors } = parseYamlTree(text)
  const isData =
    (root?.type === 'array' && itemsOf(root).some((item) => item.type === 'object')) ||
    (root?.type === 'object' &&
      nodeEntries(root).some(({ value }, index) => index > 0 || value.type === 'object' || value.type === 'array'))
  const snippet = isData ? readParsed(root, errors, file, text, {}) : undefined
  return snippet && (errors.length === 0 || snippet.servers.length > 0) ? snippet : undefined
}

const mostProblems = 100
/** Keys without which a text that cannot be parsed names no server either. */
const serverWord =
  /\b(?:command|cmd|url|uri|(?:mcp\w*|context_|remoteMCP)?[sS]ervers?|(?:server|http)U(?:rl|RL)|server_url|args|extensions)["'”]?\s*:|^(?:command|url|args)\s*=|^\s*\[/m

function readParsed(root: Node | undefined, errors: readonly TreeError[], file: string, text: string, options: MapOptions): Snippet {
  const problems = new ProblemCollector(file, text)
  const reading: ConfigReading = { file, text, errors, problems, servers: [], inputs: new Map(), taken: new Set() }
  const format = root && readTree(root, reading, options)
  const [first] = errors
  const hasServer = problems.found.length + reading.servers.length > 0 || serverWord.test(text)
  if (first && hasServer) problems.add(first.offset, undefined, first.message, first.remedy)
  else if (format === undefined && problems.found.length === 0)
    problems.add(root?.offset ?? 0, undefined, t`No server is named here.`, pasteRemedy())
  const inputs = [...reading.inputs.values()]
  return { format: format ?? 'unknown', servers: reading.servers, inputs, problems: problems.found.slice(0, mostProblems) }
}

/** Moves the positions back to those of the text, and adds the note to the first server, since it is about all of the text. */
function shiftBack(snippet: Snippet, { shift, note }: Variant, file: string): Snippet {
  const moved = movePlaces(snippet, (place) =>
    shift > 0 && place.line === 1 && place.column !== undefined ? { ...place, column: Math.max(1, place.column - shift) } : place,
  )
  const [first, ...others] = moved.servers
  if (note === undefined || !first) return moved
  const said = { file, line: 1, column: 1, ...note }
  return { ...moved, servers: [{ ...first, problems: [said, ...first.problems] }, ...others] }
}

/** UTF-16 units. */
const longestToml = 250_000

export const looksLikeToml = (text: string): boolean =>
  /^[ \t]*\[\[?[ \t]*(?:"[^"\n]+"|[\w-]+)(?:[ \t]*\.[ \t]*(?:"[^"\n]+"|'[^'\n]+'|[\w-]+))*[ \t]*\]\]?[ \t]*(?:#.*)?$/m.test(text) ||
  /^(?:[\w-]+ = (?:"[^"\n]*"|true|false|\d+|\[.*\])[ \t]*(?:#.*)?\n){2}/m.test(text)

function parseTomlTree(text: string): ParsedTree {
  if (text.length > longestToml) return failedTree(0, t`The text is too long.`, pasteRemedy())
  try {
    return { root: tomlNodeOf(parse(text), { offset: 0, length: 0 }, [], text), errors: [] }
  } catch (error) {
    const { line, column } = error instanceof TomlError ? error : { line: 1, column: 1 }
    const offset = text.split('\n', line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
    const { message, remedy } = unreadable('TOML', t`Correct it, then import it again.`)
    return failedTree(Math.min(offset, text.length), message, remedy)
  }
}

function tomlNodeOf(value: unknown, place: Pick<Node, 'offset' | 'length'>, path: readonly string[], text: string): Node {
  if (path.length > deepest) return valueNode(null, place)
  if (Array.isArray(value))
    return listNode(
      value.map((item, index) => tomlNodeOf(item, placeOf([...path, `#${index}`], text) ?? place, path, text)),
      place,
    )
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const entries = Object.entries(value).map(([name, inner]): ConfigNodeEntry => {
      const at = placeOf([...path, name], text) ?? place
      return { name, key: valueNode(name, at), value: tomlNodeOf(inner, at, [...path, name], text) }
    })
    return objectNode(entries, place)
  }
  return valueNode(typeof value === 'number' || typeof value === 'boolean' ? value : String(value), place)
}

/** Finds the header of a server: its name, or the number of its `[[mcp_servers]]`. */
function placeOf(path: readonly string[], text: string): { offset: number; length: number } | undefined {
  if (path.length !== 2 || path[0] !== 'mcp_servers') return undefined
  const [, name = ''] = path
  const index = /^#(\d+)$/.exec(name)?.[1]
  const at =
    index === undefined
      ? text.search(new RegExp(`^[ \\t]*\\[[ \\t]*mcp_servers[ \\t]*\\.[ \\t]*["']?${name.replace(/[^\w-]/g, '\\$&')}["']?[ \\t.\\]]`, 'm'))
      : ([...text.matchAll(/^[ \t]*\[\[[ \t]*mcp_servers[ \t]*\]\]/gm)][Number(index)]?.index ?? -1)
  return at === -1 ? undefined : { offset: at, length: 0 }
}
