// The command line as data: commands with their options, and a parser without side effects.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { formatList } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { defined, parseJson } from '#app/or-else.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { type NewEndpoint, readEndpoint } from './model-options.ts'
import { excludesLabel, extraArgumentLabel, inARow, missingLabel, needsOptionLabel, suggestionLabel, wrongValueLabel } from './output.ts'

const jsonExample = '{"name": "value"}'

const allOptions = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  config: { type: 'string' },
  'data-dir': { type: 'string' },
  approve: { type: 'string' },
  elicit: { type: 'string' },
  roots: { type: 'string' },
  sandbox: { type: 'string' },
  model: { type: 'string' },
  prompt: { type: 'string', short: 'p' },
  port: { type: 'string' },
  'no-open': { type: 'boolean' },
  verify: { type: 'boolean' },
  status: { type: 'boolean' },
  expect: { type: 'string' },
  server: { type: 'string' },
  agent: { type: 'string' },
  since: { type: 'string' },
  all: { type: 'boolean' },
  format: { type: 'string' },
  out: { type: 'string' },
  from: { type: 'string' },
  'dry-run': { type: 'boolean' },
  timeout: { type: 'string' },
  conversation: { type: 'string' },
  assistant: { type: 'string' },
  preset: { type: 'string' },
  url: { type: 'string' },
  'key-env': { type: 'string' },
  header: { type: 'string', multiple: true },
  query: { type: 'string', multiple: true },
  set: { type: 'string', multiple: true },
  unchecked: { type: 'boolean' },
  verbose: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig
type OptionName = keyof typeof allOptions
type ReadOption = (option: OptionName) => string | undefined

interface Shape {
  readonly positionals: readonly string[]
  readonly optional?: number
  readonly options: readonly OptionName[]
}

const common: readonly OptionName[] = ['help', 'data-dir', 'verbose']
const withServers: readonly OptionName[] = [...common, 'config', 'json', 'approve', 'elicit', 'roots', 'sandbox']

export const commands = {
  serve: { positionals: [], options: [...common, 'config', 'roots', 'sandbox', 'port', 'no-open'] },
  servers: { positionals: [], options: withServers },
  tools: { positionals: ['SERVER'], optional: 1, options: withServers },
  call: { positionals: ['SERVER', 'TOOL', 'JSON'], optional: 2, options: [...withServers, 'model', 'from', 'timeout'] },
  read: { positionals: ['SERVER', 'URI'], options: withServers },
  prompt: { positionals: ['SERVER', 'NAME', 'JSON'], optional: 1, options: withServers },
  chat: { positionals: [], options: [...withServers, 'model', 'prompt', 'conversation', 'assistant'] },
  model: {
    positionals: ['add|list|remove', 'NAME'],
    optional: 1,
    options: [...common, 'json', 'format', 'preset', 'url', 'key-env', 'header', 'query', 'set', 'unchecked'],
  },
  doctor: { positionals: ['SERVER'], optional: 1, options: withServers },
  secret: { positionals: ['set|list|remove', 'SERVER', 'ID'], optional: 2, options: [...common, 'config', 'json'] },
  mcp: { positionals: [], options: [...common, 'json', 'status'] },
  audit: { positionals: [], options: [...common, 'json', 'verify', 'expect', 'server', 'agent', 'since'] },
  export: { positionals: ['CONVERSATION'], optional: 1, options: [...common, 'all', 'format', 'out'] },
  import: { positionals: ['FILE'], optional: 1, options: [...common, 'json', 'from', 'server', 'approve', 'dry-run'] },
} as const satisfies Record<string, Shape>
export type CommandName = keyof typeof commands

export type Approve = 'all' | 'none' | 'ask'

export interface Options {
  readonly json: boolean
  readonly verbose: boolean
  readonly config?: string
  readonly dataDir?: string
  readonly approve?: Approve
  readonly elicit?: JsonObject
  /** Folders offered as roots, as typed. */
  readonly roots?: readonly string[]
  /** Sandbox of all local servers of this command; default: as their entries say. */
  readonly sandbox?: 'on' | 'off'
  readonly model?: string
  /** Id or title of the chat to go on in. */
  readonly conversation?: string
  /** Id or name of the assistant of a new chat. */
  readonly assistant?: string
  /** Endpoint of `model add`. */
  readonly endpoint?: NewEndpoint
  readonly prompt?: string
  readonly port: number
  readonly open: boolean
  /** Only says what would be imported. */
  readonly dryRun?: true
  readonly verify: boolean
  /** `mcp`: only says who is connected. */
  readonly status?: true
  /** Hash of an audit row that was noted elsewhere. */
  readonly expect?: string
  /** Limits audit rows, or servers to import, to one server. */
  readonly server?: string
  /** Limits audit rows to one agent, by the name or id of its entry. */
  readonly agent?: string
  /** Time of the first audit row, in milliseconds since the epoch. */
  readonly since?: number
  readonly all?: true
  /** Default: our own JSON. */
  readonly format?: 'markdown'
  readonly out?: string
  /** Source of servers to import: an app, a project's folder or a file. Or a file of messages whose calls are repeated. */
  readonly from?: string
  /** Idle timeout of a call in milliseconds, in place of the server's and of the setting. */
  readonly timeoutMs?: number
}

