// Reads one entry of `mcpServers`. Each fault is reported with its position. An entry with a faulty field is not used at all: half
// of it may be a different program. Unknown keys of `oauth` belong to other programs.

import { t } from '#app/i18n/translate.ts'
import { ownMember } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { type OAuthSettings, oauthGrant, oauthSettings } from '../auth-status.ts'
import { longestCommand, type ServerDefinition } from '../definition.ts'
import { parseHostPattern } from '../sandbox/host-pattern.ts'
import { isHostList, type SandboxGroup, sandboxLists, settingsOf } from '../sandbox/sandbox-keys.ts'
import type { SandboxGrants, SandboxSettings } from '../sandbox/sandbox-settings.ts'
import { type Node, type ProblemCollector, type Property, propertiesOf, valueLabel, type Wrong } from './json-tree.ts'

type Name = keyof OAuthSettings

const isName = (name: string): name is Name => Object.hasOwn(oauthSettings.shape, name)
const addresses: ReadonlySet<Name> = new Set(['clientMetadataUrl', 'issuer', 'idpIssuer', 'idpTokenEndpoint'])
const isReference = (value: string): boolean => value.includes('${env:')

function readOAuth(node: Node, wrong: Wrong): OAuthSettings | undefined {
  const found: Partial<Record<Name, unknown>> = {}
  for (const { name, key, value } of propertiesOf(node)) {
    if (!isName(name) || !value) continue
    if (Object.hasOwn(found, name)) wrong(key, t`“${name}” appears twice.`, t`Keep one of the two.`)
    found[name] = plainOf(value)
    checkSetting(name, value, wrong)
  }
  const read = oauthSettings.safeParse(found)
  return read.success && Object.keys(read.data).length > 0 ? read.data : undefined
}

const milliseconds = '1–86400000 (ms)'
const idleMinutes = '1–10080 (minutes)'
const serverSyntax = '{ "command": … } | { "url": … }'

const plainOf = (node: Node): unknown => (node.type === 'array' ? (node.children ?? []).map((item) => item.value) : node.value)

function checkSetting(name: Name, node: Node, wrong: Wrong): void {
  const value: unknown = plainOf(node)
  const field = `oauth.${name}`
  if (!oauthSettings.shape[name].safeParse(value).success) wrongValue(wrong, node, field, syntaxes[name] ?? aText)
  // Only a PEM key has line breaks.
  else if (typeof value === 'string' && (value.includes('\0') || (name !== 'privateKey' && /[\r\n]/.test(value))))
    brokenText(wrong, node, field)
  else if (addresses.has(name) && typeof value === 'string' && !isReference(value) && !isWebAddress(value))
    wrongValue(wrong, node, field, 'https://…')
}

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

// What may stand in the file, as it is typed there.
const aText = '"…"'
const aList = '["…"]'
const aBoolean = 'true | false'
const anObject = '{ "…": "…" }'
const syntaxes: Partial<Record<Name, string>> = {
  grant: oauthGrant.options.map((grant) => `"${grant}"`).join(' | '),
  scopes: aList,
  callbackHost: '"127.0.0.1" | "localhost"',
  callbackPort: '1–65535',
  dpop: aBoolean,
}

export const writeRemedy = (syntax: string): string => t`Write ${syntax}, or remove the line.`
export const isLabel = (field: string, value: string): string => t`“${field}” is ${value}.`
/** Reports a value of the wrong type, or one that is not allowed. `syntax`: what may stand there. */
const wrongValue = (wrong: Wrong, node: Node, field: string, syntax: string): undefined =>
  wrong(node, isLabel(field, valueLabel(node)), writeRemedy(syntax))
const brokenText = (wrong: Wrong, node: Node, field: string): undefined =>
  wrong(node, t`“${field}” has a line break or a NUL in it.`, t`Write it on one line.`)

const transports: Readonly<Record<string, 'stdio' | 'streamable-http' | 'sse'>> = {
  stdio: 'stdio',
  http: 'streamable-http',
  'streamable-http': 'streamable-http',
  streamableHttp: 'streamable-http',
  sse: 'sse',
}

