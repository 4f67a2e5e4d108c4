// The config file: the person's own text is the truth. What cannot be read leaves the last good servers in force, and is never
// overwritten by a form; only a text that the person saves as text replaces it. The text of the config file as it was read
// last: when it is outdated, what cannot be read of it, and which servers are in force. What cannot be used leaves those of the
// last good text, which is kept in a file of its own.
import { readFileSync, statSync } from 'node:fs'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { type ReadConfig, readConfig } from '#app/server/config/read-config.ts'
import { type ConfigProblem, type ServerDefinition, serverDefinition, serverName } from '#app/server/definition.ts'
import type { InputDeclaration } from '#app/server/inputs/input.ts'
import { createFileAtomically, writeFileAtomically } from '#main/base/atomic-write.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { removeEntry, renameEntry, setEntry } from './edit-config-text.ts'
import { unmaskDefinition } from './mask-definition.ts'

/** After a change is seen, the file must rest this long: editors write in steps. */
const restMs = 100

/** What changes when the file does; '' when it is not there. */
function stampOf(path: string): string {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : ''
  } catch {
    // Not even its folder can be looked at: reading it says why.
    return 'unreadable'
  }
}

/** The last text that could be used, in a file of its own; without a path there is none. */
interface GoodCopy {
  read(): string | undefined
  keep(text: string): void
}

function createGoodCopy(path: string | undefined, log: Log): GoodCopy {
  const read = (): string | undefined => {
    try {
      return path === undefined ? undefined : readFileSync(path, 'utf8')
    } catch {
      return undefined // There is none yet.
    }
  }
  return {
    read,
    keep(text) {
      if (path === undefined) return
      try {
        if (read() !== text) writeFileAtomically(path, text)
      } catch (error) {
        log.error('The last good text of the file of servers could not be kept', error)
      }
    },
  }
}

/** The file's text as it was read last, and the servers that are in force. */
interface ConfigText {
  readonly text: string
  readonly problems: ConfigProblem[]
  readonly servers: Pick<ReadConfig, 'definitions' | 'inputs'>
  /** There is no file: one may be made. A file that is there and cannot be read is never written over. */
  readonly missing: boolean
  /** What is in the file can be used. */
  readonly usable: boolean
  /** The file is not what was read last. */
  isOutdated(): boolean
  /** Takes a text as what the file says now. True: something is different. */
  take(read: string): boolean
  /** Reads the file; a failure is kept as a problem, and what was read before stays in force. True: something is different. */
  load(): boolean
  /** Puts the servers of the last good text in force, at the start, with a file that cannot be used. */
  takeGood(): void
  /** The text that an edit starts from. Throws `config.unreadable` or `config.syntax`. */
  editable(): string
}

function createConfigText(path: string, good: GoodCopy): ConfigText {
  let text = ''
  let unreadable: ConfigProblem | undefined
  let missing = false
  let current: ReadConfig = readConfig('', path)
  let servers: ConfigText['servers'] = current
  let seen = ''

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
    get text() {
      return text
    },
    get problems() {
      return unreadable ? [unreadable, ...current.problems] : [...current.problems]
    },
    get servers() {
      return servers
    },
    get missing() {
      return missing
    },
    get usable() {
      return !unreadable && current.usable
    },
    isOutdated: () => stampOf(path) !== seen,
    take,
    load() {
      seen = stampOf(path)
      try {
        return take(readFileSync(path, 'utf8'))
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code
        missing = code === 'ENOENT' || code === 'ENOTDIR'
        const next: ConfigProblem = {
          file: path,
          message: missing ? t`The file is not there.` : t`The file cannot be read (${code}).`,
          remedy: missing ? t`Put it back, or add a server to make a new one.` : t`Check who may read it, then try again.`,
        }
        if (unreadable?.message === next.message) return false
        unreadable = next
        return true
      }
    },
    takeGood() {
      const before = good.read()
      const read = before === undefined ? undefined : readConfig(before, path)
      if (read?.usable) servers = read
    },
    editable() {
      if (unreadable) {
        if (missing && text === '') return ''
        throw new HostError('config.unreadable', `${path}: ${unreadable.message} ${unreadable.remedy}`, { data: { file: path } })
      }
      if (current.usable) return text
      const problem = current.problems[0]
      throw new HostError(
        'config.syntax',
        t`${path}, line ${problem?.line ?? 1}: ${problem?.message ?? t`it cannot be read.`} Correct the text first; nothing was saved.`,
        { data: { file: path, line: problem?.line ?? 1, column: problem?.column ?? 1 } },
      )
    },
  }
}

