// Reader of lines for a terminal. Those that run a server become candidates, those that prepare for it are named. A line that needs
// a shell is refused whole: half of it may be a different program.
import { t } from '#app/i18n/translate.ts'
import { writeRemedy } from '#app/server/config/config-entry.ts'
import { positionAt } from '#app/server/config/json-tree.ts'
import type { ConfigProblem, ServerDefinition, StdioDefinition } from '#app/server/definition.ts'
import type { InputDeclaration } from '#app/server/inputs/input.ts'
import { asDefined, type Candidate, movePlaces, type Snippet, type SnippetFormat, toCandidate } from '../../candidate.ts'
import {
  isAddMcp,
  isClient,
  isForeignInstaller,
  isPreparing,
  isProgram,
  isRunner,
  type McpVerb,
  mcpVerbOf,
  nameOfCommand,
  onceIn,
  usageIn,
} from '../command-programs.ts'
import { type ImportNote, leftOut, notNamed, notRun, notServer, readAs } from '../import-notes.ts'
import { normalizeCandidate, portIn, servesNote } from '../normalize-references.ts'
import {
  type CommandText,
  commandsIn,
  joinedLines,
  type SourceShell,
  shellProblem,
  splitCommandLine,
  substitutionIn,
  wholeLine,
  withReferences,
} from '../shell-words.ts'
import { readMcpAdd } from './mcp-add.ts'
import { readJsonConfig } from './read-json.ts'

/** `strict`: reads only lines that begin with a known program, since the others may be prose. */
interface CommandOptions {
  readonly file: string
  readonly strict: boolean
  /** Refuses lines that are no command at all. */
  readonly unknown?: boolean
}

interface Reading extends CommandOptions {
  readonly text: string
  readonly shell: SourceShell
  readonly servers: Candidate[]
  readonly problems: ConfigProblem[]
  readonly inputs: Map<string, InputDeclaration>
  /** Variables set by earlier lines; undefined for one whose value a shell would work out. */
  readonly known: Map<string, string | undefined>
  /** Variables for the server whose values a shell would work out, with the substitution of each. */
  readonly computed: Map<string, string>
  readonly env: Record<string, string>
  /** Whether the text has several lines. */
  readonly isBlock: boolean
  /** Lines that look like the start of a server by a program that is not known. */
  readonly unread: Command[]
  cwd: string | undefined
  format: SnippetFormat
  taken: number
}

interface Command {
  readonly at: CommandText
  readonly line: string
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly kind: 'variables' | 'folder' | 'verb' | 'editor' | 'installer' | 'client' | 'usage' | 'once' | 'preparing' | 'server' | 'unknown'
  readonly verb?: McpVerb
}

