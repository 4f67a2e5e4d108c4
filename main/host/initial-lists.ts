import {
  type Conversation,
  folderSection,
  listPositionOf,
  newestFirst,
  type SectionName,
  type SectionReach,
} from '#app/chat/conversation.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import type { Store } from '#main/store/store-api.ts'

/** Further pinned conversations are in the list of all chats. */
const MOST_PINNED = 200
const FIRST_LOOSE = 60
const FIRST_IN_FOLDER = 20

/**
 * Reads the conversations that a page begins with: the first of each section of its sidebar, unfinished ones, and those that the
 * page mentions (`named`, ids). The rest is fetched as the person scrolls, so the size of the profile does not matter.
 */
export function readInitialLists(
  { history, conversations, chatFolders }: Pick<Store, 'history' | 'conversations' | 'chatFolders'>,
  named: Iterable<string>,
): Pick<Snapshot, 'conversations' | 'sections' | 'chatFolders'> {
  const known = new Map<string, Conversation>()
  const sections: Record<SectionName, SectionReach> = {}
  const take = (shelf: SectionName, most: number): void => {
    const found = history.shelf(shelf, { limit: most + 1 })
    const first = found.slice(0, most)
    for (const one of first) known.set(one.id, one)
    const last = first.at(-1)
    sections[shelf] = { end: found.length > most && last ? listPositionOf(last) : null }
  }
  const folders = chatFolders.list()
  take('pinned', MOST_PINNED)
  take('loose', FIRST_LOOSE)
  for (const { id, closed } of folders) if (!closed) take(folderSection(id), FIRST_IN_FOLDER)
  for (const id of [...conversations.unfinished().conversations.map((one) => one.id), ...named]) {
    const one = known.has(id) ? undefined : conversations.get(id)
    if (one) known.set(id, one)
  }
  return { conversations: [...known.values()].sort(newestFirst), sections, chatFolders: folders }
}
