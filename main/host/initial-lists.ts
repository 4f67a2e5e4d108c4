// The conversations that a page begins with: the beginning of each shelf that its sidebar shows, and whatever the page
// has to name. With 100,000 conversations it is as much as with 100; the rest is fetched as the person scrolls.
import type { Conversation } from '#app/chat/conversation.ts'
import { folderSection, listPositionOf, newestFirst, type SectionName, type SectionReach } from '#app/chat/conversation.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import type { Store } from '#main/store/store-api.ts'

/** More pinned ones than this are no help to anybody; they are in the list of all chats. */
const MOST_PINNED = 200
const FIRST_LOOSE = 60
const FIRST_IN_FOLDER = 20

/** `named`: ids of others that are spoken of on the page. */
export function readInitialLists(
  { history, conversations, chatFolders }: Pick<Store, 'history' | 'conversations' | 'chatFolders'>,
  named: Iterable<string>,
): Pick<Snapshot, 'conversations' | 'shelves' | 'chatFolders'> {
  const known = new Map<string, Conversation>()
  const shelves: Record<SectionName, SectionReach> = {}
  const take = (shelf: SectionName, most: number): void => {
    const found = history.shelf(shelf, { limit: most + 1 })
    const first = found.slice(0, most)
    for (const one of first) known.set(one.id, one)
    const last = first.at(-1)
    shelves[shelf] = { end: found.length > most && last ? listPositionOf(last) : null }
  }
  const folders = chatFolders.list()
  take('pinned', MOST_PINNED)
  take('loose', FIRST_LOOSE)
  for (const { id, closed } of folders) if (!closed) take(folderSection(id), FIRST_IN_FOLDER)
  for (const id of [...conversations.unfinished().conversations.map((one) => one.id), ...named]) {
    const one = known.has(id) ? undefined : conversations.get(id)
    if (one) known.set(id, one)
  }
  return { conversations: [...known.values()].sort(newestFirst), shelves, chatFolders: folders }
}
