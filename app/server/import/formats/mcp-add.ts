// Reader of `claude mcp add …` and the same of other applications. Options may stand on either side of the name. An unknown option is
// named; where it makes unclear which word is the name, the line is refused. Scope and trust are not taken over.
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { defined, parseJson } from '#app/or-else.ts'
import { writeRemedy } from '#app/server/config/config-entry.ts'
import type { ConfigProblem, ServerDefinition } from '#app/server/definition.ts'
import { asDefined, type Candidate, toCandidate } from '../../candidate.ts'
import { nameOfUrl } from '../command-programs.ts'
import { type ImportNote, isPlaceholder, leftOut, readAs, unreadable } from '../import-notes.ts'
import { isWholeAddress, withExampleHost } from '../placeholders.ts'
import { shellProblem, splitCommandLine, wholeLine } from '../shell-words.ts'

const isPair = (word: string): boolean => /^[A-Za-z_][\w.-]* ?=/.test(word)
const isHeader = (word: string): boolean => /^[\w-]+: ?(?!\/\/)/.test(word)
const isAddress = (word: string): boolean => /^https?:\/\//i.test(word)
/** Options for that application alone, with a value; those in `flags` have none. */
const ownOptions = new Set(['-s', '--scope', '--description'])
const flags = /^(?:-y|--yes|-g|--global|--project|--local|--user|--workspace|-f|--force|--overwrite|--json|--debug|--verbose)$/
const optionFields: Readonly<Record<string, 'transport' | 'url' | 'name' | 'command' | 'cwd'>> = {
  '-t': 'transport',
  '--transport': 'transport',
  '--type': 'transport',
  '--url': 'url',
  '--http-url': 'url',
  '--server-url': 'url',
  '--name': 'name',
  '--command': 'command',
  '--cwd': 'cwd',
  '--working-directory': 'cwd',
}
const ignoredOptions = new Set(
  ['include-tools', 'exclude-tools', 'enabled-tools', 'disabled-tools', 'oauth-client-secret', 'agent'].map((name) => `--${name}`),
)

const isIgnored = (option: string): boolean => ignoredOptions.has(option) || /^--(?:[a-z]+-)*timeout(?:-(?:s|secs?|ms))?$/.test(option)

class UnreadableLine extends Error {
  readonly problem: ImportNote
  constructor(problem: ImportNote) {
    super(problem.message)
    this.problem = problem
  }
}

interface Options {
  readonly given: Partial<Record<'transport' | 'url' | 'name' | 'command' | 'cwd', string>>
  readonly env: Record<string, string>
  readonly headers: Record<string, string>
  readonly args: string[]
  readonly oauth: { clientId?: string; callbackPort?: number }
  /** Words that are no options. `maybe`: the unknown option before, whose value it may be. */
  readonly positional: { readonly word: string; readonly maybe?: string }[]
  readonly notes: ImportNote[]
  off: boolean
}

/** Takes the value of a flag that may have one. */
const boolean = (rest: string[], inline: string | undefined): string =>
  inline ?? (/^(?:true|false|1|0|yes|no)$/i.test(rest[0] ?? '') ? (rest.shift() ?? '') : 'true')

/** Reads the words after `mcp add`. `program`: name of the application. */
export function readMcpAdd(
  words: readonly string[],
  place: Pick<ConfigProblem, 'file' | 'line' | 'column'>,
  program: string,
): { readonly server?: Candidate; readonly problem?: ImportNote } {
  try {
    const options: Options = { given: {}, env: {}, headers: {}, args: [], oauth: {}, positional: [], notes: [], off: false }
    const rest = [...words]
    const dashes = takeOptions(rest, options, program)
    // `NAME npx -- -y PACKAGE`: these dashes are the application's too.
    if (!dashes && rest[0] === '--') rest.shift()
    const line = lineOf(options, dashes, !dashes && /^(?:gemini|qwen|claude)$/.test(program) ? withoutOwn(rest, options) : rest)
    const { name, definition } = definitionOf(options, line, program)
    const own = options.off ? { ...definition, enabled: false } : definition
    const notes = options.notes.map((note) => ({ ...place, ...note }))
    return { server: toCandidate(name, own, place, notes) }
  } catch (error) {
    if (error instanceof UnreadableLine) return { problem: error.problem }
    throw error
  }
}

