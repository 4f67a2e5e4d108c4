import { describe, expect, it } from 'vitest'
import { sinceLabel } from './requests-page.tsx'

const now = Date.UTC(2026, 10, 23, 12)
const hour = 3_600_000

describe('since when a request waits', () => {
  it.each([
    [-5, 'now'],
    [59_000, 'now'],
    [4 * 60_000, '4 min'],
    [2.9 * hour, '2 h'],
    [47 * hour, '47 h'],
    [48 * hour, '2 days'],
    [29.5 * 24 * hour, '29 days'],
    [40 * 24 * hour, '14 Oct 2026'],
  ])('%d ms ago: %s', (ms, words) => {
    expect(sinceLabel(now - ms, now)).toBe(words)
  })
})
