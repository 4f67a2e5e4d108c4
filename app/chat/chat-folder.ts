// A folder of chats (a project): what its chats share. Not to be taken for the folders on disk that servers are told of,
// which are one of the things that they share.
import { z } from 'zod'
import { consentMode } from '../consent/rules/consent-mode.ts'
import { serverName } from '../server/definition.ts'
import { folderPaths } from '../shared-folders.ts'

export const mostChatFolders = 500

export const chatFolderDraft = z.object({
  name: z.string().trim().min(1).max(100),
  /** The person's words to the model, before those of a single chat. */
  systemPrompt: z.string().max(20_000).optional(),
  /** The servers whose tools its chats are offered; absent: all of them. */
  servers: z.array(serverName).max(1000).optional(),
  /** Of new chats in it; absent: as the settings say. */
  model: z.string().max(300).optional(),
  consentMode: consentMode.optional(),
})
export type ChatFolderDraft = z.infer<typeof chatFolderDraft>

export const chatFolder = chatFolderDraft.extend({
  id: z.string(),
  createdAt: z.number(),
  /** Its chats are not shown in the sidebar, in any window. */
  closed: z.boolean().optional(),
  /** Folders on disk, by absolute path, that servers are told of in its chats; absent: none of its own. */
  roots: folderPaths.optional(),
})
export type ChatFolder = z.infer<typeof chatFolder>
