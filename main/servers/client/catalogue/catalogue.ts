// Catalogue of one server: kept from the last run, or an earlier fetch when a later one fails. One fetch runs and one is queued, so that
// a storm of `list_changed` costs few. A start whose list of tools failed counts as failed: without tools a server offers nothing.
import { isDeepStrictEqual } from 'node:util'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { type Catalogue, emptyCatalogue, type ToolEntry } from '#app/server/catalogue.ts'
import { mostTaken } from '#app/server/list-limits.ts'
import type { Session } from '#app/server/server-state.ts'
import { wait } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { limitTime } from '#main/servers/transport/pausable-timeouts.ts'
import type { ServerStore } from '#main/store/store-api.ts'
import type { Connection } from '../connection/connection.ts'
import { type CacheHints, cacheHints, tightest } from './cache-hints.ts'
import { type Entries, isSameList, keptTools, readPrompts, readResources, readResourceTemplates, readTools } from './catalogue-entries.ts'

// Fetches the four lists of a server page by page and merges them into the catalogue. A list that failed stays as it was, and the
// catalogue says so. Cursors that go round in circles, or never end, cost an error: what was read until then is kept.

interface Walked {
  readonly items: readonly Json[]
  readonly problem?: string
}

interface PageLimits {
  readonly pages: number
  readonly items: number
}

const pageLimits: PageLimits = { pages: 200, items: mostTaken.tools }

/** @throws {unknown} only what the first page throws */
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
    if (!Array.isArray(found)) return { items, problem: t`page ${pages} is not valid` }
    for (const item of found) {
      if (items.length >= limits.items) return { items, problem: t`there are more than ${limits.items}` }
      items.push(item)
    }
    const next = page['nextCursor']
    if (next === undefined || next === null) return { items }
    if (typeof next !== 'string' || seen.has(next)) return { items, problem: t`page ${pages} is not valid` }
    if (pages >= limits.pages) return { items, problem: t`there are more than ${limits.pages}` }
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
const lists: readonly List[] = [
  { method: 'tools/list', key: 'tools', capability: 'tools', limits: pageLimits },
  { method: 'resources/list', key: 'resources', capability: 'resources', limits: resourceLimits },
  { method: 'resources/templates/list', key: 'resourceTemplates', capability: 'resources', limits: pageLimits },
  { method: 'prompts/list', key: 'prompts', capability: 'prompts', limits: pageLimits },
]

export type Fetched =
  | { readonly items: readonly Json[]; readonly problem?: string; readonly hints?: CacheHints | undefined }
  | { readonly failed: string; readonly error: unknown; readonly lapsed: boolean }

const fetchedItems = (fetched: Fetched | undefined): readonly Json[] => (fetched && 'items' in fetched ? fetched.items : [])

