import { expect, test } from 'vitest'
import { gapsIn, type Range, withRange } from './use-seen.ts'

test.each<[string, number, Range[], Range[]]>([
  ['nothing was in view', 100, [], [[0, 100]]],
  ['all of it was', 100, [[0, 100]], []],
  ['its beginning was', 100, [[0, 40]], [[40, 100]]],
  [
    'who jumps to the end has not seen the middle',
    100,
    [
      [0, 20],
      [80, 100],
    ],
    [[20, 80]],
  ],
  [
    'ranges that overlap are one',
    100,
    [
      [0, 60],
      [50, 100],
    ],
    [],
  ],
  [
    'in any order',
    100,
    [
      [50, 100],
      [0, 60],
    ],
    [],
  ],
  ['an empty range is none', 100, [[40, 40]], [[0, 100]]],
  ['a pixel or two is rounding', 100, [[1, 98]], []],
  ['of no height nothing is missing', 0, [], []],
])('%s', (_title, height, ranges, gaps) => {
  expect(gapsIn(height, ranges.reduce(withRange, [] as readonly Range[]))).toEqual(gaps)
})
