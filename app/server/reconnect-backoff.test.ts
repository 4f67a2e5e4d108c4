import { describe, expect, it } from 'vitest'
import { seeded } from '../testing/seeded.ts'
import { longestDelayMs, mostAttempts, reconnectMs } from './next-server-state.ts'

describe('reconnectMs', () => {
  it.each([
    [1, 500, 1000],
    [2, 1000, 2000],
    [4, 4000, 8000],
    [6, 16_000, 32_000],
    [7, 30_000, longestDelayMs],
    [8, 30_000, longestDelayMs],
  ])('of attempt %i lies between %i and %i ms', (attempt, least, most) => {
    expect([reconnectMs(attempt, 0), reconnectMs(attempt, 1)]).toEqual([least, most])
    const random = seeded(attempt)
    for (let run = 0; run < 1000; run += 1) {
      const delay = reconnectMs(attempt, random()) ?? Number.NaN
      expect(delay >= least && delay <= most).toBe(true)
    }
  })

  it('ends', () => {
    expect(reconnectMs(mostAttempts + 1, 0.5)).toBeUndefined()
  })

  it('spreads a thousand that lost the same server at once: no tenth of the span gets more than a sixth of them', () => {
    const random = seeded(7)
    const tenths = Array.from({ length: 10 }, () => 0)
    for (let one = 0; one < 1000; one += 1) {
      const tenth = Math.min(9, Math.floor(((reconnectMs(3, random()) ?? 0) - 2000) / 200))
      tenths[tenth] = (tenths[tenth] ?? 0) + 1
    }
    expect(Math.max(...tenths)).toBeLessThan(167)
  })
})
