// The last search with what it found, so that the way back from a message leads to it as it was.
import type { SearchFound, SearchWhere } from '#app/chat/search/search-result.ts'

export interface SearchQuestion {
  readonly text: string
  readonly where: SearchWhere
  readonly chat: string | undefined
}

interface RememberedSearch {
  readonly question: SearchQuestion
  readonly found: SearchFound
  /** Of the page, in pixels. */
  readonly scrolled: number
  /** The hit that was opened. */
  readonly opened: number | undefined
}

interface SearchMemory {
  last: RememberedSearch | undefined
}

export const createSearchMemory = (): SearchMemory => ({ last: undefined })

export const sameQuestion = (a: SearchQuestion, b: SearchQuestion): boolean => a.text === b.text && a.where === b.where && a.chat === b.chat
