// What the data folder takes up, by what it is for. In a thread: a folder of bundles has many files.
import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DiskUse } from '#app/contract/transfer.ts'
import { openDatabase } from '../database.ts'

type Place = 'database' | 'backups' | 'logs' | 'bundles' | 'rest'

/** `database`: its path. Throws what a database throws; a file that goes meanwhile counts for nothing. */
export function measureProfile(database: string): DiskUse {
  const folder = dirname(database)
  const bytes: Record<Place, number> = { database: 0, backups: 0, logs: 0, bundles: 0, rest: 0 }
  for (const entry of entriesOf(folder)) bytes[placeOf(entry.name, basename(database))] += sizeOf(join(folder, entry.name), entry)
  return { ...bytes, ...within(database) }
}

function placeOf(name: string, database: string): Place {
  if (name === 'backups' || name.startsWith(`${database}.`)) return 'backups'
  if (name === database || name.startsWith(`${database}-`)) return 'database'
  return name === 'logs' || name === 'bundles' ? name : 'rest'
}

function within(path: string): Pick<DiskUse, 'attachments' | 'unsent' | 'free'> {
  const database = openDatabase(path, { readOnly: true })
  try {
    const row = database.get(`SELECT (SELECT coalesce(sum(length(bytes)), 0) FROM blobs) AS attachments,
      (SELECT coalesce(sum(length(bytes)), 0) FROM blobs WHERE sha256 IN (SELECT sha256 FROM loose_blobs)) AS unsent,
      (SELECT freelist_count FROM pragma_freelist_count) * (SELECT page_size FROM pragma_page_size) AS free`)
    return { attachments: Number(row?.['attachments']), unsent: Number(row?.['unsent']), free: Number(row?.['free']) }
  } finally {
    database.close()
  }
}

/** Links are not followed: what they lead to lies elsewhere. */
function sizeOf(path: string, entry: Dirent): number {
  if (entry.isDirectory()) return entriesOf(path).reduce((sum, one) => sum + sizeOf(join(path, one.name), one), 0)
  return entry.isFile() ? (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) : 0
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // It went meanwhile, or is not for us to read.
  }
}
