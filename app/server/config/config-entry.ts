// Reads one entry of `mcpServers`. Each fault is reported with its position. An entry with a faulty field is not used at all: half
// of it may be a different program. Unknown keys of `oauth` belong to other programs.

import { t } from '#app/i18n/translate.ts'
import { ownMember } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { type OAuthSettings, oauthGrant, oauthSettings } from '../auth-status.ts'
import type { ServerDefinition } from '../definition.ts'
import { parseHostPattern } from '../sandbox/host-pattern.ts'
import { isHostList, type SandboxGroup, sandboxLists, settingsOf } from '../sandbox/sandbox-keys.ts'
import type { SandboxGrants, SandboxSettings } from '../sandbox/sandbox-settings.ts'
import { kindOf, type Node, type ProblemCollector, type Property, propertiesOf, type Wrong } from './json-tree.ts'

type Name = keyof OAuthSettings

const isName = (name: string): name is Name => Object.hasOwn(oauthSettings.shape, name)
const addresses: ReadonlySet<Name> = new Set(['clientMetadataUrl', 'issuer', 'idpIssuer', 'idpTokenEndpoint'])
const isReference = (value: string): boolean => value.includes('${env:')

function readOAuth(node: Node, wrong: Wrong): OAuthSettings | undefined {
  const found: Partial<Record<Name, unknown>> = {}
  for (const { name, key, value } of propertiesOf(node)) {
    if (!isName(name) || !value) continue
    if (Object.hasOwn(found, name)) wrong(key, t`“${name}” is there twice in “oauth”.`, t`Keep one of the two.`)
    found[name] = plainOf(value)
    const fault = faultOf(name, value)
    if (fault) wrong(value, t`“${name}” in “oauth” ${fault.is}.`, fault.remedy)
  }
  const read = oauthSettings.safeParse(found)
  return read.success && Object.keys(read.data).length > 0 ? read.data : undefined
}

const plainOf = (node: Node): unknown => (node.type === 'array' ? (node.children ?? []).map((item) => item.value) : node.value)

function faultOf(name: Name, node: Node): { readonly is: string; readonly remedy: string } | undefined {
  const value: unknown = plainOf(node)
  if (!oauthSettings.shape[name].safeParse(value).success)
    return { is: t`is ${saying(name, node)}`, remedy: remedies()[name] ?? t`Write a text in double quotes.` }
  // Only a PEM key has line breaks.
  if (typeof value === 'string' && (value.includes('\0') || (name !== 'privateKey' && /[\r\n]/.test(value))))
    return { is: t`has a line break or a NUL in it`, remedy: t`Write it on one line.` }
  if (addresses.has(name) && typeof value === 'string' && !isReference(value) && !isWebAddress(value))
    return { is: t`is not an http or https address`, remedy: t`Write the whole address, beginning with https://.` }
  return undefined
}

function saying(name: Name, node: Node): string {
  if (node.value === '') return t`empty`
  const plain = (name === 'grant' || name === 'callbackPort') && (node.type === 'string' || node.type === 'number')
  return plain ? `“${String(node.value)}”` : kindOf(node)
}
const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const remedies = (): Partial<Record<Name, string>> => ({
  grant: t`Write ${oauthGrant.options.map((grant) => `"${grant}"`).join(', ')}, or remove the line.`,
  scopes: t`Write a list of texts, or remove the line.`,
  callbackPort: t`Write a port, from 1 to 65535.`,
  dpop: t`Write true or false.`,
})

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
  if (node.type !== 'object')
    return wrong(node, t`“${server}” is ${kindOf(node)}, not an object.`, t`Write { "command": … } or { "url": … } here.`)

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
    if (fields.has(property.name)) wrong(property.key, t`“${property.name}” is there twice.`, t`Keep one of the two.`)
    fields.set(property.name, property)
  }
  const expect = (name: string, type: Node['type'], wanted: string): Node | undefined => {
    const value = fields.get(name)?.value
    if (!value || value.type === type) return value
    return wrong(value, t`“${name}” is ${kindOf(value)}.`, t`Write ${wanted} here.`)
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
      const value = expect(name, 'string', t`a text in double quotes`)
      if (value?.value === '') return wrong(value, t`“${name}” is empty.`, t`Write a value, or remove the line.`)
      if (value && /[\0\r\n]/.test(String(value.value)))
        return wrong(value, t`“${name}” has a line break or a NUL in it.`, t`Write it on one line.`)
      return value?.value as string | undefined
    },
    flag: (name: string, fallback: boolean): boolean =>
      (expect(name, 'boolean', t`true or false`)?.value as boolean | undefined) ?? fallback,
    texts: (name: string): string[] =>
      (expect(name, 'array', t`a list of texts`)?.children ?? []).map((item, index) => {
        if (item.type !== 'string') wrong(item, t`Item ${index + 1} of “${name}” is ${kindOf(item)}.`, t`Put it in double quotes.`)
        else if (String(item.value).includes('\0')) wrong(item, t`Item ${index + 1} of “${name}” has a NUL in it.`, t`Remove it.`)
        return String(item.value)
      }),
    record(name: string): Record<string, string> {
      const result: Record<string, string> = {}
      for (const { name: key, value } of propertiesOf(expect(name, 'object', t`an object of texts`))) {
        if (!value) continue
        if (value.type !== 'string') wrong(value, t`“${key}” in “${name}” is ${kindOf(value)}.`, t`Put its value in double quotes.`)
        else if (String(value.value).includes('\0')) wrong(value, t`“${key}” in “${name}” has a NUL in it.`, t`Remove it.`)
        Object.defineProperty(result, key, { value: String(value.value), enumerable: true, configurable: true, writable: true })
      }
      return result
    },
    milliseconds(name: string): number | undefined {
      const value = expect(name, 'number', t`a number of milliseconds`)
      if (value && !(Number.isInteger(value.value) && value.value > 0 && value.value <= 86_400_000))
        wrong(value, t`“${name}” is ${value.value}.`, t`Write whole milliseconds, from 1 to 86400000 (a day).`)
      return value && Number(value.value)
    },
  }
}

