// Compares a database's schema with ours. A foreign trigger or view would run with the next message that is written. The expected
// schema is made by running the same migrations.
import { DatabaseSync } from 'node:sqlite'
import type { Database } from '../database/database.ts'
import { readSchemaVersion } from '../database/migrate.ts'

const SCHEMA = "SELECT type, name, tbl_name, coalesce(sql, '') AS sql FROM sqlite_schema"
/** Tables of statistics that SQLite makes; they hold figures only. */
const statistics = /^sqlite_stat\d$/

/** `missing`: something of ours is not there. `foreign`: names of what is there beside ours or differs from it, as “trigger evil”. */
export function foreignTo(migrations: readonly string[], database: Database): { missing: boolean; foreign: readonly string[] } {
  const ours = new Map(schemaOf(migrations.slice(0, readSchemaVersion(database))).map((row) => [keyOf(row), textOf(row)]))
  const theirs = new Map(database.all(SCHEMA).map((row) => [keyOf(row), textOf(row)]))
  const foreign = [...theirs].filter(([key, text]) => ours.get(key) !== text && !statistics.test(key.replace(/^table /, '')))
  return { missing: [...ours.keys()].some((key) => !theirs.has(key)), foreign: foreign.map(([key]) => key.slice(0, 100)) }
}

type Entry = Readonly<Record<string, unknown>>
const keyOf = ({ type, name }: Entry): string => `${String(type)} ${String(name)}`
const textOf = (row: Entry): string => `${String(row['tbl_name'])} ${String(row['sql']).replace(/\s+/g, ' ')}`

function schemaOf(steps: readonly string[]): Entry[] {
  const made = new DatabaseSync(':memory:')
  try {
    for (const step of steps) made.exec(step)
    return made.prepare(SCHEMA).all()
  } finally {
    made.close()
  }
}
