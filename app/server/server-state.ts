// State of a server as a union; `next-server-state.ts` holds its transitions.
import { z } from 'zod'
import { errorValue } from '../errors.ts'
import { plainText } from '../text/ansi-escapes.ts'
import { icons } from './catalogue.ts'
import { diagnosis, exit } from './doctor.ts'

export type { Exit } from './doctor.ts'

export const era = z.enum(['modern', 'legacy'])
export type Era = z.infer<typeof era>

const serverCapability = z.enum(['resource-subscriptions', 'logging', 'completions', 'skills', 'tasks'])
export type ServerCapability = z.infer<typeof serverCapability>

/** Negotiated session: revision, and how it was found. Kept for the next start. */
export const session = z.object({
  era,
  protocolVersion: z.string(),
  foundBy: z.enum(['discover', 'initialize', 'remembered']),
  /** Time of the era probe in milliseconds since the epoch; absent: probed at the next start. */
  askedAt: z.number().optional(),
  /** Transport in use; a server with a URL may turn out to use the older one (HTTP+SSE). */
  transport: z.enum(['stdio', 'streamable-http', 'sse']).optional(),
  serverInfo: z.object({ name: z.string(), version: z.string(), title: z.string().optional(), icons: icons.optional() }).optional(),
  instructions: z.string().optional(),
  /** Last time in milliseconds since the epoch that the connection worked. */
  workedAt: z.number().optional(),
  offers: z.array(serverCapability).optional(),
})
export type Session = z.infer<typeof session>

const since = z.number()
const integer = z.number().int()
/** Start times of the last five minutes, in milliseconds since the epoch, to detect a crash loop. */
const starts = z.array(z.number()).optional()

/** Step of a start. `fetching`: its package is installed. `signing-in`: waits for the person's approval or the browser's redirect. */
export const startStep = z.enum(['launching', 'fetching', 'negotiating', 'signing-in', 'listing'])
export type StartStep = z.infer<typeof startStep>

export const serverState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('disabled') }),
  z.object({ kind: z.literal('stopped'), reason: z.enum(['never-started', 'user', 'idle', 'quit']) }),
  z.object({ kind: z.literal('waiting'), requestId: z.string() }),
  /** `diagnosis`: so far; the start goes on. */
  z.object({ kind: z.literal('starting'), since, attempt: integer, step: startStep, diagnosis: diagnosis.optional(), starts }),
  z.object({ kind: z.literal('ready'), since, session, pid: integer.optional(), attempt: integer.optional(), starts }),
  z.object({
    kind: z.literal('stopping'),
    since,
    next: z.enum(['stopped', 'starting', 'disabled']),
    reason: z.enum(['user', 'idle', 'quit']).optional(),
  }),
  /** `retryAt`: time of the next start in milliseconds since the epoch; absent: it waits for the person. */
  z.object({
    kind: z.literal('failed'),
    at: z.number(),
    error: errorValue,
    diagnosis: diagnosis.optional(),
    exit: exit.optional(),
    attempt: integer,
    retryAt: z.number().optional(),
    /** No network; it restarts when the network is back. */
    offline: z.literal(true).optional(),
    /** Crash loop: only the person starts it again. */
    loop: z.literal(true).optional(),
    starts,
  }),
  z.object({ kind: z.literal('refused'), at: z.number() }),
])
export type ServerState = z.infer<typeof serverState>
export type ServerStateKind = ServerState['kind']

export const logLevel = z.enum(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])
export type LogLevel = z.infer<typeof logLevel>
export const isAtLeast = (level: LogLevel, least: LogLevel): boolean => logLevel.options.indexOf(level) >= logLevel.options.indexOf(least)

export const logLine = z.object({
  /** Increases per server, so that a page knows which lines it has. */
  seq: z.number().int(),
  time: z.number(),
  source: z.enum(['stderr', 'stdout', 'message', 'host']),
  level: logLevel.optional(),
  text: z.string(),
})
export type LogLine = z.infer<typeof logLine>

/** Formats log lines to copy or save: time, source, level, and text without terminal codes. */
export const logText = (lines: readonly LogLine[]): string =>
  lines
    .map((line) => `${new Date(line.time).toISOString()} ${line.source}${line.level ? ` ${line.level}` : ''} ${plainText(line.text)}`)
    .join('\n')