type ParsedCommandLine =
  | { readonly kind: 'help'; readonly command?: CommandName }
  | { readonly kind: 'version' }
  | { readonly kind: 'wrong'; readonly message: string; readonly command?: CommandName }
  | { readonly kind: 'run'; readonly command: CommandName; readonly positionals: readonly string[]; readonly options: Options }

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name)

export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isJsonObject(value) ? value : undefined
}

export function readCommandLine(argv: readonly string[]): ParsedCommandLine {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h') return { kind: 'help' }
  if (name === '--version' || name === '-v') return { kind: 'version' }
  const [about] = rest
  if (name === 'help' && (about === undefined || isCommand(about))) return { kind: 'help', ...(about !== undefined && { command: about }) }
  if (isCommand(name)) return readCommand(name, rest)
  const unknown = name === 'help' ? String(about) : name
  return { kind: 'wrong', message: inARow(t`There is no command “${unknown}”.`, suggestionLabel(nearest(unknown, Object.keys(commands)))) }
}

function readCommand(command: CommandName, args: readonly string[]): ParsedCommandLine {
  const wrong = (message: string): ParsedCommandLine => ({ kind: 'wrong', message, command })
  const shape: Shape = commands[command]
  const known = Object.fromEntries(shape.options.map((option) => [option, allOptions[option]]))
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({ args: [...args], options: known, allowPositionals: true, strict: true })
  } catch (error) {
    return wrong(optionError(error, args, shape.options))
  }
  // With `strict` every value has the type that its option declares.
  const text: ReadOption = (option) => parsed.values[option] as string | undefined
  const flag = (option: OptionName): boolean => parsed.values[option] === true
  if (flag('help')) return { kind: 'help', command }

  const { positionals } = parsed
  const missing = shape.positionals.slice(positionals.length, shape.positionals.length - (shape.optional ?? 0))
  if (missing.length > 0) return wrong(missingLabel(formatList(missing)))
  const extra = positionals[shape.positionals.length]
  if (extra !== undefined) return wrong(extraArgumentLabel(extra))
  if (shape.positionals[2] === 'JSON' && positionals[2] !== undefined && !parseObject(positionals[2]))
    return wrong(wrongValueLabel('JSON', jsonExample, positionals[2]))

  const misuse = callFault(command, positionals, text('from')) ?? secretFault(command, positionals)
  if (misuse !== undefined) return wrong(misuse)

  const port = Number(text('port') ?? 0)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return wrong(wrongValueLabel('--port', '0–65535', text('port')))
  const approve = text('approve')
  if (approve !== undefined && !isApprove(approve)) return wrong(wrongValueLabel('--approve', 'all|none|ask', approve))
  const elicit = parseObject(text('elicit') ?? '')
  if (text('elicit') !== undefined && !elicit) return wrong(wrongValueLabel('--elicit', jsonExample, text('elicit')))
  const roots = text('roots')
    ?.split(',')
    .map((path) => path.trim())
  if (roots?.includes('')) return wrong(wrongValueLabel('--roots', 'DIR[,DIR]', text('roots')))
  const sandbox = text('sandbox')
  if (sandbox !== undefined && sandbox !== 'on' && sandbox !== 'off') return wrong(wrongValueLabel('--sandbox', 'on|off', sandbox))
  if (command === 'chat' && !text('prompt')?.trim()) return wrong(missingLabel('-p TEXT'))

  const timeout = text('timeout')
  const timeoutMs = Math.round(Number(timeout) * 1000)
  // Longer than Node's timers are.
  if (timeout !== undefined && !(timeoutMs > 0 && timeoutMs <= 2_000_000_000))
    return wrong(wrongValueLabel('--timeout', 'SECONDS', timeout))

  const since = text('since')
  if (since !== undefined && Number.isNaN(Date.parse(since))) return wrong(wrongValueLabel('--since', 'YYYY-MM-DD', since))
  const expect = text('expect')
  if (expect !== undefined && !/^[0-9a-f]{64}$/.test(expect)) return wrong(wrongValueLabel('--expect', 'SHA-256', expect))
  if (expect !== undefined && !flag('verify')) return wrong(needsOptionLabel('--expect', '--verify'))

  const endpoint = command === 'model' ? readEndpoint(positionals, parsed.values) : undefined
  if (endpoint?.kind === 'wrong') return wrong(endpoint.message)
  const format = command === 'model' ? 'json' : (text('format') ?? 'json')
  if (format !== 'json' && format !== 'md' && format !== 'markdown') return wrong(wrongValueLabel('--format', 'json|md', format))
  if (command === 'export' && flag('all') === (positionals[0] !== undefined))
    return wrong(flag('all') ? excludesLabel('--all', 'CONVERSATION') : missingLabel('CONVERSATION | --all'))

  const importWrong = importFault(command, positionals, text)
  if (importWrong !== undefined) return wrong(importWrong)

  return {
    kind: 'run',
    command,
    positionals,
    options: {
      json: flag('json'),
      verbose: flag('verbose'),
      verify: flag('verify'),
      ...(flag('status') ? { status: true } : {}),
      ...(flag('all') ? { all: true } : {}),
      ...(format === 'json' ? {} : { format: 'markdown' }),
      open: !flag('no-open'),
      ...(flag('dry-run') ? { dryRun: true } : {}),
      port,
      ...defined({
        dataDir: text('data-dir'),
        approve,
        elicit,
        roots,
        sandbox,
        ...Object.fromEntries(asTyped.map((option) => [option, text(option)])),
      }),
      ...(since === undefined ? {} : { since: Date.parse(since) }),
      ...(timeout === undefined ? {} : { timeoutMs }),
      ...(endpoint === undefined ? {} : { endpoint: endpoint.options }),
    },
  }
}

