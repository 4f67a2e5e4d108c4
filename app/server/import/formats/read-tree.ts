// Finds the servers in a syntax tree by the key that each application has for them, else where entries look like servers. A wrong entry
// is reported with its position and left out.
import { t } from '#app/i18n/translate.ts'
import { readConfigEntry } from '#app/server/config/config-entry.ts'
import {
  type ConfigNodeEntry,
  itemsOf,
  memberOf,
  missingSyntax,
  type Node,
  nodeEntries,
  objectNode,
  ProblemCollector,
  positionAt,
  propertiesOf,
  type TreeError,
  textValueOf,
  valueNode,
} from '#app/server/config/json-tree.ts'
import { readInputs } from '#app/server/config/read-config.ts'
import { isServerName } from '#app/server/definition.ts'
import type { InputDeclaration } from '#app/server/inputs/input.ts'
import { inputReference } from '#app/server/inputs/variable-references.ts'
import type { Candidate, SnippetFormat } from '../../candidate.ts'
import { nameOfCommand, nameOfUrl } from '../command-programs.ts'
import { type ImportNote, notServer, pasteRemedy, readAs, unreadable } from '../import-notes.ts'
import { normalizeEntry, type TimeUnit } from '../normalize-entry.ts'
import { normalizeCandidate } from '../normalize-references.ts'
import { readServerFile } from './manifests.ts'

export interface ConfigReading {
  readonly file: string
  readonly text: string
  readonly errors: readonly TreeError[]
  readonly problems: ProblemCollector
  readonly servers: Candidate[]
  readonly inputs: Map<string, InputDeclaration>
  /** Offsets of the entries that were read or refused. */
  readonly taken: Set<number>
}

export interface MapOptions {
  readonly unit?: TimeUnit
  readonly project?: string
  /** Tells an entry that is no server which Assent can run. */
  readonly refuse?: (entry: Node) => boolean
}

const mostServers = 500

const isServer = (node: Node | undefined): boolean =>
  propertiesOf(node).some(({ name, value }) =>
    name === 'command' || name === 'cmd'
      ? value?.type === 'string' || value?.type === 'array' || memberOf(value, 'path') !== undefined
      : (['url', 'serverUrl', 'server_url', 'httpUrl', 'builtin', 'uri'].includes(name) && value?.type === 'string') ||
        (name === 'target' && /^https?:/.test(textValueOf(value) ?? '')),
  )

function readMap(map: Node, reading: ConfigReading, options: MapOptions): void {
  const seen = new Set<string>()
  for (const { name, key, value } of nodeEntries(map)) {
    const short = name.slice(0, 64)
    if (seen.has(name)) reading.problems.add(key.offset, short, t`“${short}” appears twice.`, t`Keep one of the two.`)
    else readOne(name, key, value, reading, options)
    seen.add(name)
  }
}

function readOne(written: string, key: Node, entry: Node, reading: ConfigReading, options: MapOptions): void {
  const { problems, servers, errors, file, text } = reading
  reading.taken.add(entry.offset)
  const name = written.trim().slice(0, 64).trim()
  if (!isServerName(name) || name === '__proto__') {
    const message = t`“${written.slice(0, 80)}” cannot be the name of a server.`
    problems.add(key.offset, undefined, message, t`Use 1 to 64 visible characters.`)
    return
  }
  const end = entry.offset + entry.length
  if (errors.some(({ offset }) => offset >= entry.offset && offset <= end)) {
    // A missing brace makes the entries that follow part of this one.
    const within = nodeEntries(entry).filter(({ value }) => value.type === 'object' && isServer(value))
    addNote(problems, key, name, unreadable(name, t`Correct it, then import it again.`))
    for (const one of within) readOne(one.name, one.key, one.value, reading, options)
    return
  }
  if (servers.length >= mostServers) {
    if (servers.length === mostServers && !problems.found.some(({ message }) => message === tooMany()))
      problems.add(key.offset, undefined, tooMany(), pasteRemedy())
    return
  }
  if (options.refuse?.(entry)) {
    addNote(problems, key, name, notServer(name))
    return
  }
  // The same with another brace too many at the end, which makes the syntax right again.
  const inside = nodeEntries(entry).filter(
    (one) => !partKeys.test(one.name) && !metadataKeys.test(one.name) && one.value.type === 'object' && isServer(one.value),
  )
  for (const one of inside) {
    const short = one.name.slice(0, 64)
    problems.add(one.key.offset, short, ...missingSyntax('}'))
    readOne(one.name, one.key, one.value, reading, options)
  }
  const notes = new ProblemCollector(file, text)
  const own = normalizeEntry(entry, { server: name, unit: options.unit ?? 'guess', notes, problems })
  const definition = own && readConfigEntry(name, own, problems)
  if (!definition) return
  if (written !== name) addNote(notes, key, name, readAs(written, name))
  const place = { file, ...positionAt(text, key.offset), project: options.project }
  const candidate = normalizeCandidate(name, definition, place, reading.inputs, notes.found.toSorted(byLine))
  candidate.problems.sort(byLine)
  servers.push(candidate)
}

