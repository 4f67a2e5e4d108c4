// JSON as people paste it: the whole file, a bare `"mcpServers": { … }`, a map of servers, or the same with the outer
// braces cut off. Each reading is tried in turn; the first that is JSON and holds a map of servers counts.
import { type Node, parseJsonTree, propertiesOf } from '../config/json-tree.ts'
import { readServers } from '../config/read.ts'
import { Problems } from '../config/text-position.ts'
import { found } from './found.ts'
import type { Snippet } from './snippet.ts'

/** Where the map of servers is in a tree, if it is there. */
function serversIn(root: Node): Node | undefined {
  const properties = propertiesOf(root)
  for (const wrapper of ['mcpServers', 'servers']) {
    const inner = properties.find((property) => property.name === wrapper)?.value
    if (inner?.type === 'object') return inner
  }
  const entries = properties.filter((property) => property.value?.type === 'object')
  const areServers = entries.some(({ value }) => propertiesOf(value).some(({ name }) => ['command', 'url', 'builtin'].includes(name)))
  return areServers && entries.length === properties.length ? root : undefined
}

export function readJson(text: string, file: string): Snippet {
  const body = text.replace(/,\s*$/, '')
  // Braces are added on the first or last line only, so that lines in problems stay those of the text.
  for (const candidate of [text, body, `{${body}}`, `{${body}}}`, `${body}}`, `${body}}}`]) {
    const { root, error } = parseJsonTree(candidate)
    const servers = root && !error ? serversIn(root) : undefined
    if (!servers) continue
    const problems = new Problems(file, candidate)
    const definitions = readServers(servers, problems)
    const list = [...definitions].map(([name, definition]) => found(name, definition, {}))
    return { format: 'mcp-servers', servers: list, inputs: [], problems: problems.found }
  }
  const problems = new Problems(file, text)
  const { root, error } = parseJsonTree(text)
  if (error) problems.add(error.offset, undefined, error.message, error.remedy)
  else if (propertiesOf(root).some(({ name }) => name === 'command' || name === 'url'))
    problems.add(0, undefined, 'This is one server without a name.', 'Put it under a name: { "name": { … } }.')
  else problems.add(0, undefined, 'No server is in this text.', 'Paste { "mcpServers": { "name": { "command": … } } }.')
  return { format: 'unknown', servers: [], inputs: [], problems: problems.found }
}
