// What the servers offer, as a shelf knows it: fetched when it opens, and again of a server whose lists changed; the old ones
// stay until the new ones are here. Long lists come in parts and are made ready in slices, so that the page stays free.
import { createStore } from 'zustand/vanilla'
import type { ErrorValue } from '#app/errors.ts'
import { type ListedResource, mostListed, type ServerShelf } from '#app/server/shelf.ts'
import type { Actions } from '#renderer/stores/actions.ts'
import { inSlices } from '../in-slices.ts'
import { createTreeBuilder, type Folder } from '../resources/resource-tree.ts'

export interface ResourceList {
  readonly resources: readonly ListedResource[]
  /** What is searched of each, in small letters. */
  readonly words: readonly string[]
  readonly tree: Folder
}

export interface Shelf {
  readonly offers: ServerShelf | undefined
  readonly list: ResourceList | undefined
  readonly error: ErrorValue | undefined
  readonly loading: boolean
}

/** By server. */
export type Shelves = Readonly<Record<string, Shelf>>

const nothing: Shelf = { offers: undefined, list: undefined, error: undefined, loading: true }
/** A list that changes while it is read in parts is begun anew, so many times. */
const attempts = 3

export interface ShelfLoader {
  readonly store: ReturnType<typeof createShelfStore>
  /** Fetches what is new or has changed. `revision`: of the server's lists. */
  sync(servers: readonly { readonly name: string; readonly revision: number }[]): void
  reload(server: string): void
  dispose(): void
}

const createShelfStore = () => createStore<Shelves>(() => ({}))

export const wordsOf = ({ uri, name, title }: ListedResource): string => `${name} ${title ?? ''} ${uri}`.toLowerCase()

/** `withResources`: their long lists too. */
export function createShelves(attempt: Actions['attempt'], withResources: boolean): ShelfLoader {
  const store = createShelfStore()
  const asked = new Map<string, { readonly revision: number; readonly control: AbortController }>()
  const put = (server: string, change: Partial<Shelf>): void =>
    store.setState((state) => ({ ...state, [server]: { ...(state[server] ?? nothing), ...change } }))

  async function readList(server: string, signal: AbortSignal): Promise<ResourceList | ErrorValue | undefined> {
    for (let tries = 1; ; tries += 1) {
      const resources: ListedResource[] = []
      const words: string[] = []
      const tree = createTreeBuilder()
      let revision: number | undefined
      let whole = false
      while (!whole) {
        const outcome = await attempt('offer.resources', { server, from: resources.length })
        if (signal.aborted) return undefined
        if (!outcome.ok) return outcome.error
        revision ??= outcome.value.revision
        if (revision !== outcome.value.revision && tries < attempts) break
        const part = outcome.value.resources
        const take = (index: number): void => {
          const one = part[index]
          if (!one) return
          tree.add(one.uri, resources.length)
          resources.push(one)
          words.push(wordsOf(one))
        }
        if (!(await inSlices(part.length, take, signal))) return undefined
        whole = part.length < mostListed
      }
      if (whole) return { resources, words, tree: tree.finish() }
    }
  }

  async function load(server: string, signal: AbortSignal): Promise<void> {
    put(server, { loading: true })
    const outcome = await attempt('offer.shelf', { server })
    if (signal.aborted) return
    if (!outcome.ok) return put(server, { error: outcome.error, loading: false })
    put(server, { offers: outcome.value, error: undefined })
    if (!withResources) return put(server, { loading: false })
    const list = await readList(server, signal)
    if (signal.aborted || list === undefined) return
    put(server, 'tree' in list ? { list, loading: false } : { error: list, loading: false })
  }

  function begin(server: string, revision: number): void {
    asked.get(server)?.control.abort()
    const control = new AbortController()
    asked.set(server, { revision, control })
    void load(server, control.signal)
  }

  return {
    store,
    sync(servers) {
      for (const { name, revision } of servers) if (asked.get(name)?.revision !== revision) begin(name, revision)
      const names = new Set(servers.map(({ name }) => name))
      const gone = [...asked.keys()].filter((name) => !names.has(name))
      for (const name of gone) {
        asked.get(name)?.control.abort()
        asked.delete(name)
      }
      if (gone.length > 0) store.setState((state) => Object.fromEntries(Object.entries(state).filter(([name]) => names.has(name))), true)
    },
    reload(server) {
      const known = asked.get(server)
      if (known) begin(server, known.revision)
    },
    dispose() {
      for (const { control } of asked.values()) control.abort()
      // Whoever looks again begins anew.
      asked.clear()
    },
  }
}
