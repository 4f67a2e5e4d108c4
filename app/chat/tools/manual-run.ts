// A manual call of a tool. Its state is that of a call in a chat; pressing Run is the consent.
import { z } from 'zod'
import { jsonObject } from '#app/json-schemas.ts'
import { toolCallState } from '../message.ts'

export const manualRun = z.object({
  /** Id, also of the call: requests of the server during it carry it. */
  id: z.string(),
  server: z.string(),
  tool: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Arguments as sent, with secrets masked. */
  arguments: jsonObject,
  /** Whether an argument was masked: they cannot be sent again as they are. */
  masked: z.literal(true).optional(),
  /** Fingerprint of the tool at the time. */
  fingerprint: z.string(),
  state: toolCallState,
})
export type ManualRun = z.infer<typeof manualRun>

/** Most runs that are kept, and their total size in bytes. */
export const mostRuns = 300
export const mostRunBytes = 30_000_000
