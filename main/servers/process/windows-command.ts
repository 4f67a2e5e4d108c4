// How a batch file (`npx.cmd`) is started on Windows without giving its arguments to a shell's mercy ("BatBadBut",
// CVE-2024-24576): cmd.exe has to run it, and parses the whole line by rules of its own. The quoting is that of Rust's
// standard library since 1.77.2: everything not plainly harmless is quoted, a quote is doubled, a backslash is doubled
// before one, and `%` is preceded by an expansion to nothing, which keeps `%NAME%` from being expanded.
// Pure, and tested by tables and against a model of cmd.exe only: no machine of ours runs Windows.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'

interface ProcessCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Throws `server.spawn-failed` for what would end a line, or a text before its end. */
export function checkCommandLine({ command, args, env = {}, cwd = '' }: ProcessCommand): void {
  const odd = (text: string): boolean => /[\0\r\n]/.test(text)
  const at = args.findIndex(odd)
  const variable = Object.entries(env).find((pair) => pair.some((text) => text.includes('\0')))?.[0]
  const field = odd(command) ? 'command' : at !== -1 ? 'args' : odd(cwd) ? 'cwd' : variable !== undefined ? 'env' : undefined
  if (field === undefined) return
  throw new HostError('server.spawn-failed', t`The command or its arguments hold a line break or a NUL, which no command line may.`, {
    data: { command, reason: 'control-character', field, ...(field === 'args' ? { argument: at + 1 } : {}) },
  })
}

export const isBatchFile = (command: string): boolean => /\.(?:bat|cmd)[. ]*$/i.test(command)

/** What Windows starts without another program that opens it: a script that PATHEXT may name besides (`.JS`) is none. */
const startable: ReadonlySet<string> = new Set(['.com', '.exe', '.bat', '.cmd'])

/** A name without an ending that can be started is tried with each of those of PATHEXT, in its order. */
export function windowsCandidates(place: string, pathExt: string | undefined): string[] {
  const named = (pathExt ?? '')
    .toLowerCase()
    .split(';')
    .map((ending) => ending.trim())
    .filter((ending) => startable.has(ending))
  const endings = named.length > 0 ? [...new Set(named)] : [...startable]
  return [...startable].some((ending) => place.toLowerCase().endsWith(ending)) ? [place] : endings.map((ending) => place + ending)
}

/** Characters of a line that cmd.exe takes; what is longer it would cut or refuse. */
const maxLine = 8191

/** The arguments of cmd.exe that run `script`; to be passed on verbatim, as one line. Throws `server.spawn-failed`. */
export function windowsCommandLine(script: string, args: readonly string[]): string {
  checkCommandLine({ command: script, args })
  if (script.includes('"') || script.endsWith('\\')) {
    throw new HostError('server.spawn-failed', t`${script} is not the name of a batch file.`, {
      data: { command: script, reason: 'batch-name', field: 'command' },
    })
  }
  const line = `/e:ON /v:OFF /d /c "${[quoted(script), ...args.map(batchArgument)].join(' ')}"`
  if (line.length <= maxLine) return line
  throw new HostError('server.spawn-failed', t`The command line of ${script} has ${line.length} characters; cmd.exe takes ${maxLine}.`, {
    data: { command: script, reason: 'too-long', field: 'args' },
  })
}

/** A `%` in the path of the script would be expanded inside the quotes as well. */
const quoted = (script: string): string => `"${script.replaceAll('%', '%%cd:~,%')}"`

function batchArgument(arg: string): string {
  const escaped = arg.replaceAll(/\\*"/g, (found) => `${'\\'.repeat(2 * (found.length - 1))}""`).replaceAll('%', '%%cd:~,%')
  const harmless =
    arg !== '' && !arg.endsWith('\\') && [...arg].every((char) => (char < '\u0080' ? /[\w#$*+\-./:?@\\]/.test(char) : !/\p{C}/u.test(char)))
  return harmless ? escaped : `"${escaped}${/\\*$/.exec(arg)?.[0] ?? ''}"`
}
