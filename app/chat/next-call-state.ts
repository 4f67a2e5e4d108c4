// State machine of a tool call. Pure. A call that has ended stays so; only a result after a timeout is kept beside it, and the end of its
// task is that of a call whose outcome was unknown.
import type { ErrorValue } from '../errors.ts'
import type { BlockedTarget } from '../server/sandbox/sandbox-report.ts'
import type { ToolResult } from './content.ts'
import type { Decision, Progress, ToolCallState } from './message.ts'

export type ToolCallEvent =
  | { readonly kind: 'written' }
  | { readonly kind: 'asked'; readonly requestId: string }
  | { readonly kind: 'allowed'; readonly decision: Decision; readonly at: number }
  | { readonly kind: 'denied'; readonly decision: Decision }
  | { readonly kind: 'progressed'; readonly progress: Progress }
  /** All that the server's sandbox refused in its course so far. */
  | { readonly kind: 'blocked'; readonly blocked: readonly BlockedTarget[] }
  /** No progress for the period. Absent `overdue`: progress again, or the person waits. */
  | { readonly kind: 'overdue'; readonly overdue?: { readonly since: number; readonly endsAt: number } }
  /** `at`: the time of its end, less that in which the person was asked: it is none of the call's. So of `failed`. */
  | { readonly kind: 'finished'; readonly result: ToolResult; readonly at: number }
  | { readonly kind: 'failed'; readonly error: ErrorValue; readonly at: number }
  /** Result of a call that had timed out. */
  | { readonly kind: 'late'; readonly result: ToolResult; readonly at: number }
  /** End of its task, which outlived the host or its connection. */
  | { readonly kind: 'task-ended'; readonly end: { readonly result: ToolResult } | { readonly error: ErrorValue }; readonly at: number }
  /** The connection was lost after it was sent. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'cancelled' }
  /** The host was interrupted. */
  | { readonly kind: 'cut-off' }

export function nextCallState(state: ToolCallState, event: ToolCallEvent): ToolCallState {
  switch (state.kind) {
    case 'writing':
    case 'queued':
    case 'waiting':
      return beforeSending(state, event)
    case 'running':
      return whileRunning(state, event)
    case 'unknown':
      return event.kind === 'task-ended' ? afterTask(state, event) : state
    case 'failed':
      if (event.kind !== 'late' || state.error.code !== 'tool.timeout' || state.late) return state
      return { ...state, late: { at: event.at, result: event.result } }
    default:
      return state
  }
}

function afterTask(
  { decision, startedAt }: ToolCallState & { kind: 'unknown' },
  { end, at }: ToolCallEvent & { kind: 'task-ended' },
): ToolCallState {
  const times = { decision, durationMs: at - startedAt }
  return 'result' in end ? { kind: 'done', ...times, startedAt, result: end.result } : { kind: 'failed', ...times, error: end.error }
}

function beforeSending(state: ToolCallState, event: ToolCallEvent): ToolCallState {
  switch (event.kind) {
    case 'written':
      return state.kind === 'writing' ? { kind: 'queued' } : state
    case 'asked':
      return { kind: 'waiting', requestId: event.requestId }
    case 'allowed':
      return { kind: 'running', decision: event.decision, startedAt: event.at }
    case 'denied':
      return { kind: 'denied', decision: event.decision }
    case 'failed':
      return { kind: 'failed', error: event.error }
    case 'cancelled':
    case 'cut-off':
      return { kind: 'cancelled' }
    default:
      return state
  }
}

function whileRunning(state: ToolCallState & { kind: 'running' }, event: ToolCallEvent): ToolCallState {
  const { decision, startedAt } = state
  const kept = state.blocked ? { blocked: state.blocked } : {}
  switch (event.kind) {
    case 'progressed':
      return { ...state, progress: event.progress }
    case 'blocked':
      return { ...state, blocked: event.blocked }
    case 'overdue': {
      const { overdue: _, ...rest } = state
      return event.overdue ? { ...rest, overdue: event.overdue } : rest
    }
    case 'finished':
      return { kind: 'done', decision, startedAt, durationMs: event.at - startedAt, result: event.result, ...kept }
    case 'failed':
      return { kind: 'failed', decision, durationMs: event.at - startedAt, error: event.error, ...kept }
    case 'cancelled':
      return { kind: 'cancelled', decision, startedAt }
    case 'lost':
    case 'cut-off':
      return { kind: 'unknown', decision, startedAt }
    default:
      return state
  }
}

export const isCallEnded = (state: ToolCallState): boolean => !['writing', 'queued', 'waiting', 'running'].includes(state.kind)
