import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { seeded } from '#app/testing/seeded.ts'
import { parseOptions, type RunOptions, usage } from './options.ts'

const parse = (...args: string[]) => parseOptions(args, '/cache') as RunOptions

it('200 repetitions are the default, a few in the quick half, and both can be said', () => {
  expect([parse().reps, parse('--quick').reps, parse('--reps', '7').reps, parse('--quick', '--reps', '7').reps]).toEqual([200, 2, 7, 7])
})

it.each([['--reps', '0'], ['--reps', 'many'], ['--seed', '1.5'], ['--parallel', '-1'], ['--often']])('refuses %s %s', (...args) => {
  expect(() => parse(...args)).toThrow()
})

it('asks for nothing to be run where the usage is asked for, whatever else is said', () => {
  expect([parse('--help'), parse('-h'), parse('--quick', '--help')]).toEqual(['help', 'help', 'help'])
})

it('tells of its usage, and of an option that is none, without a stack', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, ['e2e/faults/run.ts', ...args], { encoding: 'utf8' })
  const [help, wrong] = [run('--help'), run('--often')]
  expect([help.status, help.stdout, help.stderr]).toEqual([0, usage, ''])
  expect([wrong.status, wrong.stdout, wrong.stderr.endsWith(usage), /\n\s+at /.test(wrong.stderr)]).toEqual([2, '', true, false])
  expect(wrong.stderr).toContain('--often')
})

it('the same seed gives the same moments, another one others', () => {
  const draw = (seed: number): number[] => Array.from({ length: 5 }, seeded(seed))
  expect(draw(3)).toEqual(draw(3))
  expect(draw(3)).not.toEqual(draw(4))
  expect(draw(3).every((value) => value >= 0 && value < 1)).toBe(true)
})
