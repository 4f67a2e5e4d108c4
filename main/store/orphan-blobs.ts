// Bytes that were attached in a composer and not sent yet. What is neither sent nor in a draft any more goes with the next start:
// until then it can be put back. Bytes that were here before belong to whatever showed them, and are not loose.
import { createHash } from 'node:crypto'
import type { BlobRef } from '#app/blob.ts'
import type { Database } from './database/database.ts'
import { blobNames, dropBlobs } from './purge.ts'
import type { BlobStore, OrphanBlobs } from './store-api.ts'

/** Bytes under their SHA-256. The first MIME type that some bytes came with stays theirs: nobody relabels another's. */
export function createBlobStore(database: Database): BlobStore {
  return {
    put: (bytes, mimeType) => putBlob(database, bytes, mimeType).blob,
    get(sha256) {
      const row = database.get('SELECT mime_type, bytes FROM blobs WHERE sha256 = ?', sha256)
      return row?.['bytes'] instanceof Uint8Array ? { bytes: row['bytes'], mimeType: String(row['mime_type']) } : undefined
    },
  }
}

/** `isNew`: they were not here before. */
function putBlob(database: Database, bytes: Uint8Array, mimeType: string): { readonly blob: BlobRef; readonly isNew: boolean } {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const insert = 'INSERT INTO blobs (sha256, mime_type, bytes) VALUES (?, ?, ?) ON CONFLICT (sha256) DO NOTHING'
  const isNew = database.run(insert, sha256, mimeType, bytes) > 0
  return { blob: { sha256, bytes: bytes.byteLength, mimeType }, isNew }
}

export function createOrphanBlobs(database: Database): OrphanBlobs {
  return {
    put: (bytes, mimeType) =>
      database.transaction(() => {
        const { blob, isNew } = putBlob(database, bytes, mimeType)
        if (isNew) database.run('INSERT INTO loose_blobs (sha256) VALUES (?)', blob.sha256)
        return blob
      }),
    sent(names) {
      for (const sha256 of names) database.run('DELETE FROM loose_blobs WHERE sha256 = ?', sha256)
    },
  }
}

/** Those that no draft holds. Returns how many were looked at; what a message shows stays all the same. */
export function purgeOrphans(database: Database): number {
  const names = new Set(database.all('SELECT sha256 FROM loose_blobs').map((row) => String(row['sha256'])))
  if (names.size === 0) return 0
  for (const row of database.all('SELECT body FROM draft_extras')) for (const sha256 of blobNames(row['body'])) names.delete(sha256)
  database.transaction(() => {
    dropBlobs(database, names)
    for (const sha256 of names) database.run('DELETE FROM loose_blobs WHERE sha256 = ?', sha256)
  })
  return names.size
}
