import { z } from 'zod'

/** A standing answer. `tool` undefined: every tool of the server. Bound to the tool's fingerprint when `fingerprint` is set. */
export const rule = z.object({
  id: z.string(),
  effect: z.enum(['allow', 'ask', 'deny']),
  server: z.string(),
  tool: z.string().optional(),
  scope: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('always') }),
    z.object({ kind: z.literal('conversation'), conversationId: z.string() }),
  ]),
  fingerprint: z.string().optional(),
  createdAt: z.number(),
})
export type Rule = z.infer<typeof rule>
