// Lines for a terminal: `npx -y notes-mcp`, `export KEY=x`, `cd dir && uv run server`, `claude mcp add …`, `code --add-mcp …`.
// Those that run a server become definitions; those that come before are named, for the person to run. Nothing is run.

import { t } from '../../words/translate.ts'
import { positionAt } from '../config/text-position.ts'
import type { ConfigProblem, StdioDefinition } from '../definition.ts'
import type { InputDeclaration } from '../input.ts'
import { asDefined, found } from './found.ts'
import { hintsFor } from './hints.ts'
import { readMcpAdd } from './mcp-add.ts'
import { nameOfCommand } from './names.ts'
import { isAddMcp, isForeignInstaller, isMcpAdd, isPreparing, isProgram, isRunner } from './programs.ts'
import { readJson } from './read-json.ts'
import { definitionInOurWords } from './references-in-our-words.ts'
import type { FoundServer, Snippet, SnippetFormat } from './snippet.ts'
import { type CommandText, commandsIn, joinedLines, type Shell, splitCommandLine, withReferences } from './words.ts'

/** `strict`: of lines in the middle of prose only those that begin like a program that is known. */
export interface CommandOptions {
  readonly file: string
  readonly strict: boolean
}

interface Context {
  readonly env: Record<string, string>
  cwd: string | undefined
}

