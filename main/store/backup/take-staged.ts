// At the start, while nobody else has the profile: a backup that was laid beside it takes its place. What was there is kept
// with all that belongs to it, under a name with the time.
import { existsSync, renameSync } from 'node:fs'
import { openDatabase } from '../database.ts'
import { stagedPath } from './places.ts'

/** Returns where the profile of before is now; undefined: there was nothing to do. */
export function takeStaged(path: string, now: number): string | undefined {
  const staged = stagedPath(path)
  if (!existsSync(staged)) return undefined
  const aside = `${path}.before-restore-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '')}`
  if (existsSync(path)) {
    foldLog(path)
    for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, aside + end)
  }
  renameSync(staged, path)
  return aside
}

/** So that one file holds all of it, whatever ends this start. A damaged one may be why a backup takes its place. */
function foldLog(path: string): void {
  try {
    const database = openDatabase(path)
    try {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      database.close()
    }
  } catch {
    // Kept aside as it is, log and all.
  }
}
