import { expect, it } from 'vitest'
import { timeLeftLabel } from './request-frame.tsx'

it.each([
  [600_000, '10 min'],
  [60_001, '2 min'],
  [60_000, '60 s'],
  [900, '1 s'],
  [-5, '1 s'],
])('%i ms are rounded up: %s', (ms, words) => {
  expect(timeLeftLabel(ms)).toBe(words)
})
