// Opens a profile's store: one instance at a time, a staged backup put in place, migrated, expired deletions purged. A profile that
// cannot be opened is left as it was found.
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { ChatFilter } from '#app/chat/chat-filter.ts'
import { type Conversation, conversation, type ListPosition, type SectionName } from '#app/chat/conversation.ts'
import { defaultSamplingBudget, type SamplingBudget, samplingBudget } from '#app/consent/rules/sampling-budget.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { json } from '#app/json-schemas.ts'
import { defaultSettings, type Settings, settings } from '#app/settings.ts'
import { renameSoon } from '#main/base/atomic-write.ts'
import type { Clock } from '#main/base/clock.ts'
import { type Log, logFailure } from '#main/base/host-log.ts'
import { createAuditStore } from './audit/audit.ts'
import { createBackupStore } from './backup/backup.ts'
import { keepPermissions } from './backup/backup-permissions.ts'
import { clearLeftovers, stagedPath } from './backup/unfinished-backups.ts'
import { createChunkedLists } from './chunked-lists.ts'
import { createRuleStore } from './consent-rules.ts'
import { createConversationStore } from './conversations.ts'
import { type Database, openDatabase, type Row, type Value, type WriteOptions, withDatabase } from './database/database.ts'
import { migrate, peekVersion, readSchemaVersion, refuseNewer } from './database/migrate.ts'
import { lockProfile } from './database/profile-lock.ts'
import { migrations, oldestVersion, schemaVersion } from './database/schema.ts'
import { toStoreError } from './database/sqlite-errors.ts'
import { createGateClientStore } from './gate-clients.ts'
import { createManualRunStore } from './manual-runs.ts'
import { createChatFolderStore, createPersonalStore } from './personal.ts'
import { NOT_WHOLE, purgeConversations, purgeDeleted } from './purge.ts'
import { createBlobStore, createIncrementalVacuum, createOrphanBlobs, purgeOrphans } from './reclaim-space.ts'
import { parseRows, parseText, texts, upsert } from './rows.ts'
import { createSearchStore } from './search/search-store.ts'
import { createServerStore } from './server-memory.ts'
import { signedSettings } from './signed-rows.ts'
import { type BroughtRows, SignedState } from './signed-state.ts'
import { createUsageStore } from './usage.ts'

// Pages of lists begin after the position of an entry, never at a number of rows: entries that are added or move meanwhile neither
// repeat nor hide one.
const AFTER = '(updated_at, id) < (?, ?)'
const ORDER = 'ORDER BY updated_at DESC, id DESC'
const THESE = 'id IN (SELECT value FROM json_each(?))'

const setField = (name: string, value: string): string =>
  `UPDATE conversations SET body = json_set(body, '$.${name}', ${value}) WHERE json_valid(body) AND ${THESE}`
const clearField = (name: string): string =>
  `UPDATE conversations SET body = json_remove(body, '$.${name}') WHERE json_valid(body) AND ${THESE}`

function fitting({ archived, text, folderId, model, since, until }: ChatFilter): readonly [string, readonly Value[]] {
  const parts: (readonly [string, ...Value[]])[] = [['deleted_at IS NULL'], [archived ? "shelf = 'archived'" : "shelf <> 'archived'"]]
  if (text !== undefined && text.trim() !== '')
    parts.push(["title LIKE ? ESCAPE '\\'", `%${text.trim().replace(/[\\%_]/g, (special) => `\\${special}`)}%`])
  if (folderId !== undefined) parts.push(folderId === null ? ['folder IS NULL'] : ['folder = ?', folderId])
  if (model !== undefined) parts.push(['model = ?', model])
  if (since !== undefined) parts.push(['updated_at >= ?', since])
  if (until !== undefined) parts.push(['updated_at < ?', until])
  return [parts.map(([sql]) => sql).join(' AND '), parts.flatMap(([, ...values]) => values)]
}

export interface ConversationPlacement {
  readonly folderId: string | null
  readonly pinned: true | null
  readonly archivedAt: number | null
  readonly deletedAt: number | null
}

interface Page<Position> {
  readonly after?: Position | undefined
  readonly limit: number
}

