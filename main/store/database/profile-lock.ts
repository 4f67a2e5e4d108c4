// One instance a profile. The lock is an exclusive transaction on a database of its own, held open: the operating system
// lets go of it when the process ends, however it ends, so a crash never leaves a profile locked. The file beside it
// only tells people which process it is.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { classifySqlite, sqliteResultCode, toStoreError } from './sqlite-errors.ts'

/** Throws `profile.locked` with the other's `pid` where it is known. Returns its undo. */
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
    const message =
      pid === null ? t`Assent is already running with this profile.` : t`Assent is already running with this profile (process ${pid}).`
    throw new HostError('profile.locked', message, {
      data: { path: dataDir, pid },
      cause: error,
    })
  }
  const held = lock
  return () => {
    rmSync(pidPath, { force: true })
    held.close()
  }
}

function readPid(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10)
    return Number.isNaN(pid) ? null : pid
  } catch {
    return null // The other has only just begun: it has not written it yet.
  }
}
