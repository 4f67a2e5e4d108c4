// Search as the store's part: the index kept in step with what is put, built up for an older profile, and asked in a thread.
import type { SearchFound } from '#app/chat/search/found.ts'
import type { Log } from '#main/base/log.ts'
import type { Database } from '../database.ts'
import { createSearchBuild, type SearchBuild } from './build.ts'
import type { SearchParams } from './find.ts'
import { createSearchIndex, type SearchIndex } from './index.ts'
import { createSearchThread } from './thread.ts'

export interface SearchStore {
  /**
   * Never fails for what was typed. A searcher that asks again before the answer is there gets `cancelled` for the first
   * question: only the latest counts.
   */
  find(searcher: string, params: SearchParams): Promise<SearchFound>
  /** Of an older profile's messages, which are indexed step by step after the start. */
  readonly build: SearchBuild
}

export function createSearchStore(database: Database, log: Log): { store: SearchStore; index: SearchIndex; close(): void } {
  const index = createSearchIndex(database)
  const thread = createSearchThread(database.path)
  const build = createSearchBuild(database, index, log)
  return {
    index,
    store: { find: async (searcher, params) => ({ ...(await thread.find(searcher, params)), indexed: build.share() }), build },
    close: () => thread.close(),
  }
}