/** Reads an entry; undefined when it cannot be used, with the reasons in `problems`. */
export function readConfigEntry(server: string, node: Node, problems: ProblemCollector): ServerDefinition | undefined {
  const before = problems.found.length
  const wrong: Wrong = (at, message, remedy) => problems.add(at.offset, server, message, remedy) as undefined
  if (node.type !== 'object') return wrongValue(wrong, node, server, serverSyntax)

  const entry = createEntryReader(server, node, wrong)
  const builtin = entry.text('builtin')
  const read = readTransport(entry, builtin, readCommon(entry, builtin))
  return problems.found.length === before ? read : undefined
}

type EntryReader = ReturnType<typeof createEntryReader>
type Common = ReturnType<typeof readCommon>

function createEntryReader(server: string, node: Node, wrong: Wrong) {
  const fields = new Map<string, Property>()
  for (const property of propertiesOf(node)) {
    if (fields.has(property.name)) wrong(property.key, t`“${property.name}” appears twice.`, t`Keep one of the two.`)
    fields.set(property.name, property)
  }
  const expect = (name: string, type: Node['type'], syntax: string): Node | undefined => {
    const value = fields.get(name)?.value
    if (!value || value.type === type) return value
    return wrongValue(wrong, value, name, syntax)
  }
  return {
    server,
    node,
    wrong,
    has: (name: string): boolean => fields.has(name),
    keyOf: (name: string): Node | undefined => fields.get(name)?.key,
    valueOf: (name: string): Node => fields.get(name)?.value as Node,
    expect,
    text(name: string): string | undefined {
      const value = expect(name, 'string', aText)
      if (value?.value === '') return wrongValue(wrong, value, name, aText)
      if (value && /[\0\r\n]/.test(String(value.value))) return brokenText(wrong, value, name)
      return value?.value as string | undefined
    },
    flag: (name: string, fallback: boolean): boolean => (expect(name, 'boolean', aBoolean)?.value as boolean | undefined) ?? fallback,
    texts: (name: string): string[] =>
      (expect(name, 'array', aList)?.children ?? []).map((item, index) => {
        if (item.type !== 'string') wrongValue(wrong, item, `${name}[${index}]`, aText)
        else if (String(item.value).includes('\0')) brokenText(wrong, item, `${name}[${index}]`)
        return String(item.value)
      }),
    record(name: string): Record<string, string> {
      const result: Record<string, string> = {}
      for (const { name: key, value } of propertiesOf(expect(name, 'object', anObject))) {
        if (!value) continue
        if (value.type !== 'string') wrongValue(wrong, value, `${name}.${key}`, aText)
        else if (String(value.value).includes('\0')) brokenText(wrong, value, `${name}.${key}`)
        Object.defineProperty(result, key, { value: String(value.value), enumerable: true, configurable: true, writable: true })
      }
      return result
    },
    milliseconds(name: string): number | undefined {
      const value = expect(name, 'number', milliseconds)
      if (value && !(Number.isInteger(value.value) && value.value > 0 && value.value <= 86_400_000))
        wrongValue(wrong, value, name, milliseconds)
      return value && Number(value.value)
    },
  }
}

function readCommon(entry: EntryReader, builtin: string | undefined) {
  const start = entry.text('start')
  if (start !== undefined && start !== 'launch' && start !== 'needed')
    wrongValue(entry.wrong, entry.valueOf('start'), 'start', '"launch" | "needed"')
  const timeoutMs = entry.milliseconds('timeout')
  const startTimeoutMs = entry.milliseconds('startTimeout')
  const idle = entry.expect('idleMinutes', 'number', idleMinutes)
  if (idle && !(Number(idle.value) > 0 && Number(idle.value) <= 10_080)) wrongValue(entry.wrong, idle, 'idleMinutes', idleMinutes)
  return {
    enabled: !entry.flag('disabled', false),
    start: start === 'launch' || (start === undefined && builtin !== undefined) ? ('launch' as const) : ('needed' as const),
    trusted: entry.flag('trusted', builtin !== undefined),
    ...defined({ timeoutMs, startTimeoutMs, idleMinutes: idle && Number(idle.value) }),
  }
}

