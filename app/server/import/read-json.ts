// JSON as people paste it: the whole file, a bare `"mcpServers": { … }`, a map of servers, or the same with the outer
// braces cut off, and with what a word processor makes of quotes. Each reading is tried in turn; the first without a
// fault counts, else the one that most can be used of.
import { t } from '../../words/translate.ts'
import { type Node, parseJsonTree, type TreeError } from '../config/json-tree.ts'
import { Problems } from '../config/text-position.ts'
import { readTree } from './read-tree.ts'
import type { MapOptions, Reading } from './server-map.ts'
import { emptySnippet, type Snippet } from './snippet.ts'
import { parseYamlTree } from './yaml-tree.ts'

interface Candidate {
  readonly text: string
  /** Characters that stand before the text itself, on its first line. */
  readonly shift: number
  readonly note?: string
}

const typographic = /[“”„‟«»″]/g

function* candidates(text: string): Generator<Candidate> {
  const body = text.replace(/,\s*$/, '')
  // Braces are added on the first or last line only, so that lines in problems stay those of the text.
  yield { text, shift: 0 }
  yield { text: body, shift: 0 }
  yield { text: `{${body}}`, shift: 1 }
  yield { text: `{${body}}}`, shift: 1 }
  yield { text: `${body}}`, shift: 0 }
  yield { text: `${body}}}`, shift: 0 }
  const plain = text.replaceAll('\u00A0', ' ')
  if (plain !== text) yield { text: plain, shift: 0, note: t`Spaces from a web page (U+00A0) were read as plain ones.` }
  if (typographic.test(text)) {
    const straight = plain.replace(typographic, '"').replace(/,\s*$/, '')
    const note = t`The quotes are typographic (“ ”); they were read as straight ones.`
    yield { text: straight, shift: 0, note }
    yield { text: `{${straight}}`, shift: 1, note }
  }
}

/** A file as it is, of a program whose habits are known. That there is no server in it is no problem. */
export function readFileText(text: string, file: string, options: MapOptions & { readonly language: 'json' | 'yaml' }): Snippet {
  const whole = text.replace(/^\uFEFF/, '')
  if (whole.trim() === '') return emptySnippet
  const { root, errors } = options.language === 'yaml' ? parseYamlTree(whole) : parseJsonTree(whole)
  const snippet = readParsed(root, errors, file, whole, options)
  return snippet.format === 'unknown' && errors.length === 0 ? emptySnippet : snippet
}

export function readJson(text: string, file: string, options: MapOptions = {}): Snippet {
  let best: { readonly snippet: Snippet; readonly faults: number } | undefined
  for (const candidate of candidates(text)) {
    const tree = parseJsonTree(candidate.text)
    const snippet = readParsed(tree.root, tree.errors, file, candidate.text, options)
    const moved = movedBack(snippet, candidate, file)
    if (tree.errors.length === 0 && snippet.format !== 'unknown') return moved
    const more = snippet.servers.length - (best?.snippet.servers.length ?? -1)
    if (more > 0 || (more === 0 && tree.errors.length < (best?.faults ?? 0))) best = { snippet: moved, faults: tree.errors.length }
  }
  return best?.snippet ?? emptySnippet
}

export function readYaml(text: string, file: string, options: MapOptions = {}): Snippet {
  const { root, errors } = parseYamlTree(text)
  return readParsed(root, errors, file, text, options)
}

/** More of them help nobody. */
const mostProblems = 100

function readParsed(root: Node | undefined, errors: readonly TreeError[], file: string, text: string, options: MapOptions): Snippet {
  const problems = new Problems(file, text)
  const reading: Reading = { file, text, errors, problems, servers: [], inputs: new Map() }
  const format = root && readTree(root, reading, options)
  const [first] = errors
  if (first) problems.add(first.offset, undefined, first.message, first.remedy)
  else if (format === undefined && problems.found.length === 0)
    problems.add(root?.offset ?? 0, undefined, t`No server is in this text.`, t`Paste { "mcpServers": { "name": { "command": … } } }.`)
  const inputs = [...reading.inputs.values()]
  return { format: format ?? 'unknown', servers: reading.servers, inputs, problems: problems.found.slice(0, mostProblems) }
}

function movedBack(snippet: Snippet, { shift, note }: Candidate, file: string): Snippet {
  const back = <T extends { line?: number | undefined; column?: number | undefined }>(place: T): T =>
    shift > 0 && place.line === 1 && place.column !== undefined ? { ...place, column: Math.max(1, place.column - shift) } : place
  const said = note === undefined ? [] : [{ file, line: 1, column: 1, message: note, remedy: t`Compare with where you have it from.` }]
  return {
    ...snippet,
    // It is about the whole text, and said once.
    servers: snippet.servers.map((server, index) =>
      back({ ...server, problems: [...(index === 0 ? said : []), ...server.problems.map(back)] }),
    ),
    problems: snippet.problems.map(back),
  }
}
