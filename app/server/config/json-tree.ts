// jsonc-parser's tree with the edges taken off: values are unknown, properties come as pairs.
import { type Node, type ParseError, parseTree } from 'jsonc-parser'

export type { Node }

export interface Property {
  readonly name: string
  readonly key: Node
  readonly value: Node | undefined
}

const sentences: Readonly<Record<number, readonly [what: string, remedy: string]>> = {
  1: ['An unexpected character.', 'Remove it, or put the text in double quotes.'],
  2: ['A number is not written as JSON wants it.', 'Write it with digits only, e.g. 60000.'],
  3: ['A name in double quotes is missing here.', 'Names of settings are written in double quotes.'],
  4: ['A value is missing here.', 'Write a value after the colon, or remove the line.'],
  5: ['A colon is missing after the name.', 'Put a colon between the name and its value.'],
  6: ['A comma is missing here.', 'Put a comma between two entries.'],
  7: ['A closing brace is missing.', 'Add } at the end.'],
  8: ['A closing bracket is missing.', 'Add ] at the end of the list.'],
  9: ['There is text after the end.', 'Remove what follows the last closing brace.'],
  11: ['A comment is not closed.', 'Close it with */.'],
  12: ['A text is not closed.', 'Close it with a double quote.'],
}

export interface ParsedTree {
  readonly root: Node | undefined
  /** The first thing that is not JSON (comments and trailing commas are let pass). */
  readonly error: { readonly offset: number; readonly message: string; readonly remedy: string } | undefined
}

export function parseJsonTree(text: string): ParsedTree {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const first = errors[0]
  if (!first) return { root, error: undefined }
  const [message, remedy] = sentences[first.error] ?? ['This is not JSON.', 'Correct it, then save.']
  return { root, error: { offset: Math.min(first.offset, text.length), message, remedy } }
}

/** The properties of an object node; of anything else, none. */
export const propertiesOf = (node: Node | undefined): Property[] =>
  node?.type === 'object'
    ? (node.children ?? []).flatMap((property) => {
        const [key, value] = property.children ?? []
        return key ? [{ name: String(key.value), key, value }] : []
      })
    : []

/** What a node is, for a sentence: “a number”, “a list”. */
export function kindOf(node: Node): string {
  if (node.type === 'array') return 'a list'
  if (node.type === 'object') return 'an object'
  if (node.type === 'string') return 'a text'
  return node.type === 'null' ? 'null' : `a ${node.type}`
}
