import { z } from 'zod'
import { jsonObject } from '../json.ts'

/** One row of the record. `hash` covers every field of the row and the hash before it, so nothing can be altered unseen. */
export const auditRow = z.object({
  seq: z.number().int(),
  time: z.number(),
  kind: z.enum(['request', 'decision', 'call', 'result', 'launch', 'rule', 'open-url', 'sign-in', 'key', 'config']),
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
