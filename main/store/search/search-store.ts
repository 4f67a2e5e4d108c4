import type { Database } from '../database/database.ts'
import { createSearchIndex } from './search-index.ts'
import { createSearchThread } from './search-thread.ts'

/** Search: an index that follows what is stored, and a thread that searches it. */
export function createSearchStore(database: Database) {
  const thread = createSearchThread(database.path)
  return {
    index: createSearchIndex(database),
    store: {
      /** Never fails for what was typed. `cancelled`: the same searcher asked again before the answer, and only the latest counts. */
      find: thread.find,
    },
    close: () => thread.close(),
  }
}
