import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { DiskUsage } from '#app/contract/transfer-requests.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { restoreLocale } from '#app/i18n/locale-snapshot.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import { withDatabase } from '../database/database.ts'
import { toStoreError } from '../database/sqlite-errors.ts'
import type { BackupAnswer, BackupResults, BackupTask } from './backup.ts'
import { checkBackup, stageBackup, writeBackup } from './copy.ts'

type Place = 'database' | 'backups' | 'logs' | 'bundles' | 'rest'

/** Measures the data folder by purpose. `database`: its path. Runs in the thread, since a folder of bundles has many files. */
function measureProfile(database: string): DiskUsage {
  const folder = dirname(database)
  const bytes: Record<Place, number> = { database: 0, backups: 0, logs: 0, bundles: 0, rest: 0 }
  for (const entry of entriesOf(folder)) bytes[placeOf(entry.name, basename(database))] += sizeOf(join(folder, entry.name), entry)
  return { ...bytes, ...measureDatabase(database) }
}

function placeOf(name: string, database: string): Place {
  if (name === 'backups' || name.startsWith(`${database}.`)) return 'backups'
  if (name === database || name.startsWith(`${database}-`)) return 'database'
  return name === 'logs' || name === 'bundles' ? name : 'rest'
}

const measureDatabase = (path: string): Pick<DiskUsage, 'attachments' | 'unsent' | 'free'> =>
  withDatabase(path, { readOnly: true }, (database) => {
    const row = database.get(`SELECT (SELECT coalesce(sum(length(bytes)), 0) FROM blobs) AS attachments,
      (SELECT coalesce(sum(length(bytes)), 0) FROM blobs WHERE sha256 IN (SELECT sha256 FROM loose_blobs)) AS unsent,
      (SELECT freelist_count FROM pragma_freelist_count) * (SELECT page_size FROM pragma_page_size) AS free`)
    return { attachments: Number(row?.['attachments']), unsent: Number(row?.['unsent']), free: Number(row?.['free']) }
  })

function sizeOf(path: string, entry: Dirent): number {
  if (entry.isDirectory()) return entriesOf(path).reduce((sum, one) => sum + sizeOf(join(path, one.name), one), 0)
  return entry.isFile() ? (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) : 0
}

/** None: the folder was removed meanwhile, or cannot be read. */
const entriesOf = (folder: string): Dirent[] => orElse(() => readdirSync(folder, { withFileTypes: true }), [])

/**
 * Reads every row of every table, so that a damaged page is found while there are backups from before it. Others may write meanwhile.
 * Returns the number of rows.
 * @throws {HostError} `profile.corrupt`; `cancelled` once it is not wanted.
 */
function readEveryRow(path: string, isWanted: () => boolean): number {
  try {
    const sqlite = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    try {
      sqlite.function('seen', { deterministic: false }, (size) => {
        if (!isWanted()) throw new HostError('cancelled', t`It was cancelled.`)
        return size
      })
      const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").all()
      return tables.reduce((rows, { name }) => rows + readTable(sqlite, String(name)), 0)
    } finally {
      sqlite.close()
    }
  } catch (error) {
    const known = toStoreError(error, path)
    if (!(known instanceof HostError) || known.code !== 'profile.corrupt') throw known
    throw new HostError('profile.corrupt', t`A part of ${path} is damaged. The rest works as before.`, {
      data: { path },
    })
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Reads the end of each value: SQLite walks all of its pages to get there. */
function readTable(sqlite: DatabaseSync, table: string): number {
  const columns = sqlite.prepare('SELECT name FROM pragma_table_info(?)').all(table)
  const sizes = columns.map(({ name }) => `coalesce(length(substr(${quoted(String(name))}, -1)), 0)`)
  return Number(sqlite.prepare(`SELECT count(seen(${sizes.join(' + ')})) AS rows FROM ${quoted(table)}`).get()?.['rows'] ?? 0)
}

const { kind, database, path, received, digest, stopped, words } = workerData as BackupTask
restoreLocale(words)
const tell = (answer: BackupAnswer): void => parentPort?.postMessage(answer)

const isWanted = (): boolean => Atomics.load(stopped, 0) === 0

async function run(): Promise<BackupResults[keyof BackupResults]> {
  switch (kind) {
    case 'write':
      return await writeBackup(database, path, { onStep: (step) => tell({ kind: 'step', step }), isWanted })
    case 'check':
      return checkBackup(path, received)
    case 'stage':
      return stageBackup(path, database, { digest, ...(received !== undefined && { called: received, isOurs: true }) })
    case 'read':
      return readEveryRow(database, isWanted)
    case 'measure':
      return measureProfile(database)
  }
}

await run().then(
  (result) => tell({ kind: 'done', result }),
  (error: unknown) => tell({ kind: 'failed', error: toErrorValue(error) }),
)
