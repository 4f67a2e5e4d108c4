// What of a call's arguments is text that a server gave earlier in the conversation, as data for the card and the record.
// How it is found is in `flow-match.ts`. A mark says where the text came from, not that it is bad.
import { z } from 'zod'

/** The result of a call, a resource that the person attached to a message, or a prompt that it came of. */
const taintOrigin = z.union([
  z.object({ server: z.string(), tool: z.string(), callId: z.string() }),
  z.object({ server: z.string(), resource: z.string(), messageId: z.string() }),
  z.object({ server: z.string(), prompt: z.string(), messageId: z.string() }),
])
export type TaintOrigin = z.infer<typeof taintOrigin>

const taintMark = z.object({
  /** JSON Pointer (RFC 6901) to the value. */
  argument: z.string(),
  /** The text is part of the name of the member, not of its value. */
  inName: z.literal(true).optional(),
  /** Into `origins`. */
  origin: z.number().int(),
  /** From and to, in UTF-16 units of the value's text; in order, none over another. */
  spans: z.array(z.tuple([z.number().int(), z.number().int()])),
})
export type TaintMark = z.infer<typeof taintMark>

export const taints = z.object({
  origins: z.array(taintOrigin),
  marks: z.array(taintMark),
  /** There was too much to look through: what is not marked may still have come from a server. */
  unseen: z.literal(true).optional(),
})
export type Taints = z.infer<typeof taints>

/** Text of another server than the one that the call goes to. */
function foreignOrigins(found: Taints | undefined, server: string): readonly TaintOrigin[] {
  return (found?.origins ?? []).filter((origin) => origin.server !== server)
}

/** What no rule answers: words of one server, for another that may send them on (`decideConsent`). */
export const isAlwaysAsked = (call: AskedCall): boolean =>
  !(call.trusted && call.annotations?.openWorldHint === false) && crosses(call.flows, call.server)

interface AskedCall {
  readonly server: string
  readonly trusted: boolean
  readonly annotations?: { readonly openWorldHint?: boolean | undefined } | undefined
  readonly flows?: Taints | undefined
}

/** Whether a server would learn what another one said, or nobody can tell. */
export const crosses = (found: Taints | undefined, server: string): boolean =>
  found?.unseen === true || foreignOrigins(found, server).length > 0
