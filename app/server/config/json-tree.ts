// The tree of jsonc-parser with typed properties and localised errors.
import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { ConfigProblem } from '../definition.ts'

export type { Node }

export interface Property {
  readonly name: string
  readonly key: Node
  readonly value: Node | undefined
}

/** Syntax that the parser misses, by its codes. */
const expected: Readonly<Record<number, string>> = { 3: '"…"', 4: '"…"', 5: ':', 6: ',', 7: '}', 8: ']', 11: '*/', 12: '"' }

export const missingSyntax = (syntax: string): [message: string, remedy: string] => [t`${syntax} is missing.`, t`Add ${syntax}.`]

export interface TreeError {
  readonly offset: number
  readonly message: string
  readonly remedy: string
}

export interface ParsedTree {
  /** Root, as far as the text could be parsed. */
  readonly root: Node | undefined
  readonly errors: readonly TreeError[]
}

/** Deepest nesting that is parsed, below the parser's own limit. */
const deepest = 200

/** A file that is no JSON may have an error for each of its bytes. */
const MOST_ERRORS = 100

/** Parses JSON with comments and trailing commas. */
export function parseJsonTree(text: string): ParsedTree {
  const tooDeep = offsetTooDeep(text)
  if (tooDeep !== undefined) return failedTree(tooDeep, t`The text is nested more than ${deepest} deep.`, t`Correct or remove it.`)
  const found: ParseError[] = []
  const root = parseTree(text, found, { allowTrailingComma: true, allowEmptyContent: true })
  const errors = found.slice(0, MOST_ERRORS).map(({ error, offset }): TreeError => {
    const syntax = expected[error]
    const [message, remedy] = syntax === undefined ? [t`This is not JSON.`, t`Correct or remove it.`] : missingSyntax(syntax)
    return { offset: Math.min(offset, text.length), message, remedy }
  })
  return { root, errors }
}

export const failedTree = (offset: number, message: string, remedy: string): ParsedTree => ({
  root: undefined,
  errors: [{ offset, message, remedy }],
})

function offsetTooDeep(text: string): number | undefined {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[[{]|[\]}]/g)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    if (depth > deepest) return index
  }
  return undefined
}

/** Lists the properties of an object node; of other nodes none. */
export const propertiesOf = (node: Node | undefined): Property[] =>
  node?.type === 'object'
    ? (node.children ?? []).flatMap((property) => {
        const [key, value] = property.children ?? []
        return key ? [{ name: String(key.value), key, value }] : []
      })
    : []

/** Type of a value, for a sentence that never repeats it: it may be a secret. */
export const valueLabel = ({ type, value }: Node): string => (value === '' ? '""' : type)

export type Wrong = (at: Node, message: string, remedy: string) => undefined

/** Line and column of an offset, counted from 1, columns in UTF-16 units. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

/** Collects the faults of one text with their positions. */
export class ProblemCollector {
  readonly found: ConfigProblem[] = []
  readonly #file: string
  readonly #text: string

  constructor(file: string, text: string) {
    this.#file = file
    this.#text = text
  }

  add(offset: number, server: string | undefined, message: string, remedy: string): void {
    this.found.push({ file: this.#file, ...positionAt(this.#text, offset), ...defined({ server }), message, remedy })
  }
}

type Place = Pick<Node, 'offset' | 'length'>

export const valueNode = (value: string | number | boolean | null, { offset, length }: Place): Node => ({
  type: value === null ? 'null' : (typeof value as 'string' | 'number' | 'boolean'),
  value,
  offset,
  length,
})

export const listNode = (children: Node[], { offset, length }: Place): Node => ({ type: 'array', children, offset, length })

export interface ConfigNodeEntry {
  readonly name: string
  readonly key: Node
  readonly value: Node
}

export const objectNode = (entries: readonly ConfigNodeEntry[], { offset, length }: Place): Node => ({
  type: 'object',
  offset,
  length,
  children: entries.map(({ name, key, value }) => ({
    type: 'property',
    offset: key.offset,
    length: value.offset + value.length - key.offset,
    children: [valueNode(name, key), value],
  })),
})

export const nodeEntries = (node: Node | undefined): ConfigNodeEntry[] =>
  propertiesOf(node).flatMap(({ name, key, value }) => (value ? [{ name, key, value }] : []))

export const memberOf = (node: Node | undefined, name: string): Node | undefined =>
  nodeEntries(node).find((entry) => entry.name === name)?.value

/** Returns the value of a text node; undefined for any other. */
export const textValueOf = (node: Node | undefined): string | undefined => (node?.type === 'string' ? String(node.value) : undefined)

export const itemsOf = (node: Node | undefined): readonly Node[] => (node?.type === 'array' ? (node.children ?? []) : [])
