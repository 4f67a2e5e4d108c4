// Which conversations: for the list of all chats, and for what is done to many of them at once.
import { z } from 'zod'

export const chatFilter = z.object({
  archived: z.boolean(),
  /** Stands in the title; of A to Z either case. */
  text: z.string().max(200).optional(),
  /** Null: in no folder. */
  folderId: z.string().max(100).nullable().optional(),
  model: z.string().max(300).optional(),
  /** Last changed from here on, and before there; milliseconds. */
  since: z.number().optional(),
  until: z.number().optional(),
})
export type ChatFilter = z.infer<typeof chatFilter>

const chatIds = z.array(z.string().min(1).max(100)).max(10_000)

/** These, or all that fit but those. */
export const chatChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('these'), ids: chatIds }),
  z.object({ kind: z.literal('fitting'), filter: chatFilter, except: chatIds }),
])
export type ChatChoice = z.infer<typeof chatChoice>

export const chatChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('archive') }),
  z.object({ kind: z.literal('unarchive') }),
  z.object({ kind: z.literal('pin') }),
  z.object({ kind: z.literal('unpin') }),
  /** Null: out of any folder. */
  z.object({ kind: z.literal('move'), folderId: z.string().max(100).nullable() }),
  z.object({ kind: z.literal('delete') }),
  z.object({ kind: z.literal('restore') }),
])
export type ChatChange = z.infer<typeof chatChange>