const addNote = (to: ProblemCollector, at: Node, server: string | undefined, { message, remedy }: ImportNote): void =>
  to.add(at.offset, server, message, remedy)

const byLine = (one: { readonly line?: number | undefined }, other: { readonly line?: number | undefined }): number =>
  (one.line ?? 0) - (other.line ?? 0)

/** Keys of a package or a plugin whose `url` is not that of a server. */
const metadataKeys = /^(?:author|repository|bugs|homepage|publisher|maintainer|funding|license|provider)$/
/** Keys whose value looks like a server and is part of one. */
const partKeys = /^(?:transport|source|command|config|env|headers|requestInit|oauth|auth)$/

const tooMany = () => t`There are more than ${mostServers} servers.`

/** Reads Goose's `extensions`: MCP servers among parts of Goose itself. */
function readGoose(map: Node, reading: ConfigReading, options: MapOptions): void {
  const entries = nodeEntries(map).map((entry) => ({ ...entry, value: withEnvKeys(flattenExtension(entry.value), reading) }))
  readMap(objectNode(entries, map), reading, {
    ...options,
    unit: 's',
    refuse: (entry) => {
      const type = textValueOf(memberOf(entry, 'type'))
      return type !== undefined && !/^(?:stdio|sse|streamable_http)$/.test(type)
    },
  })
}

function flattenExtension(entry: Node): Node {
  const config = memberOf(entry, 'config')
  if (config?.type !== 'object') return entry
  return objectNode([...nodeEntries(entry).filter(({ name }) => name !== 'config'), ...nodeEntries(config)], entry)
}

/** Declares the secrets that `env_keys` names. Goose keeps them in the system's keyring, where Assent does not look. */
function withEnvKeys(entry: Node, reading: ConfigReading): Node {
  const keys = itemsOf(memberOf(entry, 'env_keys'))
  if (keys.length === 0) return entry
  const envs = memberOf(entry, 'envs')
  const asked = keys.flatMap((key): ConfigNodeEntry[] => {
    const name = textValueOf(key)
    if (name === undefined || memberOf(envs, name)) return []
    if (!reading.inputs.has(name)) reading.inputs.set(name, { id: name, description: name, password: true })
    return [{ name, key, value: valueNode(inputReference(name), key) }]
  })
  const others = nodeEntries(entry).filter(({ name }) => name !== 'envs' && name !== 'env_keys')
  const env = objectNode([...nodeEntries(envs), ...asked], envs ?? keys[0] ?? entry)
  return objectNode([...others, { name: 'envs', key: entry, value: env }], entry)
}

/** Reads all servers of a tree: those of the first place that has some, then those of others. Returns the format, or undefined. */
export function readTree(root: Node, reading: ConfigReading, options: MapOptions): SnippetFormat | undefined {
  const format = readFirst(root, reading, options)
  if (format !== undefined) readOthers(root, reading, options, 0)
  return format
}

/** Reads maps of servers that stand beside the one that was read, as in a file for two programs. */
function readOthers(node: Node, reading: ConfigReading, options: MapOptions, depth: number): void {
  const isRead = (one: Node): boolean => reading.taken.has(one.offset)
  for (const { name, value } of [...nodeEntries(node), ...itemsOf(node).map((item) => ({ name: '', value: item }))]) {
    const servers = value.type === 'object' ? nodeEntries(value) : []
    const isHolder = serverKeys.test(name) || /^(?:servers|context_servers)$/.test(name)
    if (depth > 8 || isRead(value) || name === 'projects') continue
    if (isHolder && servers.some((one) => isServer(one.value)) && !servers.some((one) => isRead(one.value)))
      readMap(value, reading, options)
    else readOthers(value, reading, options, depth + 1)
  }
}

