import { expect, it } from 'vitest'
import { nextTextSize, textSizes } from './settings.ts'

it.each([
  ['larger', 100, 1, 110],
  ['smaller', 100, -1, 90],
  ['from between two steps', 105, -1, 100],
  ['back to the usual size', 250, 0, 100],
  ['no larger than the largest', 300, 1, 300],
  ['no smaller than the smallest', 80, -1, 80],
] as const)('goes %s', (_name, size, by, expected) => {
  expect(nextTextSize(size, by)).toBe(expected)
})

it('comes through all steps and back', () => {
  const up = textSizes.map((_, index) => Array.from({ length: index }).reduce<number>((size) => nextTextSize(size, 1), 80))
  expect(up).toEqual([...textSizes])
})
