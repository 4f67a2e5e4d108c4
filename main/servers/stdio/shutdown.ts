// Only the shutdown of a server: named steps (running → stdin ended → SIGTERM → SIGKILL), one timer, what to do at each.
// Pure: `termination.ts` owns the timer and the signals. The process itself (the leader of its group) may be gone while
// what it started is still there; that rest is ended by the same steps, also when nobody asked for a shutdown.
import { assertNever } from '#app/json.ts'
import type { ShutdownGrace } from './limits.ts'

export type Shutdown =
  | { readonly kind: 'running' }
  | { readonly kind: 'input-ended' }
  | { readonly kind: 'terminating'; readonly leader: 'alive' | 'gone' }
  | { readonly kind: 'killing'; readonly leader: 'alive' | 'gone' }
  /** Nothing is left, or nothing that can be ended. */
  | { readonly kind: 'gone' }

export type ShutdownEvent =
  /** Somebody wants it to end; asking again changes nothing. */
  | { readonly kind: 'close' }
  /** Somebody wants it to end at once. */
  | { readonly kind: 'force' }
  | { readonly kind: 'timeout' }
  /** The process itself has ended; `left`: others of its group have not. */
  | { readonly kind: 'exited'; readonly left: boolean }
  | { readonly kind: 'group-empty' }

export type ShutdownEffect = 'end-input' | 'terminate' | 'kill'

export interface ShutdownStep {
  readonly state: Shutdown
  readonly effect?: ShutdownEffect
  /** Which wait begins; absent: a running timer runs on. */
  readonly wait?: keyof ShutdownGrace
}

/** `signals`: whether there is a SIGTERM to send; Windows has none, so the step is left out. */
export function nextShutdown(state: Shutdown, event: ShutdownEvent, signals: boolean): ShutdownStep {
  switch (state.kind) {
    case 'running':
    case 'input-ended':
      return beforeSignals(state, event, signals)
    case 'terminating':
    case 'killing':
      return afterSignals(state, event)
    case 'gone':
      return { state }
    default:
      return assertNever(state)
  }
}

const gone: ShutdownStep = { state: { kind: 'gone' } }
const kill = (leader: 'alive' | 'gone'): ShutdownStep => ({ state: { kind: 'killing', leader }, effect: 'kill', wait: 'kill' })
const terminate = (leader: 'alive' | 'gone', signals: boolean): ShutdownStep =>
  signals ? { state: { kind: 'terminating', leader }, effect: 'terminate', wait: 'terminate' } : kill(leader)

function beforeSignals(state: Shutdown & { kind: 'running' | 'input-ended' }, event: ShutdownEvent, signals: boolean): ShutdownStep {
  switch (event.kind) {
    case 'close':
      return state.kind === 'running' ? { state: { kind: 'input-ended' }, effect: 'end-input', wait: 'stdin' } : { state }
    case 'force':
      return kill('alive')
    case 'timeout':
      return state.kind === 'input-ended' ? terminate('alive', signals) : { state }
    case 'exited':
      return event.left ? terminate('gone', signals) : gone
    case 'group-empty':
      return { state }
    default:
      return assertNever(event)
  }
}

function afterSignals(state: Shutdown & { kind: 'terminating' | 'killing' }, event: ShutdownEvent): ShutdownStep {
  switch (event.kind) {
    case 'close':
      return { state }
    case 'force':
      return state.kind === 'terminating' ? kill(state.leader) : { state }
    case 'timeout':
      return state.kind === 'terminating' ? kill(state.leader) : gone
    case 'exited':
      return event.left ? { state: { kind: state.kind, leader: 'gone' } } : gone
    case 'group-empty':
      return state.leader === 'gone' ? gone : { state }
    default:
      return assertNever(event)
  }
}
