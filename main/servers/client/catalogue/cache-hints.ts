// Cache hints of a result in 2026-07-28: for how long it may be used again, and for whom (`ttlMs`, `cacheScope`).
import type { JsonObject } from '#app/json.ts'

export interface CacheHints {
  readonly ttlMs: number
  readonly scope: 'public' | 'private'
}

/** Nobody means a longer time in earnest. */
const longestMs = 24 * 60 * 60 * 1000

/** Undefined: it says nothing of the kind. What is not said to be public is private. */
export function cacheHints(result: JsonObject): CacheHints | undefined {
  const { ttlMs, cacheScope } = result
  if (typeof ttlMs !== 'number' || !Number.isFinite(ttlMs) || ttlMs < 0) return undefined
  return { ttlMs: Math.min(ttlMs, longestMs), scope: cacheScope === 'public' ? 'public' : 'private' }
}

/** Joins the hints of pages or lists: as long as the shortest, public only when all are. */
export function tightest(hints: readonly (CacheHints | undefined)[]): CacheHints | undefined {
  if (hints.length === 0) return undefined
  let ttlMs = longestMs
  let scope: CacheHints['scope'] = 'public'
  for (const hint of hints) {
    if (hint === undefined) return undefined
    ttlMs = Math.min(ttlMs, hint.ttlMs)
    if (hint.scope === 'private') scope = 'private'
  }
  return { ttlMs, scope }
}
