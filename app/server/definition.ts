// Configuration of a server: one entry of `mcpServers`, parsed. The file is the truth; `main/servers/config` reads and writes it
// and keeps unknown fields.
import { z } from 'zod'
import { mapOf } from '../json-schemas.ts'
import { oauthSettings } from './auth-status.ts'
import { sandboxSettings } from './sandbox/sandbox-settings.ts'

export const isServerName = (name: string): boolean => name !== '' && name.length <= 64 && name.trim() === name && !/\p{C}/u.test(name)

/** Name that the person gave a server. It qualifies tools everywhere; a server's own name never does. */
export const serverName = z.string().refine(isServerName, '1 to 64 visible characters, no space at either end')

const common = {
  enabled: z.boolean(),
  /** `launch`: started with the app; `needed`: at the first call or visit. */
  start: z.enum(['launch', 'needed']),
  /** Whether its annotations (readOnlyHint …) count as facts in rules. */
  trusted: z.boolean(),
  /** Milliseconds that a call may take without progress; undefined: as the settings say. */
  timeoutMs: z.number().int().positive().optional(),
  /** Minutes of idleness after which it is stopped; undefined: never. */
  idleMinutes: z.number().positive().max(10_080).optional(),
  /** Milliseconds for its first response; undefined: a minute. */
  startTimeoutMs: z.number().int().positive().optional(),
}

/**
 * Most UTF-16 units of a program, its arguments and the values of its variables together. Linux starts nothing with one argument of more bytes
 * (MAX_ARG_STRLEN), Windows nothing with a command line of a quarter of it.
 */
export const longestCommand = 131_072

const stdioDefinition = z.object({
  ...common,
  transport: z.literal('stdio'),
  command: z.string().min(1),
  args: z.array(z.string()),
  env: mapOf(z.string()),
  cwd: z.string().optional(),
  /** Absent: the entry does not speak of one. */
  sandbox: sandboxSettings.optional(),
})

const httpDefinition = z.object({
  ...common,
  transport: z.enum(['streamable-http', 'sse']),
  url: z.string().min(1),
  headers: mapOf(z.string()),
  oauth: oauthSettings.optional(),
})

/** A server that ships with Assent (`resources/`). It is trusted as Assent is and needs no launch approval. */
const builtinDefinition = z.object({ ...common, transport: z.literal('builtin'), module: z.literal('demo') })

export const serverDefinition = z.discriminatedUnion('transport', [stdioDefinition, httpDefinition, builtinDefinition])

export type StdioDefinition = z.infer<typeof stdioDefinition>
export type HttpDefinition = z.infer<typeof httpDefinition>
export type ServerDefinition = z.infer<typeof serverDefinition>

/** Whether it runs on this machine, so that its paths are those of this disk. */
export const isLocal = ({ transport }: Pick<ServerDefinition, 'transport'>): boolean => transport === 'stdio' || transport === 'builtin'

/** Mask of a secret value in a page; saving it keeps the value in the file. */
export const secretMask = '••••'

/** A fault in a config file, with position and fix. Lines and columns count from 1. */
export const configProblem = z.object({
  file: z.string(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  server: z.string().optional(),
  message: z.string(),
  remedy: z.string(),
})
export type ConfigProblem = z.infer<typeof configProblem>
