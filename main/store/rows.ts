// Rows as values: columns into SQL, JSON text back through its schema. A row that does not fit (damage, or an edit from outside)
// is left where it is, named in the log without its content, and skipped.
import type { z } from 'zod'
import { parseJson } from '#app/or-else.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database, Row, Value } from './database/database.ts'

type Columns = Readonly<Record<string, Value>>

/**
 * Inserts a row, or sets `values` in the row that has this key; without values that row stays as it is. Names of tables and columns
 * are constants of the code. Returns how many rows changed.
 */
export function upsert(database: Database, table: string, key: Columns, values: Columns = {}): number {
  const updates = Object.keys(values).map((name) => `${name} = excluded.${name}`)
  const conflict = updates.length === 0 ? 'DO NOTHING' : `(${Object.keys(key).join(', ')}) DO UPDATE SET ${updates.join(', ')}`
  return insert(database, table, { ...key, ...values }, ` ON CONFLICT ${conflict}`)
}

export function insert(database: Database, table: string, row: Columns, onConflict = ''): number {
  const names = Object.keys(row)
  const places = names.map(() => '?').join(', ')
  return database.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})${onConflict}`, ...Object.values(row))
}

export const texts = (rows: readonly Row[], column = 'id'): string[] => rows.map((row) => String(row[column]))

/** Parses JSON text by its schema; undefined when it does not fit. `what` names the row in the log. */
export function parseText<T>(schema: z.ZodType<T>, text: unknown, what: string, log: Log): T | undefined {
  const value = parseJson(String(text))
  if (value === undefined) {
    log.warn(`${what} in the profile is not JSON and was skipped`)
    return undefined
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const places = parsed.error.issues.slice(0, 3).map((issue) => issue.path.join('.') || '(whole)')
  log.warn(`${what} in the profile does not fit its schema at ${places.join(', ')} and was skipped`)
  return undefined
}

/** Parses the `body` of each row; rows that do not fit are left out. */
export const parseRows = <T>(schema: z.ZodType<T>, rows: readonly Row[], what: string, log: Log): T[] =>
  rows.flatMap((row) => parseText(schema, row['body'], `${what} ${String(row['id'])}`, log) ?? [])
