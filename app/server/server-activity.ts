// Calls, errors and processes of a server in this run of the host.
import { z } from 'zod'
import { errorValue } from '../errors.ts'
import type { ServerState } from './server-state.ts'

const callFigures = z.object({
  calls: z.number().int(),
  /** Failed calls; cancelled ones are not counted at all. */
  failed: z.number().int(),
  /** Median in milliseconds; null: no calls. */
  p50: z.number().nullable(),
  p95: z.number().nullable(),
})
export type CallFigures = z.infer<typeof callFigures>

const lastError = z.discriminatedUnion('kind', [
  /** The server did not start, or ended by itself. */
  z.object({ kind: z.literal('server'), at: z.number(), error: errorValue }),
  /** `code`: error code; `tool-error`: reported by the tool. */
  z.object({ kind: z.literal('call'), at: z.number(), tool: z.string(), code: z.string() }),
])
export type LastError = z.infer<typeof lastError>

const runCounts = z.object({
  /** Including the restarts, which follow a failure. */
  starts: z.number().int(),
  restarts: z.number().int(),
  failures: z.number().int(),
})
export type RunCounts = z.infer<typeof runCounts>
export const noRuns: RunCounts = { starts: 0, restarts: 0, failures: 0 }

export const serverActivity = z.object({ counts: runCounts, run: callFigures, day: callFigures, lastError: lastError.optional() })
export type ServerActivity = z.infer<typeof serverActivity>

/** `start` with `pid` is one process. `memory` in bytes, `cpuMs` milliseconds of processor time since it began. */
const processSummary = z.object({
  pid: z.number().int(),
  parent: z.number().int(),
  start: z.number(),
  command: z.string(),
  memory: z.number(),
  cpuMs: z.number(),
})
export type ProcessSummary = z.infer<typeof processSummary>

export const processList = z.discriminatedUnion('kind', [
  /** No local process, or not running. */
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('unknown') }),
  /** `at`: time in milliseconds of a monotonic clock. The server's own process comes first. */
  z.object({ kind: z.literal('processes'), at: z.number(), processes: z.array(processSummary) }),
])
export type ProcessList = z.infer<typeof processList>

/** Updates the counts for a change of state. A start that waits for approval does not count. */
export function nextRunCounts(counts: RunCounts, before: ServerState, after: ServerState): RunCounts {
  if (before === after) return counts
  const { starts, restarts, failures } = counts
  if (after.kind === 'starting' && before.kind !== 'starting')
    return { ...counts, starts: starts + 1, restarts: restarts + (before.kind === 'failed' ? 1 : 0) }
  if (after.kind === 'failed' && !(before.kind === 'failed' && before.at === after.at)) return { ...counts, failures: failures + 1 }
  return after.kind === 'waiting' && before.kind === 'starting' ? { ...counts, starts: starts - 1 } : counts
}

/** Share of one processor between two samples, from 0 to 1 a core. Undefined: it was not in the first one. */
export function cpuShare(
  process: ProcessSummary,
  at: number,
  before: Extract<ProcessList, { kind: 'processes' }> | undefined,
): number | undefined {
  const same = before?.processes.find(({ pid, start }) => pid === process.pid && start === process.start)
  return same && before && at > before.at ? Math.max(0, (process.cpuMs - same.cpuMs) / (at - before.at)) : undefined
}

/** Depth of each process in the tree; 0 without a parent in the list. */
export function depths(processes: readonly ProcessSummary[]): number[] {
  const known = new Map<number, number>()
  return processes.map(({ pid, parent }) => {
    const depth = (known.get(parent) ?? -1) + 1
    known.set(pid, depth)
    return depth
  })
}
