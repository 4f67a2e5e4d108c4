import { expect, test } from 'vitest'
import { LONGEST_VALUE, safePattern } from './safe-pattern.ts'

test.each([
  '^[A-Z]{2}-\\d{4}$',
  '^\\d{3}-\\d{3}-\\d{4}$',
  '^\\d{5}(-\\d{4})?$',
  '^[\\w.+-]+@[\\w-]+\\.[\\w.]+$',
  '^(red|green|blue)$',
  '[()*+]{1,3}',
  '^\\(\\d+\\)$',
])('uses %s', (pattern) => {
  expect(safePattern(pattern)).toEqual(new RegExp(pattern, 'u'))
})

test.each([
  '(a+)+$',
  '^(a|a)*$',
  '(.*)\\1',
  '^(?=a)b',
  '(x{1,9}){9}',
  'a*a*a*a*b',
  'a*a*a*b',
  '(a|a)'.repeat(40),
  `${'a?'.repeat(11)}b`,
  '^a?a*a*a*$',
  '([',
  'x'.repeat(301),
])('leaves %s to the server', (pattern) => {
  expect(safePattern(pattern)).toBeUndefined()
})

test.each(['^a*a*a*$', 'a*a*c', `${'a?'.repeat(8)}c`])('%s, as slow as any that is used, still ends', (pattern) => {
  expect(safePattern(pattern)?.test(`${'a'.repeat(LONGEST_VALUE - 1)}b`)).toBe(false)
})
