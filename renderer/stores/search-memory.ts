// The last search and its results, for the way back from a message.
import type { SearchFound, SearchWhere } from '#app/chat/search/search-result.ts'

export interface SearchQuestion {
  readonly text: string
  readonly where: SearchWhere
  readonly chat: string | undefined
}

interface RememberedSearch {
  readonly question: SearchQuestion
  readonly found: SearchFound
  /** Scroll position of the page in pixels. */
  readonly scrolled: number
  /** Index of the opened hit. */
  readonly opened: number | undefined
}

export interface SearchMemory {
  last: RememberedSearch | undefined
}

export const sameQuestion = (a: SearchQuestion, b: SearchQuestion): boolean => a.text === b.text && a.where === b.where && a.chat === b.chat
