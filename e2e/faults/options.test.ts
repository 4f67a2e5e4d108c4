import { expect, it } from 'vitest'
import { seeded } from '#app/testing/seeded.ts'
import { parseOptions } from './options.ts'

const parse = (...args: string[]) => parseOptions(args, '/cache')

it('200 repetitions are the default, a few in the quick half, and both can be said', () => {
  expect([parse().reps, parse('--quick').reps, parse('--reps', '7').reps, parse('--quick', '--reps', '7').reps]).toEqual([200, 2, 7, 7])
})

it.each([['--reps', '0'], ['--reps', 'many'], ['--seed', '1.5'], ['--parallel', '-1'], ['--often']])('refuses %s %s', (...args) => {
  expect(() => parse(...args)).toThrow()
})

it('the same seed gives the same moments, another one others', () => {
  const draw = (seed: number): number[] => Array.from({ length: 5 }, seeded(seed))
  expect(draw(3)).toEqual(draw(3))
  expect(draw(3)).not.toEqual(draw(4))
  expect(draw(3).every((value) => value >= 0 && value < 1)).toBe(true)
})
