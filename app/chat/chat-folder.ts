// A folder of chats (a project) and what its chats share. Shared folders on disk (roots) are one of those things.
import { z } from 'zod'
import { consentMode } from '../consent/rules/consent-mode.ts'
import { compareNames } from '../i18n/format-values.ts'
import { serverName } from '../server/definition.ts'
import { folderPaths } from '../shared-folders.ts'

export const mostChatFolders = 500

export const chatFolderDraft = z.object({
  name: z.string().trim().min(1).max(100),
  /** System prompt of the person, before that of a single chat. */
  systemPrompt: z.string().max(20_000).optional(),
  /** Servers whose tools its chats are offered; absent: all. */
  servers: z.array(serverName).max(1000).optional(),
  /** Model of new chats; absent: as the settings say. */
  model: z.string().max(300).optional(),
  consentMode: consentMode.optional(),
})
export type ChatFolderDraft = z.infer<typeof chatFolderDraft>

export const chatFolder = chatFolderDraft.extend({
  id: z.string(),
  createdAt: z.number(),
  /** Whether it is collapsed in the sidebar, in every window. */
  closed: z.boolean().optional(),
  /** Roots of its chats, as absolute paths; absent: none of its own. */
  roots: folderPaths.optional(),
})
export type ChatFolder = z.infer<typeof chatFolder>

export const inOrder = (folders: readonly ChatFolder[]): readonly ChatFolder[] =>
  [...folders].sort((a, b) => compareNames(a.name, b.name) || a.createdAt - b.createdAt)