async function fetchList(of: {
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

/** Characters: of the sentence, and of what is kept to be read for the cause. */
const longest = { told: 300, kept: 4000 }
const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text)

function listFailure(server: string, fetched: Fetched): HostError | undefined {
  const make = (reason: string, more: { readonly code?: number; readonly said?: true } = {}): HostError => {
    const code = more.code === undefined ? '' : ` (${more.code})`
    return new HostError('server.list-failed', t`“${server}” did not list its tools: ${cut(reason, longest.told)}${code}.`, {
      data: { server, method: 'tools/list', reason: cut(reason, longest.kept), ...more },
    })
  }
  if (!('failed' in fetched)) {
    const { problem, items } = fetched
    return problem === undefined || items.length > 0 ? undefined : make(problem)
  }
  const { error, lapsed, failed } = fetched
  if (lapsed) return make(t`it did not answer in time`)
  if (error instanceof HostError) return error
  return isProtocolError(error) ? make(failed, { code: error.code, said: true }) : make(failed)
}

export type CatalogueKeeper = ReturnType<typeof createCatalogueKeeper>

/** Milliseconds before another fetch that a server asked for: doubled while it goes on asking; after a calm there is none. */
const restMs = 250
const longestRestMs = 10_000
const calmMs = 10_000
const contents = ({ tools, resources, resourceTemplates, prompts, stale }: Catalogue) => ({
  tools,
  resources,
  resourceTemplates,
  prompts,
  stale,
})

export function createCatalogueKeeper(options: {
  readonly server: string
  readonly store: ServerStore
  readonly clock: Clock
  readonly onChange: () => void
}) {
  const { server, store, clock, onChange } = options
  const remembered = store.catalogue(server) ?? emptyCatalogue
  const loading = store.restOfResources(server, remembered)
  let catalogue: Catalogue = { ...remembered, tools: keptTools(server, remembered.tools, store.disabledTools(server)) }
  let warnings: string[] = []
  let revision = 0

  function show(next: Catalogue): void {
    catalogue = next
    revision += 1
    onChange()
  }

  function put(next: Catalogue, notes: string[]): void {
    const same = catalogue.fetchedAt !== undefined && isDeepStrictEqual([contents(next), notes], [contents(catalogue), warnings])
    warnings = notes
    // The very lists that were kept need not be written again, however long they are.
    const kept: Catalogue = same ? { ...next, tools: catalogue.tools, resources: catalogue.resources } : next
    store.putCatalogue(server, kept)
    if (same) catalogue = kept
    else show(next)
  }

  const loaded = loading?.then((resources) => {
    if (catalogue.resources === remembered.resources) show({ ...catalogue, resources: [...resources] })
  })

  /** Returns why the tools could not be listed. `strict`: nothing is kept then. */
  async function fetchAll(connection: Connection, signal: AbortSignal, strict: boolean): Promise<Error | undefined> {
    const fetched = await Promise.all(lists.map((list) => fetchList({ server, clock, connection, list, signal })))
    const failure = fetched[0] && listFailure(server, fetched[0])
    if (failure && strict) return failure
    await loaded
    const resources = await readResources(fetchedItems(fetched[1]))
    const kept = (await isSameList(catalogue.resources, resources.entries)) ? catalogue.resources : resources.entries
    // The last that is waited for: what the person switches meanwhile counts.
    const tools = await readTools(server, fetchedItems(fetched[0]), () => store.disabledTools(server), connection.session)
    // The server is being stopped or has died: silence is no list.
    if (signal.aborted) return undefined
    const { next, notes } = mergeLists(catalogue, fetched, { tools, resources: { ...resources, entries: kept }, now: clock.now() })
    put(next, notes)
    return failure
  }
  const fetches = createFetchLoop(clock, fetchAll)

  return {
    current: (): Catalogue => catalogue,
    get revision(): number {
      return revision
    },
    get warnings(): readonly string[] {
      return warnings
    },
    tool: (name: string): ToolEntry | undefined => catalogue.tools.find((tool) => tool.name === name),
    /**
     * Fetches all lists; what failed is in `stale`. `before`: session of the last run, whose public lists may still hold.
     * @throws {HostError} `server.list-failed` when the tools cannot be listed, or why the connection failed; the old lists stay
     */
    async refresh(connection: Connection, signal: AbortSignal, before?: Session): Promise<void> {
      const failure = isFresh(catalogue, connection.session, before, clock.now())
        ? undefined
        : await fetches.run(connection, signal, 'start')
      if (failure) throw failure
    },
    needed(connection: Connection, signal: AbortSignal): void {
      const { expiresAt } = catalogue
      if (fetches.running || signal.aborted || expiresAt === undefined || clock.now() < expiresAt) return
      void fetches.run(connection, signal, 'needed')
    },
    changed: fetches.runAgain,
    setEnabled(tool: string, enabled: boolean): void {
      store.setToolEnabled(server, tool, enabled)
      show({ ...catalogue, tools: catalogue.tools.map((entry) => (entry.name === tool ? { ...entry, enabled } : entry)) })
    },
    forget(): void {
      warnings = []
      store.putCatalogue(server, emptyCatalogue)
      show(emptyCatalogue)
    },
  }
}

const isFresh = (catalogue: Catalogue, session: Session, before: Session | undefined, now: number): boolean =>
  session.era === 'modern' &&
  catalogue.cacheScope === 'public' &&
  now < (catalogue.expiresAt ?? 0) &&
  before?.protocolVersion === session.protocolVersion &&
  isDeepStrictEqual(before.serverInfo, session.serverInfo)

/** One fetch at a time and one queued, with rests between those that the server asked for. */
function createFetchLoop(
  clock: Clock,
  fetchAll: (connection: Connection, signal: AbortSignal, strict: boolean) => Promise<Error | undefined>,
) {
  let running: Promise<unknown> | undefined
  let queued = false
  let rest = 0
  let endedAt = Number.NEGATIVE_INFINITY

  async function loop(connection: Connection, signal: AbortSignal, strict: boolean): Promise<Error | undefined> {
    while (!signal.aborted) {
      queued = false
      const failure = await fetchAll(connection, signal, strict)
      endedAt = clock.now()
      if (!queued) return failure
      await pause(signal)
    }
    return undefined
  }

  async function pause(signal: AbortSignal): Promise<void> {
    const since = clock.now() - endedAt
    rest = since >= calmMs ? 0 : Math.min(Math.max(2 * rest, restMs), longestRestMs)
    if (since < rest) await wait(clock, rest - since, signal).catch(() => undefined)
  }

  /** Fetches once what runs is over; without `first` after a rest. Returns why the tools could not be listed. */
  function run(connection: Connection, signal: AbortSignal, first: 'start' | 'needed' | undefined): Promise<Error | undefined> {
    const before: Promise<unknown> | undefined = running
    const turn = async (): Promise<Error | undefined> => {
      await before
      if (!first) await pause(signal)
      const failure = await loop(connection, signal, first === 'start')
      if (running === mine) running = undefined
      return failure
    }
    const mine = turn()
    running = mine
    return mine
  }

  return {
    get running(): boolean {
      return running !== undefined
    },
    run,
    runAgain(connection: Connection, signal: AbortSignal): void {
      queued = true
      if (!running && !signal.aborted) void run(connection, signal, undefined)
    },
  }
}
