// Our own file of conversations, version 1: an object with `format`, `version` and `items`. Each item is a conversation
// with all its branches, or the bytes that messages before it refer to by their SHA-256. Keys and other secrets are in none of
// them. Later versions add fields; what a reader does not know it leaves out.
import { z } from 'zod'
import { chatFolderDraft } from './chat-folder.ts'
import { conversation } from './conversation.ts'
import { message } from './message.ts'

const exportFormat = 'assent-conversations'
const exportVersion = 1

export const exportedConversation = z.object({
  conversation,
  /** Id of the message that the path shown ends with. */
  leaf: z.string().nullable(),
  /** In the order of their making; `parent`: id of the one before it. */
  messages: z.array(z.object({ parent: z.string().nullable(), message })),
  /** The folder of chats that it lies in, as far as it is not about the computer it comes from. */
  folder: chatFolderDraft.pick({ name: true, systemPrompt: true }).optional(),
})
export type ExportedConversation = z.infer<typeof exportedConversation>

export const exportedBlob = z.object({
  blob: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), mimeType: z.string().max(200), base64: z.string() }),
})
export type ExportedBlob = z.infer<typeof exportedBlob>

/** `head` + items with commas between them + `tail`. */
export const exportHead = (exportedAt: string): string =>
  `{"format":${JSON.stringify(exportFormat)},"version":${exportVersion},"exportedAt":${JSON.stringify(exportedAt)},"items":[\n`
export const exportTail = '\n]}\n'
