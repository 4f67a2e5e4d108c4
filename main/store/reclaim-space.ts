// Blobs, and which of them were attached in a composer but not sent. Those that are neither sent nor in a draft are dropped at the
// next start; until then a removal can be undone.
import { createHash } from 'node:crypto'
import type { BlobRef } from '#app/blob.ts'
import type { Database } from './database/database.ts'
import { blobNames, dropBlobs } from './purge.ts'
import { texts, upsert } from './rows.ts'

export type BlobStore = ReturnType<typeof createBlobStore>

/** Stores bytes under their SHA-256. The first MIME type of some bytes stays theirs: nobody relabels another's. */
export function createBlobStore(database: Database) {
  return {
    put: (bytes: Uint8Array, mimeType: string): BlobRef => putBlob(database, bytes, mimeType).blob,
    get(sha256: string): { readonly bytes: Uint8Array; readonly mimeType: string } | undefined {
      const row = database.get('SELECT mime_type, bytes FROM blobs WHERE sha256 = ?', sha256)
      return row?.['bytes'] instanceof Uint8Array ? { bytes: row['bytes'], mimeType: String(row['mime_type']) } : undefined
    },
  }
}

/** Stores bytes. `isNew`: they were not stored before. */
function putBlob(database: Database, bytes: Uint8Array, mimeType: string): { readonly blob: BlobRef; readonly isNew: boolean } {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const isNew = upsert(database, 'blobs', { sha256, mime_type: mimeType, bytes }) > 0
  return { blob: { sha256, bytes: bytes.byteLength, mimeType }, isNew }
}

/** Blobs in composers. */
export function createOrphanBlobs(database: Database) {
  return {
    put: (bytes: Uint8Array, mimeType: string): BlobRef =>
      database.transaction(() => {
        const { blob, isNew } = putBlob(database, bytes, mimeType)
        if (isNew) database.run('INSERT INTO loose_blobs (sha256) VALUES (?)', blob.sha256)
        return blob
      }),
    /** Keeps blobs, since a message shows them. */
    sent(names: readonly string[]): void {
      for (const sha256 of names) database.run('DELETE FROM loose_blobs WHERE sha256 = ?', sha256)
    },
  }
}

/** Drops unsent blobs that no draft holds and no message shows. Returns how many were not in a draft. */
export function purgeOrphans(database: Database): number {
  const names = new Set(texts(database.all('SELECT sha256 FROM loose_blobs'), 'sha256'))
  if (names.size === 0) return 0
  for (const row of database.all('SELECT body FROM draft_extras')) for (const sha256 of blobNames(row['body'])) names.delete(sha256)
  database.transaction(() => {
    dropBlobs(database, names)
    for (const sha256 of names) database.run('DELETE FROM loose_blobs WHERE sha256 = ?', sha256)
  })
  return names.size
}

// Returns free pages of the database to the disk, some at a time. Each step is a transaction: it can be stopped, others read
// meanwhile, and it needs no room beside the file, unlike VACUUM.
const PAGES_A_STEP = 64
/** Free pages, in number and as a share, that stay for new rows. */
const PAGES_KEPT = 2048
const SHARE_KEPT = 0.1

export const createIncrementalVacuum = (database: Database) => ({
  /** Works for about `ms` milliseconds; false: no more pages are worth returning. */
  step(ms: number): boolean {
    if (mode(database) !== INCREMENTAL) return false
    const end = performance.now() + ms
    while (isWorthIt(database)) {
      database.exec(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`)
      if (performance.now() >= end) return true
    }
    return false
  },
})

const INCREMENTAL = 2
const number = (database: Database, pragma: 'auto_vacuum' | 'freelist_count' | 'page_count' | 'page_size'): number =>
  Number(database.get(`PRAGMA ${pragma}`)?.[pragma])
const mode = (database: Database): number => number(database, 'auto_vacuum')
const pages = (database: Database) => ({ total: number(database, 'page_count'), free: number(database, 'freelist_count') })

function isWorthIt(database: Database): boolean {
  const { total, free } = pages(database)
  return free > Math.max(PAGES_KEPT, total * SHARE_KEPT)
}
