// Catalogue of one server: kept from the last run, or an earlier fetch when a later one fails. One fetch runs and one is queued, so that
// a storm of `list_changed` costs few. A start whose list of tools failed counts as failed: without tools a server offers nothing.
import { isDeepStrictEqual } from 'node:util'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { type Catalogue, emptyCatalogue, type ToolEntry } from '#app/server/catalogue.ts'
import type { Session } from '#app/server/server-state.ts'
import { wait } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { ServerStore } from '#main/store/store-api.ts'
import type { Connection } from '../connection/connection.ts'
import { isSameList, keptTools, readResources, readTools } from './catalogue-entries.ts'
import { type Fetched, fetchedItems, fetchList, lists, mergeLists } from './fetch-lists.ts'

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
     * Fetches all lists. When the tools cannot be listed it rejects with `server.list-failed`, or with why the connection failed, and the
     * old lists stay; what else failed is in `stale`. `before`: session of the last run, whose public lists may still hold.
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
