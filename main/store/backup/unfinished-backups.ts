// Paths of backups, and the removal of unfinished ones. A backup may be written to any folder, so its path is noted beside the profile
// before it begins; the next start removes what a crash left there.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orElse } from '#app/or-else.ts'

export const backupFolder = (dataDir: string): string => join(dataDir, 'backups')

/** Path of the backup that takes the profile's place at the next start. */
export const stagedPath = (database: string): string => `${database}.restore`

const NOTE = /^[0-9a-f-]{36}\.begun$/

/** Notes the path that is going to be written. Returns the note's undo. */
export function noteBegun(database: string, part: string): () => void {
  const folder = backupFolder(dirname(database))
  const note = join(folder, `${randomUUID()}.begun`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(note, part, { mode: 0o600 })
  } catch {
    // A backup to another disk must work when this one is full or cannot be written.
  }
  return () => rmSync(note, { force: true })
}

/** Removes a file, and what SQLite writes beside it. */
export function removePart(part: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(part + end, { force: true })
}

/** Removes unfinished backups; the caller holds the profile's lock. */
export function clearLeftovers(database: string): void {
  const folder = backupFolder(dirname(database))
  removePart(`${stagedPath(database)}.part`)
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (NOTE.test(name)) {
      const part = readFileSync(path, 'utf8')
      // Removes only what a backup can have begun, whatever the note says.
      if (part.endsWith('.db.part')) removePart(part)
      rmSync(path, { force: true })
    } else if (/\.(db\.part|received)(-journal|-wal|-shm)?$/.test(name)) rmSync(path, { force: true })
  }
}

/** None: no backup was ever made here. */
export const namesIn = (folder: string): string[] => orElse(() => readdirSync(folder), [])
