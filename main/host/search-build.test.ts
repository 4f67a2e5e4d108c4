import { expect, test } from 'vitest'
import { manualClock } from '#main/base/manual-clock.ts'
import { keepBuilding } from './search-build.ts'

const steps = (outcomes: (boolean | Error)[]) => ({
  left: outcomes,
  share: () => 0,
  step() {
    const outcome = outcomes.shift()
    if (outcome instanceof Error) throw outcome
    return outcome ?? false
  },
})

test('it goes on in later turns until all is done', () => {
  const clock = manualClock()
  const build = steps([true, true, false, true])
  keepBuilding({ build, clock, onError: () => {} })
  expect(build.left).toHaveLength(3)
  clock.advance(1000)
  expect(build.left).toHaveLength(1)
})

test('it stops at an error, and when the host closes', () => {
  const clock = manualClock()
  const full = steps([true, new Error('full'), true])
  const errors: unknown[] = []
  keepBuilding({ build: full, clock, onError: (error) => errors.push(error) })
  const closed = steps([true, true])
  const stop = keepBuilding({ build: closed, clock, onError: () => {} })
  stop()
  clock.advance(1000)
  expect([full.left, errors.length, closed.left]).toEqual([[true], 1, [true]])
})
