// Reader of TOML: Codex's and Grok's `[mcp_servers.NAME]`, Vibe's `[[mcp_servers]]`. The parser gives no places, so that each server
// stands at its header.
import { parse, TomlError } from 'smol-toml'
import { t } from '#app/i18n/translate.ts'
import {
  type ConfigNodeEntry,
  failedTree,
  listNode,
  type Node,
  objectNode,
  type ParsedTree,
  valueNode,
} from '#app/server/config/json-tree.ts'
import { pasteRemedy, unreadable } from '../import-notes.ts'

/** UTF-16 units. */
const longestToml = 250_000
const deepest = 60

export const looksLikeToml = (text: string): boolean =>
  /^[ \t]*\[\[?[ \t]*(?:"[^"\n]+"|[\w-]+)(?:[ \t]*\.[ \t]*(?:"[^"\n]+"|'[^'\n]+'|[\w-]+))*[ \t]*\]\]?[ \t]*(?:#.*)?$/m.test(text) ||
  /^(?:[\w-]+ = (?:"[^"\n]*"|true|false|\d+|\[.*\])[ \t]*(?:#.*)?\n){2}/m.test(text)

export function parseTomlTree(text: string): ParsedTree {
  if (text.length > longestToml) return failedTree(0, t`The text is too long.`, pasteRemedy())
  try {
    return { root: nodeOf(parse(text), { offset: 0, length: 0 }, [], text), errors: [] }
  } catch (error) {
    const { line, column } = error instanceof TomlError ? error : { line: 1, column: 1 }
    const offset = text.split('\n', line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
    const { message, remedy } = unreadable('TOML', t`Correct it, then import it again.`)
    return failedTree(Math.min(offset, text.length), message, remedy)
  }
}

function nodeOf(value: unknown, place: Pick<Node, 'offset' | 'length'>, path: readonly string[], text: string): Node {
  if (path.length > deepest) return valueNode(null, place)
  if (Array.isArray(value))
    return listNode(
      value.map((item, index) => nodeOf(item, placeOf([...path, `#${index}`], text) ?? place, path, text)),
      place,
    )
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const entries = Object.entries(value).map(([name, inner]): ConfigNodeEntry => {
      const at = placeOf([...path, name], text) ?? place
      return { name, key: valueNode(name, at), value: nodeOf(inner, at, [...path, name], text) }
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
