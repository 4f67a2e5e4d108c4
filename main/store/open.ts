// Opens a profile's store: one instance at a time, brought up to this version, expired deletions purged.
// A profile that cannot be opened is left as it was found; the error says which of the reasons it is.
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/log.ts'
import { createAuditStore } from './audit.ts'
import { createBackupStore } from './backup/backup.ts'
import { clearLeftovers } from './backup/leftovers.ts'
import { keepPermissions } from './backup/permissions.ts'
import { takeStaged } from './backup/take-staged.ts'
import { createBlobStore } from './blobs.ts'
import { createChatFolderStore } from './chat-folders.ts'
import { createConversationStore } from './conversations.ts'
import { type Database, openDatabase, type WriteOptions } from './database.ts'
import { createHandRunStore } from './hand-runs.ts'
import { createHistoryStore } from './history.ts'
import { lockProfile } from './lock.ts'
import { createLongLists } from './long-lists.ts'
import { createLooseBlobs, purgeLoose } from './loose-blobs.ts'
import { migrate, peekVersion, readVersion, refuseNewer } from './migrate.ts'
import { purgeDeleted } from './purge.ts'
import { createRuleStore } from './rules.ts'
import { createSamplingStore } from './sampling.ts'
import { migrations } from './schema.ts'
import { createSearchStore } from './search/search.ts'
import { createServerStore } from './servers.ts'
import { createSettingsStore } from './settings.ts'
import { createShrink, shrinkOlder } from './shrink.ts'
import { toStoreError } from './sqlite-errors.ts'
import type { Store } from './types.ts'
import { createUseStore } from './use.ts'

export interface StoreOptions extends WriteOptions {
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
}

/** Throws `profile.locked`, `profile.newer`, `profile.corrupt`, `profile.unwritable` or `disk.full`. */
export function openStore(options: StoreOptions): Store {
  const { dataDir, clock, log } = options
  const path = join(dataDir, 'assent.db')
  makeFolder(dataDir)
  const unlock = lockProfile(dataDir)
  let database: Database | undefined
  try {
    const aside = takeStaged(path, clock.now())
    if (aside) log.info(`a backup took the profile's place; what was there is now ${aside}`)
    clear(path, log)
    database = openProfile(path, options)
    if (aside !== undefined) keepPermissions(database, aside, log)
    purge(database, clock, log)
    shrink(database, log)
    return makeStore(database, unlock, clock, log)
  } catch (error) {
    try {
      database?.close()
    } finally {
      unlock()
    }
    throw toStoreError(error, path)
  }
}

function openProfile(path: string, how: WriteOptions): Database {
  refuseNewer(path, peekVersion(path), migrations.length)
  closeSync(openSync(path, 'a', 0o600)) // Made by us, so that nobody else on this machine can read it.
  const database = openDatabase(path)
  try {
    // A crash may have left a newer version in the write-ahead log, which the file's header does not show.
    refuseNewer(path, readVersion(database), migrations.length)
    database.prepareForWriting(how)
    migrate(database, migrations)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw toStoreError(error, dataDir)
  }
}

/** Not worth failing for either. */
function clear(path: string, log: Log): void {
  try {
    clearLeftovers(path)
  } catch (error) {
    log.error('what a backup left behind could not be removed', error)
  }
}

/** Not worth failing for: on a full disk the history can still be read. */
function purge(database: Database, clock: Clock, log: Log): void {
  try {
    purgeLoose(database)
    const count = purgeDeleted(database, clock.now())
    if (count) log.info(`purged ${count} conversations that were deleted more than 30 days ago`)
  } catch (error) {
    log.error('deleted conversations could not be purged', error)
  }
}

/** Nor for this. */
function shrink(database: Database, log: Log): void {
  try {
    shrinkOlder(database)
  } catch (error) {
    log.error('the profile could not be made smaller', error)
  }
}

function makeStore(database: Database, unlock: () => void, clock: Clock, log: Log): Store {
  let open = true
  const search = createSearchStore(database, log)
  const chatFolders = createChatFolderStore(database, log)
  const longLists = createLongLists(database, log)
  const backup = createBackupStore(database.path, clock)
  return {
    conversations: createConversationStore(database, clock, log, search.index),
    history: createHistoryStore(database, log),
    chatFolders,
    blobs: createBlobStore(database),
    looseBlobs: createLooseBlobs(database),
    rules: createRuleStore(database, log),
    sampling: createSamplingStore(database, log),
    handRuns: createHandRunStore(database, log),
    audit: createAuditStore(database, clock, log),
    servers: createServerStore(database, log, longLists, chatFolders.renameServer),
    settings: createSettingsStore(database, log),
    use: createUseStore(database),
    search: search.store,
    backup: backup.store,
    shrink: createShrink(database),
    transaction: (work) => database.transaction(work),
    makeReady() {
      try {
        database.transaction(() => database.exec(`PRAGMA user_version = ${migrations.length}`))
      } catch (error) {
        log.debug(`nothing can be written: ${error instanceof Error ? error.message : error}`) // Who has something to write is told.
      }
    },
    close() {
      if (!open) return
      open = false
      backup.close()
      search.close()
      longLists.close()
      try {
        // The search thread may hold its connection a moment longer, and then closing would leave rows in the log: the one
        // file is to be the whole profile.
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
        database.close()
      } finally {
        unlock()
      }
    },
  }
}
