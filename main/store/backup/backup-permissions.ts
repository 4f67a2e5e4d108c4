// Permissions of a profile. A restored backup brings only the kinds that the person chose; of the others, those of the former profile
// stay. A table that is not named as content counts as permissions, so a new table comes with no backup until it is decided.
import { z } from 'zod'
import { type HeldPermission, type PermissionKind, permissionKind, permissionKinds } from '#app/contract/transfer-requests.ts'
import { parseJson } from '#app/or-else.ts'
import { flush } from '#main/base/atomic-write.ts'
import type { Log } from '#main/base/host-log.ts'
import { type Database, withDatabase } from '../database/database.ts'
import { upsert } from '../rows.ts'
import { readSigned } from '../signed-rows.ts'
import type { BroughtRows, SignedState } from '../signed-state.ts'

/** Tables of chats, of the audit log and of disabled tools. `facts` and `settings` are divided by row. */
const content = new Set([
  'conversations',
  'messages',
  'branches_shown',
  'drafts',
  'draft_extras',
  'chat_folders',
  'personal',
  'blobs',
  'loose_blobs',
  'audit',
  'audit_head',
  'audit_words',
  'search_words',
  'search_pieces',
  'search_terms',
  'model_use',
  'hand_runs',
  'disabled_tools',
  'settings',
  'facts',
  'signed_settings',
])
/** Tables of each kind; the rows of the first are counted. */
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
  settings: ['consentMode', 'registryAddress', 'memory'],
}
/** Fields in the body of a conversation, a chat folder or an assistant. */
const ofChats: Readonly<Partial<Record<PermissionKind, string>>> = { folders: '$.roots', settings: '$.consentMode' }
const withBody = ['conversations', 'chat_folders', 'personal']
const ENDPOINTS = 'models/endpoints'
/** Fact with the kinds that a staged backup brings, and the signature over their rows. */
const BROUGHT = 'restore/brought'
const broughtRows = z.object({ kinds: z.array(permissionKind), digests: z.array(z.string()), mac: z.string() })
const mostNames = 100

const isTable = (database: Database, schema: string, name: string): boolean =>
  database.get(`SELECT 1 AS found FROM ${schema}.sqlite_schema WHERE type = 'table' AND name = ?`, name) !== undefined
const json = (values: readonly string[]): string => JSON.stringify(values)

/** Counts permissions by kind, without kinds that have none. */
export function heldPermissions(database: Database): HeldPermission[] {
  const signed = [...readSigned(database).values()]
  return permissionKinds.flatMap((kind) => {
    const counted = tables[kind].slice(0, 1).filter((name) => isTable(database, 'main', name))
    const rows = counted.map((name) => Number(database.get(`SELECT count(*) AS count FROM ${name}`)?.['count']))
    const endpoints = kind === 'endpoints' ? endpointsIn(database) : []
    const listed = signed
      .filter((one) => one.kind === kind && kind !== 'endpoints')
      .map(({ name, effect = '' }) => `${effect} ${name}`.trim())
    const names = [...endpoints, ...listed]
    const set = settingsIn(database, ofSettings[kind] ?? [])
    const count = rows.reduce((sum, one) => sum + one, endpoints.length + set + chatsWith(database, ofChats[kind]))
    return count === 0 ? [] : [{ kind, count, names: names.slice(0, mostNames) }]
  })
}

function endpointsIn(database: Database): string[] {
  // In a backup of an older version they are among the facts.
  const table = ['signed_settings', 'facts'].find((name) => isTable(database, 'main', name))
  if (table === undefined) return []
  const rows = database.all(
    `SELECT json_extract(value, '$.baseUrl') AS url FROM json_each((SELECT value FROM ${table} WHERE name = ? AND json_valid(value)))`,
    ENDPOINTS,
  )
  return rows.map(({ url }) => String(url).slice(0, 200))
}

const settingsIn = (database: Database, names: readonly string[]): number =>
  ['settings', 'signed_settings']
    .filter((table) => isTable(database, 'main', table))
    .map((table) =>
      database.get(
        `SELECT count(*) AS count FROM ${table} WHERE name IN (SELECT value FROM json_each(?)) AND value NOT IN ('[]', 'null')`,
        json(names),
      ),
    )
    .reduce((sum, row) => sum + Number(row?.['count']), 0)

const chatsWith = (database: Database, path: string | undefined): number =>
  path === undefined
    ? 0
    : withBody
        .filter((name) => isTable(database, 'main', name))
        .map((name) =>
          database.get(`SELECT count(*) AS count FROM ${name} WHERE json_valid(body) AND json_type(body, ?) IS NOT NULL`, path),
        )
        .reduce((sum, row) => sum + Number(row?.['count']), 0)

