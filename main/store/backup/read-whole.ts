// Reads every row of every table of the profile, in a thread, so that a damaged page is found before somebody needs what
// stood there, and while there are backups from before it. Between two rows it can be stopped: no end of the host waits.
import { DatabaseSync } from 'node:sqlite'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { toStoreError } from '../sqlite-errors.ts'

/** Returns how many rows there are. Throws `profile.corrupt`, and `cancelled` once it is not wanted. Others may write meanwhile. */
export function readWhole(path: string, isWanted: () => boolean): number {
  try {
    const sqlite = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    try {
      sqlite.function('seen', { deterministic: false }, (size) => {
        if (!isWanted()) throw new HostError('cancelled', t`It was stopped.`)
        return size
      })
      const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").all()
      return tables.reduce((rows, { name }) => rows + readTable(sqlite, String(name)), 0)
    } finally {
      sqlite.close()
    }
  } catch (error) {
    const known = toStoreError(error, path)
    if (!(known instanceof HostError) || known.code !== 'profile.corrupt') throw known
    throw new HostError('profile.corrupt', t`A part of ${path} is damaged and cannot be read. What is whole goes on as before.`, {
      data: { path },
    })
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The end of each value: SQLite walks all of its pages to get there. */
function readTable(sqlite: DatabaseSync, table: string): number {
  const columns = sqlite.prepare('SELECT name FROM pragma_table_info(?)').all(table)
  const sizes = columns.map(({ name }) => `coalesce(length(substr(${quoted(String(name))}, -1)), 0)`)
  return Number(sqlite.prepare(`SELECT count(seen(${sizes.join(' + ')})) AS rows FROM ${quoted(table)}`).get()?.['rows'] ?? 0)
}
