// What the page and the command line see of a server. Secrets in its definition are masked before it gets here.
import { z } from 'zod'
import { signInStatus } from './auth-status.ts'
import { serverDefinition, serverName } from './definition.ts'
import { serverInput } from './inputs/input.ts'
import { logLevel, serverState, session } from './server-state.ts'
import { inspecting } from './wire-message.ts'

export const serverSummary = z.object({
  name: serverName,
  definition: serverDefinition,
  /** The values that its `${input:…}` stand for: whether each is there, never what it is. */
  inputs: z.array(serverInput),
  /** Variables or headers whose secret-looking value stands in the file as plain text. */
  plainSecrets: z.array(z.string()),
  state: serverState,
  /** From this run or remembered from the last one. */
  session: session.optional(),
  /** When it was last known to work as it is configured now, milliseconds since the epoch. */
  workedAt: z.number().optional(),
  counts: z.object({ tools: z.number().int(), enabledTools: z.number().int(), resources: z.number().int(), prompts: z.number().int() }),
  /** Estimated tokens of its enabled tools in every request. */
  tokens: z.number().int(),
  /** Things the user should read: look-alike names, tools left out, log lines dropped. */
  warnings: z.array(z.string()),
  /** Absent: nobody asked for a sign-in. */
  signIn: signInStatus.optional(),
  /** Counts up with each change of the catalogue, so that an open page fetches it anew. */
  catalogueRevision: z.number().int(),
  /** From which level on it is asked to send log messages. */
  logLevel: logLevel.optional(),
  /** Resources whose changes it was asked to tell of, by URI. */
  subscriptions: z.array(z.string()).optional(),
  /** Absent: what goes over the wire is not recorded. */
  inspecting: inspecting.optional(),
})
export type ServerSummary = z.infer<typeof serverSummary>