/** Calls back after a change, once the file rests. Returns its undo. */
function watchConfigFile(file: ConfigText, clock: Clock, everyMs: number, onSettled: () => void): () => void {
  // Looking at the name, rather than watching a file, works on every disk and when the whole folder is replaced.
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
  /** Write a new profile's file with the built-in demo server in it. */
  readonly demo: boolean
  readonly log: Log
  readonly clock: Clock
  /** Where the last text that could be used is kept, for a start with one that cannot; absent: nowhere. */
  readonly lastGood?: string
  /** Milliseconds between looks at the file. */
  readonly lookEveryMs?: number
}

const newFile = `// Servers that Assent may start, in the format of other MCP hosts: "command" for a local server, "url" for a remote one.
{
  "mcpServers": {
    "demo": { "builtin": "demo" }
  }
}
`
/** Reads the file for the first time; a new profile's is made. */
function openConfigText({ path, demo, log, lastGood }: ServerConfigOptions): ConfigText {
  const file = createConfigText(path, createGoodCopy(lastGood, log))
  file.load()
  if (!file.missing && !file.usable) file.takeGood()
  if (!file.missing || !demo) return file
  let isNew = true
  try {
    isNew = createFileAtomically(path, newFile)
  } catch (error) {
    log.error('The file of servers could not be made', error)
  }
  // Another program may have made it in this very moment: what is there counts.
  if (isNew) file.take(newFile)
  else file.load()
  return file
}

export function openServerConfig(options: ServerConfigOptions): ServerConfig {
  const { path, clock } = options
  const listeners = new Set<() => void>()
  const file = openConfigText(options)

  function changed(): void {
    for (const listener of [...listeners]) listener()
  }
  function write(next: string): void {
    writeFileAtomically(path, next)
    file.take(next)
    changed()
  }
  function editable(): string {
    // What is seen here is not seen again by the next look: it has to be told of now.
    if (file.load()) changed()
    return file.editable()
  }
  const unwatch = watchConfigFile(file, clock, options.lookEveryMs ?? 700, () => {
    if (file.load()) changed()
  })

  return {
    path,
    text: () => file.text,
    problems: () => file.problems,
    definitions: () => file.servers.definitions,
    inputs: () => file.servers.inputs,
    saveText(next) {
      assertJson(path, next)
      write(next)
      return file.problems
    },
    save(name, definition, previousName) {
      serverName.parse(name)
      serverDefinition.parse(definition)
      const before = editable()
      write(textWith({ path, text: before, definitions: file.servers.definitions }, name, definition, previousName))
    },
    remove(name) {
      const before = editable()
      write(removeEntry(before, name))
      return before
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispose() {
      unwatch()
      listeners.clear()
    },
  }
}

/** @throws `config.syntax` for a text that is not JSON. */
function assertJson(path: string, text: string): void {
  const read = readConfig(text, path)
  if (read.isJson) return
  const problem = read.problems[0]
  const message = problem
    ? t`Not saved: the text is not JSON (line ${problem.line}, column ${problem.column}): ${problem.message} ${problem.remedy}`
    : t`Not saved: the text is not JSON. Write { "mcpServers": {} }.`
  throw new HostError('config.syntax', message, {
    data: { file: path, line: problem?.line ?? 1, column: problem?.column ?? 1 },
  })
}

/** The text with that entry in it, in place of `previousName`'s. @throws `config.invalid` for a name that is taken, or an entry that cannot be written. */
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
      {
        data: { server: name },
      },
    )
  return next
}

export const nameTaken = (server: string): HostError =>
  new HostError('config.invalid', t`There is a server named “${server}” already. Choose another name.`, { data: { server } })

/** The config file (`servers.json` in the profile, or `--config`), text and entries. */
export interface ServerConfig {
  readonly path: string
  text(): string
  problems(): ConfigProblem[]
  /** What can be used of it. The built-in demo is among them. */
  definitions(): ReadonlyMap<string, ServerDefinition>
  /** What it declares of the values that `${input:ID}` stands for, by id. */
  inputs(): ReadonlyMap<string, InputDeclaration>
  /** Throws `config.syntax` and changes nothing when the text is not JSON. */
  saveText(text: string): ConfigProblem[]
  /** Comments and unknown keys survive. */
  save(name: string, definition: ServerDefinition, previousName?: string): void
  /** Returns the text as it was. */
  remove(name: string): string
  /** Also for edits outside the app. Returns its undo. */
  onChange(listener: () => void): () => void
  dispose(): void
}
