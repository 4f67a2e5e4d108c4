// Where in a tree the servers are, and by which program's habits they are to be read. Every program puts them under another
// name; a map without any of those names counts where its entries look like servers. Goose's `extensions`: MCP servers among
// parts of Goose itself. Secrets are only named there (`env_keys`); Goose has them in the system's keyring, where nobody else
// is to look. The servers of one map or list in a tree, each read with the words of the program that wrote it. What is wrong is
// named with its place and left out; the others are taken.
import { t } from '#app/i18n/translate.ts'
import { readConfigEntry } from '#app/server/config/config-entry.ts'
import { type Node, propertiesOf, type TreeError } from '#app/server/config/json-tree.ts'
import { readInputs } from '#app/server/config/read-inputs.ts'
import { ProblemCollector, positionAt } from '#app/server/config/text-position.ts'
import { serverName } from '#app/server/definition.ts'
import type { InputDeclaration } from '#app/server/inputs/input.ts'
import { inputReference } from '#app/server/inputs/variable-references.ts'
import { type Candidate, type SnippetFormat, toCandidate } from '../candidate.ts'
import { hintsFor } from '../entry-hints.ts'
import { normalizeEntry, type TimeUnit } from '../normalize-entry.ts'
import { normalizeReferences } from '../normalize-references.ts'
import { nameOfCommand, nameOfUrl } from '../server-names.ts'
import { type ConfigNodeEntry, itemsOf, memberOf, nodeEntries, objectNode, textNode, textValueOf } from './config-nodes.ts'

export interface ConfigReading {
  readonly file: string
  readonly text: string
  /** Where the text is not what its language wants. An entry with such a place in it is not used. */
  readonly errors: readonly TreeError[]
  readonly problems: ProblemCollector
  readonly servers: Candidate[]
  readonly inputs: Map<string, InputDeclaration>
}

export interface MapOptions {
  readonly unit?: TimeUnit
  readonly project?: string
  /** Undefined: it can be read; else why it is no server that another program can run. */
  readonly refuse?: (entry: Node) => string | undefined
}

/** More than anybody has; a file with more is not written by a person. */
const mostServers = 500

const isServer = (node: Node | undefined): boolean =>
  propertiesOf(node).some(({ name, value }) =>
    name === 'command' || name === 'cmd'
      ? value?.type === 'string' || value?.type === 'array' || memberOf(value, 'path') !== undefined
      : ['url', 'serverUrl', 'httpUrl', 'builtin', 'uri'].includes(name) && value?.type === 'string',
  )

function readMap(map: Node, reading: ConfigReading, options: MapOptions = {}): void {
  const seen = new Set<string>()
  for (const { name, key, value } of nodeEntries(map)) {
    if (seen.has(name))
      reading.problems.add(
        key.offset,
        name.slice(0, 64),
        t`There are two servers named “${name.slice(0, 64)}”.`,
        t`Rename or remove one; the first is used.`,
      )
    else readOne(name, key, value, reading, options)
    seen.add(name)
  }
}

/** Entries with a `name` in each, as Continue lists them. */
function readList(list: Node, reading: ConfigReading, options: MapOptions = {}): void {
  for (const item of itemsOf(list)) readOne(textValueOf(memberOf(item, 'name')) ?? 'server', item, item, reading, options)
}

