// Rows that say what the person allowed, and their digests. A copy of their tables in SQLite's temporary schema hides them: reads then
// find nothing, and what is written stays in memory.
import { createHash } from 'node:crypto'
import { canonicalToolJson } from '#app/canonical-json.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import type { SignedItem } from '#app/signed-state.ts'
import type { Database, Row } from './database/database.ts'
import { migrations } from './database/schema.ts'

/** Rows of `facts` and `settings` that count as permissions; they have a table of their own. */
export const signedSettings: ReadonlySet<string> = new Set([
  'models/endpoints',
  'consentMode',
  'roots',
  'registryAddress',
  'shortcuts',
  'gateHttp',
])
const ENDPOINTS = 'models/endpoints'
/** Members of an endpoint that the host learns by itself. */
const learnt = new Set(['models', 'checkedAt', 'filled', 'ollama'])

interface SignedTable {
  readonly kind: SignedItem['kind']
  readonly key: readonly string[]
  readonly more?: readonly string[]
  /** Whether rows are in the order in which they were written. */
  readonly ordered?: true
}

const tables: Readonly<Record<string, SignedTable>> = {
  rules: { kind: 'rules', key: ['id'], more: ['server', 'body'], ordered: true },
  launches: { kind: 'launches', key: ['server'], more: ['fingerprint', 'target', 'digest'] },
  trusted_servers: { kind: 'trust', key: ['server'], more: ['launch'] },
  agreed_views: { kind: 'views', key: ['server', 'uri', 'fingerprint'], ordered: true },
  told_folders: { kind: 'folders', key: ['server', 'conversation', 'uri'] },
  server_choices: { kind: 'folders', key: ['server'], more: ['log_level', 'folders'] },
  sampling_spent: { kind: 'sampling', key: ['server', 'day'], more: ['tokens'] },
  sampling_budgets: { kind: 'sampling', key: ['server'], more: ['body'] },
  signed_settings: { kind: 'settings', key: ['name'], more: ['value'] },
  gate_clients: { kind: 'settings', key: ['id'], more: ['body'] },
}
const all = Object.entries(tables).map(([name, table]) => ({ name, ...table, columns: [...table.key, ...(table.more ?? [])] }))

export interface SignedRow extends Omit<SignedItem, 'change'> {
  readonly digest: string
}
export type SignedRows = ReadonlyMap<string, SignedRow>

const longestName = 200

/** Reads the rows of the file, whether they are hidden or not, by table and key. A table that an older profile lacks has none. */
export function readSigned(database: Database): SignedRows {
  const rows = new Map<string, SignedRow>()
  const put = (key: readonly unknown[], item: Omit<SignedItem, 'change'>, value: Json): void =>
    void rows.set(JSON.stringify(key), { ...item, name: item.name.slice(0, longestName), digest: digestOf(value) })
  for (const { name, kind, key, columns } of all) {
    if (!database.get("SELECT 1 AS found FROM main.sqlite_schema WHERE type = 'table' AND name = ?", name)) continue
    for (const row of database.all(`SELECT ${columns.join(', ')} FROM main.${name}`)) {
      const endpoints = row['name'] === ENDPOINTS ? endpointsOf(row['value']) : undefined
      for (const one of endpoints ?? []) put([ENDPOINTS, one['id'] ?? null], endpointItem(one), one)
      if (!endpoints) put([name, ...key.map((column) => row[column])], { kind, ...labelOf(name, row) }, row as JsonObject)
    }
  }
  return rows
}

const digestOf = (value: Json): string => createHash('sha256').update(canonicalToolJson(value)).digest('hex')

function endpointsOf(text: unknown): JsonObject[] | undefined {
  const value = parseJson(String(text))
  if (!Array.isArray(value) || !value.every(isJsonObject)) return undefined
  return value.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => !learnt.has(name))))
}

const endpointItem = ({ name, baseUrl }: JsonObject) => ({ kind: 'endpoints', name: `${String(name)} (${String(baseUrl)})` }) as const