/** Takes options off the front of `rest`, up to `--` or the program. Tells whether there was a `--`. */
function takeOptions(rest: string[], options: Options, program: string): boolean {
  const { given, positional, notes, args, oauth } = options
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    if (word === '--') return true
    const [, option = word, inline] = /^(--[\w-]+)=([\s\S]*)$/.exec(word) ?? []
    const one = (): string => inline ?? rest.shift() ?? ''
    const field = optionFields[option]
    if (!word.startsWith('-')) {
      positional.push({ word })
      // Options may follow a command that is one word.
      if (
        positional.length === 2 &&
        given.name === undefined &&
        !isAddress(word) &&
        !isWholeAddress(word) &&
        !/\s/.test(word) &&
        positional.every(({ maybe }) => maybe === undefined)
      )
        return false
    } else if (field !== undefined) given[field] = one()
    else if (/^(?:-e|--envs?)$/.test(option)) takeEnv(rest, inline, options)
    else if (/^(?:-H|--headers?)$/.test(option)) takeHeaders(rest, inline, options)
    else if (option === '--arg') args.push(one())
    else if (option === '--args') args.push(...argsOf(one(), program), ...(program === 'hermes' ? rest.splice(0) : []))
    else if (/^--(?:bearer-token|api-key|token)-env(?:-var)?$/.test(option)) options.headers['Authorization'] = `Bearer \${env:${one()}}`
    else if (option === '--bearer-token') options.headers['Authorization'] = `Bearer ${one()}`
    else if (option === '--client-id' || option === '--oauth-client-id') oauth.clientId = one()
    else if (option === '--callback-port' || option === '--oauth-callback-port') oauth.callbackPort = Number(one())
    else if (/^--client-secret$|^--trust$/.test(option)) notes.push(leftOut(option))
    // Crush's flags have a value.
    else if (option === '--disabled') options.off = !/^(?:false|0|no)$/i.test(boolean(rest, inline))
    else if (option === '--oauth') boolean(rest, inline)
    else if (ownOptions.has(option)) one()
    else if (isIgnored(option)) {
      one()
      notes.push(leftOut(option))
    } else if (!flags.test(option)) unknownOption(option, inline, rest, options)
  }
  return false
}

function unknownOption(option: string, inline: string | undefined, rest: string[], { positional, notes }: Options): void {
  notes.push(leftOut(option))
  const [next] = rest
  if (inline !== undefined || next === undefined || next.startsWith('-')) return
  positional.push({ word: rest.shift() ?? '', maybe: option })
}

const values = (rest: string[], fits: (word: string) => boolean, inline: string | undefined): string[] => {
  if (inline !== undefined) return [inline]
  const taken = rest.length > 0 ? [rest.shift() ?? ''] : []
  while (rest[0] !== undefined && fits(rest[0])) taken.push(rest.shift() ?? '')
  return taken
}

/** Reads `--args`: a list in JSON, words, or words with commas between them as Kiro and Amazon Q write them. */
function argsOf(text: string, program: string): string[] {
  const list = text.startsWith('[') ? parseJson(text) : undefined
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list
  if (/^(?:q|kiro(?:-cli)?)$/.test(program) && !/\s/.test(text)) return text.split(/(?<!\\),/).map((word) => word.replaceAll('\\,', ','))
  return splitCommandLine(text)
}

/** Reads `NAME=value`, or `NAME value` as Crush writes it. */
function takeEnv(rest: string[], inline: string | undefined, { env }: Options): void {
  for (const pair of values(rest, isPair, inline)) {
    const [next] = rest
    if (isPair(pair)) env[pair.slice(0, pair.indexOf('=')).trim()] = pair.slice(pair.indexOf('=') + 1).replace(/^ /, '')
    else if (/^[A-Z_][A-Z0-9_]*$/.test(pair) && next !== undefined && !next.startsWith('-')) env[pair] = rest.shift() ?? ''
    else throw new UnreadableLine(unreadable(pair, writeRemedy('-e NAME=value')))
  }
}

/** Reads `Name: value`, `Name=value` (Amp), `Name value`, or an object in JSON. */
function takeHeaders(rest: string[], inline: string | undefined, { headers }: Options): void {
  for (const header of values(rest, isHeader, inline)) {
    const [next] = rest
    const [, name, value] = /^([\w-]+) *[:=] *([\s\S]*)$/.exec(header.trim()) ?? []
    if (name !== undefined) headers[name] = (value ?? '').trim()
    else if (header.trim().startsWith('{')) Object.assign(headers, headersOfJson(header))
    else if (/^[\w-]+$/.test(header) && next !== undefined && !next.startsWith('-') && !isAddress(next))
      headers[header] = rest.shift() ?? ''
    else throw wrongHeader()
  }
}

