// One entry of `mcpServers` to a definition. Whatever is wrong is named with its place; an entry with a wrong field is
// not used at all: half of what someone wrote may be a different program.
import { t } from '../../words/translate.ts'
import type { ServerDefinition } from '../definition.ts'
import { kindOf, type Node, type Property, propertiesOf } from './json-tree.ts'
import { readOAuth } from './oauth.ts'
import type { Problems } from './text-position.ts'

const transports: Readonly<Record<string, 'stdio' | 'streamable-http' | 'sse'>> = {
  stdio: 'stdio',
  http: 'streamable-http',
  'streamable-http': 'streamable-http',
  streamableHttp: 'streamable-http',
  sse: 'sse',
}

/** Undefined when it cannot be used; `problems` then says why. */
export function readEntry(server: string, node: Node, problems: Problems): ServerDefinition | undefined {
  const before = problems.found.length
  const wrong = (at: Node, message: string, remedy: string): undefined => problems.add(at.offset, server, message, remedy) as undefined
  if (node.type !== 'object')
    return wrong(node, t`“${server}” is ${kindOf(node)}, not an object.`, t`Write { "command": … } or { "url": … } here.`)

  const fields = new Map<string, Property>()
  for (const property of propertiesOf(node)) {
    if (fields.has(property.name)) wrong(property.key, t`“${property.name}” is there twice.`, t`Keep one of the two.`)
    fields.set(property.name, property)
  }
  const fieldValue = (name: string): Node | undefined => fields.get(name)?.value
  const expect = (name: string, type: Node['type'], wanted: string): Node | undefined => {
    const value = fieldValue(name)
    if (!value || value.type === type) return value
    return wrong(value, t`“${name}” is ${kindOf(value)}.`, t`Write ${wanted} here.`)
  }
  const text = (name: string): string | undefined => {
    const value = expect(name, 'string', t`a text in double quotes`)
    if (value?.value === '') return wrong(value, t`“${name}” is empty.`, t`Write a value, or remove the line.`)
    if (value && /[\0\r\n]/.test(String(value.value)))
      return wrong(value, t`“${name}” has a line break or a NUL in it.`, t`Write it on one line.`)
    return value?.value as string | undefined
  }
  const flag = (name: string, fallback: boolean): boolean =>
    (expect(name, 'boolean', t`true or false`)?.value as boolean | undefined) ?? fallback
  const texts = (name: string): string[] =>
    (expect(name, 'array', t`a list of texts`)?.children ?? []).map((item, index) => {
      if (item.type !== 'string') wrong(item, t`Item ${index + 1} of “${name}” is ${kindOf(item)}.`, t`Put it in double quotes.`)
      else if (String(item.value).includes('\0')) wrong(item, t`Item ${index + 1} of “${name}” has a NUL in it.`, t`Remove it.`)
      return String(item.value)
    })
  const record = (name: string): Record<string, string> => {
    const result: Record<string, string> = {}
    for (const { name: key, value } of propertiesOf(expect(name, 'object', t`an object of texts`))) {
      if (!value) continue
      if (value.type !== 'string') wrong(value, t`“${key}” in “${name}” is ${kindOf(value)}.`, t`Put its value in double quotes.`)
      else if (String(value.value).includes('\0')) wrong(value, t`“${key}” in “${name}” has a NUL in it.`, t`Remove it.`)
      Object.defineProperty(result, key, { value: String(value.value), enumerable: true, configurable: true, writable: true })
    }
    return result
  }

  const builtin = text('builtin')
  const startText = text('start')
  if (startText !== undefined && startText !== 'launch' && startText !== 'needed')
    wrong(fieldValue('start') as Node, t`“start” is “${startText}”.`, t`Write "launch" or "needed".`)
  const milliseconds = (name: string): number | undefined => {
    const value = expect(name, 'number', t`a number of milliseconds`)
    if (value && !(Number.isInteger(value.value) && value.value > 0 && value.value <= 86_400_000))
      wrong(value, t`“${name}” is ${value.value}.`, t`Write whole milliseconds, from 1 to 86400000 (a day).`)
    return value && Number(value.value)
  }
  const timeoutMs = milliseconds('timeout')
  const startTimeoutMs = milliseconds('startTimeout')
  const idle = expect('idleMinutes', 'number', t`a number of minutes`)
  if (idle && !(Number(idle.value) > 0 && Number(idle.value) <= 10_080))
    wrong(idle, t`“idleMinutes” is ${idle.value}.`, t`Write minutes, up to 10080 (a week), or remove the line: it is then never stopped.`)
  const common = {
    enabled: !flag('disabled', false),
    start: startText === 'launch' || (startText === undefined && builtin !== undefined) ? ('launch' as const) : ('needed' as const),
    trusted: flag('trusted', builtin !== undefined),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(startTimeoutMs === undefined ? {} : { startTimeoutMs }),
    ...(idle ? { idleMinutes: Number(idle.value) } : {}),
  }

  const command = text('command')
  const url = text('url')
  const typeText = text('type')
  const type = typeText === undefined ? undefined : transports[typeText]
  if (typeText !== undefined && !type)
    wrong(
      fieldValue('type') as Node,
      t`“type” is “${typeText}”, which is no transport.`,
      t`Write "stdio", "http" or "sse", or remove the line.`,
    )

  const definition = (): ServerDefinition | undefined => {
    if (builtin !== undefined) {
      if (builtin === 'demo') return { ...common, transport: 'builtin', module: 'demo' }
      return wrong(fieldValue('builtin') as Node, t`There is no built-in server “${builtin}”.`, t`Write "demo", or remove the entry.`)
    }
    if (fields.has('command') && fields.has('url'))
      return wrong(
        fields.get('url')?.key ?? node,
        t`“${server}” has both “command” and “url”.`,
        t`Keep “command” for a local server, “url” for a remote one.`,
      )
    if (command !== undefined) {
      if (type !== undefined && type !== 'stdio')
        return wrong(
          fieldValue('type') as Node,
          t`“type” says “${typeText}”, but there is a “command”.`,
          t`Remove “type”, or write "url" instead of “command”.`,
        )
      const cwd = text('cwd')
      return { ...common, transport: 'stdio', command, args: texts('args'), env: record('env'), ...(cwd === undefined ? {} : { cwd }) }
    }
    if (url !== undefined) {
      if (type === 'stdio')
        return wrong(fieldValue('type') as Node, t`“type” says “stdio”, but there is a “url”.`, t`Remove “type”, or write "http".`)
      const scheme = URL.canParse(url) ? new URL(url).protocol : undefined
      if (scheme !== 'http:' && scheme !== 'https:')
        return wrong(
          fieldValue('url') as Node,
          t`“${url}” is not an http or https address.`,
          t`Write the whole address, beginning with https://.`,
        )
      const settings = expect('oauth', 'object', t`an object of settings for signing in`)
      const oauth = settings && readOAuth(settings, wrong)
      return {
        ...common,
        transport: type ?? 'streamable-http',
        url,
        headers: record('headers'),
        ...(oauth ? { oauth } : {}),
      }
    }
    if (fields.has('command') || fields.has('url')) return undefined
    return wrong(node, t`“${server}” has neither “command” nor “url”.`, t`Add "command" for a local server, or "url" for a remote one.`)
  }
  const read = definition()
  return problems.found.length === before ? read : undefined
}
