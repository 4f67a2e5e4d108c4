import { z } from 'zod'
import { jsonObject } from '../json-schemas.ts'

export const auditKinds = [
  'request',
  'decision',
  'call',
  'result',
  'launch',
  'rule',
  'mode',
  'open-url',
  'sign-in',
  'key',
  'config',
  /** Other exchange with a server or model: a server's request to the host, a resource read, a prompt fetched. */
  'exchange',
] as const

/** Row of the audit log. `hash` covers all its fields and the previous hash, so no change goes unnoticed. */
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

/** Filter of rows; all given fields must match. */
export const auditFilter = z.object({
  /** Words, each the beginning of a word of the row or of its conversation's title. */
  text: z.string().max(500).optional(),
  server: z.string().max(1000).optional(),
  kinds: oneOf.optional(),
  decisions: oneOf.optional(),
  by: oneOf.optional(),
  /** Id of the client of the gate in whose name it was. */
  agent: z.string().max(100).optional(),
  /** Range in milliseconds: from `since` on, before `until`. */
  since: z.number().optional(),
  until: z.number().optional(),
})
export type AuditFilter = z.infer<typeof auditFilter>

/** Conversation that rows name, and what the person asked in it about the time of those rows. `title` null: the chat is deleted. */
export const auditedChat = z.object({
  id: z.string(),
  title: z.string().nullable(),
  asked: z.array(z.object({ at: z.number(), text: z.string() })),
})
export type AuditedChat = z.infer<typeof auditedChat>

/** Most matching rows that are counted; one more says that there are others. */
export const auditCountLimit = 10_000

/** First row that breaks the chain, and why. */
export const auditFault = z.object({ seq: z.number().int(), reason: z.string() })
export type AuditFault = z.infer<typeof auditFault>
