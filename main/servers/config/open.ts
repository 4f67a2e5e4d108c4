// The config file: the person's own text is the truth. What cannot be read leaves the last good servers in force, and
// is never overwritten by a form; only a text that the person saves as text replaces it.
import { readFileSync, statSync } from 'node:fs'
import { HostError } from '#app/errors.ts'
import { type ReadConfig, readConfig } from '#app/server/config/read.ts'
import { type ConfigProblem, serverDefinition, serverName } from '#app/server/definition.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/log.ts'
import type { ServerConfig } from '#main/servers/types.ts'
import { createFileAtomically, writeFileAtomically } from './atomic-write.ts'
import { removeEntry, renameEntry, setEntry } from './edit.ts'
import { unmaskDefinition } from './mask.ts'

export interface ServerConfigOptions {
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

export function openServerConfig(options: ServerConfigOptions): ServerConfig {
  const { path, log, clock } = options
  const listeners = new Set<() => void>()
  let text = ''
  let unreadable: ConfigProblem | undefined
  /** There is no file: one may be made. A file that is there and cannot be read is never written over. */
  let missing = false
  let current: ReadConfig = readConfig('', path)
  let { definitions, inputs } = current
  let seen = ''

  /** Takes a text as what the file says now. True: something is different. */
  function take(read: string): boolean {
    const next = read.replace(/^\uFEFF/, '')
    if (next === text && !unreadable) return false
    text = next
    unreadable = undefined
    missing = false
    current = readConfig(next, path)
    if (current.usable) {
      ;({ definitions, inputs } = current)
      if (text.trim() !== '') keepGood(text)
    }
    return true
  }

  function keepGood(good: string): void {
    if (options.lastGood === undefined) return
    try {
      if (readGood() !== good) writeFileAtomically(options.lastGood, good)
    } catch (error) {
      log.error('The last good text of the file of servers could not be kept', error)
    }
  }

  const readGood = (): string | undefined => {
    try {
      return options.lastGood === undefined ? undefined : readFileSync(options.lastGood, 'utf8')
    } catch {
      return undefined // There is none yet.
    }
  }

  /** At the start, with a file that cannot be used: the servers are those of the text before. */
  function takeGood(): void {
    const good = readGood()
    const before = good === undefined ? undefined : readConfig(good, path)
    if (before?.usable) ({ definitions, inputs } = before)
  }

  /** Reads the file; a failure is kept as a problem, and what was read before stays in force. */
  function load(): boolean {
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
  }

  function changed(): void {
    for (const listener of [...listeners]) listener()
  }

  function write(next: string): void {
    writeFileAtomically(path, next)
    take(next)
    changed()
  }

  /** The text that an edit starts from: what is in the file this moment. */
  function editable(): string {
    // What is seen here is not seen again by the next look: it has to be told of now.
    if (load()) changed()
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
  }

  load()
  if (!missing && (unreadable || !current.usable)) takeGood()
  if (missing && options.demo) {
    let isNew = true
    try {
      isNew = createFileAtomically(path, newFile)
    } catch (error) {
      log.error('The file of servers could not be made', error)
    }
    // Another program may have made it in this very moment: what is there counts.
    if (isNew) take(newFile)
    else load()
  }

  // Looking at the name, rather than watching a file, works on every disk and when the whole folder is replaced.
  const look = (): void => {
    const stamp = stampOf(path)
    if (stamp === seen) cancelLook = clock.after(options.lookEveryMs ?? 700, look)
    else
      cancelLook = clock.after(restMs, () => {
        if (load()) changed()
        cancelLook = clock.after(options.lookEveryMs ?? 700, look)
      })
  }
  let cancelLook = clock.after(options.lookEveryMs ?? 700, look)

  return {
    path,
    text: () => text,
    problems: () => (unreadable ? [unreadable, ...current.problems] : [...current.problems]),
    definitions: () => definitions,
    inputs: () => inputs,
    saveText(next) {
      const read = readConfig(next, path)
      if (!read.isJson) {
        const problem = read.problems[0]
        const message = problem
          ? t`Not saved: the text is not JSON (line ${problem.line}, column ${problem.column}): ${problem.message} ${problem.remedy}`
          : t`Not saved: the text is not JSON. Write { "mcpServers": {} }.`
        throw new HostError('config.syntax', message, {
          data: { file: path, line: problem?.line ?? 1, column: problem?.column ?? 1 },
        })
      }
      write(next)
      return [...current.problems]
    },
    save(name, definition, previousName) {
      serverName.parse(name)
      serverDefinition.parse(definition)
      const before = editable()
      const from = previousName ?? name
      if (from !== name && definitions.has(name))
        throw new HostError('config.invalid', t`There is a server named “${name}” already. Choose another name.`, {
          data: { server: name },
        })
      const whole = unmaskDefinition(name, definition, definitions.get(from))
      const next = setEntry(from === name ? before : renameEntry(before, from, name), name, whole)
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
      write(next)
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
      cancelLook()
      listeners.clear()
    },
  }
}
