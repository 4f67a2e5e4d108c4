// Taints: parts of a call's arguments that a server said earlier in the conversation, as data for the card and the audit log.
// `taint-match.ts` finds them. A mark states an origin, not harm, and decides nothing: `private-flow.ts` does.
import { z } from 'zod'

/** Origin: a call's result, an attached resource, or a prompt. */
const taintOrigin = z.union([
  z.object({ server: z.string(), tool: z.string(), callId: z.string() }),
  z.object({ server: z.string(), resource: z.string(), messageId: z.string() }),
  z.object({ server: z.string(), prompt: z.string(), messageId: z.string() }),
])
export type TaintOrigin = z.infer<typeof taintOrigin>

const taintMark = z.object({
  /** JSON Pointer (RFC 6901) to the value. */
  argument: z.string(),
  /** Whether the text is in the member's name, not its value. */
  inName: z.literal(true).optional(),
  origin: z.number().int(),
  /** Ranges in UTF-16 units of the value's text, in order, without overlap. */
  spans: z.array(z.tuple([z.number().int(), z.number().int()])),
})
export type TaintMark = z.infer<typeof taintMark>

export const taints = z.object({
  origins: z.array(taintOrigin),
  marks: z.array(taintMark),
  /** Whether there was too much to examine: unmarked text may be tainted too. */
  unseen: z.literal(true).optional(),
})
export type Taints = z.infer<typeof taints>

/** Whether the words of another server stand in it, or nobody can tell. */
export const crosses = (found: Taints | undefined, server: string): boolean =>
  found !== undefined && (found.unseen === true || found.origins.some((origin) => origin.server !== server))
