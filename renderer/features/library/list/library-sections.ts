// What the servers offer, for a section of the library: fetched when the section opens, and again for a server whose lists changed;
// the old lists stay until the new ones are here. Long lists come in parts and are processed in slices of a few milliseconds, so
// the page can paint and take keys in between.
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { ErrorValue } from '#app/errors.ts'
import { type LibraryListing, type ListedResource, mostListed } from '#app/server/library-listing.ts'
import type { Actions } from '#renderer/stores/actions.ts'
import { useActions, useServers } from '#renderer/stores/store-hooks.tsx'
import { decodePathPart, pathOf } from './resource-path.ts'

/** Milliseconds of work between two paints: far less than a frame, which has other work too. */
const sliceMs = 6
/** Steps between two looks at the clock, which cost more than most steps. */
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

/** Calls `work` for each index. Returns false where the signal ended it early. */
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
  /** Whole path, unique in the tree. */
  readonly id: string
  readonly name: string
  readonly folders: readonly Folder[]
  /** Indexes in the server's list, in its order. */
  readonly leaves: readonly number[]
  /** Number of resources at any depth. */
  readonly count: number
}

type Growing = Pick<Folder, 'id' | 'name'> & { readonly folders: Map<string, Growing>; readonly leaves: number[] }

/** Limit on a server's folders: more than anybody would open. */
const mostFolders = 20_000
const growing = (id: string, name: string): Growing => ({ id, name, folders: new Map(), leaves: [] })

/** Builds the folders of one server's resources from the paths in their addresses, one resource at a time. */
export function createTreeBuilder() {
  const root = growing('', '')
  let folders = 0
  const childOf = (parent: Growing, part: string): Growing => {
    const known = parent.folders.get(part)
    if (known) return known
    if (folders >= mostFolders) return parent
    folders += 1
    const child = growing(`${parent.id}/${part}`, decodePathPart(part))
    parent.folders.set(part, child)
    return child
  }
  return {
    add(uri: string, index: number): void {
      const path = pathOf(uri)
      let at = childOf(root, path.scheme)
      for (const part of path.folders) at = childOf(at, part)
      at.leaves.push(index)
    },
    /** Returns the root, which has no name. */
    finish(): Folder {
      const whole = grown(root)
      // A scheme that all addresses share is left out.
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

/** Joins a folder with the only folder in it, as one row. */
function joined(folder: Folder, isScheme: boolean): Folder {
  const [only] = folder.folders
  if (isScheme || folder.leaves.length > 0 || folder.folders.length !== 1 || !only) return folder
  return { ...only, name: `${folder.name}/${only.name}` }
}

/** Ids of the folders that a resource stands in, outermost first. */
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

/** A row of a section's list: a server, an item or a note. */
export interface SectionRow {
  readonly key: string
  readonly kind: 'server' | 'folder' | 'resource' | 'template' | 'prompt' | 'skill' | 'note'
  readonly level: number
  /** Text from a server, the name of a server, or a note. */
  readonly text: string
  readonly server: string
  /** Address of a resource or a skill, the template itself, or the name of a prompt. */
  readonly item?: string
  readonly open?: boolean
  readonly aside?: string | undefined
  /** Text after the name, e.g. the address of a match. */
  readonly beside?: string | undefined
  /** The host is subscribed to the resource. */
  readonly live?: boolean
  readonly busy?: boolean
}

/** Rows that the person opened or closed, by key. */
export type OpenedRows = ReadonlyMap<string, boolean>

export const isOpen = (opened: OpenedRows, key: string, byItself: boolean): boolean => opened.get(key) ?? byItself
export const withOpened = (opened: OpenedRows, key: string, open: boolean): OpenedRows => new Map(opened).set(key, open)

export function useOpenedRows() {
  const [opened, setOpened] = useState<OpenedRows>(new Map())
  const onOpen = useCallback((row: SectionRow, open: boolean) => setOpened((before) => withOpened(before, row.key, open)), [])
  return [opened, onOpen] as const
}

interface ResourceList {
  readonly resources: readonly ListedResource[]
  /** Lower-case text of each resource, for the search. */
  readonly words: readonly string[]
  readonly tree: Folder
}

export interface LibrarySection {
  readonly offers: LibraryListing | undefined
  readonly list: ResourceList | undefined
  readonly error: ErrorValue | undefined
  readonly loading: boolean
}

/** Sections by server. */
export type LibrarySections = Readonly<Record<string, LibrarySection>>

const nothing: LibrarySection = { offers: undefined, list: undefined, error: undefined, loading: true }
/** Attempts to read a list that changes while it is read in parts. */
const attempts = 3

export const searchTextOf = ({ uri, name, title }: ListedResource): string => `${name} ${title ?? ''} ${uri}`.toLowerCase()

/** Loads the sections of all servers. `withResources`: with the long lists of resources. */
export function createLibrarySections(attempt: Actions['attempt'], withResources: boolean) {
  const store = createStore<LibrarySections>(() => ({}))
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
        const outcome = await attempt('library.resources', { server, from: resources.length })
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
    const outcome = await attempt('library.listing', { server })
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
    /** Fetches new servers and changed lists. `revision`: that of the server's lists. */
    sync(servers: readonly { readonly name: string; readonly revision: number }[]): void {
      for (const { name, revision } of servers) if (asked.get(name)?.revision !== revision) begin(name, revision)
      const names = new Set(servers.map(({ name }) => name))
      const gone = [...asked.keys()].filter((name) => !names.has(name))
      for (const name of gone) {
        asked.get(name)?.control.abort()
        asked.delete(name)
      }
      if (gone.length > 0) store.setState((state) => Object.fromEntries(Object.entries(state).filter(([name]) => names.has(name))), true)
    },
    dispose(): void {
      for (const { control } of asked.values()) control.abort()
      // A later sync fetches all again.
      asked.clear()
    },
  }
}

/** The enabled servers in the person's order, and their sections. */
export function useLibrarySections(withResources: boolean) {
  const { attempt } = useActions()
  const all = useServers((state) => state.list)
  const servers = useMemo(() => all.filter(({ definition }) => definition.enabled), [all])
  const [loader] = useState(() => createLibrarySections(attempt, withResources))
  const sections = useStore(loader.store)
  useEffect(() => loader.sync(servers.map(({ name, catalogueRevision }) => ({ name, revision: catalogueRevision }))), [loader, servers])
  useEffect(() => () => loader.dispose(), [loader])
  return { servers, sections }
}
