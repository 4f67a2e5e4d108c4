import { describe, expect, it } from 'vitest'
import type { ConnectionTestSummary } from '#app/server/connection-test.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import type { ConnectionTestApproval } from '#main/consent/broker-api.ts'
import type { ConnectionTest } from './connection-test.ts'
import { connectionTestTimes, createConnectionTests } from './connection-tests.ts'

function makeTrial(yes?: ConnectionTestApproval): ConnectionTest & { readonly change: () => void; readonly ended: () => boolean } {
  const listeners = new Set<() => void>()
  let revision = 0
  let over = false
  const change = (): void => {
    revision += 1
    for (const listener of [...listeners]) listener()
  }
  const report: ConnectionTestSummary['report'] = {
    ...{ server: 'a', ok: false, diagnosis: null, startedAt: 1, command: 'a', resolved: null, path: null, pathSource: null },
    ...{ cwd: null, exit: null, stderr: [], output: [], steps: [] },
  }
  return {
    definition: { transport: 'stdio', command: 'a', args: [], env: {}, enabled: true, start: 'needed', trusted: false },
    view: () => ({ revision, over, phase: { kind: over ? 'called-off' : 'starting', step: 'launching' }, report }) as ConnectionTestSummary,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    yes: () => yes,
    async end() {
      if (!over) {
        over = true
        change()
      }
    },
    change,
    ended: () => over,
  }
}

describe('a test run', () => {
  it('is ended when nobody watches it, and not while somebody does', async () => {
    const clock = manualClock()
    const trials = createConnectionTests({ clock })
    const trial = makeTrial()
    const id = trials.begin(trial)
    const first = trials.watch(id, 0)
    clock.advance(connectionTestTimes.leaseMs + 1)
    trial.change()
    await first
    const second = trials.watch(id, 1)
    clock.advance(connectionTestTimes.answerMs)
    expect([(await second).revision, trial.ended()]).toEqual([1, false])
    clock.advance(connectionTestTimes.leaseMs)
    expect([trial.ended(), clock.pending]).toEqual([true, 0])
  })

  it('is told of at once when there is more to see than was seen', async () => {
    const trials = createConnectionTests({ clock: manualClock() })
    const trial = makeTrial()
    const id = trials.begin(trial)
    trial.change()
    expect((await trials.watch(id, 0)).revision).toBe(1)
    await trials.dispose()
  })

  it('is forgotten when it is ended, and the oldest of many is ended', async () => {
    const trials = createConnectionTests({ clock: manualClock() })
    const all = Array.from({ length: 9 }, () => makeTrial())
    const ids = all.map((trial) => trials.begin(trial))
    expect(all.map(({ ended }) => ended())).toEqual([true, ...all.slice(1).map(() => false)])
    await trials.end(ids[1] ?? '')
    await expect(trials.watch(ids[1] ?? '', 0)).rejects.toMatchObject({ code: 'cancelled' })
    expect(trials.get(ids[1] ?? '')).toBeUndefined()
    await trials.dispose()
    expect(all.every(({ ended }) => ended())).toBe(true)
  })

  it('leaves behind what was agreed to, until that is forgotten', async () => {
    const trials = createConnectionTests({ clock: manualClock() })
    const yes: ConnectionTestApproval = { keep: () => undefined }
    const [agreed, refused] = [trials.begin(makeTrial(yes)), trials.begin(makeTrial())]
    const before = trials.agreed([agreed, refused])
    await trials.end(agreed)
    expect([before.map((one) => one.yes), trials.agreed([agreed, 'other'])]).toEqual([[yes], before])
    trials.forget([agreed, refused])
    expect([trials.agreed([agreed, refused]), trials.get(refused)]).toEqual([[], undefined])
  })
})
