// Translates the entry of another application to the keys of `servers.json`: `serverUrl` becomes `url`, `envs` becomes `env`. Automatic
// approvals and commands that make headers are never taken over; a note names them.

import { getNodeValue } from 'jsonc-parser'
import { ownMember } from '#app/json.ts'
import {
  type ConfigNodeEntry,
  itemsOf,
  listNode,
  memberOf,
  type Node,
  nodeEntries,
  objectNode,
  type ProblemCollector,
  textValueOf,
  valueNode,
} from '../config/json-tree.ts'
import { inputReference } from '../inputs/variable-references.ts'
import { type ImportNote, isPlaceholder, leftOut, readAs } from './import-notes.ts'
import { withExampleHost } from './placeholders.ts'
import { shellProblem, splitCommandLine, wholeLine } from './shell-words.ts'

/** Unit of `timeout`. `guess`: seconds below 1000, else milliseconds. */
export type TimeUnit = 'ms' | 's' | 'guess'

interface NormalizeEntryOptions {
  readonly server: string
  readonly unit: TimeUnit
  readonly notes: ProblemCollector
  readonly problems: ProblemCollector
}

const aliases: Readonly<Record<string, string>> = {
  cmd: 'command',
  envs: 'env',
  environment: 'env',
  uri: 'url',
  target: 'url',
  serverUrl: 'url',
  httpUrl: 'url',
  endpoint: 'url',
  baseUrl: 'url',
  baseURL: 'url',
  base_url: 'url',
  server_url: 'url',
  npxCommand: 'command',
  startup_timeout_sec: 'startTimeout',
  startup_timeout_ms: 'startTimeout',
  tool_timeout_sec: 'timeout',
  http_headers: 'headers',
  workingDirectory: 'cwd',
  transport: 'type',
  transportType: 'type',
  connectionTimeout: 'startTimeout',
  initTimeout: 'startTimeout',
  discoveryTimeoutMs: 'startTimeout',
}

const kept = /^(?:disabled|startTimeout|idleMinutes|builtin|cwd|sandboxEnabled|sandbox)$/
const approvals = /^(?:autoApprove|alwaysAllow|autoApproveTools|alwaysAllowTools|always_allow|auto_approve|trust|trusted|autoAllow)$/
const toolLists =
  /^(?:disabledTools|disabled_tools|enabledTools|enabled_tools|includeTools|excludeTools|available_tools|tools|tool_filters)$/

/** Crush's keys beside `oauth: true`. */
const oauthKeys: Readonly<Record<string, string>> = {
  oauth_client_id: 'clientId',
  oauth_client_secret: 'clientSecret',
  oauth_callback_port: 'callbackPort',
}

