// The tasks of the backup thread: writes a consistent copy of the profile's database, checks a backup, stages one.
import { createHash } from 'node:crypto'
import { closeSync, constants, copyFileSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { HeldPermission } from '#app/contract/transfer-requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { flush, renameSoon } from '#main/base/atomic-write.ts'
import { copyDatabase, type Database, withDatabase } from '../database/database.ts'
import { peekVersion, readSchemaVersion, refuseNewer } from '../database/migrate.ts'
import { migrations, oldestVersion, schemaVersion } from '../database/schema.ts'
import { toStoreError } from '../database/sqlite-errors.ts'
import { heldPermissions } from './backup-permissions.ts'
import { noteBegun, removePart, stagedPath } from './unfinished-backups.ts'

export interface BackupFacts {
  readonly bytes: number
  readonly conversations: number
  readonly messages: number
  /** Time of the latest change of a conversation; null: there is none. */
  readonly changedAt: number | null
}

export interface CheckedBackup extends BackupFacts {
  readonly permissions: HeldPermission[]
  readonly digest: string
}

export type BackupStep = { readonly kind: 'copying'; readonly share: number } | { readonly kind: 'checking' }

interface BackupWatch {
  onStep(step: BackupStep): void
  /** Called between two steps; false ends the backup with `cancelled`, and nothing of it is left. */
  isWanted(): boolean
}

/** Writes what is committed now into a new file, which gets its name once it is whole, on the disk and checked. */
export async function writeBackup(from: string, target: string, { onStep, isWanted }: BackupWatch): Promise<BackupFacts> {
  const part = `${target}.part`
  const goOn = (): void => {
    if (!isWanted()) throw new HostError('cancelled', t`It was cancelled.`)
  }
  const wasEnded = noteBegun(from, part)
  try {
    rmSync(part, { force: true })
    goOn()
    closeSync(openSync(part, 'wx', 0o600)) // Made by us, so that nobody else on this machine can read it.
    await copyDatabase(from, part, (share) => {
      goOn()
      onStep({ kind: 'copying', share })
    })
    onStep({ kind: 'checking' })
    const facts = checkWhole(part)
    goOn()
    flush(part, 'r+')
    renameSoon(part, target)
    return facts
  } catch (error) {
    removePart(part)
    throw toStoreError(error, target)
  } finally {
    wasEnded()
  }
}

/**
 * Checks that a file is a whole backup and holds no foreign schema. `called`: its name for the person.
 * @throws {HostError} `profile.newer`, `backup.unreadable`, `backup.foreign` or `folder.not-found`. The file is left as it is.
 */
export function checkBackup(path: string, called = path): CheckedBackup {
  const facts = checkWhole(path, called)
  return withDatabase(path, { readOnly: true }, (database) => {
    const { missing, foreign } = foreignTo(database)
    if (missing) throw notWhole(called)
    if (foreign.length > 0) {
      const message = t`${called} is not from Assent: it has ${foreign.slice(0, 3).join(', ')}.`
      throw new HostError('backup.foreign', message, { data: { name: called, foreign } })
    }
    return { ...facts, permissions: heldPermissions(database), digest: digestOf(path) }
  })
}

function checkWhole(path: string, called = path): BackupFacts {
  const bytes = sizeOf(path)
  const version = peekVersion(path)
  if (version < oldestVersion) throw notWhole(called)
  refuseNewer(path, version, schemaVersion)
  return withDatabase(path, { readOnly: true }, (database) => {
    try {
      if (database.get('PRAGMA quick_check(1)')?.['quick_check'] !== 'ok') throw notWhole(called)
      return { bytes, ...countIn(database) }
    } catch (error) {
      // Damaged, of another kind, or without our tables.
      throw error instanceof HostError && (error.code === 'internal' || error.code === 'profile.corrupt') ? notWhole(called) : error
    }
  })
}

export const unstageBackup = (databasePath: string): void => rmSync(stagedPath(databasePath), { force: true })
export const isBackupStaged = (databasePath: string): boolean => existsSync(stagedPath(databasePath))

interface StageOptions {
  readonly called?: string
  /** An uploaded file in the data folder: it is moved. */
  readonly isOurs?: boolean
  /** Digest of the file whose permissions the person saw. */
  readonly digest?: string | undefined
}

/** Stages a backup, checked before and after it was copied. */
export function stageBackup(from: string, databasePath: string, { called = from, isOurs = false, digest }: StageOptions = {}): BackupFacts {
  checkBackup(from, called)
  const target = stagedPath(databasePath)
  const part = `${target}.part`
  try {
    if (isOurs) renameSoon(from, part)
    else copyFileSync(from, part, constants.COPYFILE_FICLONE)
    const { permissions: _, digest: staged, ...facts } = checkBackup(part, called)
    if (digest !== undefined && digest !== staged) throw gone()
    flush(part, 'r+')
    renameSoon(part, target)
    return facts
  } catch (error) {
    rmSync(part, { force: true })
    throw toStoreError(error, target)
  }
}

/** Reads a part at a time: a backup may be larger than memory. */
function digestOf(path: string): string {
  const hash = createHash('sha256')
  const part = Buffer.alloc(1024 * 1024)
  const file = openSync(path, 'r')
  try {
    for (let bytes = readSync(file, part); bytes > 0; bytes = readSync(file, part)) hash.update(part.subarray(0, bytes))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

function countIn(database: Database): Omit<BackupFacts, 'bytes'> {
  const row = database.get(
    `SELECT (SELECT count(*) FROM conversations WHERE deleted_at IS NULL) AS conversations, (SELECT count(*) FROM messages) AS messages,
       (SELECT max(updated_at) FROM conversations WHERE deleted_at IS NULL) AS changed_at`,
  )
  const changedAt = row?.['changed_at']
  return {
    conversations: Number(row?.['conversations'] ?? 0),
    messages: Number(row?.['messages'] ?? 0),
    changedAt: typeof changedAt === 'number' ? changedAt : null,
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch (cause) {
    throw new HostError('folder.not-found', t`There is no file ${path} that can be read.`, { data: { path }, cause })
  }
}

export const gone = (): HostError => new HostError('backup.gone', t`Choose it again.`)
/** Returns the error of a file that is no whole backup. */
export const notWhole = (name: string): HostError =>
  new HostError('backup.unreadable', t`${name} is not a complete backup.`, { data: { name } })

const SCHEMA = "SELECT type, name, tbl_name, coalesce(sql, '') AS sql FROM sqlite_schema"
/** Tables of statistics that SQLite makes; they hold figures only. */
const statistics = /^sqlite_stat\d$/

/**
 * Compares a database's schema with ours, which is made by running the same migrations: a foreign trigger or view would run with the
 * next message that is written. `missing`: something of ours is not there. `foreign`: names of what is there beside ours or differs from it, as “trigger evil”.
 */
function foreignTo(database: Database): { missing: boolean; foreign: readonly string[] } {
  const ours = new Map(
    schemaOf(migrations.slice(0, readSchemaVersion(database) - oldestVersion + 1)).map((row) => [keyOf(row), textOf(row)]),
  )
  const theirs = new Map(database.all(SCHEMA).map((row) => [keyOf(row), textOf(row)]))
  const foreign = [...theirs].filter(([key, text]) => ours.get(key) !== text && !statistics.test(key.replace(/^table /, '')))
  return { missing: [...ours.keys()].some((key) => !theirs.has(key)), foreign: foreign.map(([key]) => key.slice(0, 100)) }
}

type Entry = Readonly<Record<string, unknown>>
const keyOf = ({ type, name }: Entry): string => `${String(type)} ${String(name)}`
/** Columns that a migration added stand between other white space than ours. */
const textOf = (row: Entry): string =>
  `${String(row['tbl_name'])} ${String(row['sql'])
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')}`

function schemaOf(steps: readonly string[]): Entry[] {
  const made = new DatabaseSync(':memory:')
  try {
    for (const step of steps) made.exec(step)
    return made.prepare(SCHEMA).all()
  } finally {
    made.close()
  }
}
