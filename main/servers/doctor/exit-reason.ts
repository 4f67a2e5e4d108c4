// Finds the sentence in a program's output that says why it ended, among stack frames, source excerpts, braces, versions, warnings of
// launchers and usage. Errors printed as JSON are read.
import { isJsonObject, type Json } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { plainText } from '#app/text/ansi-escapes.ts'
import { type DiagnosisCase, listAt } from './diagnosis-input.ts'

export interface ProgramOutput {
  readonly lines: readonly string[]
  /** Line with its usage; undefined when it printed none. */
  readonly usage?: string | undefined
}

const noise: readonly RegExp[] = [
  /^[\s{}[\]()^~|,;…'"`]*$/,
  /^(?:Node\.js|Bun|Deno|Python) v?\d[\w.+-]*(?: \(.*\))?$/,
  // Stack frames, and positions in files.
  /^\s+at (?:async )?(?:new )?\S+(?: \[as \w+\])? \(|^\s+at (?:async )?(?:file:|node:|\/|[A-Z]:\\|internal\/|index |\[eval)|^\s+at (?:async )?(?:new )?[\w.<>#]+$/,
  /^(?:file:\/\/|node:|internal\/|\/|[A-Za-z]:\\|\[eval\]|evalmachine)[^\s:]*(?: [^\s:]*)*:\d+(?::\d+)?$/,
  /^Traceback \(most recent call last\):$|^\s+File "[^"]*", line \d+|^During handling of the above exception|^The above exception was/,
  // Properties of an error that Node prints.
  /^\s+(?:code|errno|syscall|hostname|requireStack|tries|address|port|type|path|library|function|reason|cmd|killed|signal|opensslErrorStack)\b: /,
  /^\s+'[^']*',?$|^Require stack:$|^\s*(?:-|→|•) *(?:\/|[A-Z]:\\)\S*$/,
  /^\(node:\d+\) |^\(Use `node --trace/,
  /^Unable to find image '[^']+' locally$|^[\w.-]+: Pulling from \S+$|^ *--- End of inner exception stack trace ---$/,
  /^npm (?:warn|WARN|notice)\b|^npm (?:ERR!|error) (?:A complete log|signal SIGTERM|\s*\/|\s*[A-Z]:\\)/,
]
const isNoise = (line: string): boolean => noise.some((pattern) => pattern.test(line))
const carets = /^\s*[\^~]+\s*$/

const strong = /(?:(?:Error|Exception)|\b[Ee]rror|\bERROR|\b[Ff]atal|\bFATAL|\b[Pp]anic)\b[^:]{0,30}: *\S/
const weak =
  /(?:Error|Exception)\b|\b(?:error|fatal|panic|fail(?:ed|ure|s)?|missing|required?|must|you need to|no matching|compiled (?:against|by)|can(?:not|['’]t)|(?:could|did|was|is|are) not|unable|not found|no [\w ]{1,30}(?:found|provided)|no such|denied|invalid|unauthori[sz]ed|forbidden|refused|unknown|unsupported|please (?:set|provide|specify))\b/i
/** Code of an error of the system. */
export const errno = /\bE[A-Z]{4,}\b/
export const isError = (line: string): boolean => strong.test(line) || weak.test(line) || errno.test(line)

/** Prefix of npm before each line of a native module's build. */
const compiler = /^npm (?:ERR!|error) gyp ERR! (?:find \w+ |stack )?/
const usageStart = /^\s*(?:\[[^\]]*\] *)?usage(?::|\s*$)/i

/** Removes noise, replaces JSON by the messages in it, and sets usage apart. */
export function readOutput(written: readonly string[]): ProgramOutput {
  const plain = withJsonInWords(written.map((line) => plainText(line).trimEnd().replace(compiler, '')))
  const lines: string[] = []
  let usage: string | undefined
  let inUsage = false
  plain.forEach((line, at) => {
    if (isNoise(line) || carets.test(plain[at + 1] ?? '')) return
    if (usageStart.test(line)) {
      inUsage = true
      usage ??= usageLine(plain, at)
    } else if (!inUsage || (/^\S/.test(line) && strong.test(line)) || /^(?:[Mm]issing|[Nn]ot enough|[Uu]nknown|[Ii]nvalid) /.test(line)) {
      inUsage = false
      lines.push(line)
    }
  })
  return { lines, ...(usage === undefined ? {} : { usage }) }
}

/** `USAGE` may stand on a line of its own. */
function usageLine(lines: readonly string[], at: number): string {
  const line = (lines[at] ?? '').trim()
  return /usage:?$/i.test(line) ? (lines[at + 1] ?? '').trim() : line.replace(/^.*?usage: */i, '')
}

/** Output of a start: stderr, or stdout where stderr says nothing. */
export function outputOf({ trace, error }: Pick<DiagnosisCase, 'trace' | 'error'>): ProgramOutput {
  const stderr = readOutput(trace.stderr.length > 0 ? trace.stderr : listAt(error.data, 'stderr'))
  return stderr.lines.length > 0 || stderr.usage !== undefined ? stderr : readOutput(trace.output)
}

const isCause = (line: string): boolean => /^\s*--->|^\s*\[?(?:[Cc]ause(?:d by)?|[Oo]riginal error)\]?:/.test(line)

/** Picks the line that best says why it ended, with the list or the cause after it. */
export function reasonIn({ lines }: ProgramOutput): string | undefined {
  const tree = reasonInTree(lines)
  if (tree !== undefined) return tree
  // The tail of such a tree.
  const python = lines.find((line) => /\bdoes not satisfy Python/.test(line))
  if (python !== undefined) return python.trim()
  const at = [strong, weak, errno, /\S/]
    .map((pattern) => lines.findLastIndex((line) => pattern.test(line) && !isCause(line)))
    .find((found) => found !== -1)
  if (at === undefined) return lines.findLast(isCause)?.trim()
  const line = joined(lines, at)
  const cause = lines.slice(at + 1).find(isCause)
  if (cause !== undefined) return `${line} (${cause.replace(/^[^:]*: */, '').trim()})`
  const before = lines[at - 1] ?? ''
  if (/^\W*warn(?:ing)?\b/i.test(before)) return `${line} (${before.trim()})`
  if (!line.endsWith(':')) return line
  const items = lines.slice(at + 1).findIndex((item) => !/^\s*[-•*]|^\s{2}/.test(item))
  return [line, ...lines.slice(at + 1, items === -1 ? at + 6 : at + 1 + Math.min(items, 5)).map((item) => item.trim())].join(' ')
}

const mostJoined = 4

/** Line with those that go on with its sentence: Node breaks the one on native modules in five. */
function joined(lines: readonly string[], at: number): string {
  const parts = [(lines[at] ?? '').trim()]
  for (const line of lines.slice(at + 1, at + 1 + mostJoined)) {
    if (/[.!?:;]$/.test(parts.at(-1) ?? '') || isCause(line) || !/^\S/.test(line)) break
    if (parts.length === 1 && !/^[a-z]+ (?!.*:)/.test(line)) break
    if (/^(?:npm|error|warn|info|debug|usage|help|run|see)\b/i.test(line)) break
    parts.push(line.trim())
  }
  return parts.join(' ')
}

/** Branch of uv's tree before a cause. */
export const branch = /^\s*(?:├─▶|╰─▶|`->|\|->)\s*/

/** Reason in uv's tree: what failed, then each cause, which may be wrapped. */
function reasonInTree(lines: readonly string[]): string | undefined {
  const first = lines.findIndex((line) => branch.test(line))
  if (first < 1) return undefined
  const causes: string[] = []
  for (const line of lines.slice(first)) {
    if (branch.test(line)) causes.push(line.replace(branch, ''))
    else if (/^\s{4,}[\w`'"(<>=]/.test(line) && !/^\s*help:/.test(line)) causes.push(`${causes.pop() ?? ''} ${line.trim()}`)
    else break
  }
  const what = (lines[first - 1] ?? '').replace(/^\s*(?:×|x|error:)\s*/, '').replace(/:$/, '')
  // What the build wrote says more than that it failed.
  const at = lines.findIndex((line, index) => index > first && /^\s*\[stderr\]$/.test(line))
  const built = at === -1 ? [] : lines.slice(at + 1).map((line) => line.trim())
  const own = built.findLast((line) => strong.test(line)) ?? built[0]
  return own === undefined ? `${what} (${causes.join('; ')})` : `${what} (${own})`
}

export const exitReason = (one: Pick<DiagnosisCase, 'trace' | 'error'>): string | undefined => reasonIn(outputOf(one))

/** Replaces JSON at the end of a line, also over several lines, by its messages. Log entries below a warning are removed. */
function withJsonInWords(lines: readonly string[]): string[] {
  const out: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const found = jsonFrom(lines, at)
    if (found === undefined) {
      out.push(line)
      continue
    }
    at = found.last
    if (isChatter(found.value)) continue
    const words = messagesIn(found.value).join('; ')
    out.push(words === '' ? line : `${found.before}${words}`)
  }
  return out
}

const longest = 200

function jsonFrom(lines: readonly string[], at: number) {
  const line = lines[at] ?? ''
  const start = line.search(/[{[](?=\s*(?:["{[\]}]|$))/)
  if (start === -1) return undefined
  const alone = /[{[]$/.test(line)
  const closing = line[start] === '{' ? '}' : ']'
  const last = alone ? lines.findIndex((each, index) => index > at && index < at + longest && each.startsWith(closing)) : at
  if (last === -1) return undefined
  const value = parseJson([line.slice(start), ...lines.slice(at + 1, last + 1)].join('\n')) as Json | undefined
  return value === null || typeof value !== 'object' ? undefined : { before: line.slice(0, start), value, last }
}

/** Tells a log entry below a warning: pino and bunyan have a number below 40, others a word. */
const isChatter = (value: Json): boolean => {
  const level = isJsonObject(value) ? (value['level'] ?? value['severity']) : undefined
  return typeof level === 'number' ? level < 40 : typeof level === 'string' && /^(?:trace|debug|info|notice)$/i.test(level)
}

const keys = ['message', 'msg', 'error', 'err', 'detail', 'details', 'reason', 'errors', 'issues', 'params', 'data']

function messagesIn(value: Json, depth = 0): string[] {
  if (typeof value === 'string')
    return value.trim() === ''
      ? []
      : [
          value
            .split('\n')
            .map((line) => line.trim())
            .filter(Boolean)
            .join(' '),
        ]
  if (depth > 4) return []
  if (Array.isArray(value))
    return [...new Set(value.slice(0, 5).flatMap((each) => (typeof each === 'object' ? messagesIn(each, depth + 1) : [])))]
  if (!isJsonObject(value)) return []
  for (const key of keys) {
    const found = value[key] === undefined ? [] : messagesIn(value[key], depth + 1)
    if (found.length === 0) continue
    const { path } = value
    const where = Array.isArray(path) ? path.join('.') : ''
    return where === '' || found.some((words) => words.includes(where)) ? found : found.map((words) => `${where}: ${words}`)
  }
  return []
}