const assignment = /^(?:\$env:)?([A-Za-z_]\w*)=([\s\S]*)$/
const prompt = /^(?:\$|%|>|#|❯|➜|PS(?: [A-Za-z]:[^>]*)?>|[A-Za-z]:\\[^>]*>)\s+/

export function readCommands(text: string, { file, strict }: CommandOptions): Snippet {
  const servers: FoundServer[] = []
  const problems: ConfigProblem[] = []
  const inputs = new Map<string, InputDeclaration>()
  const context: Context = { env: {}, cwd: undefined }
  const shell: Shell = /\$env:|`\r?\n|\^\r?\n|^set \w+=/m.test(text) || /(^|[\s"'])[A-Za-z]:\\/.test(text) ? 'windows' : 'posix'
  let format: SnippetFormat = 'unknown'
  let servedByLast = false

  const say = (at: CommandText, message: string, remedy: string): void => {
    problems.push({ file, ...positionAt(text, at.offset), message, remedy })
  }
  const add = (server: FoundServer, as: SnippetFormat): void => {
    const notes: ConfigProblem[] = [...server.problems]
    const { name, line, column } = server
    const place = { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }), server: name }
    const definition = definitionInOurWords(server.definition, {
      note: (message, remedy) => notes.push({ ...place, message, remedy }),
      declare: (input) => inputs.has(input.id) || inputs.set(input.id, input),
    })
    for (const hint of hintsFor(definition)) notes.push({ ...place, ...hint })
    servers.push(
      found(server.name, definition, { ...(server.line === undefined ? {} : { line: server.line, column: server.column ?? 1 }) }, notes),
    )
    format = format === 'unknown' || format === as ? as : 'command'
  }

  for (const command of commandsIn(text)) {
    if (command.after === '|' || command.after === '>') {
      if (servedByLast) {
        servers.pop()
        say(command, t`The line sends its output elsewhere, which needs a shell.`, t`Put it into a script, and add the script.`)
      }
      servedByLast = false
      continue
    }
    servedByLast = false
    const line = withPlainDashes(joinedLines(command.text).trim().replace(prompt, ''))
    const words = splitCommandLine(line, shell)
    if (words[0] === 'export' || words[0] === 'set' || words[0] === 'env') words.shift()
    const env: Record<string, string> = {}
    // `set "A=b"`, `$env:A = "b"` and `A=b`.
    if (/^\$env:\w+$/.test(words[0] ?? '') && words[1] === '=') words.splice(0, 3, `${words[0]}=${words[2] ?? ''}`)
    for (let match = assignment.exec(words[0] ?? ''); match; match = assignment.exec(words[0] ?? '')) {
      env[match[1] ?? ''] = withReferences(match[2] ?? '')
      words.shift()
    }
    const [program] = words
    if (program === undefined) {
      Object.assign(context.env, env)
      continue
    }
    if ((program === 'cd' || program === 'pushd') && words.length === 2) {
      context.cwd = withReferences(words[1] ?? '')
      continue
    }
    const place = { file, ...positionAt(text, command.offset) }
    if (isMcpAdd(words)) {
      if (words[2] === 'add-from-claude-desktop')
        say(command, t`This takes over the servers of Claude Desktop.`, t`Use “Take over from …” instead.`)
      else if (words[2] === 'add-json') readAddJson(words.slice(3), command)
      else {
        const { server, problem } = readMcpAdd(words.slice(3).map(withReferences), place)
        if (server) add(server, 'claude-mcp-add')
        if (problem) say(command, problem.message, problem.remedy)
      }
    } else if (isAddMcp(words)) {
      const at = words.findIndex((word) => word.startsWith('--add-mcp'))
      const json = /^--add-mcp=([\s\S]*)$/.exec(words[at] ?? '')?.[1] ?? words[at + 1] ?? ''
      takeJson(readJson(json, file), 'code-add-mcp', command)
    } else if (isForeignInstaller(line))
      say(command, t`This line sets up another program.`, t`Paste the command or the address of the server itself.`)
    else if (isPreparing(line)) {
      if (!strict) say(command, t`“${line.slice(0, 80)}” is not run.`, t`Run it in a terminal first, if the server needs it.`)
    } else if (strict ? isRunner(program) : isProgram(program)) {
      const [name, ...args] = words.map(withReferences)
      const definition: StdioDefinition = {
        ...asDefined,
        transport: 'stdio',
        command: name ?? program,
        args,
        env: { ...context.env, ...env },
        ...(context.cwd === undefined ? {} : { cwd: context.cwd }),
      }
      const named = nameOfCommand([definition.command, ...definition.args])
      // `cd ledger && node dist/index.js`: the folder says more.
      add(
        found(
          /^(?:index|main|server|dist|build|src|app|cli|out)$/.test(named) && context.cwd !== undefined
            ? nameOfCommand([context.cwd])
            : named,
          definition,
          place,
        ),
        'command',
      )
      servedByLast = true
    } else if (!strict)
      say(command, t`This is neither a command nor an address.`, t`Paste a command, an address, or the JSON of another program.`)
  }

  function readAddJson(words: readonly string[], at: CommandText): void {
    const rest = words.filter(
      (word, index) => !/^(-s|--scope|--client-secret)/.test(word) && !/^(-s|--scope)$/.test(words[index - 1] ?? ''),
    )
    const [name, json = ''] = rest
    if (name === undefined) say(at, t`The name of the server is missing.`, t`Write: claude mcp add-json NAME '{ … }'.`)
    else takeJson(readJson(`{${JSON.stringify(name)}:${json}}`, file), 'claude-mcp-add', at)
  }

  /** Places in JSON that was cut out of a line are those of the line. */
  function takeJson(snippet: Snippet, as: SnippetFormat, at: CommandText): void {
    const { line, column } = positionAt(text, at.offset)
    for (const input of snippet.inputs) inputs.set(input.id, input)
    for (const server of snippet.servers) {
      servers.push({ ...server, line, column, problems: server.problems.map((problem) => ({ ...problem, line, column })) })
      format = as
    }
    for (const problem of snippet.problems) problems.push({ ...problem, line, column })
  }

  return { format, servers, inputs: [...inputs.values()], problems }
}

/** A word processor's dash before the name of an option. */
const withPlainDashes = (line: string): string =>
  line
    .replace(/(^|\s)[–—](?=[A-Za-z-])/g, (_whole, before: string) => `${before}--`)
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