/** Writes into a staged backup which kinds it brings, signed as they are now. */
export function brings(staged: string, kinds: readonly PermissionKind[], signed: Pick<SignedState, 'sealBrought'>): void {
  withDatabase(staged, {}, (database) => {
    if (kinds.includes('rules')) bindToLaunches(database)
    // They were agreed to for the program that the backup's launches name. Without those, another program may have the server's name here.
    if (!kinds.includes('launches')) database.run('DELETE FROM told_folders')
    const seal = signed.sealBrought(kinds, readSigned(database))
    if (seal) upsert(database, 'facts', { name: BROUGHT }, { value: JSON.stringify(seal) })
  })
  flush(staged, 'r+')
}

/**
 * Binds approvals that keep no program to the launch that the backup's own profile approved, or to none: without that they would count for
 * whatever this profile approved under the name.
 */
function bindToLaunches(database: Database): void {
  database.run(
    `UPDATE rules SET body = json_set(body, '$.program', coalesce((SELECT fingerprint FROM launches WHERE launches.server = rules.server), ''))
    WHERE server <> '' AND json_valid(body) AND json_extract(body, '$.effect') = 'allow' AND json_type(body, '$.program') IS NULL`,
  )
}

/**
 * Replaces the permissions that a restored backup did not bring by those of the former profile (`before`: its path). They are removed
 * first, so that none of them counts where the former profile cannot be read. Returns what was brought, for the signature to be checked.
 */
export function keepPermissions(database: Database, before: string, log: Log): BroughtRows | undefined {
  const said = broughtRows.safeParse(parsed(database.get('SELECT value FROM facts WHERE name = ?', BROUGHT)?.['value'])).data
  const brought = new Set(said?.kinds)
  const left = permissionKinds.filter((kind) => !brought.has(kind))
  const kept = leaveTables(database).filter((name) => !permissionKinds.some((kind) => brought.has(kind) && tables[kind].includes(name)))
  const names = [...left.flatMap((kind) => ofSettings[kind] ?? []), ...(brought.has('endpoints') ? [] : [ENDPOINTS])]
  const facts = brought.has('endpoints') ? "name NOT LIKE 'models/%'" : 'true'
  database.transaction(() => {
    for (const name of kept) database.run(`DELETE FROM ${name}`)
    for (const table of ['settings', 'signed_settings'])
      database.run(`DELETE FROM ${table} WHERE name IN (SELECT value FROM json_each(?))`, json(names))
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
        for (const table of ['settings', 'signed_settings'])
          takeOver(database, table, `name IN (SELECT value FROM json_each('${json(names)}'))`)
        takeOver(database, 'facts', `${facts} AND name <> '${BROUGHT}'`)
        if (brought.has('endpoints')) addEndpoints(database)
      })
    } finally {
      database.exec('DETACH before')
    }
  } catch (error) {
    log.error('the permissions of before the restore could not be read: all of them are asked for anew', error)
  }
  return said
}

/** Adds the backup's endpoints. Those of the former profile stay: a key is stored by the endpoint's id, and must go to no other address. */
function addEndpoints(database: Database): void {
  const read = (schema: string) =>
    z
      .array(z.looseObject({ id: z.string() }))
      .catch([])
      .parse(parsed(database.get(`SELECT value FROM ${schema}.signed_settings WHERE name = ?`, ENDPOINTS)?.['value']))
  const ours = read('before')
  const added = read('main').filter(({ id }) => !ours.some((one) => one.id === id))
  database.run('UPDATE main.signed_settings SET value = ? WHERE name = ?', JSON.stringify([...ours, ...added]), ENDPOINTS)
}

/** Missing or not JSON: nothing was brought. */
const parsed = (text: unknown): unknown => parseJson(String(text)) ?? []

/** Lists tables that are not content; those that SQLite keeps for full-text search are content. */
export const leaveTables = (database: Database): string[] =>
  database
    .all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .map(({ name }) => String(name))
    .filter((name) => !content.has(name) && !/^(?:audit|search)_words_/.test(name))

function takeOver(database: Database, name: string, which: string): void {
  if (!isTable(database, 'before', name)) return
  const columns = database
    .all('SELECT name FROM pragma_table_info(?1) INTERSECT SELECT name FROM pragma_table_info(?1, ?2)', name, 'before')
    .map((row) => `"${String(row['name']).replaceAll('"', '""')}"`)
    .join(', ')
  database.run(`INSERT OR REPLACE INTO main.${name} (${columns}) SELECT ${columns} FROM before.${name} WHERE ${which}`)
}
