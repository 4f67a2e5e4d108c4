// What one server offers, as it is kept: from the last run until it is fetched anew, from an earlier fetch when a later
// one fails. One fetch runs and one is queued, so that a storm of `list_changed` costs few.
import { isDeepStrictEqual } from 'node:util'
import { HostError } from '#app/errors.ts'
import type { Json } from '#app/json.ts'
import { type Catalogue, emptyCatalogue, type ToolEntry } from '#app/server/catalogue.ts'
import { mostTaken } from '#app/server/list-limits.ts'
import type { Session } from '#app/server/state.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ServerStore } from '#main/store/types.ts'
import type { Connection } from '../connection/connection.ts'
import { limitTime } from '../connection/waits.ts'
import { type CacheHints, cacheHints, tightest } from './cache-hints.ts'
import { type Entries, isSameList, keptTools, readPrompts, readResources, readResourceTemplates, readTools } from './catalogue-entries.ts'
import { listFailure } from './list-failure.ts'
import { type PageLimits, pageLimits, walkPages } from './walk-pages.ts'

export interface CatalogueKeeper {
  current(): Catalogue
  /** Counts up with each change. */
  readonly revision: number
  readonly warnings: readonly string[]
  tool(name: string): ToolEntry | undefined
  /**
   * Fetches everything that the server says it has. Rejects with `server.list-failed`, or with why the connection failed, when
   * the tools cannot be listed: what there was stays then. What else failed is in `stale`.
   * `before`: the session of the last run; what the same server called good for everybody, and still is, is not fetched.
   */
  refresh(connection: Connection, signal: AbortSignal, before?: Session): Promise<void>
  /** Somebody uses the lists: fetches again soon if the time that the server gave them is over. */
  needed(connection: Connection, signal: AbortSignal): void
  /** Fetches again soon, because the server said that something changed. */
  changed(connection: Connection, signal: AbortSignal): void
  setEnabled(tool: string, enabled: boolean): void
  /** Drops what is remembered. */
  forget(): void
}

/**
 * Before another fetch that a server asked for: each costs it a message and us a write to the disk, so the rest doubles
 * while it goes on asking. After a calm there is none.
 */
const restMs = 250
const longestRestMs = 10_000
const calmMs = 10_000
/** However short a time the server gives its lists: within this they are not fetched again for having been used. */
const shortestTtlMs = 5000
/** One page may take this long. */
const pageMs = 60_000

/** Servers of files and databases list more of them than anybody writes tools. */
const resourceLimits: PageLimits = { pages: 1000, items: mostTaken.resources }

