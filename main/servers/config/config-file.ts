// The config file (`servers.json` in the profile, or `--config`): its text, its problems, and the servers in force. The person's own text
// is the truth. A text that cannot be used leaves the servers of the last good one in force, which is kept in a file of its own.
// No form overwrites such a text; only the person replaces it, by saving it as text.
import { readFileSync, statSync } from 'node:fs'
import { applyEdits, findNodeAtLocation, getNodeValue, modify, parseTree } from 'jsonc-parser'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { oauthSettings } from '#app/server/auth-status.ts'
import { type ReadConfig, readConfig } from '#app/server/config/read-config.ts'
import { type ConfigProblem, type ServerDefinition, type StdioDefinition, serverDefinition, serverName } from '#app/server/definition.ts'
import type { InputDeclaration } from '#app/server/inputs/input.ts'
import { sandboxKeysOf } from '#app/server/sandbox/sandbox-keys.ts'
import { createFileAtomically, writeFileAtomically } from '#main/base/atomic-write.ts'
import type { Clock } from '#main/base/clock.ts'
import { decodeTextFile } from '#main/base/decode-text.ts'
import { type Log, logFailure } from '#main/base/host-log.ts'
import { createListeners } from '#main/base/listeners.ts'
import { unmaskDefinition } from './mask-definition.ts'

/** Milliseconds that the file must rest after a change, since editors write in steps. */
const restMs = 100

/** Returns a text that changes when the file does; '' when it is not there. */
function stampOf(path: string): string {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : ''
  } catch {
    return 'unreadable' // Its folder cannot be read either. Reading the file says why.
  }
}

/** Copy of the last text that could be used, in a file of its own; without a path none is kept. */
function createGoodCopy(path: string | undefined, log: Log) {
  const read = (): string | undefined => {
    try {
      return path === undefined ? undefined : readFileSync(path, 'utf8')
    } catch {
      return undefined // There is none yet.
    }
  }
  return {
    read,
    keep(text: string): void {
      if (path === undefined) return
      logFailure(log, 'The last good text of the file of servers could not be kept', () => {
        if (read() !== text) writeFileAtomically(path, text)
      })
    },
  }
}

type ConfigText = ReturnType<typeof createConfigText>

function createConfigText(path: string, good: ReturnType<typeof createGoodCopy>, readFile: (path: string) => Uint8Array) {
  let text = ''
  let unreadable: ConfigProblem | undefined
  let missing = false
  let current: ReadConfig = readConfig('', path)
  let servers: Pick<ReadConfig, 'definitions' | 'inputs'> = current
  let seen = ''

  /** Takes a text as that of the file. Returns whether something is different. */
  function take(read: string): boolean {
    const next = read.replace(/^\uFEFF/, '')
    if (next === text && !unreadable) return false
    text = next
    unreadable = undefined
    missing = false
    current = readConfig(next, path)
    if (current.usable) {
      servers = current
      if (text.trim() !== '') good.keep(text)
    }
    return true
  }

  return {
    text: () => text,
    problems: (): ConfigProblem[] => (unreadable ? [unreadable, ...current.problems] : [...current.problems]),
    /** Servers in force, by name, the built-in demo among them. */
    definitions: (): ReadonlyMap<string, ServerDefinition> => servers.definitions,
    /** Inputs that the file declares for all servers, by id. */
    inputs: (): ReadonlyMap<string, InputDeclaration> => servers.inputs,
    /** True when there is no file, so that one may be made. A file that cannot be read is never written over. */
    isMissing: () => missing,
    isUsable: () => !unreadable && current.usable,
    isOutdated: () => stampOf(path) !== seen,
    take,
    /** Reads the file. A failure becomes a problem, and the servers stay in force. Returns whether something is different. */
    load(): boolean {
      seen = stampOf(path)
      try {
        return take(decodeTextFile(readFile(path)))
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code
        missing = code === 'ENOENT' || code === 'ENOTDIR'
        // A program of Windows that writes or scans it holds it for a moment: it is read again at the next look.
        if (!missing) seen = ''
        const next: ConfigProblem = {
          file: path,
          message: missing ? t`The file is not there.` : t`The file cannot be read (${code}).`,
          remedy: missing ? t`Add a server to make a new one.` : t`Check its permissions, then try again.`,
        }
        if (unreadable?.message === next.message) return false
        unreadable = next
        return true
      }
    },
    /** Puts the servers of the last good text in force, at a start with a file that cannot be used. */
    takeGood(): void {
      const before = good.read()
      const read = before === undefined ? undefined : readConfig(before, path)
      if (read?.usable) servers = read
    },
    /** Returns the text that an edit starts from. @throws {HostError} `config.unreadable`, `config.syntax` */
    editable(): string {
      if (unreadable && missing && text === '') return ''
      if (unreadable)
        throw new HostError('config.unreadable', `${path}: ${unreadable.message} ${unreadable.remedy}`, { data: { file: path } })
      if (current.usable) return text
      const { line = 1, column = 1, message = t`The file cannot be read.` } = current.problems[0] ?? {}
      throw new HostError('config.syntax', t`Not saved: ${path}, line ${line}: ${message}`, {
        data: { file: path, line, column },
      })
    },
  }
}