function readFirst(root: Node, reading: ConfigReading, options: MapOptions): SnippetFormat | undefined {
  const manifest = readServerFile(root)
  if (manifest?.kind === 'refused') {
    addNote(reading.problems, root, undefined, notServer(manifest.what))
    return undefined
  }
  if (manifest?.kind === 'candidate') {
    for (const input of manifest.inputs) reading.inputs.set(input.id, input)
    reading.servers.push({ ...manifest.server, ...positionAt(reading.text, root.offset) })
    return 'mcp-servers'
  }
  if (manifest?.kind === 'entries') {
    for (const { name, entry } of manifest.entries) readOne(name ?? nameOf(entry), entry, entry, reading, options)
    return 'mcp-servers'
  }
  const at = (...path: string[]): Node | undefined => path.reduce<Node | undefined>((node, name) => memberOf(node, name), root)
  const zed = at('context_servers')
  if (zed?.type === 'object') {
    // Entries of Zed's extensions, which know the command.
    const refuse = (entry: Node): boolean => entry.type === 'object' && !isUnnamed(entry)
    readMap(zed, reading, { ...options, refuse })
    return 'zed'
  }
  const projects = at('projects')
  const usual =
    nodeEntries(root).find(({ name, value }) => serverKeys.test(name) && /^(?:object|array)$/.test(value.type))?.value ??
    nodeEntries(root).find(({ name, value }) => /^mcp[-_ ]?servers?$/i.test(name) && nodeEntries(value).some((one) => isServer(one.value)))
      ?.value ??
    nestedServers(root)
  if (projects?.type === 'object' && (usual || nodeEntries(projects).some(({ value }) => memberOf(value, 'mcpServers')))) {
    if (usual) readMap(usual, reading, options)
    for (const { name, value } of nodeEntries(projects)) {
      const map = memberOf(value, 'mcpServers')
      if (map?.type === 'object') readMap(map, reading, { ...options, project: name })
    }
    return 'claude-code'
  }
  if (usual?.type === 'array') {
    // Entries with a `name` in each, as Continue has it.
    for (const item of itemsOf(usual)) {
      const block = textValueOf(memberOf(item, 'uses'))
      if (!isUnnamed(item) && nodeEntries(item).some((one) => isServer(one.value))) readMap(item, reading, options)
      else if (block === undefined) readOne(textValueOf(memberOf(item, 'name')) ?? nameOf(item), item, item, reading, options)
      else
        reading.problems.add(
          item.offset,
          undefined,
          t`“${block.slice(0, 80)}” is a block of Continue’s hub.`,
          t`Paste the command or the address of its server.`,
        )
    }
    return reading.servers.length + reading.problems.found.length > 0 ? 'continue' : undefined
  }
  if (usual?.type === 'object') {
    declare(root, reading)
    readMap(withSettings(usual, root), reading, options)
    return reading.servers.length + reading.problems.found.length > 0 ? 'mcp-servers' : undefined
  }
  const old = at('experimental', 'modelContextProtocolServers')
  if (old?.type === 'array') {
    for (const item of itemsOf(old)) readUnnamed(item, reading, options)
    return 'continue'
  }
  for (const holder of [root, at('mcp'), at('settings', 'mcp'), at('customizations', 'vscode', 'mcp')]) {
    // `tools` of a request to a model.
    const servers = memberOf(holder, 'servers') ?? memberOf(holder, 'targets') ?? memberOf(holder, 'tools')
    if (servers?.type === 'array' && itemsOf(servers).some(isUnnamed)) {
      for (const item of itemsOf(servers)) readUnnamed(item, reading, options)
      return 'mcp-servers'
    }
    if (servers?.type !== 'object') continue
    if (holder) declare(holder, reading)
    readMap(servers, reading, options)
    return 'vscode'
  }
  const opencode = at('mcp')
  if (opencode && nodeEntries(opencode).some(({ value }) => isServer(value))) {
    readMap(opencode, reading, { ...options, unit: options.unit === 's' ? 's' : 'ms' })
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
  return readUnkeyed(root, reading, options)
}

/** Reads servers that stand under no key of an application. */
function readUnkeyed(root: Node, reading: ConfigReading, options: MapOptions): SnippetFormat | undefined {
  const config = memberOf(root, 'config')
  if (isServer(config) && config && !isServer(root)) {
    declare(root, reading)
    readOne(textValueOf(memberOf(root, 'name')) ?? nameOf(config), config, config, reading, options)
    return 'mcp-servers'
  }
  const unnamed = isUnnamed(root) ? [root] : itemsOf(root).some(isUnnamed) ? itemsOf(root) : []
  if (unnamed.length > 0) {
    declare(root, reading)
    for (const item of unnamed) readUnnamed(item, reading, options)
    return 'mcp-servers'
  }
  const partial = [memberOf(root, 'mcp'), root].find(isPartial)
  if (partial) {
    readMap(partial, reading, options)
    return undefined
  }
  const entries = nodeEntries(root).filter(({ name }) => !metadataKeys.test(name))
  if (!entries.some(({ value }) => isServer(value))) return undefined
  declare(root, reading)
  const servers = entries.filter(({ value }) => value.type === 'object')
  readMap(objectNode(servers, root), reading, options)
  return 'mcp-servers'
}

const serverKeys = /^(?:mcpServers|mcp_servers|mcp\.servers|.*\.mcpServers|requiredMcpServers|remoteMCPServers)$/

/** Gives servers of a Gemini extension the variables that its `settings` ask for. */
function withSettings(map: Node, root: Node): Node {
  const asked = itemsOf(memberOf(root, 'settings')).flatMap((setting): ConfigNodeEntry[] => {
    const name = textValueOf(memberOf(setting, 'envVar'))
    return name === undefined ? [] : [{ name, key: setting, value: valueNode(inputReference(name), setting) }]
  })
  if (asked.length === 0) return map
  return objectNode(
    nodeEntries(map).map((server) => {
      if (memberOf(server.value, 'command') === undefined) return server
      const env = memberOf(server.value, 'env')
      const all = objectNode([...asked, ...nodeEntries(env)], env ?? server.value)
      const others = nodeEntries(server.value).filter(({ name }) => name !== 'env')
      return { ...server, value: objectNode([...others, { name: 'env', key: server.key, value: all }], server.value) }
    }),
    map,
  )
}

/** Finds servers in the settings of a part of an application, at any depth: `{ "augment.advanced": { "mcpServers": … } }`. */
function nestedServers(root: Node, depth = 0): Node | undefined {
  for (const part of depth > 8 ? [] : [...nodeEntries(root).map(({ value }) => value), ...itemsOf(root)]) {
    const own = nodeEntries(part).find(({ name, value }) =>
      serverKeys.test(name)
        ? value.type === 'array' || nodeEntries(value).some((one) => isServer(one.value))
        : depth > 0 &&
          ((/^(?:servers|tools)$/.test(name) && itemsOf(value).some(isUnnamed)) ||
            (name === 'requires' && nodeEntries(value).some((one) => isServer(one.value)))),
    )
    const found = own?.value ?? nestedServers(part, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Tells an entry without a name: command or address stand in it, or in its `transport`, as Codex prints them, or its `source`. */
const isUnnamed = (node: Node): boolean => isServer(node) || isServer(memberOf(node, 'transport')) || isServer(memberOf(node, 'source'))

/** Keys of an entry beside command and address. */
const entryKeys = /^(?:args|env|environment|headers|disabled|enabled|autoApprove|alwaysAllow|timeout|type|cwd)$/

/** Tells a map of entries that have neither a command nor an address: parts of an example. */
function isPartial(map: Node | undefined): map is Node {
  const entries = map?.type === 'object' ? nodeEntries(map) : []
  const keys = entries.flatMap(({ value }) => nodeEntries(value).map(({ name }) => name))
  return keys.length > 0 && entries.every(({ value }) => value.type === 'object') && keys.every((key) => entryKeys.test(key))
}

function declare(holder: Node, reading: ConfigReading): void {
  for (const [id, input] of readInputs(holder, reading.problems)) reading.inputs.set(id, input)
}

function readUnnamed(entry: Node, reading: ConfigReading, options: MapOptions): void {
  const inner = memberOf(entry, 'transport')?.type === 'object' ? memberOf(entry, 'transport') : entry
  readOne(
    textValueOf(memberOf(entry, 'name') ?? memberOf(entry, 'server_label') ?? memberOf(memberOf(entry, 'info'), 'name')) ?? nameOf(inner),
    entry,
    entry,
    reading,
    options,
  )
}

function nameOf(entry: Node | undefined): string {
  const command = textValueOf(memberOf(entry, 'command'))
  if (command !== undefined) return nameOfCommand([command, ...itemsOf(memberOf(entry, 'args')).map((item) => textValueOf(item) ?? '')])
  const url = textValueOf(memberOf(entry, 'url')) ?? textValueOf(memberOf(entry, 'serverUrl')) ?? textValueOf(memberOf(entry, 'httpUrl'))
  return url !== undefined && URL.canParse(url) ? nameOfUrl(new URL(url)) : 'server'
}
