// Bytes that were attached in a composer and not sent yet. What is neither sent nor in a draft any more goes with the next start:
// until then it can be put back. Bytes that were here before belong to whatever showed them, and are not loose.
import { putBlob } from './blobs.ts'
import type { Database } from './database.ts'
import { blobNames, dropBlobs } from './purge.ts'
import type { LooseBlobs } from './types.ts'

export function createLooseBlobs(database: Database): LooseBlobs {
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
export function purgeLoose(database: Database): number {
  const names = new Set(database.all('SELECT sha256 FROM loose_blobs').map((row) => String(row['sha256'])))
  if (names.size === 0) return 0
  for (const row of database.all('SELECT body FROM draft_extras')) for (const sha256 of blobNames(row['body'])) names.delete(sha256)
  database.transaction(() => {
    dropBlobs(database, names)
    for (const sha256 of names) database.run('DELETE FROM loose_blobs WHERE sha256 = ?', sha256)
  })
  return names.size
}