/** Polls the path, which works on every disk and when the folder is replaced, and calls back once a change rests. Returns its undo. */
function watchConfigFile(file: ConfigText, clock: Clock, everyMs: number, onSettled: () => void): () => void {
  const look = (): void => {
    if (!file.isOutdated()) cancelLook = clock.after(everyMs, look)
    else
      cancelLook = clock.after(restMs, () => {
        onSettled()
        cancelLook = clock.after(everyMs, look)
      })
  }
  let cancelLook = clock.after(everyMs, look)
  return () => cancelLook()
}

interface ServerConfigOptions {
  readonly path: string
  /** Makes the file of a new profile, with the built-in demo server in it. */
  readonly demo: boolean
  readonly log: Log
  readonly clock: Clock
  /** Path of the copy of the last text that could be used, for a start with one that cannot. */
  readonly lastGood?: string
  readonly lookEveryMs?: number
  /** Replaced in tests. */
  readonly readFile?: (path: string) => Uint8Array
}

const newFile = `// Servers that Assent may start, in the format of other MCP hosts: "command" for a local server, "url" for a remote one.
{
  "mcpServers": {
    "demo": { "builtin": "demo" }
  }
}
`

function openConfigText({ path, demo, log, lastGood, readFile = readFileSync }: ServerConfigOptions): ConfigText {
  const file = createConfigText(path, createGoodCopy(lastGood, log), readFile)
  file.load()
  if (!file.isMissing() && !file.isUsable()) file.takeGood()
  if (!file.isMissing() || !demo) return file
  let isNew = true
  logFailure(log, 'The file of servers could not be made', () => {
    isNew = createFileAtomically(path, newFile)
  })
  // Another program may have made the file in this moment: that one counts.
  if (isNew) file.take(newFile)
  else file.load()
  return file
}

export type ServerConfig = ReturnType<typeof openServerConfig>

export function openServerConfig(options: ServerConfigOptions) {
  const { path, clock } = options
  const { add: onChange, tell: changed, clear } = createListeners()
  const file = openConfigText(options)

  function write(next: string): void {
    writeFileAtomically(path, next)
    file.take(next)
    changed()
  }
  function editable(): string {
    // The next poll does not see a change that is read here, so listeners are told now.
    if (file.load()) changed()
    return file.editable()
  }
  const unwatch = watchConfigFile(file, clock, options.lookEveryMs ?? 700, () => {
    if (file.load()) changed()
  })

  return {
    path,
    text: file.text,
    problems: file.problems,
    definitions: file.definitions,
    inputs: file.inputs,
    /** @throws {HostError} `config.syntax` for a text that is not JSON; nothing is changed then. */
    saveText(next: string): ConfigProblem[] {
      assertJson(path, next)
      write(next)
      return file.problems()
    },
    /** Writes one entry; comments and unknown keys stay. */
    save(name: string, definition: ServerDefinition, previousName?: string): void {
      serverName.parse(name)
      serverDefinition.parse(definition)
      const before = editable()
      write(textWith({ path, text: before, definitions: file.definitions() }, name, definition, previousName))
    },
    remove(name: string): string {
      const before = editable()
      write(removeEntry(before, name))
      return before
    },
    /** Called also for edits outside the app. Returns its undo. */
    onChange,
    dispose() {
      unwatch()
      clear()
    },
  }
}

/** @throws {HostError} `config.syntax` for a text that is not JSON. */
function assertJson(path: string, text: string): void {
  const read = readConfig(text, path)
  if (read.isJson) return
  const problem = read.problems[0]
  const message = problem
    ? t`Not saved: the text is not JSON (line ${problem.line}, column ${problem.column}): ${problem.message} ${problem.remedy}`
    : t`Not saved: the text is not JSON.`
  throw new HostError('config.syntax', message, { data: { file: path, line: problem?.line ?? 1, column: problem?.column ?? 1 } })
}

/** Returns the text with the entry in place of that of `previousName`. @throws {HostError} `config.invalid` for a name that is taken */
function textWith(
  before: { readonly path: string; readonly text: string; readonly definitions: ReadonlyMap<string, ServerDefinition> },
  name: string,
  definition: ServerDefinition,
  previousName: string | undefined,
): string {
  const { path, text, definitions } = before
  const from = previousName ?? name
  if (from !== name && definitions.has(name)) throw nameTaken(name)
  const whole = unmaskDefinition(name, definition, definitions.get(from))
  const next = setEntry(from === name ? text : renameEntry(text, from, name), name, whole)
  const check = readConfig(next, path)
  const wrong = check.problems.find((problem) => problem.server === name)
  if (!check.usable || wrong)
    throw new HostError(
      'config.invalid',
      wrong ? t`Not saved: ${wrong.message} ${wrong.remedy}` : t`Not saved: the entry cannot be written.`,
      { data: { server: name } },
    )
  return next
}

export const nameTaken = (server: string): HostError =>
  new HostError('config.invalid', t`There is a server named “${server}” already.`, { data: { server } })

