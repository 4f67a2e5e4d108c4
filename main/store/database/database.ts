// Access to SQLite. WAL with `synchronous=FULL`: what was committed is on the disk, whatever ends the process. Calls are synchronous.
// Statements are prepared once; SQL is made of constants only, values are always bound.
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { toStoreError } from './sqlite-errors.ts'

export type Value = SQLInputValue
export type Row = Readonly<Record<string, unknown>>

export interface Database {
  readonly path: string
  get(sql: string, ...values: Value[]): Row | undefined
  all(sql: string, ...values: Value[]): Row[]
  /** Reads row by row. A statement can be walked once at a time. */
  walk(sql: string, ...values: Value[]): Iterable<Row>
  run(sql: string, ...values: Value[]): number
  /** Runs statements without values: schema and pragmas. */
  exec(sql: string): void
  /** Commits all of `work` or nothing, also within another transaction. `work` must not be async. */
  transaction<T>(work: () => T): T
  /** Runs a transaction that does not wait for the disk: it outlives a crash, but maybe not a loss of power. */
  inPassing<T>(work: () => T): T
  close(): void
}

/** First pragma of a new file; in an existing one it would be a change that waits for the disk. */
const OF_A_NEW_FILE = 'PRAGMA auto_vacuum = INCREMENTAL;'
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA trusted_schema = OFF;
`

export interface WriteOptions {
  readonly temporary?: boolean
}

/**
 * Opens a database without changing it; the caller calls `prepareForWriting` once it knows that the file is ours. `readOnly`: another
 * process may write meanwhile.
 */
export function openDatabase(path: string, { readOnly = false } = {}): Database & { prepareForWriting(how?: WriteOptions): void } {
  const guard = <T>(step: () => T): T => {
    try {
      return step()
    } catch (error) {
      throw toStoreError(error, path)
    }
  }
  const sqlite = guard(() => new DatabaseSync(path, { readOnly, timeout: 5000, enableForeignKeyConstraints: true }))
  const statements = new Map<string, StatementSync>()
  let depth = 0
  let waitsForDisk = true

  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = sqlite.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  const database: Database = {
    path,
    get: (sql, ...values) => guard(() => prepared(sql).get(...values)),
    all: (sql, ...values) => guard(() => prepared(sql).all(...values)),
    walk: (sql, ...values) => guard(() => prepared(sql).iterate(...values) as Iterable<Row>),
    run: (sql, ...values) => guard(() => Number(prepared(sql).run(...values).changes)),
    exec: (sql) => guard(() => sqlite.exec(sql)),
    transaction(work) {
      const level = depth
      database.exec(level === 0 ? 'BEGIN IMMEDIATE' : `SAVEPOINT step_${level}`)
      depth = level + 1
      try {
        const result = work()
        if (result instanceof Promise) throw new HostError('internal', t`A transaction was given work that does not end at once.`)
        database.exec(level === 0 ? 'COMMIT' : `RELEASE step_${level}`)
        return result
      } catch (error) {
        // SQLite rolls back by itself on a full disk.
        if (sqlite.isTransaction) sqlite.exec(level === 0 ? 'ROLLBACK' : `ROLLBACK TO step_${level}; RELEASE step_${level}`)
        throw error
      } finally {
        depth = level
      }
    },
    inPassing(work) {
      if (depth > 0 || !waitsForDisk) return database.transaction(work)
      database.exec('PRAGMA synchronous = NORMAL')
      try {
        return database.transaction(work)
      } finally {
        database.exec('PRAGMA synchronous = FULL')
      }
    },
    close: () => guard(() => sqlite.close()),
  }

  return {
    ...database,
    prepareForWriting({ temporary = false } = {}) {
      waitsForDisk = !temporary
      const isNew = database.get('PRAGMA page_count')?.['page_count'] === 0
      database.exec(`${isNew ? OF_A_NEW_FILE : ''}${PRAGMAS}${temporary ? 'PRAGMA synchronous = OFF;' : ''}`)
    },
  }
}

export function withDatabase<T>(path: string, options: { readonly readOnly?: boolean }, work: (database: Database) => T): T {
  const database = openDatabase(path, options)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

const PAGES_A_STEP = 250

/**
 * Copies what is committed now, page by page, into an empty file; others may write meanwhile. `onShare` gets the share that is
 * copied, and ends the copy when it throws.
 */
export async function copyDatabase(from: string, target: string, onShare: (share: number) => void): Promise<void> {
  const sqlite = new DatabaseSync(from, { readOnly: true, timeout: 5000 })
  try {
    // The copy reads within one transaction: without it, each change made meanwhile would start the copy again.
    sqlite.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    await backup(sqlite, target, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) => onShare(totalPages === 0 ? 1 : 1 - remainingPages / totalPages),
    })
  } finally {
    sqlite.close()
  }
  const copy = new DatabaseSync(target, { timeout: 5000 })
  try {
    copy.exec('PRAGMA journal_mode = DELETE') // One file, also while it is looked at.
  } finally {
    copy.close()
  }
}
