// The work of a backup, done in a thread: one whole, consistent copy of the profile's database, and the check of one.
import { closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import type { HeldPermission, PermissionKind } from '#app/contract/transfer-requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { copyDatabase, type Database, openDatabase } from '../database/database.ts'
import { peekVersion, refuseNewer } from '../database/migrate.ts'
import { migrations } from '../database/schema.ts'
import { toStoreError } from '../database/sqlite-errors.ts'
import { brings, heldPermissions } from './backup-permissions.ts'
import { foreignTo } from './check-schema.ts'
import { noteBegun, removePart, stagedPath } from './unfinished-backups.ts'

export interface BackupFacts {
  readonly bytes: number
  readonly conversations: number
  readonly messages: number
  /** When its latest conversation changed; null: there is none. */
  readonly changedAt: number | null
}

export interface CheckedBackup extends BackupFacts {
  readonly permissions: HeldPermission[]
}

export type BackupStep = { readonly kind: 'copying'; readonly share: number } | { readonly kind: 'checking' }

interface BackupWatch {
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
    keepOnDisk(part)
    renameSync(part, target)
    return facts
  } catch (error) {
    removePart(part)
    throw toStoreError(error, target)
  } finally {
    wasEnded()
  }
}

/** Throws as `checkWhole`, and `backup.foreign`. */
export function checkBackup(path: string, called = path): CheckedBackup {
  const facts = checkWhole(path, called)
  const database = openDatabase(path, { readOnly: true })
  try {
    const { missing, foreign } = foreignTo(migrations, database)
    if (missing) throw notWhole(called)
    if (foreign.length > 0)
      throw new HostError(
        'backup.foreign',
        t`${called} holds what is not Assent’s: ${foreign.slice(0, 3).join(', ')}. It could run by itself.`,
        {
          data: { name: called, foreign },
        },
      )
    return { ...facts, permissions: heldPermissions(database) }
  } finally {
    database.close()
  }
}

/** Throws `profile.newer`, `backup.unreadable` and `folder.not-found`. The file is left as it is. `called`: its name for the person. */
function checkWhole(path: string, called = path): BackupFacts {
  const bytes = sizeOf(path)
  const version = peekVersion(path)
  if (version === 0) throw notWhole(called)
  refuseNewer(path, version, migrations.length)
  const database = openDatabase(path, { readOnly: true })
  try {
    if (database.get('PRAGMA quick_check(1)')?.['quick_check'] !== 'ok') throw notWhole(called)
    return { bytes, ...countIn(database) }
  } catch (error) {
    // Damaged, of another kind, or without our tables.
    throw error instanceof HostError && (error.code === 'internal' || error.code === 'profile.corrupt') ? notWhole(called) : error
  } finally {
    database.close()
  }
}

/** What was laid there is not taken after all. */
export const unstageBackup = (databasePath: string): void => rmSync(stagedPath(databasePath), { force: true })
export const isBackupStaged = (databasePath: string): boolean => existsSync(stagedPath(databasePath))

interface StageOptions {
  /** Its name for the person. */
  readonly called?: string
  /** A file in the data folder that nobody else has: it is moved. */
  readonly isOurs?: boolean
  readonly bring?: readonly PermissionKind[]
}

/** Checked first, and once more as it lies there. Which permissions come with it stands in it from then on. */
export function stageBackup(
  from: string,
  databasePath: string,
  { called = from, isOurs = false, bring = [] }: StageOptions = {},
): BackupFacts {
  checkBackup(from, called)
  const target = stagedPath(databasePath)
  const part = `${target}.part`
  try {
    if (isOurs) renameSync(from, part)
    else copyFileSync(from, part, constants.COPYFILE_FICLONE)
    const { permissions: _, ...facts } = checkBackup(part, called)
    setBrought(part, bring)
    keepOnDisk(part)
    renameSync(part, target)
    return facts
  } catch (error) {
    rmSync(part, { force: true })
    throw toStoreError(error, target)
  }
}

function setBrought(path: string, bring: readonly PermissionKind[]): void {
  const database = openDatabase(path)
  try {
    brings(database, bring)
  } finally {
    database.close()
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

/** Also of a file of which only the beginning is here. */
export const notWhole = (name: string): HostError =>
  new HostError('backup.unreadable', t`${name} is no whole backup of Assent.`, { data: { name } })
