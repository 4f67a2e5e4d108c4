// What of a profile gives leave to do something. A backup brings none of it unless the person said so of its kind: what was here
// before the restore stays. A table that is not named as content is leave, so a new one comes with no backup until somebody decides.
import { z } from 'zod'
import { type HeldPermission, type PermissionKind, permissionKind, permissionKinds } from '#app/contract/transfer-requests.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database } from '../database/database.ts'

/** Chats and what was done in them, the record, what the person switched off. `facts` and `settings` are told apart by row. */
const content = new Set([
  'conversations',
  'messages',
  'branches_shown',
  'drafts',
  'draft_extras',
  'chat_folders',
  'blobs',
  'loose_blobs',
  'audit',
  'audit_head',
  'audit_words',
  'search_words',
  'search_pieces',
  'search_terms',
  'search_build',
  'model_use',
  'hand_runs',
  'disabled_tools',
  'settings',
  'facts',
])
/** Of these one row each counts. */
const tables: Readonly<Record<PermissionKind, readonly string[]>> = {
  rules: ['rules', 'rule_uses', 'definitions'],
  launches: ['launches'],
  views: ['agreed_views'],
  folders: ['told_folders', 'server_choices'],
  sampling: ['sampling_budgets'],
  endpoints: [],
  settings: [],
}
const ofSettings: Readonly<Partial<Record<PermissionKind, readonly string[]>>> = {
  folders: ['roots'],
  endpoints: ['defaultModel'],
  settings: ['consentMode', 'registryAddress'],
}
/** Of a conversation, and of the folder of chats that new ones begin in, in its `body`. */
const ofChats: Readonly<Partial<Record<PermissionKind, string>>> = { folders: '$.roots', settings: '$.consentMode' }
const withBody = ['conversations', 'chat_folders']
const ENDPOINTS = 'models/endpoints'
/** The kinds that come with a staged backup. */
const BROUGHT = 'restore/brought'
const mostNames = 5

const isTable = (database: Database, schema: string, name: string): boolean =>
  database.get(`SELECT 1 AS found FROM ${schema}.sqlite_schema WHERE type = 'table' AND name = ?`, name) !== undefined
const json = (values: readonly string[]): string => JSON.stringify(values)

/** Kinds of which there is nothing are left out. */
export function heldPermissions(database: Database): HeldPermission[] {
  return permissionKinds.flatMap((kind) => {
    const counted = tables[kind].slice(0, 1).filter((name) => isTable(database, 'main', name))
    const rows = counted.map((name) => Number(database.get(`SELECT count(*) AS count FROM ${name}`)?.['count']))
    const names = kind === 'endpoints' ? endpointsIn(database) : []
    const set = settingsIn(database, ofSettings[kind] ?? [])
    const count = rows.reduce((sum, one) => sum + one, names.length + set + chatsWith(database, ofChats[kind]))
    return count === 0 ? [] : [{ kind, count, names: names.slice(0, mostNames) }]
  })
}

function endpointsIn(database: Database): string[] {
  if (!isTable(database, 'main', 'facts')) return []
  const rows = database.all(
    "SELECT json_extract(value, '$.baseUrl') AS url FROM json_each((SELECT value FROM facts WHERE name = ? AND json_valid(value)))",
    ENDPOINTS,
  )
  return rows.map(({ url }) => String(url).slice(0, 200))
}

/** An empty list or null gives no leave. */
const settingsIn = (database: Database, names: readonly string[]): number =>
  Number(
    database.get(
      "SELECT count(*) AS count FROM settings WHERE name IN (SELECT value FROM json_each(?)) AND value NOT IN ('[]', 'null')",
      json(names),
    )?.['count'],
  )

const chatsWith = (database: Database, path: string | undefined): number =>
  path === undefined
    ? 0
    : withBody
        .filter((name) => isTable(database, 'main', name))
        .map((name) =>
          database.get(`SELECT count(*) AS count FROM ${name} WHERE json_valid(body) AND json_type(body, ?) IS NOT NULL`, path),
        )
        .reduce((sum, row) => sum + Number(row?.['count']), 0)

