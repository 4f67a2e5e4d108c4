// Keys and extras of drafts: of a conversation ('': a new one), or of an edited message.
import { z } from 'zod'
import { attachment, usedPrompt } from './attachments/attachment.ts'

export const draftExtras = z.object({ attachments: z.array(attachment).max(50), prompt: usedPrompt.optional() })
export type DraftExtras = z.infer<typeof draftExtras>

export const noExtras: DraftExtras = { attachments: [] }
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