/** Transports by their lowercase letters: `streamableHttp`, `streamable_http` and `Streamable` are one. */
const transports: Readonly<Record<string, string>> = {
  local: 'stdio',
  stdio: 'stdio',
  http: 'http',
  sse: 'sse',
  streamable: 'streamable-http',
  streamablehttp: 'streamable-http',
  httpstream: 'streamable-http',
  mcp: 'streamable-http',
}
/** Keys that are dropped without a note: descriptions, and settings of that application's own page. */
const ignoredKeys =
  /^(?:[_$#/].*|name|title|label|description|note|notes|comment|icon|logoUrl|id|version|gallery|source|tags|category|provider|isActive|inputs|alwaysEnabled|installSource|dev|bundled|display_name|available_tools|timestamp|required|disabled_reason|auth_status|server_label|api_key_header|api_key_format|uses|author|repository|homepage|license|publisher|funding|bugs|maintainer|auth_type|spec|spec_type|info)$/

const canonicalName = ({ name }: ConfigNodeEntry): string => (Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name)

/** Tells a server of its own, which the reader of the map reports. */
const isOther = (node: Node): boolean => memberOf(node, 'command') !== undefined || memberOf(node, 'url') !== undefined

const isEmpty = (node: Node): boolean => node.value === false || (node.children?.length ?? 1) === 0

/** Returns the translated entry; undefined when it cannot be used, and `problems` has the reason. */
export function normalizeEntry(node: Node, options: NormalizeEntryOptions): Node | undefined {
  if (node.type !== 'object') return node
  const { server, unit, notes, problems } = options
  const note: Note = (at, { message, remedy }, to = notes) => to.add(at.offset, server, message, remedy)
  const piece = shellPieceOf(node)
  if (piece) {
    note(piece.at, shellProblem(piece.piece), problems)
    return undefined
  }
  const isProgram = flattened(node).some((entry) => canonicalName(entry) === 'command')
  const result: ConfigNodeEntry[] = []
  const headers: ConfigNodeEntry[] = []
  const oauthParts: ConfigNodeEntry[] = []
  const sources = new Map<string, string>()
  /** Adds an entry. Of two names for one key the first counts; the same name twice is refused by `readConfigEntry`. */
  const put = (entry: ConfigNodeEntry, source: string): void => {
    if ((sources.get(entry.name) ?? source) !== source) {
      const first = result.find(({ name }) => name === entry.name)
      if (first && JSON.stringify(getNodeValue(first.value)) !== JSON.stringify(getNodeValue(entry.value))) note(entry.key, leftOut(source))
      return
    }
    sources.set(entry.name, source)
    result.push(entry)
  }

  for (const entry of flattened(node)) {
    const name = canonicalName(entry)
    const { value, key } = entry
    const take = (changed: Node = value): void => put({ name, key, value: changed }, entry.name)
    if (value.type === 'null') continue
    if (approvals.test(name)) {
      if (!isEmpty(value)) note(key, leftOut(entry.name))
    } else if (toolLists.test(name)) {
      const all = itemsOf(value).length === 1 && textValueOf(itemsOf(value)[0]) === '*'
      if (!isEmpty(value) && !all) note(key, leftOut(entry.name))
    } else if (name === 'start') {
      if (value.value === 'launch') note(key, leftOut('start'))
    } else if (name === 'headersHelper' || name === 'envFile' || name === 'env_file') note(key, leftOut(name))
    else if (name === 'bearer_token_env_var') {
      headers.push({ name: 'Authorization', key, value: valueNode(`Bearer \${env:${textValueOf(value) ?? ''}}`, value) })
    } else if (
      (/^(?:apiKey|token|bearer_?[tT]oken|authorization_?[tT]oken)$/.test(name) ||
        (name === 'key' && textValueOf(memberOf(node, 'auth_type')) === 'bearer')) &&
      value.type === 'string'
    ) {
      headers.push({
        name: 'Authorization',
        key,
        value: valueNode(`Bearer ${(textValueOf(value) ?? '').replace(/^Bearer +/i, '')}`, value),
      })
    } else if (name === 'api_key_env') headers.push(apiKeyHeader(node, entry))
    else if (name === 'env_http_headers') headers.push(...fromVariables(value))
    else if (name === 'env_vars') {
      const names = itemsOf(value).flatMap((item) => (item.type === 'string' ? [{ name: String(item.value), key: item, value: item }] : []))
      if (names.length > 0) put({ name: 'env', key, value: objectNode(fromVariables(objectNode(names, value)), value) }, entry.name)
    } else if (name === 'requestOptions' || name === 'requestInit') {
      for (const one of nodeEntries(value))
        if (one.name === 'headers') headers.push(...nodeEntries(textMap(one.value)))
        else note(one.key, leftOut(`${name}.${one.name}`))
    } else if (name === 'enabled') {
      if (value.type === 'boolean') put({ name: 'disabled', key, value: valueNode(value.value !== true, value) }, entry.name)
    } else if (name === 'command') {
      const line = entry.name === 'npxCommand' ? valueNode(`npx ${textValueOf(value) ?? ''}`, value) : value
      for (const one of command({ ...entry, value: line }, note)) put(one, one.name)
    } else if (name === 'args') take(texts(words(value, note)))
    else if (name === 'headers' && value.type !== 'string') headers.push(...nodeEntries(textMap(headerMap(value))))
    else if (name === 'env' && !isProgram && !isEmpty(value)) note(key, leftOut(entry.name))
    else if (name === 'env' || name === 'headers') take(textMap(headerMap(value)))
    else if (name === 'type') {
      const type = textValueOf(value)
      if (isProgram && type !== undefined && !/^(?:local|stdio)$/i.test(type)) note(key, leftOut(entry.name))
      else if (type !== undefined && /^<[^<>]+>$/.test(type)) note(key, isPlaceholder(type))
      else if (type !== 'remote')
        take(type === undefined ? value : valueNode(ownMember(transports, type.toLowerCase().replace(/[-_ ]/g, '')) ?? type, value))
    } else if (name === 'timeout' || (name === 'startTimeout' && entry.name.endsWith('_sec')))
      take(milliseconds(value, entry.name.endsWith('_sec') ? 's' : unit))
    else if (name === 'url') take(withDefault(value, note))
    else if (name === 'oauth') {
      // A boolean says nothing: Assent signs in where the server asks for it.
      if (value.type !== 'boolean') take(oauth(value, note))
    } else if (name === 'auth') {
      const client = oauthClientOf(value)
      if (client) put({ name: 'oauth', key, value: client }, 'oauth')
      else if (!isEmpty(value)) note(key, leftOut(name))
    } else if (oauthKeys[name] !== undefined) oauthParts.push({ ...entry, name: oauthKeys[name] ?? '' })
    else if (kept.test(name)) take()
    else if (!ignoredKeys.test(name) && (!isEmpty(value) || value.value === false) && !isOther(value)) note(key, leftOut(entry.name))
  }
  const [client] = oauthParts
  if (client) put({ name: 'oauth', key: client.key, value: objectNode(oauthParts, node) }, 'oauth')
  const url = result.find(({ name }) => name === 'url')
  if (url && !sources.has('type') && !/streamable/i.test(server) && /\/sse(?:\/|\/[\w-]{8,})?(?:[?#]|$)/.test(textValueOf(url.value) ?? ''))
    put({ ...url, name: 'type', value: valueNode('sse', url.value) }, 'type')
  const [first] = headers
  if (first) put({ name: 'headers', key: first.key, value: objectNode(uniqueOf(headers), node) }, 'headers')
  return objectNode(withLeadingArgs(result), node)
}

/** Reads Vibe's `api_key_env`, with the header and the form that it goes into. */
function apiKeyHeader(node: Node, { key, value }: ConfigNodeEntry): ConfigNodeEntry {
  const form = textValueOf(memberOf(node, 'api_key_format')) ?? 'Bearer {token}'
  const name = textValueOf(memberOf(node, 'api_key_header')) ?? 'Authorization'
  return { name, key, value: valueNode(form.replace('{token}', `\${env:${textValueOf(value) ?? ''}}`), value) }
}

/** Reads `["Name: value"]`, as MCPHost and Netdata write headers, `["NAME=value"]`, and `[{ name, value }]`; one without a value is asked for. */
const headerMap = (node: Node): Node =>
  node.type !== 'array'
    ? node
    : objectNode(
        itemsOf(node).flatMap((item) => {
          const [, name = textValueOf(memberOf(item, 'name')), value = textValueOf(memberOf(item, 'value')) ?? inputReference(name ?? '')] =
            /^([\w-]+)(?:: *|=)([\s\S]*)$/.exec(textValueOf(item) ?? '') ?? []
          return name === undefined ? [] : [{ name, key: item, value: valueNode(value, item) }]
        }),
        node,
      )

/** Keeps the last of several values for one header. */
const uniqueOf = (entries: readonly ConfigNodeEntry[]): ConfigNodeEntry[] => [
  ...new Map(entries.map((entry) => [entry.name, entry])).values(),
]

/** Turns `{ "X-Key": "VARIABLE" }` into references to these variables. */
const fromVariables = (node: Node): ConfigNodeEntry[] =>
  nodeEntries(node).flatMap((entry) => {
    const name = textValueOf(entry.value)
    return name === undefined ? [] : [{ ...entry, value: valueNode(`\${env:${name}}`, entry.value) }]
  })

function shellPieceOf(node: Node): { readonly piece: string; readonly at: Node } | undefined {
  const at = flattened(node).find(({ name }) => name === 'command' || name === 'cmd')?.value
  const whole = wholeLine(textValueOf(at) ?? textValueOf(memberOf(at, 'path')) ?? textValueOf(itemsOf(at)[0]) ?? '')
  return at && whole?.kind === 'shell' ? { piece: whole.piece, at } : undefined
}

function withLeadingArgs(entries: readonly ConfigNodeEntry[]): ConfigNodeEntry[] {
  const lists = entries.filter(({ name, value }) => name === 'args' && value.type === 'array')
  const [first, second] = lists
  if (!first || !second || first.key.offset === second.key.offset) return [...entries]
  const all = { ...second, value: listNode([...itemsOf(first.value), ...itemsOf(second.value)], second.value) }
  return entries.flatMap((entry) => (entry === first ? [] : [entry === second ? all : entry]))
}

/** Lists the entries, with those of `transport: { type, command … }` or `source: { type, url }` in its place. */
const flattened = (node: Node): ConfigNodeEntry[] =>
  nodeEntries(node).flatMap((entry) =>
    /^(?:transport|source)$/.test(entry.name) && entry.value.type === 'object' ? nodeEntries(entry.value) : [entry],
  )

type Note = (at: Node, note: ImportNote, to?: ProblemCollector) => void

/** Reads a command that is a list, an object `{ path, args, env }` as in Zed, or a whole line. */
function command({ key, value }: ConfigNodeEntry, note: Note): ConfigNodeEntry[] {
  if (value.type === 'array') {
    const [program, ...args] = itemsOf(value)
    if (!program) return []
    const own = command({ name: 'command', key, value: program }, note)
    const all = [...own.flatMap((one) => (one.name === 'args' ? itemsOf(one.value) : [])), ...args]
    return [
      ...own.filter(({ name }) => name !== 'args'),
      ...(all.length > 0 ? [{ name: 'args', key, value: texts(listNode(all, value)) }] : []),
    ]
  }
  if (value.type === 'object')
    return nodeEntries(value).flatMap((one): ConfigNodeEntry[] => {
      if (one.value.type === 'null') return []
      if (one.name === 'path') return one.value.type === 'string' ? command({ ...one, name: 'command' }, note) : []
      if (one.name === 'args') return [{ ...one, value: texts(one.value) }]
      if (one.name === 'env') return [{ ...one, value: textMap(one.value) }]
      if (one.name === 'cwd') return [one]
      note(one.key, leftOut(one.name))
      return []
    })
  const whole = wholeLine(textValueOf(value) ?? '')
  if (whole?.kind === 'words') {
    const { program, args } = whole
    note(value, readAs(textValueOf(value) ?? '', `${program} …`))
    return [
      { name: 'command', key, value: valueNode(program, value) },
      { name: 'args', key, value: textList(args, value) },
    ]
  }
  return [{ name: 'command', key, value }]
}

/** Puts in the default of a variable in an address, as in `${BASE:-https://x.example}/mcp`. */
function withDefault(node: Node, note: Note): Node {
  const written = textValueOf(node)
  const text = written === undefined ? undefined : withExampleHost(written)
  if (text !== written && text !== undefined) return withDefault(valueNode(text, node), note)
  const filled = text?.replace(/\$\{[A-Za-z_]\w*:-([^{}]*)\}/g, '$1')
  if (filled === undefined || filled === text) return node
  note(node, readAs(text ?? '', filled))
  return valueNode(filled, node)
}

const asText = (node: Node): Node => (node.type === 'number' || node.type === 'boolean' ? valueNode(String(node.value), node) : node)

/** Splits arguments that are one text, as Raycast takes them. */
function words(node: Node, note: Note): Node {
  const text = textValueOf(node)
  if (text === undefined) return node
  if (text !== '') note(node, readAs(text, `${splitCommandLine(text)[0] ?? ''} …`))
  return textList(splitCommandLine(text), node)
}

const texts = (node: Node): Node => (node.type === 'array' ? listNode(itemsOf(node).map(asText), node) : node)

const textMap = (node: Node): Node =>
  node.type === 'object'
    ? objectNode(
        nodeEntries(node).flatMap((entry) => (entry.value.type === 'null' ? [] : [{ ...entry, value: asText(entry.value) }])),
        node,
      )
    : node

function milliseconds(node: Node, unit: TimeUnit): Node {
  if (node.type !== 'number') return node
  const value = Number(node.value)
  return valueNode(unit === 's' || (unit === 'guess' && value < 1000) ? Math.round(value * 1000) : value, node)
}

function oauth(node: Node, note: Note): Node {
  if (node.type !== 'object') return node
  return objectNode(
    nodeEntries(node).map((entry) => {
      const scopes = entry.name === 'scopes' || entry.name === 'scope' ? textValueOf(entry.value) : undefined
      if (/^(?:authServerMetadataUrl|authorization_?url|token_?url|redirect_?uri|registration_?url|audiences?)$/i.test(entry.name))
        note(entry.key, leftOut(entry.name))
      return scopes === undefined ? entry : { ...entry, name: 'scopes', value: textList(scopes.split(/\s+/).filter(Boolean), entry.value) }
    }),
    node,
  )
}

const textList = (words: readonly string[], at: Node): Node =>
  listNode(
    words.map((word) => valueNode(word, at)),
    at,
  )

/** Reads Cursor's `auth: { CLIENT_ID, CLIENT_SECRET, scopes }`. */
function oauthClientOf(node: Node): Node | undefined {
  const names: Readonly<Record<string, string>> = { CLIENT_ID: 'clientId', CLIENT_SECRET: 'clientSecret', scopes: 'scopes' }
  const entries = nodeEntries(node).flatMap((entry) => (names[entry.name] ? [{ ...entry, name: names[entry.name] ?? '' }] : []))
  return entries.some(({ name }) => name === 'clientId') ? objectNode(entries, node) : undefined
}
