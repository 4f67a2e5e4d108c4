import { expect, test } from 'vitest'
import { silentLog } from '#main/base/host-log.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { runInBackground } from './background-tasks.ts'

const log = silentLog

const steps = (outcomes: (boolean | Error)[]) => ({
  left: outcomes,
  step() {
    const outcome = outcomes.shift()
    if (outcome instanceof Error) throw outcome
    return outcome ?? false
  },
})

test('it goes on in later turns until all is done', () => {
  const clock = manualClock()
  const work = steps([true, true, false, true])
  runInBackground({ name: 'test', work, clock, log })
  expect(work.left).toHaveLength(3)
  clock.advance(1000)
  expect(work.left).toHaveLength(1)
})

test('it stops at an error, and when the host closes', () => {
  const clock = manualClock()
  const full = steps([true, new Error('full'), true])
  const errors: unknown[] = []
  runInBackground({ name: 'full', work: full, clock, log: { error: (_words, error) => errors.push(error) } })
  const closed = steps([true, true])
  const stop = runInBackground({ name: 'closed', work: closed, clock, log })
  stop()
  clock.advance(1000)
  expect([full.left, errors.length, closed.left]).toEqual([[true], 1, [true]])
})

test('where more may come it looks again after a while', () => {
  const clock = manualClock()
  const work = steps([true, false, true, false])
  const stop = runInBackground({ name: 'test', work, clock, log, againAfterMs: 60_000 })
  clock.advance(59_000)
  expect(work.left).toHaveLength(2)
  clock.advance(2000)
  expect(work.left).toHaveLength(0)
  stop()
})
