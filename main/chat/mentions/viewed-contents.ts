// Bytes of the resources that a page shows, by SHA-256. In memory only: looking at a resource stores nothing in the profile. The least
// recently used go when there are too many; the page then reads the resource again.
import { createHash } from 'node:crypto'
import type { BlobStore } from '#main/store/store-api.ts'

export function createViewedContents({ maxBytes = 96 * 1024 * 1024 }: { readonly maxBytes?: number } = {}): BlobStore {
  const kept = new Map<string, { readonly bytes: Uint8Array; readonly mimeType: string }>()
  let held = 0
  return {
    put(bytes, mimeType) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const known = kept.get(sha256)
      kept.delete(sha256)
      kept.set(sha256, known ?? { bytes, mimeType })
      if (!known) held += bytes.byteLength
      for (const [oldest, { bytes: gone }] of kept) {
        if (held <= maxBytes || oldest === sha256) break
        kept.delete(oldest)
        held -= gone.byteLength
      }
      return { sha256, bytes: bytes.byteLength, mimeType: known?.mimeType ?? mimeType }
    },
    get: (sha256) => kept.get(sha256),
  }
}
