import { expect, test } from 'vitest'
import { withoutEnd } from './format-text.ts'

test.each([
  ['a.b..', 'a.b'],
  ['a.b', 'a.b'],
  ['..', ''],
  ['', ''],
  [`${'.'.repeat(1_000_000)}x..`, `${'.'.repeat(1_000_000)}x`],
])('only what a text ends with is taken off', (text, left) => {
  expect(withoutEnd(text, '.!')).toBe(left)
})
