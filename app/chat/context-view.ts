// What fills a model's context in one conversation, for the meter. Counts are the host's own, set right by the ratio of
// what the provider counted for the last request to what the host had estimated for it.
import { z } from 'zod'

const tokens = z.number().int()

export const contextItem = z.object({
  kind: z.enum(['result', 'attachment']),
  /** Of the call, or of the attachment. */
  id: z.string(),
  server: z.string().optional(),
  name: z.string(),
  tokens,
  /** Kept from the model: `tokens` is what it would take. */
  leftOut: z.boolean(),
})
export type ContextItem = z.infer<typeof contextItem>

export const contextView = z.object({
  model: z.string(),
  /** What the model takes; absent: not known. */
  limit: tokens.optional(),
  /** Kept free for the answer. */
  reserved: tokens,
  used: tokens,
  /** The provider counted an earlier request of this conversation. */
  calibrated: z.boolean(),
  parts: z.object({
    /** `servers`: instructions, by the server they come from, as the model reads them. */
    system: z.object({ tokens, servers: z.array(z.object({ server: z.string(), tokens, text: z.string() })) }),
    tools: z.object({ tokens, servers: z.array(z.object({ server: z.string(), tokens, count: z.number().int() })) }),
    /** What stands in place of older messages. */
    summary: z.object({ tokens, messages: z.number().int() }).optional(),
    messages: z.object({ tokens, count: z.number().int() }),
    attachments: z.object({ tokens, count: z.number().int() }),
    results: z.object({ tokens, count: z.number().int() }),
  }),
  /** The largest first. */
  largest: z.array(contextItem),
  /** Whether the older part can be summarised now, and if not, why. */
  compaction: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('possible'), messages: z.number().int() }),
    z.object({ kind: z.literal('impossible'), reason: z.enum(['practice', 'short']) }),
  ]),
})
export type ContextView = z.infer<typeof contextView>
