// The conversations that this page knows: not all there are, but the beginning of each shelf of the sidebar, and whatever
// it came across. A shelf is known without gaps as far as its reach says; the rest is fetched as the person scrolls.
import { createStore } from 'zustand/vanilla'
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { isWithin, newestFirst, placeOf, type ShelfName, type ShelfReach, shelfOf } from '#app/chat/shelf.ts'
import type { HostLink } from '#app/contract/link.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'

export interface ConversationsState {
  /** Newest first. */
  readonly list: readonly Conversation[]
  /** By name; one that is missing was not fetched yet. */
  readonly shelves: Readonly<Record<ShelfName, ShelfReach>>
  readonly folders: readonly ChatFolder[]
  /** Deleted since the last snapshot: an answer that was on its way must not bring them back. */
  readonly gone: ReadonlySet<string>
}

export type ConversationsStore = ReturnType<typeof createConversationsStore>
export const createConversationsStore = () =>
  createStore<ConversationsState>(() => ({ list: [], shelves: {}, folders: [], gone: new Set() }))

const sorted = (list: readonly Conversation[]): readonly Conversation[] => [...list].sort(newestFirst)
const without = (set: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  set.has(id) ? new Set([...set].filter((one) => one !== id)) : set

export const fromSnapshot = ({ conversations, shelves, chatFolders }: Snapshot): ConversationsState => ({
  list: conversations,
  shelves,
  folders: chatFolders,
  gone: new Set(),
})

export function withConversation(state: ConversationsState, conversation: Conversation): ConversationsState {
  const list = sorted([...state.list.filter((one) => one.id !== conversation.id), conversation])
  return { ...state, list, gone: without(state.gone, conversation.id) }
}

export function withoutConversation(state: ConversationsState, id: string): ConversationsState {
  return { ...state, list: state.list.filter((one) => one.id !== id), gone: new Set([...state.gone, id]) }
}

/** What was fetched. What is known already was kept up to date by events, so it is the newer. */
export function withFetched(state: ConversationsState, fetched: readonly Conversation[]): ConversationsState {
  const known = new Set(state.list.map(({ id }) => id))
  const fresh = fetched.filter(({ id }) => !known.has(id) && !state.gone.has(id))
  return fresh.length === 0 ? state : { ...state, list: sorted([...state.list, ...fresh]) }
}

export function withShelf(
  state: ConversationsState,
  shelf: ShelfName,
  fetched: readonly Conversation[],
  more: boolean,
): ConversationsState {
  const last = fetched.at(-1)
  const reach: ShelfReach = { end: more && last ? placeOf(last) : null }
  return { ...withFetched(state, fetched), shelves: { ...state.shelves, [shelf]: reach } }
}

/** Those of a shelf that are known without gaps, newest first. */
export function onShelf({ list, shelves }: Pick<ConversationsState, 'list' | 'shelves'>, shelf: ShelfName): readonly Conversation[] {
  const reach = shelves[shelf]
  return reach ? list.filter((one) => shelfOf(one) === shelf && isWithin(reach, one)) : []
}

const PIECE = 60

export type ShelfLoader = (shelf: ShelfName) => void

/** Fetches the next piece of a shelf, once at a time. What fails is tried again when it is asked for again. */
export function createShelfLoader(link: HostLink, store: ConversationsStore): ShelfLoader {
  const loading = new Set<ShelfName>()
  return (shelf) => {
    const reach = store.getState().shelves[shelf]
    if (loading.has(shelf) || reach?.end === null) return
    loading.add(shelf)
    const { shelves } = store.getState()
    link
      .request('conversation.shelf', { shelf, limit: PIECE, ...(reach?.end ? { after: reach.end } : {}) })
      .then(({ conversations, more }) => {
        // After a new snapshot the shelf begins anew.
        if (store.getState().shelves[shelf] === shelves[shelf]) store.setState((state) => withShelf(state, shelf, conversations, more))
      })
      .catch(() => {
        // The connection is lost, which is said elsewhere: a new one brings a new snapshot.
      })
      .finally(() => loading.delete(shelf))
  }
}
