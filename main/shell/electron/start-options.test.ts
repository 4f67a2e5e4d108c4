import { expect, test } from 'vitest'
import { dataDirOption } from './start-options.ts'

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