function readOne(written: string, key: Node, entry: Node, reading: ConfigReading, options: MapOptions = {}): void {
  const { problems, servers, errors, file, text } = reading
  const name = written.trim().slice(0, 64).trim()
  if (!serverName.safeParse(name).success || name === '__proto__') {
    problems.add(
      key.offset,
      undefined,
      t`“${written.slice(0, 80)}” cannot be the name of a server.`,
      t`Use 1 to 64 characters, none of them invisible.`,
    )
    return
  }
  const end = entry.offset + entry.length
  if (errors.some(({ offset }) => offset >= entry.offset && offset <= end)) {
    // A brace that is missing makes those that follow part of this one.
    const within = nodeEntries(entry).filter(({ value }) => value.type === 'object' && isServer(value))
    problems.add(key.offset, name, t`“${name}” cannot be read to its end.`, t`It was left out. Correct it, then import it again.`)
    for (const one of within) readOne(one.name, one.key, one.value, reading, options)
    return
  }
  if (servers.length >= mostServers) {
    if (servers.length === mostServers && !problems.found.some(({ message }) => message === tooMany()))
      problems.add(key.offset, undefined, tooMany(), t`Take over the others by pasting them.`)
    return
  }
  const refused = options.refuse?.(entry)
  if (refused !== undefined) {
    problems.add(key.offset, name, refused, t`It was left out.`)
    return
  }
  // A brace that is missing makes the next one part of this one, and another at the end makes up for it.
  const inside = nodeEntries(entry).filter((one) => !nesting.has(one.name) && one.value.type === 'object' && isServer(one.value))
  for (const one of inside) {
    problems.add(
      one.key.offset,
      one.name.slice(0, 64),
      t`“${one.name.slice(0, 64)}” stands inside “${name}”: a brace is missing before it.`,
      t`It was read as a server of its own.`,
    )
    readOne(one.name, one.key, one.value, reading, options)
  }
  const notes = new ProblemCollector(file, text)
  const own = normalizeEntry(entry, { server: name, unit: options.unit ?? 'guess', notes, problems })
  const definition = own && readConfigEntry(name, own, problems)
  if (!definition) return
  const note = (message: string, remedy: string): void => notes.add(key.offset, name, message, remedy)
  const said = normalizeReferences(definition, {
    note,
    declare: (input) => reading.inputs.has(input.id) || reading.inputs.set(input.id, input),
  })
  for (const hint of hintsFor(said)) note(hint.message, hint.remedy)
  if (written !== name) note(t`Its name was “${written.slice(0, 80)}”.`, t`It is shortened here.`)
  servers.push(
    toCandidate(
      name,
      said,
      { ...positionAt(text, key.offset), ...(options.project === undefined ? {} : { project: options.project }) },
      [...notes.found].sort((one, other) => (one.line ?? 0) - (other.line ?? 0)),
    ),
  )
}

/** Keys of a package or a plugin whose `url` leads to people and pages, not to a server. */
const people: ReadonlySet<string> = new Set([
  'author',
  'repository',
  'bugs',
  'homepage',
  'publisher',
  'maintainer',
  'funding',
  'license',
  'provider',
])

/** Keys whose value looks like a server and is part of one. */
const nesting = new Set(['transport', 'command', 'config', 'env', 'headers', 'requestInit', 'oauth', 'auth', ...people])

const tooMany = () => t`There are more than ${mostServers} servers.`

const ours = new Set(['stdio', 'sse', 'streamable_http'])

function readGoose(map: Node, reading: ConfigReading, options: MapOptions): void {
  const entries = nodeEntries(map).map((entry) => ({ ...entry, value: withKeys(opened(entry.value), reading) }))
  readMap(objectNode(entries, map), reading, {
    ...options,
    unit: 's',
    refuse: (entry) => {
      const type = textValueOf(memberOf(entry, 'type'))
      return type === undefined || ours.has(type) ? undefined : t`It is a part of Goose (${type.slice(0, 40)}), not a server of its own.`
    },
  })
}

/** An older shape has all but `enabled` in `config`. */
function opened(entry: Node): Node {
  const config = memberOf(entry, 'config')
  if (config?.type !== 'object') return entry
  return objectNode([...nodeEntries(entry).filter(({ name }) => name !== 'config'), ...nodeEntries(config)], entry)
}

function withKeys(entry: Node, reading: ConfigReading): Node {
  const keys = itemsOf(memberOf(entry, 'env_keys'))
  if (keys.length === 0) return entry
  const envs = memberOf(entry, 'envs')
  const asked = keys.flatMap((key): ConfigNodeEntry[] => {
    const name = textValueOf(key)
    if (name === undefined || memberOf(envs, name)) return []
    if (!reading.inputs.has(name))
      reading.inputs.set(name, { id: name, description: t`${name}, which Goose keeps in the keyring`, password: true })
    return [{ name, key, value: textNode(inputReference(name), key) }]
  })
  const others = nodeEntries(entry).filter(({ name }) => name !== 'envs' && name !== 'env_keys')
  const env = objectNode([...nodeEntries(envs), ...asked], envs ?? keys[0] ?? entry)
  return objectNode([...others, { name: 'envs', key: entry, value: env }], entry)
}