// Edits of the text of the config file that change nothing else: comments, order, unknown keys and indentation stay.
const oauthKeys = Object.keys(oauthSettings.shape)

type Path = (string | number)[]
const root = 'mcpServers'

function indentation(text: string): { insertSpaces: boolean; tabSize: number } {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1]
  if (indent?.startsWith('\t')) return { insertSpaces: false, tabSize: 1 }
  return { insertSpaces: true, tabSize: indent && indent.length <= 8 ? indent.length : 2 }
}

function set(text: string, path: Path, value: Json | undefined): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return applyEdits(text, modify(text, path, value, { formattingOptions: { ...indentation(text), eol } }))
}

const at = (text: string, path: Path) => {
  const tree = parseTree(text, [], { allowTrailingComma: true })
  return tree && findNodeAtLocation(tree, path)
}

/** Values of the keys that a definition owns; undefined removes the key. Defaults are not written. */
function fieldsOf(definition: ServerDefinition): Record<string, Json | undefined> {
  const stdio = definition.transport === 'stdio' ? definition : undefined
  const http = definition.transport === 'streamable-http' || definition.transport === 'sse' ? definition : undefined
  const builtin = definition.transport === 'builtin' ? definition : undefined
  const orNone = <T extends JsonObject | readonly Json[]>(value: T | undefined): T | undefined =>
    value && Object.keys(value).length > 0 ? value : undefined
  return {
    builtin: builtin?.module,
    command: stdio?.command,
    args: orNone(stdio?.args),
    env: orNone(stdio?.env),
    cwd: stdio?.cwd,
    ...sandboxFieldsOf(stdio?.sandbox),
    type: definition.transport === 'sse' ? 'sse' : undefined,
    url: http?.url,
    headers: orNone(http?.headers),
    oauth: orNone(http?.oauth as JsonObject | undefined),
    disabled: definition.enabled ? undefined : true,
    start: definition.start === (builtin ? 'launch' : 'needed') ? undefined : definition.start,
    trusted: definition.trusted === Boolean(builtin) ? undefined : definition.trusted,
    timeout: definition.timeoutMs,
    idleMinutes: definition.idleMinutes,
    startTimeout: definition.startTimeoutMs,
  }
}

const sandboxFieldsOf = (settings: StdioDefinition['sandbox']): Record<string, Json | undefined> => {
  const { sandboxEnabled, sandbox } = sandboxKeysOf(settings)
  return { sandboxEnabled, sandbox }
}

/** Tells whether the value in the text has the wanted meaning already: `type: "http"` means the same as no `type`. */
const saysSame = (name: string, present: unknown, wanted: Json | undefined, definition: ServerDefinition): boolean =>
  (name === 'type' &&
    wanted === undefined &&
    present !== undefined &&
    present !== 'sse' &&
    (definition.transport === 'stdio') === (present === 'stdio')) ||
  // Grants of a sandbox that is off, or not spoken of, are kept for when it is on.
  (name === 'sandbox' && (definition.transport !== 'stdio' || definition.sandbox?.kind !== 'on')) ||
  JSON.stringify(present) === JSON.stringify(wanted)

function valueAt(text: string, path: Path): unknown {
  const node = at(text, path)
  return node && getNodeValue(node)
}

/** Adds or changes one entry. An object (env, headers) is changed key by key, so that comments in it stay. */
export function setEntry(text: string, name: string, definition: ServerDefinition): string {
  let result = text.trim() === '' ? `{\n  "${root}": {}\n}\n` : text
  if (!at(result, [root])) result = set(result, [root], {})
  const fields = fieldsOf(definition)
  if (at(result, [root, name])?.type !== 'object') {
    const present = Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined)
    return set(result, [root, name], Object.fromEntries(present))
  }
  for (const [key, wanted] of Object.entries(fields)) {
    const path = [root, name, key]
    const present = valueAt(result, path)
    if (saysSame(key, present, wanted, definition)) continue
    const isByKey = key === 'oauth' || ((key === 'env' || key === 'headers') && wanted)
    if (isByKey && at(result, path)?.type === 'object') result = setKeys(result, path, (wanted ?? {}) as JsonObject, key)
    else result = set(result, path, wanted)
  }
  return result
}

function setKeys(text: string, path: Path, wanted: JsonObject, name: string): string {
  let result = text
  const present = valueAt(text, path) as Record<string, unknown>
  for (const key of name === 'oauth' ? oauthKeys : new Set([...Object.keys(present), ...Object.keys(wanted)])) {
    const value = Object.hasOwn(wanted, key) ? wanted[key] : undefined
    if (JSON.stringify(present[key]) !== JSON.stringify(value)) result = set(result, [...path, key], value)
  }
  return Object.keys(valueAt(result, path) as object).length > 0 ? result : set(result, path, undefined)
}

export function renameEntry(text: string, from: string, to: string): string {
  const key = at(text, [root, from])?.parent?.children?.[0]
  return key ? text.slice(0, key.offset) + JSON.stringify(to) + text.slice(key.offset + key.length) : text
}

export const removeEntry = (text: string, name: string): string => (at(text, [root, name]) ? set(text, [root, name], undefined) : text)
