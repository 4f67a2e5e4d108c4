// Tools as the person switches them, and which of them go with a request.
import { z } from 'zod'

const listedTool = z.object({
  name: z.string(),
  modelName: z.string(),
  title: z.string().optional(),
  /** Its first line, cut. */
  description: z.string().optional(),
  tokens: z.number().int(),
  /** Everywhere. */
  enabled: z.boolean(),
  /** What the server says of it; nothing: it does not say. */
  claims: z.enum(['read-only', 'destructive']).optional(),
  /** Of what it is now. */
  fingerprint: z.string(),
  /** Against what the person accepted of it: nothing yet, this, or something else. */
  known: z.enum(['new', 'approved', 'changed']),
})
export type ListedTool = z.infer<typeof listedTool>

export const listedServer = z.object({
  name: z.string(),
  /** Everywhere. */
  enabled: z.boolean(),
  /** Its word on its tools counts. */
  trusted: z.boolean(),
  tools: z.array(listedTool),
})
export type ListedServer = z.infer<typeof listedServer>

export const sentTools = z.object({
  /** Tokens that definitions may take. */
  budget: z.number().int(),
  /** They would take more: not all are sent, and the rest is found by search. */
  searched: z.boolean(),
  /** All that are on there. */
  offered: z.number().int(),
  offeredTokens: z.number().int(),
  /** What goes with the next request, by the names that the model sees. In a new chat that depends on its first message. */
  sent: z.array(z.string()),
  sentTokens: z.number().int(),
})
export type SentToolsSummary = z.infer<typeof sentTools>
