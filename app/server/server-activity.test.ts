import { describe, expect, it } from 'vitest'
import { cpuShare, depths, nextRunCounts, noRuns, type ProcessList, type ProcessSummary } from './server-activity.ts'
import type { ServerState } from './server-state.ts'

const starting = (since: number, step: 'launching' | 'listing' = 'launching'): ServerState => ({
  kind: 'starting',
  since,
  attempt: 1,
  step,
})
const failed = (at: number): ServerState => ({ kind: 'failed', at, attempt: 1, error: { code: 'server.exited', message: 'ended' } })
const ready: ServerState = { kind: 'ready', since: 1, session: { era: 'modern', protocolVersion: '2026-07-28', foundBy: 'discover' } }
const stopped: ServerState = { kind: 'stopped', reason: 'user' }

describe('what a server went through', () => {
  it('is counted from its states: each start once, and apart those after a failure', () => {
    const states = [
      stopped,
      starting(1),
      { kind: 'waiting', requestId: 'r' } as const,
      starting(2),
      starting(2, 'listing'),
      ready,
      failed(5),
      { ...failed(5) },
      starting(6),
      failed(7),
      stopped,
      starting(9),
      ready,
    ]
    const counts = states.reduce((sum, state, index) => nextRunCounts(sum, states[index - 1] ?? stopped, state), noRuns)
    expect(counts).toEqual({ starts: 3, restarts: 1, failures: 2 })
  })

  it('is nothing while it waits for a yes, nor after a no', () => {
    const states: ServerState[] = [starting(1), { kind: 'waiting', requestId: 'r' }, { kind: 'refused', at: 2 }]
    const counts = states.reduce((sum, state, index) => nextRunCounts(sum, states[index - 1] ?? stopped, state), noRuns)
    expect(counts).toEqual(noRuns)
  })
})

const one = (pid: number, parent: number, cpuMs = 0, start = 1): ProcessSummary => ({ pid, parent, start, command: 'x', memory: 0, cpuMs })

describe('a list of processes', () => {
  it('tells how deep each stands', () => {
    expect(depths([one(10, 1), one(11, 10), one(12, 11), one(13, 10), one(20, 1)])).toEqual([0, 1, 2, 1, 0])
  })

  it('tells the share of a processor between two looks, of the same process only', () => {
    const before = { kind: 'processes' as const, at: 1000, processes: [one(10, 1, 500)] } satisfies ProcessList
    expect(cpuShare(one(10, 1, 1500), 3000, before)).toBe(0.5)
    expect([
      cpuShare(one(10, 1, 1500), 3000, undefined),
      cpuShare(one(11, 1, 1500), 3000, before),
      cpuShare(one(10, 1, 1500, 2), 3000, before),
      cpuShare(one(10, 1, 1500), 1000, before),
    ]).toEqual([undefined, undefined, undefined, undefined])
  })
})
