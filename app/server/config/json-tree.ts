// The tree of jsonc-parser with typed properties and localised errors.
import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import { t } from '#app/i18n/translate.ts'

export type { Node }

export interface Property {
  readonly name: string
  readonly key: Node
  readonly value: Node | undefined
}

const sentences = (): Readonly<Record<number, readonly [what: string, remedy: string]>> => ({
  1: [t`An unexpected character.`, t`Remove it, or put the text in double quotes.`],
  2: [t`A number is not written as JSON wants it.`, t`Write it with digits only, e.g. 60000.`],
  3: [t`A name in double quotes is missing here.`, t`Names of settings are written in double quotes.`],
  4: [t`A value is missing here.`, t`Write a value after the colon, or remove the line.`],
  5: [t`A colon is missing after the name.`, t`Put a colon between the name and its value.`],
  6: [t`A comma is missing here.`, t`Put a comma between two entries.`],
  7: [t`A closing brace is missing.`, t`Add } at the end.`],
  8: [t`A closing bracket is missing.`, t`Add ] at the end of the list.`],
  9: [t`There is text after the end.`, t`Remove what follows the last closing brace.`],
  11: [t`A comment is not closed.`, t`Close it with */.`],
  12: [t`A text is not closed.`, t`Close it with a double quote.`],
})

export interface TreeError {
  readonly offset: number
  readonly message: string
  readonly remedy: string
}

export interface ParsedTree {
  /** Root, as far as the text could be parsed. */
  readonly root: Node | undefined
  /** First syntax error. Comments and trailing commas are allowed. */
  readonly error: TreeError | undefined
  readonly errors: readonly TreeError[]
}

/** Deepest nesting that is parsed, below the parser's own limit. */
const deepest = 200

export function parseJsonTree(text: string): ParsedTree {
  const tooDeep = offsetTooDeep(text)
  if (tooDeep !== undefined) {
    const error = { offset: tooDeep, message: t`It is nested more than ${deepest} deep.`, remedy: t`Nothing of it can be used.` }
    return { root: undefined, error, errors: [error] }
  }
  const found: ParseError[] = []
  const root = parseTree(text, found, { allowTrailingComma: true, allowEmptyContent: true })
  const errors = found.map(({ error, offset }): TreeError => {
    const [message, remedy] = sentences()[error] ?? [t`This is not JSON.`, t`Correct it, then save.`]
    return { offset: Math.min(offset, text.length), message, remedy }
  })
  return { root, error: errors[0], errors }
}

function offsetTooDeep(text: string): number | undefined {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[[{]|[\]}]/g)) {
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

/** Names the type of a node for a sentence: “a number”, “a list”. */
export function kindOf(node: Node): string {
  if (node.type === 'array') return t`a list`
  if (node.type === 'object') return t`an object`
  if (node.type === 'string') return t`a text`
  if (node.type === 'number') return t`a number`
  return node.type === 'boolean' ? t`true or false` : 'null'
}