function readCommon(entry: EntryReader, builtin: string | undefined) {
  const start = entry.text('start')
  if (start !== undefined && start !== 'launch' && start !== 'needed')
    entry.wrong(entry.valueOf('start'), t`“start” is “${start}”.`, t`Write "launch" or "needed".`)
  const timeoutMs = entry.milliseconds('timeout')
  const startTimeoutMs = entry.milliseconds('startTimeout')
  const idle = entry.expect('idleMinutes', 'number', t`a number of minutes`)
  if (idle && !(Number(idle.value) > 0 && Number(idle.value) <= 10_080)) {
    const remedy = t`Write minutes, up to 10080 (a week), or remove the line: it is then never stopped.`
    entry.wrong(idle, t`“idleMinutes” is ${idle.value}.`, remedy)
  }
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
  if (typeText !== undefined && !type)
    wrong(entry.valueOf('type'), t`“type” is “${typeText}”, which is no transport.`, t`Write "stdio", "http" or "sse", or remove the line.`)
  if (builtin !== undefined) {
    if (builtin === 'demo') return { ...common, transport: 'builtin', module: 'demo' }
    return wrong(entry.valueOf('builtin'), t`There is no built-in server “${builtin}”.`, t`Write "demo", or remove the entry.`)
  }
  if (entry.has('command') && entry.has('url')) {
    const remedy = t`Keep “command” for a local server, “url” for a remote one.`
    return wrong(entry.keyOf('url') ?? node, t`“${server}” has both “command” and “url”.`, remedy)
  }
  if (command !== undefined) {
    const remedy = t`Remove “type”, or write "url" instead of “command”.`
    if (type !== undefined && type !== 'stdio')
      return wrong(entry.valueOf('type'), t`“type” says “${typeText}”, but there is a “command”.`, remedy)
    const cwd = entry.text('cwd')
    const sandbox = readSandbox(entry)
    return { ...common, transport: 'stdio', command, args: entry.texts('args'), env: entry.record('env'), ...defined({ cwd, sandbox }) }
  }
  if (url !== undefined) {
    if (type === 'stdio')
      return wrong(entry.valueOf('type'), t`“type” says “stdio”, but there is a “url”.`, t`Remove “type”, or write "http".`)
    return readRemote(entry, url, type ?? 'streamable-http', common)
  }
  if (entry.has('command') || entry.has('url')) return undefined
  return wrong(node, t`“${server}” has neither “command” nor “url”.`, t`Add "command" for a local server, or "url" for a remote one.`)
}

/** Reads VS Code's keys for a sandbox. Unknown keys in `sandbox` are no grants. */
function readSandbox(entry: EntryReader): SandboxSettings | undefined {
  const { wrong } = entry
  const enabled = entry.expect('sandboxEnabled', 'boolean', t`true or false`)?.value as boolean | undefined
  const lists: Partial<Record<keyof SandboxGrants, string[]>> = {}
  for (const { name: group, value: node } of propertiesOf(entry.expect('sandbox', 'object', t`an object`))) {
    if (!node || !Object.hasOwn(sandboxLists, group)) continue
    if (node.type !== 'object') wrong(node, t`“${group}” in “sandbox” is ${kindOf(node)}.`, t`Write an object here.`)
    const known: Readonly<Record<string, keyof SandboxGrants>> = sandboxLists[group as SandboxGroup]
    for (const { name, value } of propertiesOf(node)) {
      const list = Object.hasOwn(known, name) ? known[name] : undefined
      if (list === undefined || !value) continue
      if (value.type !== 'array') wrong(value, t`“${name}” in “sandbox” is ${kindOf(value)}.`, t`Write a list of texts here.`)
      lists[list] = (value.children ?? []).map((item) => readGrant(item, name, isHostList(list), wrong))
    }
  }
  return settingsOf(enabled, lists)
}

function readGrant(item: Node, name: string, isHost: boolean, wrong: Wrong): string {
  const text = String(item.value)
  if (item.type !== 'string' || text === '' || /[\0\r\n]/.test(text))
    wrong(item, t`“${name}” in “sandbox” holds something else than texts.`, t`Write each one in double quotes, on one line.`)
  else if (isHost && !parseHostPattern(text))
    wrong(item, t`“${text}” in “${name}” is no host.`, t`Write a host such as api.example.com, *.example.com or localhost:8080.`)
  return text
}

function readRemote(entry: EntryReader, url: string, transport: 'streamable-http' | 'sse', common: Common): ServerDefinition | undefined {
  if (!isWebAddress(url)) {
    const message = t`“${url}” is not an http or https address.`
    return entry.wrong(entry.valueOf('url'), message, t`Write the whole address, beginning with https://.`)
  }
  const settings = entry.expect('oauth', 'object', t`an object of settings for signing in`)
  const oauth = settings && readOAuth(settings, entry.wrong)
  return { ...common, transport, url, headers: entry.record('headers'), ...defined({ oauth }) }
}
