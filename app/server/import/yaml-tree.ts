// YAML as the tree that JSON is read as. Anchors and aliases are not followed (that is how a short file becomes a huge
// one), tags make nothing, and what is nested too deep is not looked at.
import { isAlias, isMap, isPair, isScalar, isSeq, parseDocument } from 'yaml'
import { t } from '../../words/translate.ts'
import type { Node, ParsedTree, TreeError } from '../config/json-tree.ts'
import { type Entry, flagNode, listNode, numberNode, objectNode, textNode } from './nodes.ts'

/** UTF-16 units: half a second's work. */
export const longestYaml = 250_000
const deepest = 60

export function parseYamlTree(text: string): ParsedTree {
  if (text.length > longestYaml) return only(0, t`The file is too large to be read as YAML.`, t`Paste the entries that you want.`)
  if (isDeep(text)) return only(0, t`It is nested too deep.`, t`Nothing of it can be used.`)
  const document = parseDocument(text, {
    prettyErrors: false,
    uniqueKeys: false,
    merge: false,
    logLevel: 'silent',
    resolveKnownTags: false,
  })
  const errors: TreeError[] = document.errors.map(({ pos }) => ({
    offset: pos[0],
    message: t`This is not YAML as it should be.`,
    remedy: t`Look at the indentation, the colons and the quotes here.`,
  }))
  const alias = (offset: number): void => {
    errors.push({ offset, message: t`An alias (*name) is not followed.`, remedy: t`Write out what it stands for.` })
  }
  const root = document.contents === null ? undefined : nodeOf(document.contents, alias, 0)
  return { root, error: errors[0], errors }
}

function only(offset: number, message: string, remedy: string): ParsedTree {
  const error = { offset, message, remedy }
  return { root: undefined, error, errors: [error] }
}

/** Brackets or indentation that go on and on; texts are not told apart, which only makes it stricter. */
function isDeep(text: string): boolean {
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
  const nothing: Node = { type: 'null', value: null, ...place }
  if (depth > deepest || value === null) return nothing
  if (isAlias(value)) {
    alias(start)
    return nothing
  }
  if (isScalar(value)) {
    if (typeof value.value === 'string') return textNode(value.value, place)
    if (typeof value.value === 'number') return numberNode(value.value, place)
    if (typeof value.value === 'boolean') return flagNode(value.value, place)
    return nothing
  }
  if (isSeq(value))
    return listNode(
      value.items.map((item) => nodeOf(item, alias, depth + 1)),
      place,
    )
  if (!isMap(value)) return nothing
  const entries = value.items.flatMap((pair): Entry[] => {
    if (!isPair(pair)) return []
    const key = nodeOf(pair.key, alias, depth + 1)
    if (key.type === 'null') return []
    return [
      {
        name: String(key.value),
        key,
        value:
          pair.value === null
            ? { type: 'null', value: null, offset: key.offset, length: key.length }
            : nodeOf(pair.value, alias, depth + 1),
      },
    ]
  })
  return objectNode(entries, place)
}