/** Options that are passed on as they were typed, under their own names. */
const asTyped = ['out', 'from', 'config', 'model', 'conversation', 'assistant', 'prompt', 'expect', 'server', 'agent'] as const

/** Returns what is wrong with the arguments of `call`, if anything. */
function callFault(command: CommandName, positionals: readonly string[], from: string | undefined): string | undefined {
  if (command !== 'call' || positionals.length > 1 !== (from !== undefined)) return undefined
  return from === undefined ? missingLabel('TOOL') : excludesLabel('--from', 'TOOL')
}

/** Returns what is wrong with the arguments of `secret`, if anything. */
function secretFault(command: CommandName, positionals: readonly string[]): string | undefined {
  if (command !== 'secret') return undefined
  const [action] = positionals
  if (action !== 'set' && action !== 'list' && action !== 'remove') return wrongValueLabel('secret', 'set|list|remove', action)
  if (action === 'list' && positionals.length > 1) return extraArgumentLabel(positionals[1] ?? '')
  if (action !== 'list' && positionals.length < 3) return missingLabel(formatList(['SERVER', 'ID']))
  return undefined
}

/** Returns what is wrong with the arguments of `import`, if anything. */
function importFault(command: CommandName, [file]: readonly string[], text: ReadOption): string | undefined {
  if (command !== 'import') return undefined
  if ((text('from') === undefined) === (file === undefined))
    return file === undefined ? missingLabel('FILE | --from') : excludesLabel('--from', 'FILE')
  const other = (['server', 'approve'] as const).find((option) => text(option) !== undefined)
  return other !== undefined && text('from') === undefined ? needsOptionLabel(`--${other}`, '--from') : undefined
}

const isApprove = (value: string): value is Approve => value === 'all' || value === 'none' || value === 'ask'

function optionError(error: unknown, args: readonly string[], options: readonly OptionName[]): string {
  const code = (error as { readonly code?: string }).code
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const long = options.map((option) => `--${option}`)
    const typed = args
      .map((arg) => arg.split('=')[0] ?? '')
      .find((arg) => arg.length > 1 && arg.startsWith('-') && arg !== '-p' && !long.includes(arg))
    const meant = typed === undefined ? undefined : nearest(typed, long)
    return inARow(t`There is no option “${typed ?? ''}” here.`, suggestionLabel(meant))
  }
  return error instanceof Error ? (error.message.split('\n')[0]?.replace(/\. .*$/, '.') ?? '') : String(error)
}
