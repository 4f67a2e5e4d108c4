// Starts batch files (`npx.cmd`) on Windows without argument injection ("BatBadBut", CVE-2024-24576). cmd.exe parses the whole line
// by its own rules; the quoting is that of Rust's standard library since 1.77.2. Pure. Never run on Windows.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'

interface ProcessCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Checks a command line for control characters. @throws {HostError} `server.spawn-failed` for a line break or a NUL */
export function checkCommandLine({ command, args, env = {}, cwd = '' }: ProcessCommand): void {
  const odd = (text: string): boolean => /[\0\r\n]/.test(text)
  const at = args.findIndex(odd)
  const variable = Object.entries(env).find((pair) => pair.some((text) => text.includes('\0')))?.[0]
  const field = odd(command) ? 'command' : at !== -1 ? 'args' : odd(cwd) ? 'cwd' : variable !== undefined ? 'env' : undefined
  if (field === undefined) return
  throw new HostError('server.spawn-failed', t`The command line has a line break or a NUL.`, {
    data: { command, reason: 'control-character', field, ...(field === 'args' ? { argument: at + 1 } : {}) },
  })
}

export const isBatchFile = (command: string): boolean => /\.(?:bat|cmd)[. ]*$/i.test(command)

/** Extensions that Windows starts directly; others of PATHEXT (`.JS`) need another program. */
const startable: ReadonlySet<string> = new Set(['.com', '.exe', '.bat', '.cmd'])

/** Candidates for a name: itself with a startable extension, else with each of PATHEXT, in order. */
export function windowsCandidates(place: string, pathExt: string | undefined): string[] {
  const named = (pathExt ?? '')
    .toLowerCase()
    .split(';')
    .map((ending) => ending.trim())
    .filter((ending) => startable.has(ending))
  const endings = named.length > 0 ? [...new Set(named)] : [...startable]
  return [...startable].some((ending) => place.toLowerCase().endsWith(ending)) ? [place] : endings.map((ending) => place + ending)
}

/** Longest line in characters that cmd.exe accepts. */
const maxLine = 8191

/** Arguments of cmd.exe that run `script` in a folder, to be passed verbatim as one line. @throws {HostError} `server.spawn-failed` */
export function windowsCommandLine(script: string, args: readonly string[], cwd = ''): string {
  checkCommandLine({ command: script, args })
  // There cmd.exe would run it in the folder of Windows, and say so (“UNC paths are not supported”).
  if (/^[\\/]{2}(?![?.][\\/][a-z]:)/i.test(cwd)) {
    throw new HostError('server.spawn-failed', t`The batch file ${script} cannot be run.`, {
      data: { command: script, cwd, reason: 'network-folder', field: 'cwd' },
    })
  }
  if (script.includes('"') || script.endsWith('\\')) {
    throw new HostError('server.spawn-failed', t`The batch file ${script} cannot be run.`, {
      data: { command: script, reason: 'batch-name', field: 'command' },
    })
  }
  const line = `/e:ON /v:OFF /d /c "${[quoted(script), ...args.map(batchArgument)].join(' ')}"`
  if (line.length <= maxLine) return line
  throw new HostError('server.spawn-failed', t`The command line of ${script} is longer than ${maxLine} characters.`, {
    data: { command: script, reason: 'too-long', field: 'args' },
  })
}

const quoted = (script: string): string => `"${script.replaceAll('%', '%%cd:~,%')}"`

/** Quotes unless plainly harmless, doubles quotes and the backslashes before them, and breaks up `%NAME%` by an empty expansion. */
function batchArgument(arg: string): string {
  const escaped = arg.replaceAll(/\\*"/g, (found) => `${'\\'.repeat(2 * (found.length - 1))}""`).replaceAll('%', '%%cd:~,%')
  const harmless =
    arg !== '' && !arg.endsWith('\\') && [...arg].every((char) => (char < '\u0080' ? /[\w#$*+\-./:?@\\]/.test(char) : !/\p{C}/u.test(char)))
  return harmless ? escaped : `"${escaped}${/\\*$/.exec(arg)?.[0] ?? ''}"`
}
