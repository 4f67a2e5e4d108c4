// A host that ends in the midst of a backup leaves what it wrote so far. Where that lies is written down beside the profile
// before it begins, since a backup goes to any folder; the next start, which has the profile alone, clears it away. Where
// backups lie, beside the profile they are of.

import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const backupFolder = (dataDir: string): string => join(dataDir, 'backups')

/** Where the next start looks for what is to take the profile's place. */
export const stagedPath = (database: string): string => `${database}.restore`

const NOTE = /^[0-9a-f-]{36}\.begun$/

/** `part`: what is going to be written. Returns the note's undo. */
export function noteBegun(database: string, part: string): () => void {
  const folder = backupFolder(dirname(database))
  const note = join(folder, `${randomUUID()}.begun`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(note, part, { mode: 0o600 })
  } catch {
    // A disk that is full or cannot be written is why somebody takes a backup to another.
  }
  return () => rmSync(note, { force: true })
}

/** With what SQLite lays beside a file that it writes. */
export function removePart(part: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(part + end, { force: true })
}

/** While nobody else has the profile. */
export function clearLeftovers(database: string): void {
  const folder = backupFolder(dirname(database))
  removePart(`${stagedPath(database)}.part`)
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (NOTE.test(name)) {
      const part = readFileSync(path, 'utf8')
      // The note is a file of ours, but what it names is removed: only what a backup can have begun.
      if (part.endsWith('.db.part')) removePart(part)
      rmSync(path, { force: true })
    } else if (/\.(db\.part|received)(-journal|-wal|-shm)?$/.test(name)) rmSync(path, { force: true })
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // No backup was ever made here.
  }
}
