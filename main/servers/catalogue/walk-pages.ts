// Walks the pages of a list. A server whose cursors go round in circles, or never end, costs an error and no more: what
// was read until then is kept.
import type { Json, JsonObject } from '#app/json.ts'
import { mostTaken } from '#app/server/list-limits.ts'
import { t } from '#app/words/translate.ts'

export interface Walked {
  readonly items: readonly Json[]
  /** Why the walk stopped early. */
  readonly problem?: string
}

export interface PageLimits {
  readonly pages: number
  readonly items: number
}

export const pageLimits: PageLimits = { pages: 200, items: mostTaken.tools }

/** Rejects only when the first page does. */
export async function walkPages(
  key: string,
  fetchPage: (cursor: string | undefined) => Promise<JsonObject>,
  limits: PageLimits = pageLimits,
): Promise<Walked> {
  const items: Json[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let pages = 1; ; pages += 1) {
    let page: JsonObject
    try {
      page = await fetchPage(cursor)
    } catch (error) {
      if (pages === 1) throw error
      return { items, problem: t`page ${pages} failed: ${error instanceof Error ? error.message : String(error)}` }
    }
    const found = page[key]
    if (!Array.isArray(found)) return { items, problem: t`page ${pages} has no list of ${key}` }
    for (const item of found) {
      if (items.length >= limits.items) return { items, problem: t`there are more than ${limits.items}` }
      items.push(item)
    }
    const next = page['nextCursor']
    if (next === undefined || next === null) return { items }
    if (typeof next !== 'string') return { items, problem: t`page ${pages} has a cursor that is not a text` }
    if (seen.has(next)) return { items, problem: t`its pages go round in circles` }
    if (pages >= limits.pages) return { items, problem: t`there are more than ${limits.pages} pages` }
    seen.add(next)
    cursor = next
  }
}