interface List {
  readonly method: string
  readonly key: 'tools' | 'resources' | 'resourceTemplates' | 'prompts'
  readonly offered: (connection: Connection) => boolean
  /** What is taken of it at most. */
  readonly limits: PageLimits
}
const lists: readonly List[] = [
  { method: 'tools/list', key: 'tools', offered: ({ capabilities }) => capabilities.tools !== undefined, limits: pageLimits },
  {
    method: 'resources/list',
    key: 'resources',
    offered: ({ capabilities }) => capabilities.resources !== undefined,
    limits: resourceLimits,
  },
  {
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    offered: ({ capabilities }) => capabilities.resources !== undefined,
    limits: pageLimits,
  },
  { method: 'prompts/list', key: 'prompts', offered: ({ capabilities }) => capabilities.prompts !== undefined, limits: pageLimits },
]

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
}): CatalogueKeeper {
  const { server, store, clock, onChange } = options
  const remembered = store.catalogue(server) ?? emptyCatalogue
  const loading = store.restOfResources(server, remembered)
  let catalogue: Catalogue = { ...remembered, tools: keptTools(server, remembered.tools, store.disabledTools(server)) }
  let warnings: string[] = []
  let revision = 0
  let running: Promise<unknown> | undefined
  let queued = false
  let rest = 0
  let endedAt = Number.NEGATIVE_INFINITY

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

  async function fetchList(connection: Connection, list: List, signal: AbortSignal) {
    if (!list.offered(connection)) return { items: [] as readonly Json[] }
    const onLapse = (): Error => new HostError('server.connection-lost', t`“${server}” did not answer in time.`, { data: { server } })
    const limit = limitTime(pageMs, { clock, waits: connection.waits, signals: [signal], onLapse })
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

  /** Returns why the tools could not be listed. `strict`: nothing is kept then. */
  async function fetchAll(connection: Connection, signal: AbortSignal, strict: boolean): Promise<Error | undefined> {
    const fetched = await Promise.all(lists.map((list) => fetchList(connection, list, signal)))
    const failure = fetched[0] && listFailure(server, fetched[0])
    if (failure && strict) return failure
    await loaded
    const itemsOf = (index: number): readonly Json[] => (fetched[index] && 'items' in fetched[index] ? fetched[index].items : [])
    const resources = await readResources(itemsOf(1))
    const kept = (await isSameList(catalogue.resources, resources.entries)) ? catalogue.resources : resources.entries
    // The last that is waited for: what the person switches meanwhile counts.
    const tools = await readTools(server, itemsOf(0), () => store.disabledTools(server), connection.session)
    // The server is being stopped or has died: silence is no list.
    if (signal.aborted) return undefined
    const problems: string[] = []
    const notes: string[] = []
    const pick = <T>(index: number, kept: T[], make: (items: readonly Json[]) => Entries<T>): T[] => {
      const result = fetched[index]
      const what = lists[index]?.method ?? ''
      if (!result || 'failed' in result) {
        problems.push(`${what}: ${result?.failed ?? 'failed'}`)
        return kept
      }
      const { entries, warnings: found } = make(result.items)
      notes.push(...found)
      if (!('problem' in result) || !result.problem) return entries
      problems.push(`${what}: ${result.problem}`)
      return entries.length > 0 ? entries : kept
    }
    const next: Catalogue = {
      tools: pick(0, catalogue.tools, () => tools),
      resources: pick(1, catalogue.resources, () => ({ ...resources, entries: kept })),
      resourceTemplates: pick(2, catalogue.resourceTemplates, readResourceTemplates),
      prompts: pick(3, catalogue.prompts, readPrompts),
      fetchedAt: clock.now(),
      ...(problems.length > 0 ? { stale: problems.join('; ') } : {}),
      ...expiry(
        fetched.flatMap((result) => ('hints' in result ? [result.hints] : [])),
        problems.length + notes.length === 0,
      ),
    }
    put(next, notes)
    return failure
  }

  /** `whole`: nothing was left out, so that nothing need be said of it again at the next start. */
  function expiry(hints: readonly (CacheHints | undefined)[], whole: boolean): Pick<Catalogue, 'expiresAt' | 'cacheScope'> {
    const hint = tightest(hints)
    if (!hint) return {}
    return { expiresAt: clock.now() + Math.max(hint.ttlMs, shortestTtlMs), cacheScope: whole ? hint.scope : 'private' }
  }

  const isFresh = (session: Session, before: Session | undefined): boolean =>
    session.era === 'modern' &&
    catalogue.cacheScope === 'public' &&
    clock.now() < (catalogue.expiresAt ?? 0) &&
    before?.protocolVersion === session.protocolVersion &&
    isDeepStrictEqual(before.serverInfo, session.serverInfo)

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
    if (since >= rest || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = clock.after(rest - since, resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    cancel()
  }

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
    current: () => catalogue,
    get revision() {
      return revision
    },
    get warnings() {
      return warnings
    },
    tool: (name) => catalogue.tools.find((tool) => tool.name === name),
    async refresh(connection, signal, before) {
      const failure = isFresh(connection.session, before) ? undefined : await run(connection, signal, 'start')
      if (failure) throw failure
    },
    needed(connection, signal) {
      const { expiresAt } = catalogue
      if (running || signal.aborted || expiresAt === undefined || clock.now() < expiresAt) return
      void run(connection, signal, 'needed')
    },
    changed(connection, signal) {
      queued = true
      if (!running && !signal.aborted) void run(connection, signal, undefined)
    },
    setEnabled(tool, enabled) {
      store.setToolEnabled(server, tool, enabled)
      show({ ...catalogue, tools: catalogue.tools.map((entry) => (entry.name === tool ? { ...entry, enabled } : entry)) })
    },
    forget() {
      warnings = []
      store.putCatalogue(server, emptyCatalogue)
      show(emptyCatalogue)
    },
  }
}
