// State machine of a server: pure, so that its whole life can be tested as a table. `main/servers/lifecycle/supervisor.ts` performs
// the effects. An event without meaning in a state returns the same object.
import type { ErrorValue, HostErrorCode } from '../errors.ts'
import { assertNever } from '../json.ts'
import { defined } from '../or-else.ts'
import type { Diagnosis } from './doctor.ts'
import type { Exit, ServerState, Session, StartStep } from './server-state.ts'

/** Cause of a start. Only a person's click forgets earlier failures. */
export type StartedBy = 'person' | 'need' | 'launch' | 'retry'
export type StopReason = 'user' | 'idle' | 'quit' | 'disabled'

/** Network of a remote server. `down`: no interface is up; `unsure`: one is, but names do not resolve. `random`: 0 to 1. */
export interface Remote {
  readonly network: 'up' | 'down' | 'unsure'
  readonly random: number
}

export type ServerEvent =
  | { readonly kind: 'start'; readonly at: number; readonly by: StartedBy }
  | { readonly kind: 'asked'; readonly requestId: string }
  /** `launched`: the launch was approved, by the person or a standing approval. */
  | { readonly kind: 'launched' | 'refused' | 'restart' | 'gone'; readonly at: number }
  | { readonly kind: 'step'; readonly step: StartStep }
  /** A diagnosis that may pass. */
  | { readonly kind: 'doubted'; readonly diagnosis: Diagnosis }
  | { readonly kind: 'ready'; readonly at: number; readonly session: Session; readonly pid?: number | undefined }
  | {
      readonly kind: 'failed'
      readonly at: number
      readonly error: ErrorValue
      readonly diagnosis?: Diagnosis | undefined
      readonly exit?: Exit | undefined
      readonly remote?: Remote | undefined
    }
  | { readonly kind: 'stop'; readonly at: number; readonly reason: StopReason }
  /** `replaced`: the definition changed while nothing of it ran. */
  | { readonly kind: 'enable' | 'replaced' }

export const crashWindowMs = 5 * 60_000
export const startsBeforeAsking = 3
const backoffMs = (attempt: number): number => 1000 * 2 ** Math.min(Math.max(attempt, 1) - 1, 2)

/** Transient failures, worth another start without the person. */
const transient: readonly HostErrorCode[] = ['server.exited', 'server.unreachable', 'server.connection-lost', 'server.start-timeout']

const isTransient = (error: ErrorValue): boolean =>
  transient.includes(error.code) ||
  (error.code === 'server.http-status' && (error.data?.['status'] === 429 || Number(error.data?.['status']) >= 500))

/** Start times to count, without the last where only the session was lost or the revision changed (MCP, "Session Management"). */
const startsBefore = (state: Extract<ServerState, { kind: 'ready' }>, { code, data }: ErrorValue): readonly number[] | undefined =>
  code === 'server.connection-lost' && (data?.['status'] === 404 || data?.['revision'] !== undefined)
    ? state.starts?.slice(0, -1)
    : state.starts

/** Longest `Retry-After` in milliseconds that is obeyed. */
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
  const passes = isTransient(error)
  const looping = passes && !remote && starts.length >= startsBeforeAsking
  const delay = !passes || looping ? undefined : remote ? remoteDelay(remote, attempt) : backoffMs(attempt)
  return {
    kind: 'failed',
    at,
    error,
    ...defined({ diagnosis: event.diagnosis, exit: event.exit }),
    attempt,
    ...(delay === undefined ? {} : { retryAt: at + Math.max(delay, askedFor(error)) }),
    ...(passes && remote && remote.network !== 'up' ? { offline: true } : {}),
    ...(looping ? { loop: true } : {}),
    starts,
  }
}

/** Delay before reconnecting; none without a network. Reconnecting is no crash loop. */
const remoteDelay = ({ network, random }: Remote, attempt: number): number | undefined =>
  network === 'down' ? undefined : reconnectMs(attempt, random)

type Ended = Extract<ServerState, { kind: 'failed' | 'refused' }>

/** Starts again after a failure. In a crash loop, and once refused, only the person starts it. */
function startAgain(state: Ended, { at, by }: Extract<ServerEvent, { kind: 'start' }>): ServerState {
  if (by === 'person') return starting(at, 1, [])
  if (state.kind === 'refused' || state.loop) return state
  // Without a network it was not tried.
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
      return state // A replaced server that the person stopped stays stopped.
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
    case 'refused':
      if (event.kind === 'start') return startAgain(state, event)
      if (event.kind === 'restart') return starting(event.at, 1, [])
      if (event.kind === 'stop') return stopped(event.reason)
      return event.kind === 'replaced' ? neverStarted : state
    default:
      return assertNever(state)
  }
}

type Starting = Extract<ServerState, { kind: 'starting' }>

/** Moves to a step. A server that reached its lists speaks MCP, so a diagnosis is dropped. */
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
        ...defined({ pid: event.pid }),
        attempt: state.attempt,
        starts: state.starts,
      }
    case 'failed':
      return state.kind === 'starting' ? failed(event, state.attempt, state.starts) : failed(event, 1, [])
    case 'stop':
      return stopping(event)
    case 'restart':
      return { kind: 'stopping', since: event.at, next: 'starting' }
    default:
      return state
  }
}

export const longestDelayMs = 60_000
/** Attempts in a row, some four minutes, before it waits for a need or a network change. */
export const mostAttempts = 8

/**
 * Milliseconds before attempt `attempt` (from 1) to reconnect; undefined: no automatic one. Half of the delay is random, so that
 * hosts do not return at the same moment. `random`: 0 to 1.
 */
export function reconnectMs(attempt: number, random: number): number | undefined {
  if (attempt > mostAttempts) return undefined
  const whole = Math.min(1000 * 2 ** (Math.max(attempt, 1) - 1), longestDelayMs)
  return Math.round(whole / 2 + (whole / 2) * Math.min(Math.max(random, 0), 1))
}
