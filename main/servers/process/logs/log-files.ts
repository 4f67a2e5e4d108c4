// Logs of servers on disk: lines of JSON in `logs/` of the data folder, so that the previous run can be read. Each server has two
// files; a full one replaces the older. Of a flood the oldest lines are dropped and counted. A failed write costs one warning.

import { createHash } from 'node:crypto'
import { appendFile, chmod, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from '#app/i18n/translate.ts'
import { parseJson } from '#app/or-else.ts'
import { type LogLine, logLine } from '#app/server/server-state.ts'
import { escapeHiddenInJson } from '#app/text/hidden-characters.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { newId } from '#main/base/ids.ts'

export type ServerLogFile = ReturnType<typeof createLogFile>

/** Bytes of one file, UTF-16 units of the buffer, milliseconds between two writes, and lines of earlier runs. */
const defaults = { maxBytes: 1_000_000, maxWaiting: 500_000, batchMs: 1000, maxEarlier: 2000 }

export interface LogFilesOptions extends Partial<Readonly<typeof defaults>> {
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
}

const olderSuffix = '.1'
const month = 30 * 24 * 3600_000

/** File name of a server's log, safe on every file system. A hash tells similar names apart. */
export function logFileName(server: string): string {
  const readable = server
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
  return `${readable || 'server'}-${createHash('sha256').update(server).digest('hex').slice(0, 12)}.log`
}

interface LogFolder {
  readonly path: string
  readonly clock: Clock
  readonly limits: typeof defaults
  readonly header: string
  readonly flushes: Set<() => void>
  closed: boolean
  inTurn<T>(work: () => Promise<T>, otherwise: T): Promise<T>
}

export function createLogFiles(options: LogFilesOptions) {
  const { dataDir, clock, log, ...limits } = options
  let turn: Promise<unknown> = Promise.resolve()
  let warned = false
  const folder: LogFolder = {
    path: join(dataDir, 'logs'),
    clock,
    limits: { ...defaults, ...limits },
    header: `${JSON.stringify({ run: newId() })}\n`,
    flushes: new Set(),
    closed: false,
    inTurn(work, otherwise) {
      const done = turn.then(work).catch((error: unknown) => {
        if (!warned) log.error('The logs of servers could not be read or written', error)
        warned = true
        return otherwise
      })
      turn = done
      return done
    },
  }

  return {
    of: (server: string) => createLogFile(folder, server),
    /** Removes files of servers that are not listed and logged nothing for a month. */
    prune(servers: Iterable<string>): void {
      const known = new Set([...servers].map(logFileName))
      void folder.inTurn(() => removeOld(folder, known), undefined)
    },
    async dispose(): Promise<void> {
      for (const flush of [...folder.flushes]) flush()
      folder.closed = true
      await turn
    },
  }
}

/** Removes files that are not among the known and were not written for a month. */
async function removeOld({ path, clock }: LogFolder, known: ReadonlySet<string>): Promise<void> {
  const names = await readdir(path).catch(() => []) // There is none yet.
  for (const name of names) {
    const file = join(path, name)
    if (known.has(name.endsWith(olderSuffix) ? name.slice(0, -olderSuffix.length) : name)) continue
    if (clock.now() - (await stat(file)).mtimeMs > month) await rm(file, { force: true })
  }
}

function createLogFile(folder: LogFolder, server: string) {
  const { clock, header, flushes } = folder
  const { maxBytes, maxWaiting, batchMs, maxEarlier } = folder.limits
  const path = join(folder.path, logFileName(server))
  let waiting: string[] = []
  let size = 0
  let lost = 0
  let begun = false
  let discarded = false
  let cancel: (() => void) | undefined

  async function write(text: string): Promise<void> {
    await mkdir(folder.path, { recursive: true, mode: 0o700 })
    const { size: had } = await stat(path).catch(ifMissing({ size: 0 }))
    const full = had > 0 && had + Buffer.byteLength(text) > maxBytes
    if (full) await rename(path, path + olderSuffix)
    // An earlier host may have been killed in the middle of a line.
    const start = had > 0 && !full ? `\n${header}` : header
    await appendFile(path, begun && !full ? text : start + text, { mode: 0o600 })
    // A file may predate this mode.
    if (!begun) await chmod(path, 0o600)
    begun = true
  }

  const cancelFlush = (): void => {
    cancel?.()
    cancel = undefined
    flushes.delete(flush)
  }

  const flush = (): void => {
    cancelFlush()
    const note: LogLine = { seq: 0, time: clock.now(), source: 'host', level: 'warning', text: t`${lost} lines were left out.` }
    const text = (lost > 0 ? lineText(note) : '') + waiting.join('')
    waiting = []
    size = 0
    lost = 0
    if (text !== '') void folder.inTurn(() => write(text), undefined)
  }

  return {
    add(line: LogLine): void {
      if (discarded || folder.closed) return
      const text = lineText(line)
      waiting.push(text)
      size += text.length
      if (size > maxWaiting) {
        // Half of them at once keeps dropping cheap.
        const gone = Math.ceil(waiting.length / 2)
        lost += gone
        waiting = waiting.slice(gone)
        size = waiting.reduce((sum, one) => sum + one.length, 0)
      }
      if (cancel) return
      flushes.add(flush)
      cancel = clock.after(batchMs, flush)
    },
    earlier: () =>
      folder.inTurn<LogLine[]>(async () => {
        const texts = await Promise.all([read(path + olderSuffix), read(path)])
        return earlierIn(texts.join('\n'), header, maxEarlier).map((line, index, all) => ({ ...line, seq: index - all.length }))
      }, []),
    discard(): void {
      discarded = true
      cancelFlush()
      waiting = []
      void folder.inTurn(async () => {
        for (const file of [path, path + olderSuffix]) await rm(file, { force: true })
      }, undefined)
    },
  }
}

/** Last lines before the first of this run. Incomplete lines are skipped. */
function earlierIn(text: string, header: string, max: number): LogLine[] {
  const end = text.indexOf(header)
  const lines = (end === -1 ? text : text.slice(0, end)).split('\n').slice(-max)
  return lines.flatMap((each) => logLine.safeParse(parseJson(each)).data ?? [])
}

/** A line of the file; somebody may print it on a terminal. */
const lineText = (line: LogLine): string => `${escapeHiddenInJson(JSON.stringify(line))}\n`

const ifMissing =
  <T>(otherwise: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return otherwise
    throw error
  }

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(ifMissing(''))
