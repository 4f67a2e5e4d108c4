// Conversations that this page knows: the beginning of each section of the sidebar, and those that were opened or found. A section
// is known without gaps up to its reach; the rest is fetched as the person scrolls.
import { createStore } from 'zustand/vanilla'
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import {
  type Conversation,
  type ConversationActivity,
  isWithin,
  listPositionOf,
  newestFirst,
  type SectionName,
  type SectionReach,
  sectionOf,
} from '#app/chat/conversation.ts'
import type { HostConnection } from '#app/contract/host-connection.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'

export interface ConversationsState {
  /** Newest first. */
  readonly list: readonly Conversation[]
  /** Reach of each section by its name; absent until fetched. */
  readonly sections: Readonly<Record<SectionName, SectionReach>>
  readonly folders: readonly ChatFolder[]
  /** Ids deleted since the last snapshot: a late answer must not bring them back. */
  readonly deleted: ReadonlySet<string>
}

type ConversationsStore = ReturnType<typeof createConversationsStore>
export const createConversationsStore = () =>
  createStore<ConversationsState>(() => ({ list: [], sections: {}, folders: [], deleted: new Set() }))

/** Whether a turn runs or waits for the person. */
export const isBusy = (activity: ConversationActivity | undefined): boolean => activity?.kind === 'working' || activity?.kind === 'waiting'

const sorted = (list: readonly Conversation[]): readonly Conversation[] => [...list].sort(newestFirst)
const without = (set: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  set.has(id) ? new Set([...set].filter((one) => one !== id)) : set

export const fromSnapshot = ({ conversations, sections, chatFolders }: Snapshot): ConversationsState => ({
  list: conversations,
  sections,
  folders: chatFolders,
  deleted: new Set(),
})

export function withConversation(state: ConversationsState, conversation: Conversation): ConversationsState {
  const list = sorted([...state.list.filter((one) => one.id !== conversation.id), conversation])
  return { ...state, list, deleted: without(state.deleted, conversation.id) }
}

export function withoutConversation(state: ConversationsState, id: string): ConversationsState {
  return { ...state, list: state.list.filter((one) => one.id !== id), deleted: new Set([...state.deleted, id]) }
}

/** Adds fetched conversations. A known one was kept up to date by events, so it is newer and stays. */
export function withFetched(state: ConversationsState, fetched: readonly Conversation[]): ConversationsState {
  const known = new Set(state.list.map(({ id }) => id))
  const fresh = fetched.filter(({ id }) => !known.has(id) && !state.deleted.has(id))
  return fresh.length === 0 ? state : { ...state, list: sorted([...state.list, ...fresh]) }
}

function withSection(state: ConversationsState, section: SectionName, fetched: readonly Conversation[], more: boolean): ConversationsState {
  const last = fetched.at(-1)
  const reach: SectionReach = { end: more && last ? listPositionOf(last) : null }
  return { ...withFetched(state, fetched), sections: { ...state.sections, [section]: reach } }
}

/** Conversations of a section that are known without gaps, newest first. */
export function inSection(
  { list, sections }: Pick<ConversationsState, 'list' | 'sections'>,
  section: SectionName,
): readonly Conversation[] {
  const reach = sections[section]
  return reach ? list.filter((one) => sectionOf(one) === section && isWithin(reach, one)) : []
}

/** Conversations of one fetch. */
const PIECE = 60

/** Returns a function that fetches the next piece of a section, one fetch at a time; a failed one is repeated by the next call. */
export function createSectionLoader(hostConnection: HostConnection, store: ConversationsStore): (section: SectionName) => void {
  const loading = new Set<SectionName>()
  return (section) => {
    const { sections } = store.getState()
    const reach = sections[section]
    if (loading.has(section) || reach?.end === null) return
    loading.add(section)
    hostConnection
      .request('conversation.section', { section, limit: PIECE, ...(reach?.end ? { after: reach.end } : {}) })
      .then(({ conversations, more }) => {
        // A new snapshot begins the section anew.
        if (store.getState().sections[section] === sections[section])
          store.setState((state) => withSection(state, section, conversations, more))
      })
      .catch(() => {
        // The connection is lost, which the page shows: a new one brings a new snapshot.
      })
      .finally(() => loading.delete(section))
  }
}
