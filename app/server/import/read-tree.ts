// Where in a tree the servers are, and by which program's habits they are to be read. Every program puts them under
// another name; a map without any of those names counts where its entries look like servers.

import { t } from '../../words/translate.ts'
import type { Node } from '../config/json-tree.ts'
import { readInputs } from '../config/read-inputs.ts'
import { readGoose } from './goose.ts'
import { nameOfCommand, nameOfUrl } from './names.ts'
import { entriesOf, itemsOf, memberOf, objectNode, textOf } from './nodes.ts'
import { isServer, type MapOptions, people, type Reading, readList, readMap, readOne } from './server-map.ts'
import type { SnippetFormat } from './snippet.ts'

/** Undefined: there are none in it. */
export function readTree(root: Node, reading: Reading, options: MapOptions = {}): SnippetFormat | undefined {
  const manifest = manifestOf(root)
  if (manifest !== undefined) {
    reading.problems.add(root.offset, undefined, manifest.message, manifest.remedy)
    return undefined
  }
  const at = (...path: string[]): Node | undefined => path.reduce<Node | undefined>((node, name) => memberOf(node, name), root)
  const zed = at('context_servers')
  if (zed?.type === 'object') return readZed(zed, reading, options)
  const projects = at('projects')
  const usual =
    at('mcpServers') ?? at('mcp_servers') ?? entriesOf(root).find(({ name }) => name.endsWith('.mcpServers'))?.value ?? heldIn(root)
  if (projects?.type === 'object' && (usual || entriesOf(projects).some(({ value }) => memberOf(value, 'mcpServers')))) {
    if (usual) readMap(usual, reading, options)
    for (const { name, value } of entriesOf(projects)) {
      const map = memberOf(value, 'mcpServers')
      if (map?.type === 'object') readMap(map, reading, { ...options, project: name })
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
  if (
    goose?.type === 'object' &&
    entriesOf(goose).some(({ value }) => isServer(value) || (memberOf(value, 'type') ?? memberOf(value, 'config')))
  ) {
    readGoose(goose, reading, options)
    return 'goose'
  }
  const config = at('config')
  if (isServer(config) && config && !isServer(root)) {
    declare(root, reading)
    readOne(textOf(at('name')) ?? nameOf(config), config, config, reading, options)
    return 'mcp-servers'
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
  if (!entries.some(({ name, value }) => !people.has(name) && isServer(value))) return undefined
  declare(root, reading)
  readMap(
    objectNode(
      entries.filter(({ name, value }) => value.type === 'object' && !people.has(name)),
      root,
    ),
    reading,
    options,
  )
  return 'mcp-servers'
}

/** `{ "augment.advanced": { "mcpServers": … } }`, `{ "tools": { "mcpServers": … } }`: settings of a part of a program. */
const heldIn = (root: Node): Node | undefined =>
  entriesOf(root)
    .map(({ value }) => memberOf(value, 'mcpServers') ?? memberOf(value, 'mcp_servers'))
    .find((node) => node?.type === 'object' || node?.type === 'array')

/** What describes a server for a registry or a bundle, and is no entry; undefined: it is none of these. */
function manifestOf(root: Node): { readonly message: string; readonly remedy: string } | undefined {
  const inner = memberOf(root, 'server')
  const own = inner?.type === 'object' && memberOf(inner, 'packages') !== undefined ? inner : root
  const name = (textOf(memberOf(own, 'name')) ?? '').slice(0, 80)
  if (itemsOf(memberOf(own, 'packages')).some((item) => memberOf(item, 'identifier') ?? memberOf(item, 'registryType')) || isRegistry(own))
    return {
      message: t`This is the server.json of “${name}”, for a registry.`,
      remedy: t`Find it by its name in the registry, or paste its command or address.`,
    }
  if (memberOf(inner, 'mcp_config') !== undefined)
    return {
      message: t`This is the manifest.json of the bundle “${name}”; its files are not here.`,
      remedy: t`Open the bundle itself (.mcpb), or paste the command of the server.`,
    }
  if (textOf(memberOf(root, 'mcpServers')) !== undefined)
    return {
      message: t`The plugin “${name}” keeps its servers in ${textOf(memberOf(root, 'mcpServers'))?.slice(0, 80)}.`,
      remedy: t`Paste what that file holds.`,
    }
  if (
    name !== '' &&
    textOf(memberOf(root, 'version')) !== undefined &&
    !isServer(root) &&
    memberOf(root, 'mcpServers') === undefined &&
    entriesOf(root).some((entry) => people.has(entry.name) && isServer(entry.value))
  )
    return {
      message: t`This describes the package “${name}”; no server is in it.`,
      remedy: t`Paste the command or the address of its server.`,
    }
  return undefined
}

const isRegistry = (node: Node): boolean =>
  /\/server\.schema\.json$/.test(textOf(memberOf(node, '$schema')) ?? '') ||
  (memberOf(node, 'remotes')?.type === 'array' && textOf(memberOf(node, 'version')) !== undefined)

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
