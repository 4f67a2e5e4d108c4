// What resources of one server said, kept in memory for as long as the server allows (2026-07-28, `ttlMs`) and no longer
// than the connection lasts: what was private to one account is then never shown to another. Bounded in bytes.
import type { JsonObject } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'
import { jsonSize } from '../json-size.ts'
import { cacheHints } from './cache-hints.ts'

export interface ReadCache {
  get(uri: string): JsonObject | undefined
  /** To be called before the request; keeps its answer unless something changed while it was on its way. */
  keeper(uri: string): (result: JsonObject) => void
  /** It, or a part of it, has changed. */
  drop(uri: string): void
  clear(): void
}

interface Kept {
  readonly result: JsonObject
  readonly bytes: number
  readonly until: number
}

export function createReadCache({ clock, maxBytes = 16 * 1024 * 1024 }: { readonly clock: Clock; readonly maxBytes?: number }): ReadCache {
  const kept = new Map<string, Kept>()
  let bytes = 0
  let changes = 0

  const forget = (uri: string): void => {
    bytes -= kept.get(uri)?.bytes ?? 0
    kept.delete(uri)
  }

  return {
    get(uri) {
      const known = kept.get(uri)
      if (known && known.until > clock.now()) return known.result
      forget(uri)
      return undefined
    },
    keeper(uri) {
      const before = changes
      return (result) => {
        const ttlMs = cacheHints(result)?.ttlMs ?? 0
        if (changes !== before || ttlMs === 0) return
        const size = jsonSize(result)
        if (size > maxBytes) return
        forget(uri)
        kept.set(uri, { result, bytes: size, until: clock.now() + ttlMs })
        bytes += size
        for (const oldest of kept.keys()) {
          if (bytes <= maxBytes) return
          forget(oldest)
        }
      }
    },
    drop(uri) {
      changes += 1
      for (const known of kept.keys()) if (known.startsWith(uri) || uri.startsWith(known)) forget(known)
    },
    clear() {
      changes += 1
      kept.clear()
      bytes = 0
    },
  }
}
