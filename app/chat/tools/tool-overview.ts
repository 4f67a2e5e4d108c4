// Tools as the person switches them, and those sent with a request.
import { z } from 'zod'

const listedTool = z.object({
  name: z.string(),
  modelName: z.string(),
  title: z.string().optional(),
  /** First line, cut. */
  description: z.string().optional(),
  tokens: z.number().int(),
  enabled: z.boolean(),
  /** Annotation of the server; absent: none. */
  claims: z.enum(['read-only', 'destructive']).optional(),
  fingerprint: z.string(),
  /** Current definition compared with the accepted one. */
  known: z.enum(['new', 'approved', 'changed']),
})
export type ListedTool = z.infer<typeof listedTool>

export const listedServer = z.object({
  name: z.string(),
  enabled: z.boolean(),
  trusted: z.boolean(),
  tools: z.array(listedTool),
})
export type ListedServer = z.infer<typeof listedServer>

export const sentTools = z.object({
  /** Tokens available to definitions. */
  budget: z.number().int(),
  /** Whether they exceed the budget; the rest is then found by tool search. */
  searched: z.boolean(),
  offered: z.number().int(),
  offeredTokens: z.number().int(),
  /** Names sent with the next request; in a new chat they depend on the first message. */
  sent: z.array(z.string()),
  sentTokens: z.number().int(),
})
export type SentToolsSummary = z.infer<typeof sentTools>
