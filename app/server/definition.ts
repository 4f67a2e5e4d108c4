// What the user configured for a server: one entry of `mcpServers`, after reading. The file is the truth;
// `main/servers/config` reads and writes it and keeps what it does not know.
import { z } from 'zod'
import { oauthSettings } from './auth-status.ts'

/** The user's name for a server. It qualifies tools everywhere; a server's own name for itself never does. */
export const serverName = z
  .string()
  .min(1)
  .max(64)
  .refine((name) => name.trim() === name && !/\p{C}/u.test(name), 'no control characters, no space at either end')

const common = {
  /** false: kept in the file, never started. */
  enabled: z.boolean(),
  /** `launch`: started with the app; `needed`: at the first call or visit. */
  start: z.enum(['launch', 'needed']),
  /** Whether its annotations (readOnlyHint …) count as facts in rules. */
  trusted: z.boolean(),
  /** Milliseconds that a call may take without progress; undefined: the default of the settings. */
  timeoutMs: z.number().int().positive().optional(),
  /** Stopped when nobody needed it for so long, until somebody does; undefined: never. */
  idleMinutes: z.number().positive().max(10_080).optional(),
  /** Milliseconds that it may take to answer for the first time; undefined: a minute. */
  startTimeoutMs: z.number().int().positive().optional(),
}

const stdioDefinition = z.object({
  ...common,
  transport: z.literal('stdio'),
  command: z.string().min(1),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  cwd: z.string().optional(),
})

const httpDefinition = z.object({
  ...common,
  transport: z.enum(['streamable-http', 'sse']),
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()),
  /** How to sign in; absent: as the server says. */
  oauth: oauthSettings.optional(),
})

/** A server that comes with Assent (`resources/`). Trusted as Assent itself is: starting it needs no launch approval. */
const builtinDefinition = z.object({ ...common, transport: z.literal('builtin'), module: z.literal('demo') })

export const serverDefinition = z.discriminatedUnion('transport', [stdioDefinition, httpDefinition, builtinDefinition])

export type StdioDefinition = z.infer<typeof stdioDefinition>
export type HttpDefinition = z.infer<typeof httpDefinition>
export type ServerDefinition = z.infer<typeof serverDefinition>

/** Whether it runs on this machine, so that its paths are those of this disk. */
export const isLocal = ({ transport }: Pick<ServerDefinition, 'transport'>): boolean => transport === 'stdio' || transport === 'builtin'

/** What stands in a view for the value of a secret variable or header; saved as it is, it keeps the value that the file has. */
export const secretMask = '••••'

/** Something wrong in a config file: where, what, and what to do. Lines and columns count from 1. */
export const configProblem = z.object({
  file: z.string(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  server: z.string().optional(),
  message: z.string(),
  remedy: z.string(),
})
export type ConfigProblem = z.infer<typeof configProblem>
