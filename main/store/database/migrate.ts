// Migrates a profile to this version of the app, forward only. A profile of a newer app is refused before anything is written.
// Before a migration, a copy is kept as `assent.db.before-v<n>`. No release wrote a profile that is older than the first step makes.
import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { flush, renameSoon } from '#main/base/atomic-write.ts'
import type { Database } from './database.ts'
import { toStoreError } from './sqlite-errors.ts'

/** Returns the version that was found; 0: a new profile. `first`: version after the first step. @throws {HostError} `profile.newer`, `profile.corrupt` */
export function migrate(database: Database, migrations: readonly string[], first = 1): number {
  const found = readSchemaVersion(database)
  const last = first + migrations.length - 1
  refuseNewer(database.path, found, last)
  if (found > 0 && found < first) throw new HostError('profile.corrupt', t`${database.path} is from before the first release of Assent.`)
  if (found > 0 && found < last) backUp(database, `${database.path}.before-v${last}`)
  const bring = (): void => {
    for (const [index, step] of migrations.entries())
      if (first + index > found)
        database.transaction(() => {
          database.exec(step)
          database.exec(`PRAGMA user_version = ${first + index}`)
        })
  }
  // A new profile waits for the disk once, not at each step.
  if (found === 0) database.transaction(bring)
  else bring()
  return found
}

export function refuseNewer(path: string, found: number, known: number): void {
  if (found <= known) return
  throw new HostError(
    'profile.newer',
    t`This profile was written by a newer Assent (format ${found}); this one reads up to format ${known}.`,
    {
      data: { path, found, known },
    },
  )
}

export const readSchemaVersion = (database: Database): number => Number(database.get('PRAGMA user_version')?.['user_version'] ?? 0)

/** Reads the version in the file's header (offset 60) without opening it as a database; 0: there is no database. */
export function peekVersion(path: string): number {
  if (!existsSync(path)) return 0
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(64)
    const isDatabase = readSync(file, header, 0, 64, 0) === 64 && header.toString('latin1', 0, 15) === 'SQLite format 3'
    return isDatabase ? header.readUInt32BE(60) : 0
  } finally {
    closeSync(file)
  }
}

function backUp(database: Database, target: string): void {
  const part = `${target}.part`
  try {
    rmSync(part, { force: true })
    database.run('VACUUM INTO ?', part)
    flush(part, 'r+')
    renameSoon(part, target)
  } catch (error) {
    throw toStoreError(error, target)
  }
}
