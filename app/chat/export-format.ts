// Assent's own export of conversations, version 1: an object with `format`, `version` and `items`. An item is a conversation with
// all branches, or a blob that earlier messages refer to by SHA-256. No key or secret is exported. Readers ignore unknown fields.
import { z } from 'zod'
import { sha256 } from '../blob.ts'
import { chatFolderDraft } from './chat-folder.ts'
import { conversation } from './conversation.ts'
import { message } from './message.ts'

const exportFormat = 'assent-conversations'
const exportVersion = 1

export const exportedConversation = z.object({
  conversation,
  /** Id of the last message of the shown path. */
  leaf: z.string().nullable(),
  /** Messages in order of creation; `parent`: id of the one before. */
  messages: z.array(z.object({ parent: z.string().nullable(), message })),
  /** Folder of chats, without what concerns the computer it is from. */
  folder: chatFolderDraft.pick({ name: true, systemPrompt: true }).optional(),
})
export type ExportedConversation = z.infer<typeof exportedConversation>

export const exportedBlob = z.object({ blob: z.object({ sha256, mimeType: z.string().max(200), base64: z.string() }) })
export type ExportedBlob = z.infer<typeof exportedBlob>

/** `head` + items with commas between them + `tail`. */
export const exportHead = (exportedAt: string): string =>
  `{"format":${JSON.stringify(exportFormat)},"version":${exportVersion},"exportedAt":${JSON.stringify(exportedAt)},"items":[\n`
export const exportTail = '\n]}\n'
