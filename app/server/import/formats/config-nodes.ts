// Nodes of a syntax tree of JSON or YAML. A node that normalization makes keeps the position of the one that it stands for, so that
// problems name the place in the person's text.
import { type Node, propertiesOf } from '#app/server/config/json-tree.ts'

type Place = Pick<Node, 'offset' | 'length'>

export const textNode = (value: string, { offset, length }: Place): Node => ({ type: 'string', value, offset, length })

export const flagNode = (value: boolean, { offset, length }: Place): Node => ({ type: 'boolean', value, offset, length })

export const numberNode = (value: number, { offset, length }: Place): Node => ({ type: 'number', value, offset, length })

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
    children: [textNode(name, key), value],
  })),
})

/** Lists the properties that have a value. */
export const nodeEntries = (node: Node | undefined): ConfigNodeEntry[] =>
  propertiesOf(node).flatMap(({ name, key, value }) => (value ? [{ name, key, value }] : []))

export const memberOf = (node: Node | undefined, name: string): Node | undefined =>
  nodeEntries(node).find((entry) => entry.name === name)?.value

/** Returns the value of a text node; undefined for any other. */
export const textValueOf = (node: Node | undefined): string | undefined => (node?.type === 'string' ? String(node.value) : undefined)

export const itemsOf = (node: Node | undefined): readonly Node[] => (node?.type === 'array' ? (node.children ?? []) : [])