function readTransport(entry: EntryReader, builtin: string | undefined, common: Common): ServerDefinition | undefined {
  const { server, node, wrong } = entry
  const command = entry.text('command')
  const url = entry.text('url')
  const typeText = entry.text('type')
  const type = typeText === undefined ? undefined : ownMember(transports, typeText)
  if (typeText !== undefined && !type) wrongValue(wrong, entry.valueOf('type'), 'type', '"stdio" | "http" | "sse"')
  if (builtin !== undefined) {
    if (builtin === 'demo') return { ...common, transport: 'builtin', module: 'demo' }
    return wrongValue(wrong, entry.valueOf('builtin'), 'builtin', '"demo"')
  }
  if (entry.has('command') && entry.has('url'))
    return wrong(entry.keyOf('url') ?? node, t`“${server}” has both “command” and “url”.`, t`Keep one of the two.`)
  if (command !== undefined) {
    if (type !== undefined && type !== 'stdio') return wrongValue(wrong, entry.valueOf('type'), 'type', '"stdio"')
    const [args, env, cwd, sandbox] = [entry.texts('args'), entry.record('env'), entry.text('cwd'), readSandbox(entry)]
    if ([command, ...args, ...Object.values(env)].join('').length > longestCommand)
      return wrong(
        node,
        t`The command line of ${server} is longer than ${longestCommand} characters.`,
        t`Put the text into a file, and its path into the argument.`,
      )
    return { ...common, transport: 'stdio', command, args, env, ...defined({ cwd, sandbox }) }
  }
  if (url !== undefined) {
    if (type === 'stdio') return wrongValue(wrong, entry.valueOf('type'), 'type', '"http"')
    return readRemote(entry, url, type ?? 'streamable-http', common)
  }
  if (entry.has('command') || entry.has('url')) return undefined
  return wrong(node, t`“${server}” has neither “command” nor “url”.`, writeRemedy(serverSyntax))
}

/** Reads VS Code's keys for a sandbox. Unknown keys in `sandbox` are no grants. */
function readSandbox(entry: EntryReader): SandboxSettings | undefined {
  const { wrong } = entry
  const enabled = entry.expect('sandboxEnabled', 'boolean', aBoolean)?.value as boolean | undefined
  const lists: Partial<Record<keyof SandboxGrants, string[]>> = {}
  for (const { name: group, value: node } of propertiesOf(entry.expect('sandbox', 'object', anObject))) {
    if (!node || !Object.hasOwn(sandboxLists, group)) continue
    if (node.type !== 'object') wrongValue(wrong, node, `sandbox.${group}`, anObject)
    const known: Readonly<Record<string, keyof SandboxGrants>> = sandboxLists[group as SandboxGroup]
    for (const { name, value } of propertiesOf(node)) {
      const list = Object.hasOwn(known, name) ? known[name] : undefined
      if (list === undefined || !value) continue
      if (value.type !== 'array') wrongValue(wrong, value, `sandbox.${group}.${name}`, aList)
      lists[list] = (value.children ?? []).map((item) => readGrant(item, name, isHostList(list), wrong))
    }
  }
  return settingsOf(enabled, lists)
}

function readGrant(item: Node, name: string, isHost: boolean, wrong: Wrong): string {
  const text = String(item.value)
  if (item.type !== 'string' || text === '') wrongValue(wrong, item, `sandbox.${name}`, aText)
  else if (/[\0\r\n]/.test(text)) brokenText(wrong, item, `sandbox.${name}`)
  else if (isHost && !parseHostPattern(text)) wrongValue(wrong, item, `sandbox.${name}`, 'example.com | *.example.com | localhost:8080')
  return text
}

function readRemote(entry: EntryReader, url: string, transport: 'streamable-http' | 'sse', common: Common): ServerDefinition | undefined {
  if (!isWebAddress(url)) return wrongValue(entry.wrong, entry.valueOf('url'), 'url', 'https://…')
  const settings = entry.expect('oauth', 'object', anObject)
  const oauth = settings && readOAuth(settings, entry.wrong)
  return { ...common, transport, url, headers: entry.record('headers'), ...defined({ oauth }) }
}
