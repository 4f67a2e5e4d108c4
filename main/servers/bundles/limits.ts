// How much a bundle may be. Real ones hold a Node or Python package with all it needs: tens of thousands of small files.
import { largestBundle } from '#app/server/bundle/download.ts'

export interface BundleLimits {
  /** Bytes of the file. */
  readonly archive: number
  readonly entries: number
  /** Bytes of one file in it, unpacked. */
  readonly entry: number
  /** Bytes of all of them. */
  readonly total: number
  /** How many bytes one byte may become, once `freeBytes` are unpacked. */
  readonly ratio: number
  readonly freeBytes: number
}

export const bundleLimits: BundleLimits = {
  archive: largestBundle,
  entries: 60_000,
  entry: 512 * 1024 * 1024,
  total: 1536 * 1024 * 1024,
  ratio: 100,
  freeBytes: 64 * 1024 * 1024,
}
