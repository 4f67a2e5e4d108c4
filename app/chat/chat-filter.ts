// Selections of conversations: for the list of all chats, and for changes of many at once.
import { z } from 'zod'

export const chatFilter = z.object({
  archived: z.boolean(),
  /** Text within the title; ASCII letters in either case. */
  text: z.string().max(200).optional(),
  /** Null: in no folder. */
  folderId: z.string().max(100).nullable().optional(),
  model: z.string().max(300).optional(),
  /** Range of the last change in milliseconds: from `since` on, before `until`. */
  since: z.number().optional(),
  until: z.number().optional(),
})
export type ChatFilter = z.infer<typeof chatFilter>

const chatIds = z.array(z.string().min(1).max(100)).max(10_000)

/** Listed conversations, or all that match a filter except some. */
export const chatChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('these'), ids: chatIds }),
  z.object({ kind: z.literal('fitting'), filter: chatFilter, except: chatIds }),
])
export type ChatChoice = z.infer<typeof chatChoice>

export const chatChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['archive', 'unarchive', 'pin', 'unpin', 'delete', 'restore']) }),
  /** Null: out of any folder. */
  z.object({ kind: z.literal('move'), folderId: z.string().max(100).nullable() }),
])
export type ChatChange = z.infer<typeof chatChange>
