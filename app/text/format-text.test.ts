import { expect, test } from 'vitest'
import { formatCount, withoutEnd } from './format-text.ts'

test.each([
  [188, '188'],
  [1100, '1.1k'],
  [4999, '5k'],
  [23_400, '23k'],
  [999_600, '1M'],
  [1_240_000, '1.2M'],
  [20_000_000, '20M'],
])('the count %d reads %s', (count, text) => {
  expect(formatCount(count)).toBe(text)
})

test.each([
  ['a.b..', 'a.b'],
  ['a.b', 'a.b'],
  ['..', ''],
  ['', ''],
  [`${'.'.repeat(1_000_000)}x..`, `${'.'.repeat(1_000_000)}x`],
])('only what a text ends with is taken off', (text, left) => {
  expect(withoutEnd(text, '.!')).toBe(left)
})
