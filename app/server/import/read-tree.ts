// Where in a tree the servers are, and by which program's habits they are to be read. Every program puts them under
// another name; a map without any of those names counts where its entries look like servers.

import { t } from '../../words/translate.ts'
import type { Node } from '../config/json-tree.ts'
import { readInputs } from '../config/read-inputs.ts'
import { readGoose } from './goose.ts'
import { nameOfCommand, nameOfUrl } from './names.ts'
import { entriesOf, itemsOf, memberOf, textOf } from './nodes.ts'
import { isServer, type MapOptions, type Reading, readList, readMap, readOne } from './server-map.ts'
import type { SnippetFormat } from './snippet.ts'

/** Undefined: there are none in it. */
export function readTree(root: Node, reading: Reading, options: MapOptions = {}): SnippetFormat | undefined {
  const at = (...path: string[]): Node | undefined => path.reduce<Node | undefined>((node, name) => memberOf(node, name), root)
  const zed = at('context_servers')
  if (zed?.type === 'object') return readZed(zed, reading, options)
  const projects = at('projects')
  const usual = at('mcpServers') ?? at('mcp_servers') ?? entriesOf(root).find(({ name }) => name.endsWith('.mcpServers'))?.value
  if (projects?.type === 'object' && (usual || entriesOf(projects).some(({ value }) => memberOf(value, 'mcpServers')))) {
    const bare = { ...options, bareVariables: true }
    if (usual) readMap(usual, reading, bare)
    for (const { name, value } of entriesOf(projects)) {
      const map = memberOf(value, 'mcpServers')
      if (map?.type === 'object') readMap(map, reading, { ...bare, project: name })
    }
    return 'claude-code'
  }
  if (usual?.type === 'array') {
    readList(usual, reading, options)
    return 'continue'
  }
  if (usual?.type === 'object') {
    declare(root, reading)
    readMap(usual, reading, options)
    return 'mcp-servers'
  }
  const old = at('experimental', 'modelContextProtocolServers')
  if (old?.type === 'array') {
    for (const item of itemsOf(old)) readUnnamed(item, reading, options)
    return 'continue'
  }
  for (const holder of [root, at('mcp'), at('settings', 'mcp'), at('customizations', 'vscode', 'mcp')]) {
    const servers = memberOf(holder, 'servers')
    if (servers?.type !== 'object') continue
    if (holder) declare(holder, reading)
    readMap(servers, reading, options)
    return 'vscode'
  }
  const opencode = at('mcp')
  if (opencode && entriesOf(opencode).some(({ value }) => isServer(value))) {
    readMap(opencode, reading, { ...options, unit: 'ms' })
    return 'opencode'
  }
  const goose = at('extensions')
  if (goose?.type === 'object' && entriesOf(goose).some(({ value }) => memberOf(value, 'type') ?? memberOf(value, 'config'))) {
    readGoose(goose, reading, options)
    return 'goose'
  }
  if (isUnnamed(root)) {
    declare(root, reading)
    readUnnamed(root, reading, options)
    return 'mcp-servers'
  }
  if (root.type === 'array' && itemsOf(root).some(isUnnamed)) {
    for (const item of itemsOf(root)) readUnnamed(item, reading, options)
    return 'mcp-servers'
  }
  const entries = entriesOf(root)
  const objects = entries.filter(({ value }) => value.type === 'object')
  if (!objects.some(({ value }) => isServer(value))) return undefined
  declare(root, reading)
  readMap({ ...root, children: (root.children ?? []).filter((property) => property.children?.[1]?.type === 'object') }, reading, options)
  return 'mcp-servers'
}

/** Its command or address stands in it, or, as Codex lists them, in its `transport`. */
const isUnnamed = (node: Node): boolean => isServer(node) || isServer(memberOf(node, 'transport'))

function declare(holder: Node, reading: Reading): void {
  for (const [id, input] of readInputs(holder, reading.problems)) reading.inputs.set(id, input)
}

function readZed(map: Node, reading: Reading, options: MapOptions): SnippetFormat {
  readMap(map, reading, {
    ...options,
    refuse: (entry) =>
      isServer(entry) || entry.type !== 'object' ? undefined : t`It comes with an extension of Zed, which knows its command.`,
  })
  return 'zed'
}

function readUnnamed(entry: Node, reading: Reading, options: MapOptions): void {
  const inner = memberOf(entry, 'transport')?.type === 'object' ? memberOf(entry, 'transport') : entry
  readOne(textOf(memberOf(entry, 'name')) ?? nameOf(inner), entry, entry, reading, options)
}

function nameOf(entry: Node | undefined): string {
  const command = textOf(memberOf(entry, 'command'))
  if (command !== undefined) return nameOfCommand([command, ...itemsOf(memberOf(entry, 'args')).map((item) => textOf(item) ?? '')])
  const url = textOf(memberOf(entry, 'url')) ?? textOf(memberOf(entry, 'serverUrl')) ?? textOf(memberOf(entry, 'httpUrl'))
  return url !== undefined && URL.canParse(url) ? nameOfUrl(new URL(url)) : 'server'
}
