// A tool that the person ran by hand. Its life is that of a call in a chat; nobody asked for it but the person.
import { z } from 'zod'
import { jsonObject } from '#app/json.ts'
import { toolCallState } from '../message.ts'

export const manualRun = z.object({
  /** The call's too: what the server asks in its course carries it. */
  id: z.string(),
  server: z.string(),
  tool: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** As they were sent, but for what looks secret. */
  arguments: jsonObject,
  /** Something in them looked secret and is not kept: they cannot be sent again as they stand. */
  masked: z.literal(true).optional(),
  /** Of the tool as it was then. */
  fingerprint: z.string(),
  state: toolCallState,
})
export type ManualRun = z.infer<typeof manualRun>

/** Runs that are kept, and bytes of them all. */
export const mostRuns = 300
export const mostRunBytes = 30_000_000
