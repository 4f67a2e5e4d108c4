// Whether a database holds our tables and nothing beside them. A trigger or a view of somebody else's would run with the next
// message that is written. The schema that it must have is made anew, by the steps that made ours.
import { DatabaseSync } from 'node:sqlite'
import type { Database } from '../database/database.ts'
import { readSchemaVersion } from '../database/migrate.ts'

const SCHEMA = "SELECT type, name, tbl_name, coalesce(sql, '') AS sql FROM sqlite_schema"
/** Of SQLite's own making, of figures alone. */
const statistics = /^sqlite_stat\d$/

interface Compared {
  /** Something of ours is not there. */
  readonly missing: boolean
  /** What is there beside ours, or is written otherwise: “trigger evil”. */
  readonly foreign: readonly string[]
}

export function foreignTo(migrations: readonly string[], database: Database): Compared {
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