function createHistoryStore(database: Database, log: Log) {
  const conversations = (sql: string, values: readonly Value[]): Conversation[] =>
    parseRows(conversation, database.all(sql, ...values), 'conversation', log)
  const page = (where: string, values: readonly Value[], { after, limit }: Page<ListPosition>): Conversation[] =>
    conversations(`SELECT id, body FROM conversations WHERE ${where}${after ? ` AND ${AFTER}` : ''} ${ORDER} LIMIT ?`, [
      ...values,
      ...(after ? [after.updatedAt, after.id] : []),
      limit,
    ])

  return {
    shelf: (shelf: SectionName, how: Page<ListPosition>): Conversation[] => page('deleted_at IS NULL AND shelf = ?', [shelf], how),
    find: (filter: ChatFilter, how: Page<ListPosition>): Conversation[] => page(...fitting(filter), how),
    count(filter: ChatFilter): number {
      const [where, values] = fitting(filter)
      return Number(database.get(`SELECT count(*) AS found FROM conversations WHERE ${where}`, ...values)?.['found'])
    },
    ids(filter: ChatFilter): string[] {
      const [where, values] = fitting(filter)
      return texts(database.all(`SELECT id FROM conversations WHERE ${where} ${ORDER}`, ...values))
    },
    inFolder: (folderId: string): string[] => texts(database.all('SELECT id FROM conversations WHERE folder = ?', folderId)),
    /** Placements by id of those that exist, deleted ones too. */
    standings(ids: readonly string[]): Map<string, ConversationPlacement> {
      const rows = database.all(
        `SELECT id, deleted_at, folder, json_extract(body, '$.pinned') AS pinned, json_extract(body, '$.archivedAt') AS archived
         FROM conversations WHERE json_valid(body) AND ${THESE}`,
        JSON.stringify(ids),
      )
      return new Map(rows.map((row) => [String(row['id']), standing(row)]))
    },
    set(ids: readonly string[], { folderId, pinned, archivedAt, deletedAt }: Partial<ConversationPlacement>): void {
      const these = JSON.stringify(ids)
      const change = (name: string, value: string | number | null | undefined): void => {
        if (value === null) database.run(clearField(name), these)
        else if (value !== undefined) database.run(setField(name, '?'), value, these)
      }
      database.transaction(() => {
        change('folderId', folderId)
        change('archivedAt', archivedAt)
        if (pinned === null) change('pinned', null)
        else if (pinned) database.run(setField('pinned', "json('true')"), these)
        if (deletedAt !== undefined) database.run(`UPDATE conversations SET deleted_at = ? WHERE ${THESE}`, deletedAt, these)
      })
    },
    deleted({ after, limit }: Page<{ readonly deletedAt: number; readonly id: string }>) {
      const rows = database.all(
        `SELECT id, deleted_at, body FROM conversations WHERE deleted_at > ${NOT_WHOLE}${after ? ' AND (deleted_at, id) < (?, ?)' : ''}
         ORDER BY deleted_at DESC, id DESC LIMIT ?`,
        ...(after ? [after.deletedAt, after.id] : []),
        limit,
      )
      const times = new Map(rows.map((row) => [String(row['id']), Number(row['deleted_at'])]))
      return parseRows(conversation, rows, 'conversation', log).map((one) => ({ conversation: one, deletedAt: times.get(one.id) ?? 0 }))
    },
    deletedIds: (): string[] => texts(database.all(`SELECT id FROM conversations WHERE deleted_at > ${NOT_WHOLE}`)),
    /** Removes deleted conversations for good, with all that belongs to them. Returns how many were removed. */
    purge: (ids: readonly string[]): number => purgeConversations(database, ids),
  }
}

const standing = (row: Row): ConversationPlacement => ({
  folderId: row['folder'] === null ? null : String(row['folder']),
  pinned: row['pinned'] === 1 ? true : null,
  archivedAt: row['archived'] === null ? null : Number(row['archived']),
  deletedAt: row['deleted_at'] === null ? null : Number(row['deleted_at']),
})

