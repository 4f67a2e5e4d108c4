// What a server has done in this run of the host, and what its processes take. Asked for by the page that shows it.
import { z } from 'zod'
import { errorValue } from '../errors.ts'
import { assertNever } from '../json.ts'
import type { ServerState } from './server-state.ts'

const callFigures = z.object({
  calls: z.number().int(),
  /** Among them; those that were cancelled are not counted at all. */
  failed: z.number().int(),
  /** Milliseconds; null: there were none. */
  p50: z.number().nullable(),
  p95: z.number().nullable(),
})
export type CallFigures = z.infer<typeof callFigures>

const lastError = z.discriminatedUnion('kind', [
  /** It did not start, or ended by itself. */
  z.object({ kind: z.literal('server'), at: z.number(), error: errorValue }),
  /** `code`: of the error; `tool-error`: the tool itself said so. */
  z.object({ kind: z.literal('call'), at: z.number(), tool: z.string(), code: z.string() }),
])
export type LastError = z.infer<typeof lastError>

const runCounts = z.object({
  /** Starts in this run of the host, those after a failure included. */
  starts: z.number().int(),
  /** Those that followed a failure. */
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
  /** It is no process of this computer, or does not run. */
  z.object({ kind: z.literal('none') }),
  /** The operating system does not tell. */
  z.object({ kind: z.literal('unknown') }),
  /** `at`: when it was looked, milliseconds of a clock that only moves on. The server's own process first. */
  z.object({ kind: z.literal('processes'), at: z.number(), processes: z.array(processSummary) }),
])
export type ProcessList = z.infer<typeof processList>

/** What a step from one state to the next adds. A start that waits for the person is none before they say yes. */
export function nextRunCounts(counts: RunCounts, before: ServerState, after: ServerState): RunCounts {
  if (before === after) return counts
  switch (after.kind) {
    case 'starting':
      if (before.kind === 'starting') return counts
      return { ...counts, starts: counts.starts + 1, restarts: counts.restarts + (before.kind === 'failed' ? 1 : 0) }
    case 'failed':
      return before.kind === 'failed' && before.at === after.at ? counts : { ...counts, failures: counts.failures + 1 }
    case 'waiting':
      return before.kind === 'starting' ? { ...counts, starts: counts.starts - 1 } : counts
    case 'disabled':
    case 'stopped':
    case 'ready':
    case 'stopping':
    case 'refused':
      return counts
    default:
      return assertNever(after)
  }
}

/** Share of one processor's time between two looks, 1 is all of it. Undefined: it was not there before. */
export function cpuShare(
  process: ProcessSummary,
  at: number,
  before: Extract<ProcessList, { kind: 'processes' }> | undefined,
): number | undefined {
  const same = before?.processes.find(({ pid, start }) => pid === process.pid && start === process.start)
  return same && before && at > before.at ? Math.max(0, (process.cpuMs - same.cpuMs) / (at - before.at)) : undefined
}

/** How far below the server's own process each stands; 0 for what has no parent among them. */
export function depths(processes: readonly ProcessSummary[]): number[] {
  const known = new Map<number, number>()
  return processes.map(({ pid, parent }) => {
    const depth = (known.get(parent) ?? -1) + 1
    known.set(pid, depth)
    return depth
  })
}
