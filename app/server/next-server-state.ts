// The step from one state of a server to the next: pure, so that the whole life of a server can be read and tested as a table.
// Effects (processes, questions, timers) belong to main/servers/lifecycle/supervisor.ts, which reports what happened as an
// event. An event that means nothing in a state leaves it as it is: the same object comes back. When a server that runs
// elsewhere is connected to again. Pure: chance is handed in. Half of each delay is left to it, so that hosts which lost the
// same server at the same moment do not come back at the same moment.
import type { ErrorValue, HostErrorCode } from '../errors.ts'
import { assertNever } from '../json.ts'
import type { Diagnosis } from './doctor.ts'
import type { Exit, ServerState, Session } from './server-state.ts'

export const longestDelayMs = 60_000
/** After so many attempts in a row, some four minutes, it rests until somebody needs it or the network changes. */
export const mostAttempts = 8

/** `attempt` counts from 1; `random` is from 0 up to 1. Milliseconds; undefined: not by itself. */
export function reconnectMs(attempt: number, random: number): number | undefined {
  if (attempt > mostAttempts) return undefined
  const whole = Math.min(1000 * 2 ** (Math.max(attempt, 1) - 1), longestDelayMs)
  return Math.round(whole / 2 + (whole / 2) * Math.min(Math.max(random, 0), 1))
}

/** Who wants it: a person's own click forgets earlier failures; a call, the app's start and a retry do not. */
export type StartedBy = 'person' | 'need' | 'launch' | 'retry'
export type StopReason = 'user' | 'idle' | 'quit' | 'disabled'

/** `down`: no way leads out of this computer; `unsure`: one does, but names or networks are not found. `random`: from 0 up to 1. */
export interface Remote {
  readonly network: 'up' | 'down' | 'unsure'
  readonly random: number
}

export type ServerEvent =
  | { readonly kind: 'enable' }
  | { readonly kind: 'start'; readonly at: number; readonly by: StartedBy }
  /** The launch was put to the person. */
  | { readonly kind: 'asked'; readonly requestId: string }
  /** The person (or a standing approval) said yes. */
  | { readonly kind: 'launched'; readonly at: number }
  | { readonly kind: 'refused'; readonly at: number }
  | { readonly kind: 'step'; readonly step: 'launching' | 'negotiating' | 'signing-in' | 'listing' }
  /** Something looks wrong, which may pass. */
  | { readonly kind: 'doubted'; readonly diagnosis: Diagnosis }
  | { readonly kind: 'ready'; readonly at: number; readonly session: Session; readonly pid?: number | undefined }
  /** A start failed, or a running server died. */
  | {
      readonly kind: 'failed'
      readonly at: number
      readonly error: ErrorValue
      readonly diagnosis?: Diagnosis | undefined
      readonly exit?: Exit | undefined
      /** It runs elsewhere. */
      readonly remote?: Remote | undefined
    }
  | { readonly kind: 'stop'; readonly at: number; readonly reason: StopReason }
  | { readonly kind: 'restart'; readonly at: number }
  /** While nothing of it ran, another command or address took its place. */
  | { readonly kind: 'replaced' }
  /** Everything that `stop` or `restart` had to end is gone. */
  | { readonly kind: 'gone'; readonly at: number }

export const crashWindowMs = 5 * 60_000
export const startsBeforeAsking = 3
const backoffMs = (attempt: number): number => 1000 * 2 ** Math.min(Math.max(attempt, 1) - 1, 2)

/** Failures that pass by themselves, so that another start is worth a try. What the person must mend is not among them. */
const passing: ReadonlySet<HostErrorCode> = new Set([
  'server.exited',
  'server.unreachable',
  'server.connection-lost',
  'server.start-timeout',
])

/** Whether this failure is worth another start without the person. */
const isPassing = (error: ErrorValue): boolean =>
  passing.has(error.code) ||
  (error.code === 'server.http-status' && (error.data?.['status'] === 429 || Number(error.data?.['status']) >= 500))

/**
 * A server that worked and then forgot its session, or changed its revision, has not crashed (Streamable HTTP, "Session Management"): the start that
 * came of it counts no more.
 */
const startsBefore = (state: Extract<ServerState, { kind: 'ready' }>, { code, data }: ErrorValue): readonly number[] | undefined =>
  code === 'server.connection-lost' && (data?.['status'] === 404 || data?.['revision'] !== undefined)
    ? state.starts?.slice(0, -1)
    : state.starts

/** A server that is asked too often may say when to come again; nobody waits for it longer than this. */
const longestAskedMs = 60_000
const askedFor = ({ data }: ErrorValue): number => {
  const ms = data?.['retryAfterMs']
  return typeof ms === 'number' ? Math.min(ms, longestAskedMs) : 0
}

const within = (starts: readonly number[] | undefined, now: number): number[] =>
  (starts ?? []).filter((start) => now - start < crashWindowMs)

const starting = (at: number, attempt: number, starts: readonly number[]): ServerState => ({
  kind: 'starting',
  since: at,
  attempt,
  step: 'launching',
  starts: [...starts, at],
})

const stopping = (event: Extract<ServerEvent, { kind: 'stop' }>): ServerState =>
  event.reason === 'disabled'
    ? { kind: 'stopping', since: event.at, next: 'disabled' }
    : { kind: 'stopping', since: event.at, next: 'stopped', reason: event.reason }

