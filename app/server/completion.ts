// Suggestions for an argument of a prompt or a variable of a resource template (MCP, "Completion").
import { z } from 'zod'
import { mapOf } from '../json-schemas.ts'

const text = z.string().max(10_000)

export const completionQuery = z.object({
  ref: z.discriminatedUnion('type', [
    z.object({ type: z.literal('ref/prompt'), name: text.min(1) }),
    /** `uri`: URI template of the server. */
    z.object({ type: z.literal('ref/resource'), uri: text.min(1) }),
  ]),
  /** `value`: text typed so far. */
  argument: z.object({ name: text.min(1), value: text }),
  context: z.object({ arguments: mapOf(text, text) }).optional(),
})
export type CompletionQuery = z.infer<typeof completionQuery>

export const completion = z.object({
  /** Suggestions, best first, at most 100 (MCP, "Completion"). */
  values: z.array(z.string()).max(100),
  total: z.number().optional(),
  hasMore: z.boolean().optional(),
})
export type Completion = z.infer<typeof completion>
