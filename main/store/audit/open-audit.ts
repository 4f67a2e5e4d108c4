// The record of a profile, for reading alone, whether or not Assent is running on it: no lock, no migration, nothing
// written. All of it is read in one transaction, so a row that is added meanwhile is seen with its head or not at all.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Log } from '#main/base/host-log.ts'
import { openDatabase } from '../database/database.ts'
import { peekVersion, readSchemaVersion, refuseNewer } from '../database/migrate.ts'
import { migrations } from '../database/schema.ts'
import type { AuditReader } from '../store-api.ts'
import { createAuditReader } from './audit.ts'

/** The record as it is now; what comes later is not seen. Throws `profile.newer`, `profile.corrupt` or `profile.unwritable` (there is none). */
export function openAudit({ dataDir, log }: { readonly dataDir: string; readonly log: Log }): AuditReader & { close(): void } {
  const path = join(dataDir, 'assent.db')
  if (!existsSync(path)) throw noProfile(dataDir)
  refuseNewer(path, peekVersion(path), migrations.length)
  const database = openDatabase(path, { readOnly: true })
  try {
    database.exec('BEGIN')
    // The first look begins the transaction's view. A newer version may stand in the write-ahead log alone.
    const version = readSchemaVersion(database)
    refuseNewer(path, version, migrations.length)
    if (version === 0) throw noProfile(dataDir)
    return { ...createAuditReader(database, log), close: () => database.close() }
  } catch (error) {
    database.close()
    throw error
  }
}

const noProfile = (dataDir: string): HostError =>
  new HostError('profile.unwritable', t`There is no profile in ${dataDir}. Name another one with --data-dir.`, { data: { path: dataDir } })
