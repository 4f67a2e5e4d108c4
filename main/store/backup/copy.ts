// The work of a backup, done in a thread: one whole, consistent copy of the profile's database, and the check of one.
import { closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { copyDatabase, type Database, openDatabase } from '../database.ts'
import { peekVersion, refuseNewer } from '../migrate.ts'
import { migrations } from '../schema.ts'
import { toStoreError } from '../sqlite-errors.ts'

export interface BackupFacts {
  readonly bytes: number
  readonly conversations: number
  readonly messages: number
  /** When its latest conversation changed; null: there is none. */
  readonly changedAt: number | null
}

export type BackupStep = { readonly kind: 'copying'; readonly share: number } | { readonly kind: 'checking' }

export interface BackupWatch {
  onStep(step: BackupStep): void
  /** Asked between two steps. False: nothing of it is left, and it ends with `cancelled`. */
  isWanted(): boolean
}

/** Writes what is committed now into a new file, which has its name only once it is whole, on the disk and checked. */
export async function writeBackup(from: string, target: string, { onStep, isWanted }: BackupWatch): Promise<BackupFacts> {
  const part = `${target}.part`
  const goOn = (): void => {
    if (!isWanted()) throw new HostError('cancelled', t`The backup was stopped.`)
  }
  try {
    rmSync(part, { force: true })
    goOn()
    closeSync(openSync(part, 'wx', 0o600)) // Made by us, so that nobody else on this machine can read it.
    await copyDatabase(from, part, (share) => {
      goOn()
      onStep({ kind: 'copying', share })
    })
    onStep({ kind: 'checking' })
    const facts = checkBackup(part)
    goOn()
    keepOnDisk(part)
    renameSync(part, target)
    return facts
  } catch (error) {
    for (const end of ['', '-journal']) rmSync(part + end, { force: true })
    throw toStoreError(error, target)
  }
}

/** Throws `profile.newer`, `profile.corrupt` and `folder.not-found`. The file is left as it is. */
export function checkBackup(path: string): BackupFacts {
  const bytes = sizeOf(path)
  const version = peekVersion(path)
  if (version === 0) throw corrupt(path)
  refuseNewer(path, version, migrations.length)
  const database = openDatabase(path, { readOnly: true })
  try {
    if (database.get('PRAGMA quick_check(1)')?.['quick_check'] !== 'ok') throw corrupt(path)
    return { bytes, ...countIn(database) }
  } catch (error) {
    // Of another kind, or without our tables.
    throw error instanceof HostError && error.code === 'internal' ? corrupt(path) : error
  } finally {
    database.close()
  }
}

/** Where the next start looks for what is to take the profile's place. */
export const stagedPath = (databasePath: string): string => `${databasePath}.restore`

/** What was laid there is not taken after all. */
export const unstageBackup = (databasePath: string): void => rmSync(stagedPath(databasePath), { force: true })
export const isBackupStaged = (databasePath: string): boolean => existsSync(stagedPath(databasePath))

/** Checked first, and once more as it lies there. */
export function stageBackup(from: string, databasePath: string): BackupFacts {
  checkBackup(from)
  const target = stagedPath(databasePath)
  const part = `${target}.part`
  try {
    copyFileSync(from, part, constants.COPYFILE_FICLONE)
    const facts = checkBackup(part)
    keepOnDisk(part)
    renameSync(part, target)
    return facts
  } catch (error) {
    rmSync(part, { force: true })
    throw toStoreError(error, target)
  }
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

function keepOnDisk(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch (cause) {
    throw new HostError('folder.not-found', t`There is no file ${path} that can be read.`, { data: { path }, cause })
  }
}

const corrupt = (path: string): HostError => new HostError('profile.corrupt', t`${path} is no whole backup of Assent.`, { data: { path } })
