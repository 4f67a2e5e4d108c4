// One instance a profile. The lock is an exclusive transaction on a database of its own: the operating system releases it when the
// process ends, so a crash leaves no profile locked. The file beside it only tells people the process id.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import { classifySqlite, sqliteResultCode, toStoreError } from './sqlite-errors.ts'

/** Locks the profile. Returns its undo. @throws {HostError} `profile.locked`, with the `pid` of the other process where it is known. */
export function lockProfile(dataDir: string): () => void {
  const path = join(dataDir, 'assent.lock')
  const pidPath = join(dataDir, 'assent.pid')
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(path, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    writeFileSync(pidPath, `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    lock?.close()
    const code = sqliteResultCode(error)
    if (code === undefined || classifySqlite(code) !== 'profile.locked') throw toStoreError(error, path)
    const pid = readPid(pidPath)
    throw new HostError('profile.locked', t`Assent is already running with this profile.`, { data: { path: dataDir, pid }, cause: error })
  }
  const held = lock
  return () => {
    rmSync(pidPath, { force: true })
    held.close()
  }
}

/** Whether another process that still runs has locked the profile. It takes its id away just before the lock. */
export function isLockedElsewhere(dataDir: string): boolean {
  const pid = readPid(join(dataDir, 'assent.pid'))
  if (pid === null || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another account is there, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Null: the other process has not written it yet. */
function readPid(path: string): number | null {
  const pid = Number.parseInt(
    orElse(() => readFileSync(path, 'utf8'), ''),
    10,
  )
  return Number.isNaN(pid) ? null : pid
}
