import { z } from 'zod'
import { jsonObject } from '../json.ts'

export const auditKinds = [
  'request',
  'decision',
  'call',
  'result',
  'launch',
  'rule',
  /** How a conversation asks from then on. */
  'mode',
  'open-url',
  'sign-in',
  'key',
  'config',
  /** Anything else that goes to a server or a model: what a server asked the host for, a resource read, a prompt fetched. */
  'exchange',
] as const

/** One row of the record. `hash` covers every field of the row and the hash before it, so nothing can be altered unseen. */
export const auditRow = z.object({
  seq: z.number().int(),
  time: z.number(),
  kind: z.enum(auditKinds),
  server: z.string().nullable(),
  tool: z.string().nullable(),
  decision: z.string().nullable(),
  by: z.string().nullable(),
  conversationId: z.string().nullable(),
  detail: jsonObject,
  previous: z.string(),
  hash: z.string(),
})
export type AuditRow = z.infer<typeof auditRow>

const oneOf = z.array(z.string().max(100)).max(50)

/** Which rows: those that fit all that is given. */
export const auditFilter = z.object({
  /** Every word of it begins a word of the row, or stands in the title of its conversation. */
  text: z.string().max(500).optional(),
  server: z.string().max(1000).optional(),
  kinds: oneOf.optional(),
  decisions: oneOf.optional(),
  by: oneOf.optional(),
  /** Milliseconds: from here on, and before there. */
  since: z.number().optional(),
  until: z.number().optional(),
})
export type AuditFilter = z.infer<typeof auditFilter>

/** Rows that fit are counted up to here; one more says that there are others. */
export const auditCountLimit = 10_000

/** The first row that does not fit its chain, and why. */
export const auditFault = z.object({ seq: z.number().int(), reason: z.string() })
export type AuditFault = z.infer<typeof auditFault>
