// Texts of a tool call's line in each of its states. Pure.
import type { Progress, ToolCall, ToolCallState } from '#app/chat/message.ts'
import { decidedByLabel } from '#app/consent/decided-by.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever, isJsonObject, type Json } from '#app/json.ts'
import { formatBytes, formatDuration } from '#app/text/format-text.ts'

export type CallStatusMark = 'ring' | 'you' | 'check' | 'dash' | 'warning' | 'clock' | 'off'

interface CallStatus {
  readonly mark: CallStatusMark
  readonly tone: 'plain' | 'you' | 'bad' | 'warn'
  /** Name of who allowed the call, or the server's progress message; hidden first where there is little room. */
  readonly aside: string
  readonly note: string
}

/** Formats progress: "7 of 11", "40"; empty for a message alone. */
const progressCount = ({ progress, total }: Progress): string =>
  total === undefined ? (progress === 0 ? '' : String(progress)) : t`${progress} of ${total}`

export const progressPart = (progress: Progress | undefined): number | undefined =>
  progress?.total !== undefined && progress.total > 0 ? progress.progress / progress.total : undefined

const formatElapsed = (ms: number): string => (ms < 60_000 ? `${Math.floor(ms / 1000)} s` : formatDuration(ms))

export type OverdueSince = NonNullable<Extract<ToolCallState, { kind: 'running' }>['overdue']>

export const overdueLabel = ({ since, endsAt }: OverdueSince, now: number): string =>
  t`no response for ${formatElapsed(Math.max(0, now - since))}. Cancelled in ${formatElapsed(Math.max(0, endsAt - now))}.`

const parts = (...labels: (string | undefined | false)[]): string => labels.filter(Boolean).join(' · ')

/** `now`: milliseconds since the epoch. `asking`: the server asks the person in the course of the call. */
export function callStatusOf(state: ToolCallState, now: number, asking = false): CallStatus {
  if (asking && state.kind === 'running') return { mark: 'you', tone: 'you', aside: '', note: t`waits for you` }
  switch (state.kind) {
    case 'writing':
      return { mark: 'ring', tone: 'plain', aside: '', note: t`being written` }
    case 'queued':
      return { mark: 'off', tone: 'plain', aside: '', note: t`waits its turn` }
    case 'waiting':
      return { mark: 'you', tone: 'you', aside: '', note: t`waits for you` }
    case 'running': {
      const elapsed = formatElapsed(Math.max(0, now - state.startedAt))
      const { progress, overdue } = state
      if (overdue) return { mark: 'clock', tone: 'warn', aside: '', note: t`Still running: ${elapsed}` }
      return { mark: 'ring', tone: 'plain', aside: progress?.message ?? '', note: parts(progress && progressCount(progress), elapsed) }
    }
    case 'done': {
      const aside = decidedByLabel(state.decision)
      if (state.result.isError) return { mark: 'warning', tone: 'bad', aside: '', note: t`error` }
      return { mark: 'check', tone: 'plain', aside, note: parts(formatDuration(state.durationMs), formatBytes(state.result.bytes)) }
    }
    case 'denied':
      return { mark: 'dash', tone: 'plain', aside: '', note: parts(t`denied`, decidedByLabel(state.decision)) }
    case 'failed':
      if (state.late) return { mark: 'clock', tone: 'warn', aside: '', note: t`timed out · its result came late` }
      return { mark: 'warning', tone: 'bad', aside: '', note: t`error` }
    case 'cancelled':
      return { mark: 'dash', tone: 'plain', aside: '', note: t`stopped` }
    case 'unknown':
      return { mark: 'clock', tone: 'warn', aside: '', note: t`outcome unknown` }
    default:
      return assertNever(state)
  }
}

/** Note of a call that ran in another application, whose chat was imported; undefined for all others. */
export function elsewhereNote({ own, ranAt, server, state }: ToolCall): string | undefined {
  const decision = 'decision' in state ? state.decision : undefined
  if (own || ranAt || server !== undefined || decision?.by !== 'host') return undefined
  if (state.kind !== 'done') return t`outcome unknown`
  return state.result.isError ? t`error` : formatBytes(state.result.bytes)
}

const scalar = (value: Json): string => (value === null || typeof value === 'object' ? '' : String(value))

/** First plain values of the arguments on one line; the open row has all. */
export function mainArguments(call: Pick<ToolCall, 'arguments'>): string {
  const value = call.arguments
  if (value === undefined || !isJsonObject(value)) return ''
  const texts = Object.values(value)
    .map((item) => (Array.isArray(item) ? item.map((one: Json) => scalar(one)).join(' ') : scalar(item)))
    .filter(Boolean)
  return texts
    .join('  ')
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .slice(0, 160)
}
