import { describe, expect, it } from 'vitest'
import type { ConnectionTestSummary } from '#app/server/connection-test.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import type { ConnectionTestApproval } from '#main/consent/broker-api.ts'
import type { ConnectionTest } from './connection-test.ts'
import { connectionTestTimes, createConnectionTests } from './connection-tests.ts'

function makeTest(yes?: ConnectionTestApproval): ConnectionTest & { readonly change: () => void; readonly ended: () => boolean } {
  const listeners = new Set<() => void>()
  let revision = 0
  let over = false
  const change = (): void => {
    revision += 1
    for (const listener of [...listeners]) listener()
  }
  const report: ConnectionTestSummary['report'] = {
    ...{ server: 'a', ok: false, diagnosis: null, startedAt: 1, command: 'a', resolved: null, path: null, pathSource: null },
    ...{ cwd: null, exit: null, stderr: [], output: [], steps: [], sandbox: null },
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
    const connectionTests = createConnectionTests({ clock })
    const connectionTest = makeTest()
    const id = connectionTests.begin(connectionTest)
    const first = connectionTests.watch(id, 0)
    clock.advance(connectionTestTimes.leaseMs + 1)
    connectionTest.change()
    await first
    const second = connectionTests.watch(id, 1)
    clock.advance(connectionTestTimes.answerMs)
    expect([(await second).revision, connectionTest.ended()]).toEqual([1, false])
    clock.advance(connectionTestTimes.leaseMs)
    expect([connectionTest.ended(), clock.pending]).toEqual([true, 0])
  })

  it('is told of at once when there is more to see than was seen', async () => {
    const connectionTests = createConnectionTests({ clock: manualClock() })
    const connectionTest = makeTest()
    const id = connectionTests.begin(connectionTest)
    connectionTest.change()
    expect((await connectionTests.watch(id, 0)).revision).toBe(1)
    await connectionTests.dispose()
  })

  it('is forgotten when it is ended, and the oldest of many is ended', async () => {
    const connectionTests = createConnectionTests({ clock: manualClock() })
    const all = Array.from({ length: 9 }, () => makeTest())
    const ids = all.map((connectionTest) => connectionTests.begin(connectionTest))
    expect(all.map(({ ended }) => ended())).toEqual([true, ...all.slice(1).map(() => false)])
    await connectionTests.end(ids[1] ?? '')
    await expect(connectionTests.watch(ids[1] ?? '', 0)).rejects.toMatchObject({ code: 'cancelled' })
    expect(connectionTests.get(ids[1] ?? '')).toBeUndefined()
    await connectionTests.dispose()
    expect(all.every(({ ended }) => ended())).toBe(true)
  })

  it('leaves behind what was agreed to, until that is forgotten', async () => {
    const connectionTests = createConnectionTests({ clock: manualClock() })
    const yes: ConnectionTestApproval = { keep: () => undefined }
    const [agreed, refused] = [connectionTests.begin(makeTest(yes)), connectionTests.begin(makeTest())]
    const before = connectionTests.agreed([agreed, refused])
    await connectionTests.end(agreed)
    expect([before.map((one) => one.yes), connectionTests.agreed([agreed, 'other'])]).toEqual([[yes], before])
    connectionTests.forget([agreed, refused])
    expect([connectionTests.agreed([agreed, refused]), connectionTests.get(refused)]).toEqual([[], undefined])
  })
})