function labelOf(table: string, row: Row): Pick<SignedItem, 'name' | 'effect'> {
  if (table === 'signed_settings') return { name: `${String(row['name'])} ${String(row['value'])}` }
  if (table === 'gate_clients') {
    const client = parseJson(String(row['body']))
    return { name: `mcp/${isJsonObject(client) ? String(client['name']) : ''}` }
  }
  if (table !== 'rules') return { name: [row['server'], row['uri'], row['folders']].filter(Boolean).join(' · ') }
  const rule = parseJson(String(row['body']))
  const { effect, server, tool } = isJsonObject(rule) ? rule : {}
  const name = [server ?? row['server'], tool].filter(Boolean).join(' · ')
  return { name: name || '*', ...(effect === 'allow' || effect === 'ask' || effect === 'deny' ? { effect } : {}) }
}

const isHidden = (database: Database, name: string): boolean =>
  database.get('SELECT 1 AS found FROM temp.sqlite_schema WHERE name = ?', name) !== undefined

/** Hides the rows of the file. Does nothing where they are hidden. */
export function hideSigned(database: Database): void {
  for (const { name, key, columns, ordered } of all) {
    const declared = [...(ordered ? ['place INTEGER PRIMARY KEY'] : []), ...columns, `UNIQUE (${key.join(', ')})`]
    database.exec(`CREATE TABLE IF NOT EXISTS temp.${name} (${declared.join(', ')})`)
  }
}

/** Shows the rows of the file again, with what was written meanwhile. */
export function showSigned(database: Database): void {
  joinEndpoints(database)
  for (const { name, columns } of all) {
    if (!isHidden(database, name)) continue
    const list = columns.join(', ')
    // Without rows the file is not written: a start must not wait for the disk.
    if (database.get(`SELECT 1 AS found FROM temp.${name}`))
      database.exec(`INSERT OR REPLACE INTO main.${name} (${list}) SELECT ${list} FROM temp.${name} ORDER BY rowid`)
    database.exec(`DROP TABLE temp.${name}`)
  }
}

/** Adds the endpoints of the file to those that were written while they were hidden: they are one row. */
function joinEndpoints(database: Database): void {
  if (!isHidden(database, 'signed_settings')) return
  const [file, since] = ['main', 'temp'].map((schema) => {
    const value = parseJson(String(database.get(`SELECT value FROM ${schema}.signed_settings WHERE name = ?`, ENDPOINTS)?.['value']))
    return Array.isArray(value) ? value.filter(isJsonObject) : []
  }) as [JsonObject[], JsonObject[]]
  const joined = [...file, ...since.filter(({ id }) => !file.some((one) => one['id'] === id))]
  database.run('UPDATE temp.signed_settings SET value = ? WHERE name = ?', JSON.stringify(joined), ENDPOINTS)
}

export function removeSigned(database: Database): void {
  for (const { name } of all) database.exec(`DELETE FROM main.${name}`)
}

/** Triggers of Assent by name, as the migrations leave them. */
const triggers: ReadonlyMap<string, string> = (() => {
  const left = new Map<string, string>()
  for (const step of migrations)
    for (const [text, name = ''] of step.matchAll(/CREATE TRIGGER (\w+)[\s\S]*?END(?=;)/g)) left.set(name, text)
  return left
})()
const plain = (text: unknown): string => String(text).replace(/\s+/g, ' ')

/** Removes triggers and views that are not Assent's, and puts its own back. Returns what was found, as “trigger evil”. */
export function dropForeignTriggers(database: Database): string[] {
  const found = database.all("SELECT type, name, sql FROM main.sqlite_schema WHERE type IN ('trigger', 'view')")
  const foreign = found.filter(({ name, sql }) => triggers.get(String(name)) !== sql && plain(triggers.get(String(name))) !== plain(sql))
  const kept = new Set(found.filter((one) => !foreign.includes(one)).map(({ name }) => String(name)))
  const lost = [...triggers].filter(([name]) => !kept.has(name))
  if (foreign.length + lost.length === 0) return []
  database.transaction(() => {
    for (const { type, name } of foreign)
      database.exec(`DROP ${type === 'view' ? 'VIEW' : 'TRIGGER'} main."${String(name).replaceAll('"', '""')}"`)
    for (const [, sql] of lost) database.exec(sql)
  })
  return [...foreign.map(({ type, name }) => `${String(type)} ${String(name)}`), ...lost.map(([name]) => `trigger ${name}`)]
}
