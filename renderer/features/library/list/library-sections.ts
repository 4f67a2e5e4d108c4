// What the servers offer, as a shelf knows it: fetched when it opens, and again of a server whose lists changed; the old ones
// stay until the new ones are here. Long lists come in parts and are made ready in slices, so that the page stays free. The
// resources of one server as folders, by the paths in their addresses. Built one by one, so that a list of tens of thousands
// can be built in slices; a server can make no more folders than somebody would ever open. Work over very many things, a few
// milliseconds at a time: between two slices the page paints and takes keys.

import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { ErrorValue } from '#app/errors.ts'
import { type LibraryListing, type ListedResource, mostListed } from '#app/server/library-listing.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import type { Actions } from '#renderer/stores/actions.ts'
import { useActions, useServers } from '#renderer/stores/store-hooks.tsx'
import { decoded, pathOf } from './resource-path.ts'

/** Milliseconds; far below what a frame has, since others work in it too. */
const sliceMs = 6
/** The clock is looked at once in so many: looking costs more than most of the work. */
const between = 128

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })

/** False: it was called off, and the rest was not done. */
export async function inSlices(count: number, work: (index: number) => void, signal: AbortSignal): Promise<boolean> {
  let begun = performance.now()
  for (let index = 0; index < count; index++) {
    if (index % between === 0 && performance.now() - begun > sliceMs) {
      await nextTurn()
      begun = performance.now()
    }
    if (signal.aborted) return false
    work(index)
  }
  return !signal.aborted
}

export interface Folder {
  /** Its whole path, unique in the tree. */
  readonly id: string
  readonly name: string
  readonly folders: readonly Folder[]
  /** Places in the server's list, in its order. */
  readonly leaves: readonly number[]
  /** Resources in it, at any depth. */
  readonly count: number
}

interface Growing {
  readonly id: string
  readonly name: string
  readonly folders: Map<string, Growing>
  readonly leaves: number[]
}

const mostFolders = 20_000
const growing = (id: string, name: string): Growing => ({ id, name, folders: new Map(), leaves: [] })

interface TreeBuilder {
  add(uri: string, index: number): void
  /** The root, which has no name. */
  finish(): Folder
}

export function createTreeBuilder(): TreeBuilder {
  const root = growing('', '')
  let folders = 0
  const childOf = (parent: Growing, part: string): Growing => {
    const known = parent.folders.get(part)
    if (known) return known
    if (folders >= mostFolders) return parent
    folders += 1
    const child = growing(`${parent.id}/${part}`, decoded(part))
    parent.folders.set(part, child)
    return child
  }
  return {
    add(uri, index) {
      const path = pathOf(uri)
      let at = childOf(root, path.scheme)
      for (const part of path.folders) at = childOf(at, part)
      at.leaves.push(index)
    },
    finish() {
      const whole = grown(root)
      // One scheme for all says nothing.
      const [only] = whole.folders
      return whole.folders.length === 1 && only ? { ...only, name: '' } : whole
    },
  }
}

function grown(folder: Growing): Folder {
  const folders = [...folder.folders.values()].map((child) => joined(grown(child), folder.id === ''))
  const count = folder.leaves.length + folders.reduce((sum, child) => sum + child.count, 0)
  return { id: folder.id, name: folder.name, folders, leaves: folder.leaves, count }
}

/** A folder in which there is only a folder is one row with it. */
function joined(folder: Folder, isScheme: boolean): Folder {
  const [only] = folder.folders
  if (isScheme || folder.leaves.length > 0 || folder.folders.length !== 1 || !only) return folder
  return { ...only, name: `${folder.name}/${only.name}` }
}

/** The folders that a resource stands in, outermost first. */
export function foldersTo(root: Folder, index: number): readonly string[] {
  const find = (folder: Folder, above: readonly string[]): readonly string[] | undefined => {
    if (folder.leaves.includes(index)) return above
    for (const child of folder.folders) {
      const found = find(child, [...above, child.id])
      if (found) return found
    }
    return undefined
  }
  return find(root, []) ?? []
}

// A row of a shelf's list: a server, what stands in it, and notes. One shape for all shelves, so that one list draws them.
export interface SectionRow {
  readonly key: string
  readonly kind: 'server' | 'folder' | 'resource' | 'template' | 'prompt' | 'note'
  /** From 1. */
  readonly level: number
  /** A server's own words, the person's name for a server, or ours (notes). */
  readonly text: string
  readonly server: string
  /** Of a resource its address, of a template that, of a prompt its name. */
  readonly item?: string
  /** Of what can be opened. */
  readonly open?: boolean
  /** At the right edge. */
  readonly aside?: string
  /** Behind the name, where there is room: e.g. the address of what was found. */
  readonly beside?: string
  /** The server tells of its changes. */
  readonly live?: boolean
  readonly busy?: boolean
}

/** What was opened and closed by hand. */
export type OpenedRows = ReadonlyMap<string, boolean>

export const isOpen = (opened: OpenedRows, key: string, byItself: boolean): boolean => opened.get(key) ?? byItself
export const withOpened = (opened: OpenedRows, key: string, open: boolean): OpenedRows => new Map(opened).set(key, open)

interface ResourceList {
  readonly resources: readonly ListedResource[]
  /** What is searched of each, in small letters. */
  readonly words: readonly string[]
  readonly tree: Folder
}

export interface LibrarySection {
  readonly offers: LibraryListing | undefined
  readonly list: ResourceList | undefined
  readonly error: ErrorValue | undefined
  readonly loading: boolean
}

/** By server. */
export type LibrarySections = Readonly<Record<string, LibrarySection>>

const nothing: LibrarySection = { offers: undefined, list: undefined, error: undefined, loading: true }
/** A list that changes while it is read in parts is begun anew, so many times. */
const attempts = 3

interface LibrarySectionLoader {
  readonly store: ReturnType<typeof createShelfStore>
  /** Fetches what is new or has changed. `revision`: of the server's lists. */
  sync(servers: readonly { readonly name: string; readonly revision: number }[]): void
  reload(server: string): void
  dispose(): void
}

const createShelfStore = () => createStore<LibrarySections>(() => ({}))

export const searchTextOf = ({ uri, name, title }: ListedResource): string => `${name} ${title ?? ''} ${uri}`.toLowerCase()

/** `withResources`: their long lists too. */
export function createLibrarySections(attempt: Actions['attempt'], withResources: boolean): LibrarySectionLoader {
  const store = createShelfStore()
  const asked = new Map<string, { readonly revision: number; readonly control: AbortController }>()
  const put = (server: string, change: Partial<LibrarySection>): void =>
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
          words.push(searchTextOf(one))
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

export interface OpenLibrarySections {
  /** Those that are on, in the person's order. */
  readonly servers: readonly ServerSummary[]
  readonly shelves: LibrarySections
  readonly reload: (server: string) => void
}

export function useLibrarySections(withResources: boolean): OpenLibrarySections {
  const { attempt } = useActions()
  const all = useServers((state) => state.list)
  const servers = useMemo(() => all.filter(({ definition }) => definition.enabled), [all])
  const [loader] = useState(() => createLibrarySections(attempt, withResources))
  const shelves = useStore(loader.store)
  useEffect(() => loader.sync(servers.map(({ name, catalogueRevision }) => ({ name, revision: catalogueRevision }))), [loader, servers])
  useEffect(() => () => loader.dispose(), [loader])
  return { servers, shelves, reload: loader.reload }
}
