// Token usage of a conversation's context, and the summary in force. The host's own counts are scaled by the ratio of the
// provider's count for the last request to the host's estimate.
import { z } from 'zod'
import type { SummaryMessage } from './message.ts'

/** Step of a path; of other messages only the place matters. */
export type PathStep = SummaryMessage | { readonly id: string; readonly role: 'user' | 'assistant' }

interface Cut {
  readonly summary: SummaryMessage
  /** Index in the path of the first message after the summary. */
  readonly index: number
}

/** Finds the summary that reaches furthest, the latest of equals. Undefined: the model reads everything. */
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
  id: z.string(),
  server: z.string().optional(),
  name: z.string(),
  tokens,
  /** Whether it is kept from the model; `tokens` is then what it would take. */
  leftOut: z.boolean(),
})
export type ContextItem = z.infer<typeof contextItem>

export const contextSummary = z.object({
  model: z.string(),
  /** Context size of the model; absent: unknown. */
  limit: tokens.optional(),
  /** Tokens reserved for the answer. */
  reserved: tokens,
  used: tokens,
  parts: z.object({
    /** `servers`: instructions of each server, as the model reads them. */
    system: z.object({ tokens, servers: z.array(z.object({ server: z.string(), tokens, text: z.string() })) }),
    tools: z.object({ tokens, servers: z.array(z.object({ server: z.string(), tokens, count: z.number().int() })) }),
    summary: z.object({ tokens, messages: z.number().int() }).optional(),
    messages: z.object({ tokens, count: z.number().int() }),
    attachments: z.object({ tokens, count: z.number().int() }),
    results: z.object({ tokens, count: z.number().int() }),
  }),
  /** Largest items first. */
  largest: z.array(contextItem),
  /** Whether compaction is possible, else why not. */
  compaction: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('possible'), messages: z.number().int() }),
    z.object({ kind: z.literal('impossible'), reason: z.enum(['practice', 'short']) }),
  ]),
})
export type ContextSummary = z.infer<typeof contextSummary>
