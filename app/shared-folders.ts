// Folders that servers may be told of (MCP, "Roots"), and their owners. A chat's own folders replace those of its folder of chats,
// those replace a server's own, and those replace everyone's.
import { z } from 'zod'

export const folderPaths = z.array(z.string().min(1).max(4096)).max(100)

export const mostCompletions = 50

export const folderOwner = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('everyone') }),
  z.object({ kind: z.literal('server'), name: z.string().min(1).max(200) }),
  z.object({ kind: z.literal('chatFolder'), id: z.string().min(1).max(100) }),
  z.object({ kind: z.literal('conversation'), id: z.string().min(1).max(100) }),
])
export type FolderOwner = z.infer<typeof folderOwner>

export const chosenFolder = z.object({
  path: z.string(),
  /** Whether it is an existing folder; servers are not told of others. */
  there: z.boolean(),
})
export type ChosenFolder = z.infer<typeof chosenFolder>

/** Folders that a server may learn of without a question. */
export const sharedFolders = z.object({
  /** Conversation; undefined: all. */
  conversationId: z.string().optional(),
  uris: z.array(z.string()),
})
export type SharedFolders = z.infer<typeof sharedFolders>
