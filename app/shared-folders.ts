// The folders that servers may be told of (MCP, "Roots"), and whose choice they are. A chat's own come in place of
// those of the folder of chats it lies in, those in place of a server's own, and those in place of everybody's.
import { z } from 'zod'

export const folderPaths = z.array(z.string().min(1).max(4096)).max(100)

/** Of a path that is being typed. */
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
  /** It is a folder now. Of one that is not, no server is told. */
  there: z.boolean(),
})
export type ChosenFolder = z.infer<typeof chosenFolder>

/** Folders that a server may learn of without a question. */
export const sharedFolders = z.object({
  /** Undefined: in all conversations. */
  conversationId: z.string().optional(),
  uris: z.array(z.string()),
})
export type SharedFolders = z.infer<typeof sharedFolders>
