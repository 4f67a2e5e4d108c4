// The life of a server as a union; `next-state.ts` holds the pure step from one to the next.
import { z } from 'zod'
import { errorValue } from '../errors.ts'
import { icons } from './catalogue.ts'
import { diagnosis, exit } from './doctor.ts'

export type { Exit } from './doctor.ts'

const era = z.enum(['modern', 'legacy'])
export type Era = z.infer<typeof era>

/** What a server may offer beside its lists. */
const serverCapability = z.enum(['resource-subscriptions', 'logging', 'completions'])
export type ServerCapability = z.infer<typeof serverCapability>

/** How it was agreed on: the protocol revision, and what was tried to find it. Kept for the next start. */
export const session = z.object({
  era,
  protocolVersion: z.string(),
  foundBy: z.enum(['discover', 'initialize', 'remembered']),
  /** When the server was asked for its era, milliseconds since the epoch. Absent: it is asked at the next start. */
  askedAt: z.number().optional(),
  /** What it is spoken to through; a server given by URL may turn out to be one of the older transport. */
  transport: z.enum(['stdio', 'streamable-http', 'sse']).optional(),
  serverInfo: z.object({ name: z.string(), version: z.string(), title: z.string().optional(), icons: icons.optional() }).optional(),
  instructions: z.string().optional(),
  /** When it was last known to work: its connection was made then, or was lost. Milliseconds since the epoch. */
  workedAt: z.number().optional(),
  /** What it declared when the connection was made. */
  offers: z.array(serverCapability).optional(),
})
export type Session = z.infer<typeof session>

/** Times of its starts in the last five minutes, milliseconds since the epoch: what a crash loop is known by. */
const starts = z.array(z.number()).optional()

/** `signing-in`: it waits for the person's yes to a sign-in, or for the browser to come back from one. */
export const startStep = z.enum(['launching', 'negotiating', 'signing-in', 'listing'])

export const serverState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('disabled') }),
  z.object({ kind: z.literal('stopped'), reason: z.enum(['never-started', 'user', 'idle', 'quit']) }),
  /** The launch waits for the person's assent. */
  z.object({ kind: z.literal('waiting'), requestId: z.string() }),
  z.object({
    kind: z.literal('starting'),
    since: z.number(),
    attempt: z.number().int(),
    step: startStep,
    /** What looks wrong by now; it is waited for all the same. */
    diagnosis: diagnosis.optional(),
    starts,
  }),
  z.object({
    kind: z.literal('ready'),
    since: z.number(),
    session,
    pid: z.number().int().optional(),
    attempt: z.number().int().optional(),
    starts,
  }),
  z.object({
    kind: z.literal('stopping'),
    since: z.number(),
    next: z.enum(['stopped', 'starting', 'disabled']),
    reason: z.enum(['user', 'idle', 'quit']).optional(),
  }),
  /** `retryAt`: when it starts again by itself, milliseconds since the epoch; absent: it waits for the person. */
  z.object({
    kind: z.literal('failed'),
    at: z.number(),
    error: errorValue,
    /** What it comes to, with what mends it. */
    diagnosis: diagnosis.optional(),
    exit: exit.optional(),
    attempt: z.number().int(),
    retryAt: z.number().optional(),
    /** This computer is offline, or seems to be: it starts again when the network is back. */
    offline: z.literal(true).optional(),
    /** It was started too often in too short a time: nobody but the person starts it again. */
    loop: z.literal(true).optional(),
    starts,
  }),
  /** The person refused the launch. */
  z.object({ kind: z.literal('refused'), at: z.number() }),
])
export type ServerState = z.infer<typeof serverState>
export type ServerStateKind = ServerState['kind']

export const logLevel = z.enum(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])
export type LogLevel = z.infer<typeof logLevel>

export const logLine = z.object({
  /** Counts up per server, so that a page knows what it already has. */
  seq: z.number().int(),
  time: z.number(),
  source: z.enum(['stderr', 'stdout', 'message', 'host']),
  level: logLevel.optional(),
  text: z.string(),
})
export type LogLine = z.infer<typeof logLine>