const assignment = /^(?:\$env:|\$)?([A-Za-z_]\w*)=([\s\S]*)$/
const prompt = /^(?:\$|%|>|#|&|❯|➜|PS(?: [A-Za-z]:[^>]*)?>|[A-Za-z]:\\[^>]*>)\s+/

export function readCommands(written: string, options: CommandOptions): Snippet {
  // A README for Windows writes two commands in this way.
  const text = written
    .replace(/\bcmd(?:\.exe)? \/c "(set [^"\n]+)"/g, (whole, inner: string) => inner.padEnd(whole.length))
    // Options on lines below, without a sign that the command goes on.
    .replace(/(?<![\\`^{[,:])\n[ \t](?=[ \t]*--?[a-z][\w-]*)/gi, '\\\n')
    // A comment within a command that goes on.
    .replace(/(?<=\\\r?\n)[ \t]*#[^\n]*(?=\n)/g, (comment) => '\\'.padStart(comment.length))
  const shell: SourceShell =
    /\$env:|^\$\w+ *=|`\r?\n|\^\r?\n|^set \w+=/m.test(text) || /(^|[\s"'])[A-Za-z]:\\/.test(text) ? 'windows' : 'posix'
  const reading: Reading = {
    ...{
      ...options,
      text,
      isBlock: text.trim().includes('\n'),
      shell,
      servers: [],
      problems: [],
      inputs: new Map(),
      known: new Map(),
      computed: new Map(),
      env: {},
      unread: [],
    },
    ...{ cwd: undefined, format: 'unknown', taken: 0 },
  }
  let commands: Command[] = []
  for (const at of commandsIn(text)) {
    if (at.after === '\n' || at.after === undefined) {
      readLine(commands, reading)
      commands = []
    }
    commands.push(classify(at, reading))
  }
  readLine(commands, reading)
  const { format, servers, inputs, problems } = reading
  if (servers.length > 0) for (const { at, line } of reading.unread) addProblem(reading, at.offset, notServer(line))
  const set = [...reading.known.keys()].join(', ') || (options.unknown ? text.trim() : '')
  if (!options.strict && servers.length === 0 && problems.length === 0 && set !== '') addProblem(reading, 0, notServer(set))
  return { format, servers, inputs: [...inputs.values()], problems }
}

function classify(at: CommandText, { shell, strict, isBlock }: Reading): Command {
  const line = withPlainDashes(joinedLines(at.text).trim().replace(prompt, ''))
  const all = splitCommandLine(line, shell)
  // What is said of a command, behind it.
  const said = all.findIndex((word, index) => index > 0 && /^(?:\/\/|←|<-|–|—|→|\((?:recommended|optional|default)\))$/i.test(word))
  const words = said === -1 ? all : all.slice(0, said)
  if (words[0] === 'export' || words[0] === 'set' || words[0] === 'env') words.shift()
  const env: Record<string, string> = {}
  // `set "A=b"`, `$env:A = "b"`, `$a = "b"` and `A=b`; a value that PowerShell works out has more words.
  if (/^\$(?:env:)?\w+$/.test(words[0] ?? '') && words[1] === '=')
    words.splice(0, words.length, `${words[0]}=${words.length === 3 ? words[2] : `$(${words.slice(2).join(' ')})`}`)
  for (let match = assignment.exec(words[0] ?? ''); match; match = assignment.exec(words[0] ?? '')) {
    env[match[1] ?? ''] = match[2] ?? ''
    words.shift()
  }
  const verb = mcpVerbOf(words)
  return { at, line, words, env, kind: kindOf(words, line, verb, strict, isBlock), ...(verb === undefined ? {} : { verb }) }
}

function kindOf(words: readonly string[], line: string, verb: McpVerb | undefined, strict: boolean, isOneOfMany: boolean): Command['kind'] {
  const [program] = words
  if (program === undefined) return 'variables'
  if ((program === 'cd' || program === 'pushd') && words.length === 2) return 'folder'
  // “Docker is needed”: a sentence, not a command.
  const isRun = isRunner(program) && !/^[A-Z][a-z]+$/.test(program)
  if (verb !== undefined && isForeignInstaller(line, words)) return 'installer'
  if (verb !== undefined && (!isRun || /^(?:docker|podman|cmd)$/.test(program) || isAdding(verb))) {
    if (program === 'docker' && !verb.program.includes(' ')) return isPreparing(line) ? 'preparing' : 'unknown'
    return usageIn(words) === undefined ? 'verb' : 'usage'
  }
  if (isAddMcp(words)) return 'editor'
  if (program === '/mcp') return 'client'
  if (words[1] === '=') return 'unknown'
  if (isPreparing(words.join(' '))) return 'preparing'
  if ((isRun || !strict || /\s--with-[\w-]*extension\b/.test(line)) && isClient(line, words)) return 'client'
  if ((isRun || !strict || /\s--client\b/.test(line)) && isForeignInstaller(line, words)) return 'installer'
  if ((isRun || !strict) && usageIn(words) !== undefined) return 'usage'
  if ((isRun || !strict) && onceIn(words) !== undefined) return 'once'
  // A bare word among other lines is a program that one opens.
  const mayRun = strict ? isRun : isProgram(program) && !(isOneOfMany && words.length === 1 && /^\/?[\w-]+$/.test(program))
  return mayRun ? 'server' : 'unknown'
}

/** Tells `PROGRAM mcp add …` and the same as `install`, where a name and a command or an address follow. */
const isAdding = ({ verb, rest }: McpVerb): boolean =>
  verb.startsWith('add') ||
  (verb === 'set' && (rest[1] ?? '').startsWith('{')) ||
  (verb === 'install' && rest.length > 1 && rest.some((word) => word === '--' || /^https?:|^--(?:url|transport|command)\b/.test(word)))

/** `./notes --stdio`, `KEY=x notes serve`, `notes-mcp`: not a sentence, and no program that is known for something else. */
const mayServe = ({ words, env }: Command): boolean =>
  isProgram(words[0] ?? '') &&
  (Object.keys(env).length > 0 || /mcp/i.test(words[0] ?? '') || words.includes('--stdio')) &&
  words.slice(1).every((word, index) => word.startsWith('-') || (words[index] ?? '').startsWith('-') || index === 0 || /[/.@:=]/.test(word))

function addProblem({ file, text, problems }: Reading, offset: number, note: ImportNote): undefined {
  if (problems.length < mostProblems) problems.push({ file, ...positionAt(text, offset), ...note })
}

const mostProblems = 100
const mostServers = 500

function readLine(commands: readonly Command[], reading: Reading): undefined {
  const adds = ({ kind, verb }: Command): boolean =>
    kind === 'server' || kind === 'editor' || (kind === 'verb' && verb !== undefined && isAdding(verb))
  const usage = commands.length > 1 ? commands.find(({ words }) => words.length > 1 && usageIn(words) !== undefined) : undefined
  if (usage) return readCommand({ ...usage, kind: 'usage' }, reading)
  if (commands.some(adds)) {
    if (++reading.taken > mostServers) return
    const needed = shellPartIn(commands, reading)
    if (needed !== undefined) return addProblem(reading, needed.offset, shellProblem(needed.piece))
  }
  for (const piece of commands) readCommand(piece, reading)
}

function shellPartIn(
  commands: readonly Command[],
  { shell, known }: Reading,
): { readonly piece: string; readonly offset: number } | undefined {
  for (const [index, { at, kind, line, words }] of commands.entries()) {
    const joins = at.after === '&&' || at.after === ';'
    const before = commands[index - 1]
    if (at.after !== undefined && at.after !== '\n' && (!joins || before?.kind === 'server' || before?.kind === 'unknown'))
      if (!(joins && words.length === 0 && index === commands.length - 1)) return { piece: at.after, offset: at.operatorAt }
    const own = kind === 'preparing' || kind === 'unknown' || isAsked(words) ? undefined : substitutionIn(line, shell)
    if (own !== undefined) return { piece: own, offset: at.offset }
    for (const word of words)
      for (const [whole, name = ''] of word.matchAll(variable))
        if (known.has(name) && known.get(name) === undefined) return { piece: whole, offset: at.offset }
  }
  return undefined
}

/** Tells Crush's own `mcp add … --header NAME "$(…)"`: a value that a command would print is asked for. */
const isAsked = (words: readonly string[]): boolean =>
  words[0] === 'mcp' &&
  words.every((word, index) => substitutionIn(word) === undefined || /^--(?:header|env)$/.test(words[index - 2] ?? ''))

const variable = /\$(?:env:|\{)?([A-Za-z_]\w*)\}?/g
const resolved = (word: string, { known }: Reading): string =>
  withReferences(word.replace(variable, (whole: string, name: string) => known.get(name) ?? whole))

function readCommand(piece: Command, reading: Reading): undefined {
  const { at, line, words, kind, verb } = piece
  const { file, text, strict, unknown } = reading
  const refuse = (note: ImportNote): undefined => addProblem(reading, at.offset, note)
  switch (kind) {
    case 'variables':
      for (const [name, value] of Object.entries(piece.env)) {
        const piece = substitutionIn(value, 'windows')
        reading.known.set(name, piece === undefined ? value : undefined)
        if (piece === undefined) reading.env[name] = withReferences(value)
        else if (!line.startsWith('$')) reading.computed.set(name, piece)
      }
      return
    case 'folder':
      reading.cwd = folderFrom(reading.cwd, withReferences(words[1] ?? ''))
      return
    case 'verb':
      return verb && readMcpVerb(verb, at, reading)
    case 'editor':
      return addJson(readJsonConfig(addedJson(words), file), 'code-add-mcp', at, reading)
    case 'installer':
    case 'client':
    case 'once':
    case 'usage':
      return refuse(notServer(line))
    case 'preparing':
      if (!strict) refuse({ ...notRun(line), remedy: t`Run it in a terminal first.` })
      return
    case 'server':
      return readServer(piece, { file, ...positionAt(text, at.offset) }, reading)
    default:
      if (unknown) refuse(notServer(line))
      else if (kind === 'unknown' && mayServe(piece)) reading.unread.push(piece)
  }
}

/** Folder after `cd NEXT`. */
function folderFrom(before: string | undefined, next: string): string {
  if (before === undefined || /^(?:[\\/~$<]|[A-Za-z]:)/.test(next)) return next
  const parts = before.split('/')
  for (const part of next.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/') || '.'
}

/** Returns the JSON of `--add-mcp JSON`; PowerShell needs three quotes for each. */
function addedJson(words: readonly string[]): string {
  const at = words.findIndex((word) => word.startsWith('--add-mcp'))
  const json = /^--add-mcp=([\s\S]*)$/.exec(words[at] ?? '')?.[1] ?? words[at + 1] ?? ''
  // Backslashes within single quotes are for PowerShell.
  return /^\{\s*\\"/.test(json) ? json.replaceAll('\\"', '"') : json.includes('"""') ? json.replaceAll('"""', '"') : json
}

function readMcpVerb({ program, verb, rest }: McpVerb, at: CommandText, reading: Reading): undefined {
  const refuse = (note: ImportNote): undefined => addProblem(reading, at.offset, note)
  const owner = nameOfCommand([program.split(' ').at(-1) ?? program])
  if (verb === 'add-from-claude-desktop') return refuse({ ...notServer(verb), remedy: t`Use “Import servers”.` })
  if (verb === 'import' || (verb === 'install' && !isAdding({ program, verb, rest }))) return refuse(notServer(`${program} mcp ${verb}`))
  if (verb === 'add-json' || (verb === 'set' && isAdding({ program, verb, rest }))) {
    const own = rest.filter((word, index) => !/^(-s|--scope|--client-secret)/.test(word) && !/^(-s|--scope)$/.test(rest[index - 1] ?? ''))
    const [name, json = ''] = own
    if (name === undefined)
      return refuse({ message: t`The name of the server is missing.`, remedy: writeRemedy("claude mcp add-json NAME '{ … }'") })
    return addJson(readJsonConfig(`{${JSON.stringify(name)}:${json}}`, reading.file), 'claude-mcp-add', at, reading)
  }
  if (verb !== 'add' && verb !== 'install') return
  if (rest.length === 0) return refuse(notServer(program === '' ? '/mcp add' : `${program} mcp add`))
  const place = { file: reading.file, ...positionAt(reading.text, at.offset) }
  const runs: ConfigProblem[] = []
  const asked = (word: string, index: number): string => {
    const piece = program === '' ? substitutionIn(word) : undefined
    if (piece === undefined) return word
    runs.push({ ...place, ...notRun(piece) })
    return word.replace(piece, () => `<${rest[index - 1]}>`)
  }
  const added = rest.map((word, index) => resolved(asked(word, index), reading))
  const { server, problem } = readMcpAdd(added, place, owner)
  if (server) addCandidate({ ...server, problems: [...server.problems, ...runs] }, 'claude-mcp-add', reading)
  if (problem) refuse(problem)
}

function readServer({ words, env }: Command, place: Pick<ConfigProblem, 'file' | 'line' | 'column'>, reading: Reading): undefined {
  const { cwd } = reading
  const [name = '', ...written] = words.map((word) => resolved(word, reading))
  // The rest of a sentence: `npx notes-mcp to start the server`.
  const rest = written.findIndex(
    (word, index) =>
      index > 0 &&
      /^(?:to|the|for|and|is|your|this|then|with)$/.test(word) &&
      written.slice(index + 1).every((one) => /^[a-z]+[.,]?$/i.test(one)),
  )
  const args = rest === -1 || rest === written.length - 1 ? written : written.slice(0, rest)
  const whole = wholeLine(name)
  if (whole?.kind === 'shell') {
    reading.problems.push({ ...place, ...shellProblem(whole.piece) })
    return
  }
  const own = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, withReferences(value)]))
  const definition: StdioDefinition = {
    ...asDefined,
    transport: 'stdio',
    command: whole?.program ?? name,
    args: [...(whole?.args ?? []), ...args],
    env: { ...reading.env, ...own },
    ...(cwd === undefined ? {} : { cwd }),
  }
  const named = nameOfCommand([definition.command, ...definition.args])
  // `cd ledger && node dist/index.js`: the folder says more.
  const said = /^(?:index|main|server|dist|build|src|app|cli|out)$/.test(named) && cwd !== undefined ? nameOfCommand([cwd]) : named
  const notes = [...reading.computed].map(([key, piece]) => ({
    ...place,
    ...notRun(`${key}=${piece}`),
  }))
  if (args.length < written.length) notes.push({ ...place, ...leftOut(written.slice(args.length).join(' ')) })
  if (whole !== undefined) notes.push({ ...place, ...readAs(name, `${whole.program} …`) })
  if (!/mcp|model.?context|\bstdio\b/i.test(reading.text)) notes.push({ ...place, ...notNamed(said) })
  const port = portIn(definition.args)
  if (port !== undefined) notes.push({ ...place, ...servesNote(port) })
  addCandidate(toCandidate(said, definition, place, notes), 'command', reading)
}

function addCandidate(server: Candidate, as: SnippetFormat, reading: Reading): void {
  const { name, line, column, problems } = server
  const place = { file: reading.file, ...(line === undefined ? {} : { line, column: column ?? 1 }) }
  const own = normalizeCandidate(name, server.definition, place, reading.inputs, problems)
  // The same line for another client is the same server.
  if (isThere(name, own.definition, reading)) return
  reading.servers.push(own)
  reading.format = reading.format === 'unknown' || reading.format === as ? as : 'command'
}

const isThere = (name: string, definition: ServerDefinition, { servers }: Reading): boolean =>
  servers.some((one) => one.name === name && JSON.stringify(one.definition) === JSON.stringify(definition))

function addJson(snippet: Snippet, as: SnippetFormat, at: CommandText, reading: Reading): undefined {
  const { servers, inputs, problems } = movePlaces(snippet, (place) => ({ ...place, ...positionAt(reading.text, at.offset) }))
  for (const input of inputs) reading.inputs.set(input.id, input)
  for (const server of servers) {
    if (isThere(server.name, server.definition, reading)) continue
    reading.servers.push(server)
    reading.format = as
  }
  reading.problems.push(...problems)
}

const withPlainDashes = (line: string): string =>
  line
    .replace(/(^|\s)[–—](?=[A-Za-z-])/g, (_whole, before: string) => `${before}--`)
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
