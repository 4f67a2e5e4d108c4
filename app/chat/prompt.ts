// A prompt of a server as the person uses it: what the server gave for its arguments, which they looked at before it went
// into the conversation (MCP, "Prompts").
import { z } from 'zod'
import { attachment } from './attachment.ts'

export const promptArguments = z.record(z.string().max(1000), z.string().max(10_000))

const origin = z.object({ server: z.string().max(1000), name: z.string().max(1000), arguments: promptArguments })

/** As the server gave it. */
export const usedPrompt = origin.extend({
  title: z.string().max(1000).optional(),
  messages: z
    .array(
      z.object({
        role: z.enum(['user', 'assistant']),
        text: z.string().max(1_000_000),
        attachments: z.array(attachment).max(20).optional(),
      }),
    )
    .min(1)
    .max(100),
})
export type UsedPrompt = z.infer<typeof usedPrompt>

/** On the message that came of it. */
export const sentPrompt = origin.extend({
  /** The person put the message in other words. */
  edited: z.literal(true).optional(),
  /**
   * What the model reads in place of the message's text, where not all of it is the person's to say. The person's own words
   * are the last of it. `attachments`: ids of the message's.
   */
  turns: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string(), attachments: z.array(z.string()) })).optional(),
})
export type SentPrompt = z.infer<typeof sentPrompt>