const neverStarted: ServerState = { kind: 'stopped', reason: 'never-started' }
const stopped = (reason: StopReason): ServerState => (reason === 'disabled' ? { kind: 'disabled' } : { kind: 'stopped', reason })

function failed(event: Extract<ServerEvent, { kind: 'failed' }>, attempt: number, before: readonly number[] | undefined): ServerState {
  const starts = within(before, event.at)
  const { error, at, remote } = event
  const passes = isPassing(error)
  const looping = passes && !remote && starts.length >= startsBeforeAsking
  const delay = !passes || looping ? undefined : remote ? remoteDelay(remote, attempt) : backoffMs(attempt)
  return {
    kind: 'failed',
    at,
    error,
    ...(event.diagnosis ? { diagnosis: event.diagnosis } : {}),
    ...(event.exit ? { exit: event.exit } : {}),
    attempt,
    ...(delay === undefined ? {} : { retryAt: at + Math.max(delay, askedFor(error)) }),
    ...(passes && remote && remote.network !== 'up' ? { offline: true } : {}),
    ...(looping ? { loop: true } : {}),
    starts,
  }
}

/** To connect once more is no crash loop. Without a network it is of no use either. */
const remoteDelay = ({ network, random }: Remote, attempt: number): number | undefined =>
  network === 'down' ? undefined : reconnectMs(attempt, random)

/** What starts and dies again and again waits for the person (SAFETY, "crash loop"), however much it is needed. */
function startAgain(state: Extract<ServerState, { kind: 'failed' }>, { at, by }: Extract<ServerEvent, { kind: 'start' }>): ServerState {
  if (by === 'person') return starting(at, 1, [])
  if (state.loop) return state
  // It was not tried for as long as there was no network.
  const fresh = state.offline && state.retryAt === undefined
  return starting(at, fresh ? 1 : state.attempt + 1, within(state.starts, at))
}

export function nextServerState(state: ServerState, event: ServerEvent): ServerState {
  switch (state.kind) {
    case 'disabled':
      return event.kind === 'enable' ? neverStarted : state
    case 'stopped':
      if (event.kind === 'start' || event.kind === 'restart') return starting(event.at, 1, [])
      if (event.kind === 'stop') return stopped(event.reason)
      return state // Also when it is replaced: one that the person stopped stays so.
    case 'waiting':
    case 'starting':
      return fromUnderway(state, event)
    case 'ready':
      if (event.kind === 'failed')
        return failed(event, within(state.starts, event.at).length ? (state.attempt ?? 1) : 1, startsBefore(state, event.error))
      if (event.kind === 'stop') return stopping(event)
      if (event.kind === 'restart') return { kind: 'stopping', since: event.at, next: 'starting' }
      return state
    case 'stopping':
      if (event.kind === 'stop') return { ...stopping(event), since: state.since } as ServerState
      if (event.kind === 'start' || event.kind === 'restart') return { kind: 'stopping', since: state.since, next: 'starting' }
      if (event.kind !== 'gone') return state
      if (state.next === 'starting') return starting(event.at, 1, [])
      return state.next === 'disabled' ? { kind: 'disabled' } : { kind: 'stopped', reason: state.reason ?? 'user' }
    case 'failed':
      if (event.kind === 'start') return startAgain(state, event)
      if (event.kind === 'restart') return starting(event.at, 1, [])
      if (event.kind === 'stop') return stopped(event.reason)
      return event.kind === 'replaced' ? neverStarted : state
    case 'refused':
      if ((event.kind === 'start' && event.by === 'person') || event.kind === 'restart') return starting(event.at, 1, [])
      if (event.kind === 'stop') return stopped(event.reason)
      return event.kind === 'replaced' ? neverStarted : state
    default:
      return assertNever(state)
  }
}

type Starting = Extract<ServerState, { kind: 'starting' }>

/** Who has come to its lists speaks MCP, whatever it wrote before. */
function atStep({ diagnosis, ...state }: Starting, step: Starting['step']): Starting {
  return { ...state, step, ...(diagnosis === undefined || step === 'listing' ? {} : { diagnosis }) }
}

function fromUnderway(state: Extract<ServerState, { kind: 'waiting' | 'starting' }>, event: ServerEvent): ServerState {
  switch (event.kind) {
    case 'asked':
      return { kind: 'waiting', requestId: event.requestId }
    case 'launched':
      return state.kind === 'waiting' ? starting(event.at, 1, []) : state
    case 'refused':
      return { kind: 'refused', at: event.at }
    case 'step':
      return state.kind === 'starting' ? atStep(state, event.step) : state
    case 'doubted':
      return state.kind === 'starting' ? { ...state, diagnosis: event.diagnosis } : state
    case 'ready':
      if (state.kind === 'waiting') return state
      return {
        kind: 'ready',
        since: event.at,
        session: event.session,
        ...(event.pid === undefined ? {} : { pid: event.pid }),
        attempt: state.attempt,
        starts: state.starts,
      }
    case 'failed':
      return state.kind === 'starting' ? failed(event, state.attempt, state.starts) : failed(event, 1, [])
    case 'stop':
      return stopping(event)
    case 'restart':
      return { kind: 'stopping', since: event.at, next: 'starting' }
    case 'enable':
    case 'start':
    case 'gone':
    case 'replaced':
      return state
    default:
      return assertNever(event)
  }
}
