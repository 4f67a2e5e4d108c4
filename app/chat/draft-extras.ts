// What stands in the composer beside its text.
import { z } from 'zod'
import { attachment } from './attachment.ts'
import { usedPrompt } from './prompt.ts'

export const draftExtras = z.object({ attachments: z.array(attachment).max(50), prompt: usedPrompt.optional() })
export type DraftExtras = z.infer<typeof draftExtras>

export const noExtras: DraftExtras = { attachments: [] }
export const hasExtras = ({ attachments, prompt }: DraftExtras): boolean => attachments.length > 0 || prompt !== undefined
