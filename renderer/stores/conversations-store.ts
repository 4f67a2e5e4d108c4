// The conversations that this page knows: not all there are, but the beginning of each shelf of the sidebar, and whatever
// it came across. A shelf is known without gaps as far as its reach says; the rest is fetched as the person scrolls.
import { createStore } from 'zustand/vanilla'
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { isWithin, listPositionOf, newestFirst, type SectionName, type SectionReach, sectionOf } from '#app/chat/conversation.ts'
import type { HostConnection } from '#app/contract/host-connection.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'

export interface ConversationsState {
  /** Newest first. */
  readonly list: readonly Conversation[]
  /** By name; one that is missing was not fetched yet. */
  readonly shelves: Readonly<Record<SectionName, SectionReach>>
  readonly folders: readonly ChatFolder[]
  /** Deleted since the last snapshot: an answer that was on its way must not bring them back. */
  readonly gone: ReadonlySet<string>
}

type ConversationsStore = ReturnType<typeof createConversationsStore>
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

function withSection(state: ConversationsState, shelf: SectionName, fetched: readonly Conversation[], more: boolean): ConversationsState {
  const last = fetched.at(-1)
  const reach: SectionReach = { end: more && last ? listPositionOf(last) : null }
  return { ...withFetched(state, fetched), shelves: { ...state.shelves, [shelf]: reach } }
}

/** Those of a shelf that are known without gaps, newest first. */
export function inSection({ list, shelves }: Pick<ConversationsState, 'list' | 'shelves'>, shelf: SectionName): readonly Conversation[] {
  const reach = shelves[shelf]
  return reach ? list.filter((one) => sectionOf(one) === shelf && isWithin(reach, one)) : []
}

const PIECE = 60

type SectionLoader = (shelf: SectionName) => void

/** Fetches the next piece of a shelf, once at a time. What fails is tried again when it is asked for again. */
export function createSectionLoader(connection: HostConnection, store: ConversationsStore): SectionLoader {
  const loading = new Set<SectionName>()
  return (shelf) => {
    const reach = store.getState().shelves[shelf]
    if (loading.has(shelf) || reach?.end === null) return
    loading.add(shelf)
    const { shelves } = store.getState()
    connection
      .request('conversation.shelf', { shelf, limit: PIECE, ...(reach?.end ? { after: reach.end } : {}) })
      .then(({ conversations, more }) => {
        // After a new snapshot the shelf begins anew.
        if (store.getState().shelves[shelf] === shelves[shelf]) store.setState((state) => withSection(state, shelf, conversations, more))
      })
      .catch(() => {
        // The connection is lost, which is said elsewhere: a new one brings a new snapshot.
      })
      .finally(() => loading.delete(shelf))
  }
}
