// Paths that a server names where it says that a file is not there or may not be used: in an error of a tool, or on stderr. The text is
// data of the server: a path in it is a claim, which the host checks against the sandbox of this start. Pure.
import type { Json } from '../../json.ts'

export interface NamedPath {
  /** Absolute, or below `~`, or beginning with `..`. */
  readonly path: string
  /** `any`: the text does not say whether it was to be read or written. */
  readonly access: 'write' | 'any'
}

/** Characters of a text and of a line that are read, and paths that are taken from it. */
const most = { text: 64_000, line: 1000, paths: 20, depth: 4, path: 1000 }

/** Words of the system for a file that may not be written (EROFS), and for one that is not there or not allowed (ENOENT, EACCES, EPERM). */
const readOnly = /EROFS|read-only file ?system|os error 30\b|errno 30\b/.source
const refusal = [
  /ENOENT|EACCES|EPERM|no such file or directory|permission denied|operation not permitted/,
  /os error (?:1|2|13)\b|errno (?:1|2|13)\b|NoSuchFileException|AccessDeniedException|FileNotFound|rb_sysopen/,
  /could ?n[o']t (?:find|open|read)|can(?:not|'t) (?:find|open|read|access)|unable to (?:find|open|read)|access to the path/,
  /not found|does ?n[o']t exist|not exist|sandbox blocked open/,
]
  .map(({ source }) => source)
  .join('|')
const readOnlyWords = new RegExp(readOnly, 'i')
const anyWords = new RegExp(`${readOnly}|${refusal}`, 'i')
/** Operations that change a folder, as system calls and in words. */
const changing =
  /\b(?:mkdir|mkdtemp|rmdir|unlink|rename|copyfile|symlink|link|chmod|chown|utimes?|truncate|cannot (?:create|touch|remove|move)|unable to create|could not (?:create|lock|write)|failed to (?:create|write|remove))\b/i

const beginning = String.raw`(?:~?/|\.\./)`
const quoted = new RegExp(`['"\`‘“[(](${beginning}[^'"\`’”\\])]*)['"\`’”\\])]`, 'g')
const bare = new RegExp(`(?:^|[\\s:=,(])(${beginning}[^\\s'"\`:,;()[\\]<>]*)`, 'g')
/** Path before a colon, which may hold spaces: Go, Rust, coreutils. */
const beforeColon = new RegExp(`(?:^|\\s)(~?/[^:'"\`]*): (?:${readOnly}|${refusal})`, 'gi')

/** Whether a text may name a refused path: cheap, for each line of a flood. */
export const saysRefused = (text: string): boolean => anyWords.test(text.slice(0, most.text))

function tidy(path: string): string | undefined {
  const bareEnd = path.trimEnd().replace(/[.!?]+$/, '')
  // A name with characters that are not seen is not shown as another.
  return bareEnd.length > most.path || bareEnd.length < 2 || /\p{C}/u.test(bareEnd) ? undefined : bareEnd
}

/** Returns the paths of lines that speak of a refusal, each once. */
export function refusedPaths(text: string): readonly NamedPath[] {
  const found = new Map<string, NamedPath>()
  for (const whole of text.slice(0, most.text).split(/\r?\n|\\n/)) {
    const line = whole.slice(0, most.line)
    // Lines of a stack name files of the program.
    if (!anyWords.test(line) || /^\s*at\s/.test(line)) continue
    const access = readOnlyWords.test(line) || changing.test(line) ? 'write' : 'any'
    for (const pattern of [quoted, beforeColon, bare])
      for (const [, path = ''] of line.matchAll(pattern)) {
        const named = tidy(path)
        if (named !== undefined && !found.has(named)) found.set(named, { path: named, access })
        if (found.size >= most.paths) return [...found.values()]
      }
  }
  return [...found.values()]
}

/** Paths among the arguments of a call that failed with this text. */
export function argumentPaths(args: Json | undefined, text: string): readonly NamedPath[] {
  if (!saysRefused(text)) return []
  const access = readOnlyWords.test(text) ? 'write' : 'any'
  const paths = new Set<string>()
  const walk = (value: Json | undefined, depth: number): void => {
    if (paths.size >= most.paths || depth > most.depth) return
    if (typeof value === 'string') {
      const path = /^file:\/\/(?:localhost)?(\/.*)$/s.exec(value)?.[1] ?? value
      const named = new RegExp(`^${beginning}`).test(path) ? tidy(path) : undefined
      if (named !== undefined) paths.add(named)
    } else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) walk(each, depth + 1)
  }
  walk(args, 0)
  return [...paths].map((path) => ({ path, access }))
}
