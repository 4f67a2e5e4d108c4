import { expect, it } from 'vitest'
import { nextZoom, zoomSteps } from './settings.ts'

it.each([
  ['larger', 100, 1, 110],
  ['smaller', 100, -1, 90],
  ['from between two steps', 105, -1, 100],
  ['back to the usual size', 250, 0, 100],
  ['no larger than the largest', 300, 1, 300],
  ['no smaller than the smallest', 50, -1, 50],
] as const)('goes %s', (_name, zoom, by, expected) => {
  expect(nextZoom(zoom, by)).toBe(expected)
})

it('comes through all steps and back', () => {
  const up = zoomSteps.map((_, index) => Array.from({ length: index }).reduce<number>((zoom) => nextZoom(zoom, 1), 50))
  expect(up).toEqual([...zoomSteps])
})
