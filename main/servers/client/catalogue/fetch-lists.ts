// Fetches the four lists of a server page by page and merges them into the catalogue. A list that failed stays as it was, and the
// catalogue says so. Cursors that go round in circles, or never end, cost an error: what was read until then is kept.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import type { Catalogue, ToolEntry } from '#app/server/catalogue.ts'
import { mostTaken } from '#app/server/list-limits.ts'
import type { Clock } from '#main/base/clock.ts'
import { limitTime } from '#main/servers/transport/pausable-timeouts.ts'
import type { Connection } from '../connection/connection.ts'
import { type CacheHints, cacheHints, tightest } from './cache-hints.ts'
import { type Entries, readPrompts, readResourceTemplates } from './catalogue-entries.ts'

interface Walked {
  readonly items: readonly Json[]
  readonly problem?: string
}

interface PageLimits {
  readonly pages: number
  readonly items: number
}

const pageLimits: PageLimits = { pages: 200, items: mostTaken.tools }

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
    if (typeof next !== 'string') return { items, problem: t`the cursor of page ${pages} is not a text` }
    if (seen.has(next)) return { items, problem: t`its pages repeat` }
    if (pages >= limits.pages) return { items, problem: t`there are more than ${limits.pages} pages` }
    seen.add(next)
    cursor = next
  }
}

/** However short a time the server gives its lists: within this they are not fetched again for having been used. */
const shortestTtlMs = 5000
export const pageMs = 60_000

/** Servers of files and databases list more of them than anybody writes tools. */
const resourceLimits: PageLimits = { pages: 1000, items: mostTaken.resources }

interface List {
  readonly method: string
  readonly key: 'tools' | 'resources' | 'resourceTemplates' | 'prompts'
  readonly capability: 'tools' | 'resources' | 'prompts'
  readonly limits: PageLimits
}
/** The lists of a server, in the order that `mergeLists` takes them in. */
export const lists: readonly List[] = [
  { method: 'tools/list', key: 'tools', capability: 'tools', limits: pageLimits },
  { method: 'resources/list', key: 'resources', capability: 'resources', limits: resourceLimits },
  { method: 'resources/templates/list', key: 'resourceTemplates', capability: 'resources', limits: pageLimits },
  { method: 'prompts/list', key: 'prompts', capability: 'prompts', limits: pageLimits },
]

export type Fetched =
  | { readonly items: readonly Json[]; readonly problem?: string; readonly hints?: CacheHints | undefined }
  | { readonly failed: string; readonly error: unknown; readonly lapsed: boolean }

export const fetchedItems = (fetched: Fetched | undefined): readonly Json[] => (fetched && 'items' in fetched ? fetched.items : [])

export async function fetchList(of: {
  readonly server: string
  readonly clock: Clock
  readonly connection: Connection
  readonly list: List
  readonly signal: AbortSignal
}): Promise<Fetched> {
  const { server, clock, connection, list, signal } = of
  if (connection.capabilities[list.capability] === undefined) return { items: [] }
  const onLapse = (): Error => new HostError('server.connection-lost', t`“${server}” did not answer in time.`, { data: { server } })
  const limit = limitTime(pageMs, { clock, waits: connection.timeouts, signals: [signal], onLapse })
  const hints: (CacheHints | undefined)[] = []
  try {
    const walked = await walkPages(
      list.key,
      async (cursor) => {
        const page = await connection.request(list.method, cursor === undefined ? {} : { cursor }, { signal: limit.signal })
        hints.push(connection.session.era === 'modern' ? cacheHints(page) : undefined)
        return page
      },
      list.limits,
    )
    return { ...walked, hints: tightest(hints) }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error), error, lapsed: limit.lapsed }
  } finally {
    limit.stop()
  }
}

/** The catalogue after a fetch, in the order of `lists`; a list that failed stays as it was, and is named in `stale`. */
export function mergeLists(
  before: Catalogue,
  fetched: readonly Fetched[],
  read: { readonly tools: Entries<ToolEntry>; readonly resources: Entries<Catalogue['resources'][number]>; readonly now: number },
): { readonly next: Catalogue; readonly notes: string[] } {
  const problems: string[] = []
  const notes: string[] = []
  const pick = <T>(index: number, kept: T[], make: (items: readonly Json[]) => Entries<T>): T[] => {
    const result = fetched[index]
    const what = lists[index]?.method ?? ''
    if (!result || 'failed' in result) {
      problems.push(`${what}: ${result?.failed ?? 'failed'}`)
      return kept
    }
    const { entries, warnings } = make(result.items)
    notes.push(...warnings)
    if (!result.problem) return entries
    problems.push(`${what}: ${result.problem}`)
    return entries.length > 0 ? entries : kept
  }
  const next: Catalogue = {
    tools: pick(0, before.tools, () => read.tools),
    resources: pick(1, before.resources, () => read.resources),
    resourceTemplates: pick(2, before.resourceTemplates, readResourceTemplates),
    prompts: pick(3, before.prompts, readPrompts),
    fetchedAt: read.now,
    ...(problems.length > 0 ? { stale: problems.join('; ') } : {}),
  }
  const hint = tightest(fetched.flatMap((result) => ('hints' in result ? [result.hints] : [])))
  if (!hint) return { next, notes }
  // Lists with problems stay private, so that the next start fetches them, and reports them, anew.
  const cacheScope = problems.length + notes.length === 0 ? hint.scope : 'private'
  return { next: { ...next, expiresAt: read.now + Math.max(hint.ttlMs, shortestTtlMs), cacheScope }, notes }
}
