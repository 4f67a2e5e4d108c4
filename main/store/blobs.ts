import { createHash } from 'node:crypto'
import type { BlobRef } from '#app/chat/content.ts'
import type { Database } from './database.ts'
import type { BlobStore } from './types.ts'

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
export function putBlob(database: Database, bytes: Uint8Array, mimeType: string): { readonly blob: BlobRef; readonly isNew: boolean } {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const insert = 'INSERT INTO blobs (sha256, mime_type, bytes) VALUES (?, ?, ?) ON CONFLICT (sha256) DO NOTHING'
  const isNew = database.run(insert, sha256, mimeType, bytes) > 0
  return { blob: { sha256, bytes: bytes.byteLength, mimeType }, isNew }
}
