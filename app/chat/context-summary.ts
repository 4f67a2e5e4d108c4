// What fills a model's context in one conversation, for the meter. Counts are the host's own, set right by the ratio of what
// the provider counted for the last request to what the host had estimated for it. Which summary stands in place of the older
// part of a path, and from where on the model reads the messages themselves.

import { z } from 'zod'
import type { SummaryMessage } from './message.ts'

/** Of other messages nothing counts but their place. */
export type PathStep = SummaryMessage | { readonly id: string; readonly role: 'user' | 'assistant' }

interface Cut {
  readonly summary: SummaryMessage
  /** In the path: of the first message that the model still reads whole. */
  readonly index: number
}

/** The one that reaches furthest; of equals the latest. Undefined: the model reads everything. */
export function cutOf(path: readonly PathStep[]): Cut | undefined {
  const places = new Map(path.map(({ id }, index) => [id, index]))
  let cut: Cut | undefined
  for (const message of path) {
    if (message.role !== 'summary' || message.state !== 'done' || message.undone) continue
    const until = places.get(message.covers.until)
    if (until !== undefined && until + 1 >= (cut?.index ?? 0)) cut = { summary: message, index: until + 1 }
  }
  return cut
}

const tokens = z.number().int()

const contextItem = z.object({
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

export const contextSummary = z.object({
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
export type ContextSummary = z.infer<typeof contextSummary>