/** Written into a backup that waits: which kinds come with it. */
export function brings(database: Database, kinds: readonly PermissionKind[]): void {
  const set = 'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
  if (isTable(database, 'main', 'facts')) database.run(set, BROUGHT, json(kinds))
}

/**
 * After a backup took the profile's place: of each kind that was not brought, what was here before takes its place again. First
 * all of them go, so that nothing of them counts where the profile of before cannot be read.
 */
export function keepPermissions(database: Database, before: string, log: Log): void {
  const said = database.get('SELECT value FROM facts WHERE name = ?', BROUGHT)?.['value']
  const brought = new Set(z.array(permissionKind).catch([]).parse(parsed(said)))
  const left = permissionKinds.filter((kind) => !brought.has(kind))
  const kept = leaveTables(database).filter((name) => !permissionKinds.some((kind) => brought.has(kind) && tables[kind].includes(name)))
  const names = left.flatMap((kind) => ofSettings[kind] ?? [])
  const facts = brought.has('endpoints') ? "name NOT LIKE 'models/%'" : 'true'
  database.transaction(() => {
    for (const name of kept) database.run(`DELETE FROM ${name}`)
    database.run('DELETE FROM settings WHERE name IN (SELECT value FROM json_each(?))', json(names))
    database.run(`DELETE FROM facts WHERE ${facts}`)
    for (const path of left.flatMap((kind) => ofChats[kind] ?? []))
      for (const name of withBody)
        database.run(`UPDATE ${name} SET body = json_remove(body, ?) WHERE json_valid(body) AND json_type(body, ?) IS NOT NULL`, path, path)
  })
  try {
    database.run('ATTACH ? AS before', before)
    try {
      database.transaction(() => {
        for (const name of kept) takeOver(database, name, 'true')
        takeOver(database, 'settings', `name IN (SELECT value FROM json_each('${json(names)}'))`)
        takeOver(database, 'facts', `${facts} AND name <> '${BROUGHT}'`)
        if (brought.has('endpoints')) addEndpoints(database)
      })
    } finally {
      database.exec('DETACH before')
    }
  } catch (error) {
    log.error('the permissions of before the restore could not be read: all of them are asked for anew', error)
  }
}

/** Those of here stay as they are: their keys are known by their ids, and go to no other address. */
function addEndpoints(database: Database): void {
  const read = (schema: string) =>
    z
      .array(z.looseObject({ id: z.string() }))
      .catch([])
      .parse(parsed(database.get(`SELECT value FROM ${schema}.facts WHERE name = ?`, ENDPOINTS)?.['value']))
  const ours = read('before')
  const added = read('main').filter(({ id }) => !ours.some((one) => one.id === id))
  database.run('UPDATE main.facts SET value = ? WHERE name = ?', JSON.stringify([...ours, ...added]), ENDPOINTS)
}

const parsed = (text: unknown): unknown => {
  try {
    return JSON.parse(String(text))
  } catch {
    return [] // Not there, or no JSON: nothing was brought.
  }
}

/** Tables of our schema that are not content; those that SQLite keeps for a search are its content. */
export const leaveTables = (database: Database): string[] =>
  database
    .all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .map(({ name }) => String(name))
    .filter((name) => !content.has(name) && !/^(?:audit|search)_words_/.test(name))

/** Rows of the profile of before, as far as both have the column. */
function takeOver(database: Database, name: string, which: string): void {
  if (!isTable(database, 'before', name)) return
  const columns = database
    .all('SELECT name FROM pragma_table_info(?1) INTERSECT SELECT name FROM pragma_table_info(?1, ?2)', name, 'before')
    .map((row) => `"${String(row['name']).replaceAll('"', '""')}"`)
    .join(', ')
  database.run(`INSERT OR REPLACE INTO main.${name} (${columns}) SELECT ${columns} FROM before.${name} WHERE ${which}`)
}
