import { expect, test } from 'vitest'
import { dataDirOption, sandboxOption } from './start-options.ts'

test.each([
  [[], undefined],
  [['--no-sandbox', '.'], undefined],
  [['.', '--data-dir', '/a'], '/a'],
  [['--data-dir=/b c'], '/b c'],
  [['--data-dir', '/a', '--data-dir=/b'], '/b'],
  [['--data-dir'], undefined],
])('%j names the profile %s', (args, expected) => {
  expect(dataDirOption(args)).toBe(expected)
})

test.each([
  [['--no-sandbox', '.'], undefined],
  [['.', '--sandbox', 'off'], 'off'],
  [['--sandbox=on'], 'on'],
  [['--sandbox', 'maybe'], undefined],
])('%j says of the servers’ sandbox: %s', (args, expected) => {
  expect(sandboxOption(args)).toBe(expected)
})
