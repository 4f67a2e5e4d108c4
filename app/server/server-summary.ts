// A server as the page and the command line see it. Secrets in its definition are masked.
import { z } from 'zod'
import { signInStatus } from './auth-status.ts'
import { serverDefinition, serverName } from './definition.ts'
import { serverInput } from './inputs/input.ts'
import { serverSandbox } from './sandbox/sandbox-settings.ts'
import { logLevel, serverState, session } from './server-state.ts'
import { inspecting } from './wire-message.ts'

export const serverSummary = z.object({
  name: serverName,
  definition: serverDefinition,
  /** Inputs of the definition: whether each is set, never its value. */
  inputs: z.array(serverInput),
  /** Values that look secret and stand in the file as plain text. */
  plainSecrets: z.array(z.string()),
  state: serverState,
  session: session.optional(),
  /** Last time in milliseconds since the epoch that this configuration worked. */
  workedAt: z.number().optional(),
  /** `resources`: with templates, as the library lists them. */
  counts: z.object({ tools: z.number().int(), enabledTools: z.number().int(), resources: z.number().int(), prompts: z.number().int() }),
  /** Estimated tokens of its enabled tools in a request. */
  tokens: z.number().int(),
  /** Warnings: look-alike names, tools left out, log lines dropped. */
  warnings: z.array(z.string()),
  /** Sign-in status; absent: no sign-in was needed. */
  signIn: signInStatus.optional(),
  /** Increases with each change of the catalogue. */
  catalogueRevision: z.number().int(),
  /** Requested log level (MCP, "Logging"). */
  logLevel: logLevel.optional(),
  subscriptions: z.array(z.string()).optional(),
  inspecting: inspecting.optional(),
  /** Sandbox of its last start in this run, else of its next; absent: not known yet. */
  sandbox: serverSandbox.optional(),
  /** Sandbox of its next start, where it runs in another. */
  nextSandbox: serverSandbox.optional(),
  /** Number of attempts that its sandbox refused in the last days and nobody answered yet; absent: none. */
  blocked: z.number().int().positive().optional(),
})
export type ServerSummary = z.infer<typeof serverSummary>