/** Puts a staged backup in the profile's place. Returns the new path of the former profile; undefined: no backup was staged. */
function takeStaged(path: string, now: number): string | undefined {
  const staged = stagedPath(path)
  if (!existsSync(staged)) return undefined
  const aside = `${path}.before-restore-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '')}`
  if (existsSync(path)) {
    foldLog(path)
    for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) renameSoon(path + end, aside + end)
  }
  renameSoon(staged, path)
  return aside
}

/** Folds the write-ahead log into the database, so that one file holds all of it. */
function foldLog(path: string): void {
  try {
    withDatabase(path, {}, (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
  } catch {
    // A damaged profile may be why a backup takes its place: it is kept with its log.
  }
}

export type SettingsStore = ReturnType<typeof createSettingsStore>

/** One row a setting, so that a value that no longer fits falls back to its default alone. */
function createSettingsStore(database: Database, log: Log, signed: SignedState) {
  const put = (table: 'settings' | 'facts', name: string, value: unknown): void =>
    void upsert(database, signedSettings.has(name) ? 'signed_settings' : table, { name }, { value: JSON.stringify(value) })
  const store = {
    get(): Settings {
      let current: Settings = defaultSettings
      for (const row of signed.read(() =>
        database.all('SELECT name, value, 0 AS signed FROM settings UNION ALL SELECT *, 1 FROM signed_settings'),
      )) {
        const name = String(row['name'])
        if (!isSettingName(name) || signedSettings.has(name) !== Boolean(row['signed'])) continue // From another version: kept, not used.
        const value = parseText<Json>(json, row['value'], `setting ${name}`, log)
        const merged = settings.safeParse({ ...current, [name]: value })
        if (merged.success) current = merged.data
        else log.warn(`setting ${name} in the profile is not valid: its default is used`)
      }
      return current
    },
    set(patch: Partial<Settings>): Settings {
      const parsed = settings.partial().safeParse(patch)
      if (!parsed.success)
        throw new HostError('contract.invalid', t`The setting ${parsed.error.issues[0]?.path.join('.') ?? ''} cannot have this value.`)
      const given = Object.entries(parsed.data).filter(([, value]) => value !== undefined)
      const write = given.some(([name]) => signedSettings.has(name)) ? signed.write.bind(signed) : database.transaction
      write(() => {
        for (const [name, value] of given) put('settings', name, value)
      })
      return store.get()
    },
    fact(name: string): Json | undefined {
      const isSigned = signedSettings.has(name)
      const find = () => database.get(`SELECT value FROM ${isSigned ? 'signed_settings' : 'facts'} WHERE name = ?`, name)
      const row = isSigned ? signed.read(find) : find()
      return row && parseText<Json>(json, row['value'], `fact ${name}`, log)
    },
    setFact: (name: string, value: Json): void =>
      signedSettings.has(name) ? signed.write(() => put('facts', name, value)) : put('facts', name, value),
  }
  return store
}

const isSettingName = (name: string): name is keyof Settings => Object.hasOwn(defaultSettings, name)

export type SamplingStore = ReturnType<typeof createSamplingStore>

/** Budgets of sampling, and the tokens used on a day, YYYY-MM-DD; earlier days are dropped. */
function createSamplingStore(database: Database, log: Log) {
  return {
    budget(server: string): SamplingBudget {
      const row = database.get('SELECT body FROM sampling_budgets WHERE server = ?', server)
      return (row && parseText(samplingBudget, row['body'], `sampling budget of ${server}`, log)) ?? defaultSamplingBudget
    },
    putBudget: (server: string, budget: SamplingBudget): void =>
      void upsert(database, 'sampling_budgets', { server }, { body: JSON.stringify(budget) }),
    used: (server: string, day: string): number =>
      Number(database.get('SELECT tokens FROM sampling_spent WHERE server = ? AND day = ?', server, day)?.['tokens'] ?? 0),
    /** Adds tokens; a negative number corrects what was counted before. */
    addUse(server: string, day: string, tokens: number): void {
      database.transaction(() => {
        database.run('DELETE FROM sampling_spent WHERE day < ?', day)
        database.run(
          'INSERT INTO sampling_spent (server, day, tokens) VALUES (?, ?, ?) ON CONFLICT (server, day) DO UPDATE SET tokens = max(0, tokens + excluded.tokens)',
          server,
          day,
          tokens,
        )
      })
    },
  }
}

interface StoreOptions extends WriteOptions {
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
}

export type Store = ReturnType<typeof openStore>

/** @throws {HostError} `profile.locked`, `profile.newer`, `profile.corrupt`, `profile.unwritable` or `disk.full`. */
export function openStore(options: StoreOptions) {
  const { dataDir, clock, log } = options
  const path = join(dataDir, 'assent.db')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw toStoreError(error, dataDir)
  }
  const unlock = lockProfile(dataDir)
  let database: Database | undefined
  try {
    const aside = takeStaged(path, clock.now())
    if (aside) log.info(`a backup took the profile's place; what was there is now ${aside}`)
    // A failure does not keep the profile closed: on a full disk the history can still be read.
    logFailure(log, 'what a backup left behind could not be removed', () => clearLeftovers(path))
    const opened = openProfile(path, options)
    database = opened
    const brought = aside === undefined ? undefined : keepPermissions(opened, aside, log)
    logFailure(log, 'deleted conversations could not be purged', () => {
      purgeOrphans(opened)
      const count = purgeDeleted(opened, clock.now())
      if (count) log.info(`purged ${count} conversations that were deleted more than 30 days ago`)
    })
    return makeStore(opened, unlock, { clock, log, brought })
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
  refuseNewer(path, peekVersion(path), schemaVersion)
  closeSync(openSync(path, 'a', 0o600)) // Made by us, so that nobody else on this machine can read it.
  const database = openDatabase(path)
  try {
    // A crash may have left a newer version in the write-ahead log, which the file's header does not show.
    refuseNewer(path, readSchemaVersion(database), schemaVersion)
    database.prepareForWriting(how)
    migrate(database, migrations, oldestVersion)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function makeStore(
  database: Database,
  unlock: () => void,
  { clock, log, brought }: Pick<StoreOptions, 'clock' | 'log'> & { readonly brought: BroughtRows | undefined },
) {
  let open = true
  const signed = new SignedState({ database, log, brought })
  const search = createSearchStore(database)
  const chatFolders = createChatFolderStore(database, log)
  const personal = createPersonalStore(database, log)
  const gateClients = createGateClientStore(database, log)
  const renameServer = (from: string, to: string): void => {
    chatFolders.renameServer(from, to)
    personal.renameServer(from, to)
    gateClients.renameServer(from, to)
  }
  const longLists = createChunkedLists(database, log)
  const backup = createBackupStore(database.path, clock, signed)
  return {
    conversations: createConversationStore(database, clock, log, search.index),
    history: createHistoryStore(database, log),
    chatFolders,
    personal,
    blobs: createBlobStore(database),
    orphanBlobs: createOrphanBlobs(database),
    signed,
    rules: signed.covers(createRuleStore(database, log), [
      'put',
      'remove',
      'putLaunch',
      'putMcpApp',
      'forgetMcpApp',
      'addSharedFolders',
      'forgetSharedFolders',
    ]),
    gateClients: signed.covers(gateClients, ['put', 'remove']),
    sampling: signed.covers(createSamplingStore(database, log), ['putBudget', 'addUse']),
    manualRuns: createManualRunStore(database, log),
    audit: createAuditStore(database, clock, log),
    servers: signed.covers(createServerStore(database, log, longLists, renameServer), ['rename', 'putTrust', 'putLogLevel', 'putFolders']),
    settings: createSettingsStore(database, log, signed),
    usage: createUsageStore(database),
    search: search.store,
    backup: backup.store,
    vacuum: createIncrementalVacuum(database),
    transaction: <T>(work: () => T): T => database.transaction(work),
    /** Makes the files that the first change of a run needs, while nobody waits for a change. */
    makeReady(): void {
      try {
        database.transaction(() => database.exec(`PRAGMA user_version = ${schemaVersion}`))
      } catch (error) {
        log.debug(`nothing can be written: ${error instanceof Error ? error.message : error}`) // The next write throws.
      }
    },
    close(): void {
      if (!open) return
      open = false
      backup.close()
      search.close()
      longLists.close()
      try {
        // The search thread may hold its connection a moment longer, and closing would then leave rows in the write-ahead log.
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
        database.close()
      } finally {
        unlock()
      }
    },
  }
}
