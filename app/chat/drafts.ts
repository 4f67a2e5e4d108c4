// Keys and extras of drafts: of a conversation ('': a new one), or of an edited message.
import { z } from 'zod'
import { serverName } from '../server/definition.ts'
import { attachment, usedPrompt } from './attachments/attachment.ts'

export const draftExtras = z.object({
  attachments: z.array(attachment).max(50),
  prompt: usedPrompt.optional(),
  /** Servers whose words the text holds: of a view, or of a message that was taken back. */
  servers: z.array(serverName).max(50).optional(),
})
export type DraftExtras = z.infer<typeof draftExtras>

/** Extras with servers whose words are put into the text. */
export const withWordsOf = (extras: DraftExtras, servers: readonly string[]): DraftExtras =>
  servers.length === 0 ? extras : { ...extras, servers: [...new Set([...(extras.servers ?? []), ...servers])].slice(-50) }

export const noExtras: DraftExtras = { attachments: [] }
/** Whether there is something to send without a text. */
export const hasExtras = ({ attachments, prompt }: DraftExtras): boolean => attachments.length > 0 || prompt !== undefined

interface DraftOwner {
  readonly conversationId?: string | undefined
  readonly messageId?: string | undefined
}

const EDIT = 'edit:'

export const editKey = (messageId: string): string => `${EDIT}${messageId}`

export const draftKey = ({ conversationId, messageId }: DraftOwner): string =>
  messageId === undefined ? (conversationId ?? '') : editKey(messageId)

export function draftOwner(key: string): DraftOwner {
  if (key.startsWith(EDIT)) return { messageId: key.slice(EDIT.length) }
  return key === '' ? {} : { conversationId: key }
}