const wrongHeader = (): UnreadableLine => new UnreadableLine(unreadable('--header', writeRemedy('--header "Name: value"')))

function headersOfJson(text: string): Record<string, string> {
  const headers = parseJson(text)
  if (isJsonObject(headers) && Object.values(headers).every((value) => typeof value === 'string')) return headers as Record<string, string>
  throw wrongHeader()
}

function lineOf({ given, positional }: Options, dashes: boolean, rest: readonly string[]): string[] {
  const doubtful = positional.find(({ maybe }) => maybe !== undefined)
  let words = positional
  if (doubtful !== undefined) {
    const sure = positional.filter(({ maybe }) => maybe === undefined)
    // A name with a `--` or an address is unambiguous.
    if (given.name === undefined && (sure.length === 0 || !(dashes || given.url !== undefined || isAddress(sure[1]?.word ?? ''))))
      throw new UnreadableLine(unreadable(doubtful.maybe ?? ''))
    words = sure
  }
  return [...(given.name === undefined ? [] : [given.name]), ...words.map(({ word }) => word), ...rest]
}

/** Removes options of Gemini CLI and Claude Code after the program, but for those that `docker run` has too. */
function withoutOwn(words: readonly string[], options: Options): string[] {
  const rest = [...words]
  const kept: string[] = []
  const docker = /^(?:docker|podman)$/.test(options.positional[1]?.word ?? '')
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    if (/^(?:-s|--scope)$/.test(word)) rest.shift()
    else if (!docker && /^(?:-e|--env)$/.test(word) && isPair(rest[0] ?? '')) takeEnv(rest, undefined, options)
    else kept.push(word)
  }
  return kept
}

function definitionOf(options: Options, words: readonly string[], program: string): { name: string; definition: ServerDefinition } {
  const { given, notes } = options
  const [name, ...line] = words
  const remedy = writeRemedy(`${program} mcp add NAME -- COMMAND | NAME URL`)
  if (name === undefined) throw new UnreadableLine({ message: t`The name of the server is missing.`, remedy })
  if (/^<[^<>]+>$/.test(name)) throw new UnreadableLine(isPlaceholder(name))
  if (line.length === 0 && given.url === undefined && given.command === undefined && isAddress(name) && URL.canParse(name))
    return definitionOf({ ...options, given: { ...given, url: name } }, [nameOfUrl(new URL(name))], program)
  const [first] = line
  const remote = given.transport !== undefined && given.transport !== 'stdio'
  const isRemote = first !== undefined && (isAddress(first) || remote || (isWholeAddress(first) && /url|address|endpoint/i.test(first)))
  const address = given.url ?? (isRemote && given.command === undefined ? first : undefined)
  const sign =
    address === undefined
      ? [given.command, first].find((word) => word !== undefined && /^(?:<[^<>]+>|\{\{.+\}\}|\[[^[\]]+\])$/.test(word))
      : undefined
  if (sign !== undefined) throw new UnreadableLine(isPlaceholder(sign))
  if (address === undefined && first === undefined && given.command === undefined)
    throw new UnreadableLine({ message: t`“${name}” has neither “command” nor “url”.`, remedy })
  if (address === undefined) {
    const lost = Object.keys(options.headers)
    if (lost.length > 0) notes.push(leftOut(lost.join(', ')))
    const own = [...(given.command === undefined ? [] : [given.command, ...options.args]), ...line]
    const cwd = defined({ cwd: given.cwd })
    return { name, definition: { ...asDefined, transport: 'stdio', ...commandOf(own, notes), env: options.env, ...cwd } }
  }
  const extra = [...Object.keys(options.env), ...line.slice(given.url === undefined ? 1 : 0)]
  if (extra.length > 0) notes.push(leftOut(extra.join(' ')))
  const { clientId, callbackPort } = options.oauth
  const oauth = clientId === undefined ? {} : { oauth: { clientId, ...(Number.isInteger(callbackPort) ? { callbackPort } : {}) } }
  const transport = given.transport === 'sse' ? ('sse' as const) : ('streamable-http' as const)
  return { name, definition: { ...asDefined, transport, url: withExampleHost(address), headers: options.headers, ...oauth } }
}

function commandOf([command = '', ...args]: readonly string[], notes: ImportNote[]): { command: string; args: string[] } {
  const whole = wholeLine(command)
  if (whole === undefined) return { command, args }
  if (whole.kind === 'shell') throw new UnreadableLine(shellProblem(whole.piece))
  notes.push(readAs(command, `${whole.program} …`))
  return { command: whole.program, args: [...whole.args, ...args] }
}