/** Undefined: there are none in it. */
export function readTree(root: Node, reading: ConfigReading, options: MapOptions = {}): SnippetFormat | undefined {
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
    at('mcpServers') ?? at('mcp_servers') ?? nodeEntries(root).find(({ name }) => name.endsWith('.mcpServers'))?.value ?? heldIn(root)
  if (projects?.type === 'object' && (usual || nodeEntries(projects).some(({ value }) => memberOf(value, 'mcpServers')))) {
    if (usual) readMap(usual, reading, options)
    for (const { name, value } of nodeEntries(projects)) {
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
  if (opencode && nodeEntries(opencode).some(({ value }) => isServer(value))) {
    readMap(opencode, reading, { ...options, unit: 'ms' })
    return 'opencode'
  }
  const goose = at('extensions')
  if (
    goose?.type === 'object' &&
    nodeEntries(goose).some(({ value }) => isServer(value) || (memberOf(value, 'type') ?? memberOf(value, 'config')))
  ) {
    readGoose(goose, reading, options)
    return 'goose'
  }
  const config = at('config')
  if (isServer(config) && config && !isServer(root)) {
    declare(root, reading)
    readOne(textValueOf(at('name')) ?? nameOf(config), config, config, reading, options)
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
  const entries = nodeEntries(root)
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
  nodeEntries(root)
    .map(({ value }) => memberOf(value, 'mcpServers') ?? memberOf(value, 'mcp_servers'))
    .find((node) => node?.type === 'object' || node?.type === 'array')

/** What describes a server for a registry or a bundle, and is no entry; undefined: it is none of these. */
function manifestOf(root: Node): { readonly message: string; readonly remedy: string } | undefined {
  const inner = memberOf(root, 'server')
  const own = inner?.type === 'object' && memberOf(inner, 'packages') !== undefined ? inner : root
  const name = (textValueOf(memberOf(own, 'name')) ?? '').slice(0, 80)
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
  if (textValueOf(memberOf(root, 'mcpServers')) !== undefined)
    return {
      message: t`The plugin “${name}” keeps its servers in ${textValueOf(memberOf(root, 'mcpServers'))?.slice(0, 80)}.`,
      remedy: t`Paste what that file holds.`,
    }
  if (
    name !== '' &&
    textValueOf(memberOf(root, 'version')) !== undefined &&
    !isServer(root) &&
    memberOf(root, 'mcpServers') === undefined &&
    nodeEntries(root).some((entry) => people.has(entry.name) && isServer(entry.value))
  )
    return {
      message: t`This describes the package “${name}”; no server is in it.`,
      remedy: t`Paste the command or the address of its server.`,
    }
  return undefined
}

const isRegistry = (node: Node): boolean =>
  /\/server\.schema\.json$/.test(textValueOf(memberOf(node, '$schema')) ?? '') ||
  (memberOf(node, 'remotes')?.type === 'array' && textValueOf(memberOf(node, 'version')) !== undefined)

/** Its command or address stands in it, or, as Codex lists them, in its `transport`. */
const isUnnamed = (node: Node): boolean => isServer(node) || isServer(memberOf(node, 'transport'))

function declare(holder: Node, reading: ConfigReading): void {
  for (const [id, input] of readInputs(holder, reading.problems)) reading.inputs.set(id, input)
}

function readZed(map: Node, reading: ConfigReading, options: MapOptions): SnippetFormat {
  readMap(map, reading, {
    ...options,
    refuse: (entry) =>
      isServer(entry) || entry.type !== 'object' ? undefined : t`It comes with an extension of Zed, which knows its command.`,
  })
  return 'zed'
}

function readUnnamed(entry: Node, reading: ConfigReading, options: MapOptions): void {
  const inner = memberOf(entry, 'transport')?.type === 'object' ? memberOf(entry, 'transport') : entry
  readOne(textValueOf(memberOf(entry, 'name')) ?? nameOf(inner), entry, entry, reading, options)
}

function nameOf(entry: Node | undefined): string {
  const command = textValueOf(memberOf(entry, 'command'))
  if (command !== undefined) return nameOfCommand([command, ...itemsOf(memberOf(entry, 'args')).map((item) => textValueOf(item) ?? '')])
  const url = textValueOf(memberOf(entry, 'url')) ?? textValueOf(memberOf(entry, 'serverUrl')) ?? textValueOf(memberOf(entry, 'httpUrl'))
  return url !== undefined && URL.canParse(url) ? nameOfUrl(new URL(url)) : 'server'
}
