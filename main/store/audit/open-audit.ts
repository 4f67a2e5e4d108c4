import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Log } from '#main/base/host-log.ts'
import { openDatabase } from '../database/database.ts'
import { peekVersion, readSchemaVersion, refuseNewer } from '../database/migrate.ts'
import { migrations } from '../database/schema.ts'
import { type AuditReader, createAuditReader } from './audit.ts'

/**
 * Opens the audit log of a profile read-only, also while Assent runs on it: no lock, no migration. It is read in one transaction,
 * so later rows are not seen.
 * @throws {HostError} `profile.newer`, `profile.corrupt`, or `profile.unwritable` when there is no profile.
 */
export function openAudit({ dataDir, log }: { readonly dataDir: string; readonly log: Log }): AuditReader & { close(): void } {
  const path = join(dataDir, 'assent.db')
  if (!existsSync(path)) throw noProfile(dataDir)
  refuseNewer(path, peekVersion(path), migrations.length)
  const database = openDatabase(path, { readOnly: true })
  try {
    database.exec('BEGIN')
    // The first read begins the transaction's view. A newer version may stand in the write-ahead log alone.
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
