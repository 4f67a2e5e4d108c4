// Where a conversation is listed: with the pinned, in its folder, among the loose ones by date, or with the archived. One
// place each, so that a page can fetch a place piece by piece.
import { z } from 'zod'
import type { Conversation } from './conversation.ts'

/** `pinned`, `loose`, `archived`, or `folder:<id>`. */
export const shelfName = z.string().regex(/^(?:pinned|loose|archived|folder:.{1,100})$/)
export type ShelfName = string

export const folderShelf = (folderId: string): ShelfName => `folder:${folderId}`

/** The store's column `shelf` says the same. */
export function shelfOf({ archivedAt, pinned, folderId }: Pick<Conversation, 'archivedAt' | 'pinned' | 'folderId'>): ShelfName {
  if (archivedAt !== undefined) return 'archived'
  if (pinned) return 'pinned'
  return folderId === undefined ? 'loose' : folderShelf(folderId)
}

/** A conversation's place in a list that is ordered by the last change, newest first. */
export const place = z.object({ updatedAt: z.number(), id: z.string().max(100) })
export type Place = z.infer<typeof place>

export const placeOf = ({ updatedAt, id }: Place): Place => ({ updatedAt, id })

/** Newest first; of equals the greater id, as the store has it. */
export const newestFirst = (a: Place, b: Place): number => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** How far a shelf is known: down to `end`, or (null) to its last. */
export const shelfReach = z.object({ end: place.nullable() })
export type ShelfReach = z.infer<typeof shelfReach>

export const isWithin = (reach: ShelfReach, at: Place): boolean => reach.end === null || newestFirst(at, reach.end) <= 0
