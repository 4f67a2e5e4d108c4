import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataDirOption, isAgentCommand, lastingProgram, sandboxOption, variableAtStart } from './start-options.ts'

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

test.each([
  [['mcp'], true],
  [['.', 'mcp', '--data-dir', '/a'], true],
  [['--data-dir', '/a'], false],
  [['assent://add?name=mcp'], false],
])('%j serves an agent in place of a window: %s', (args, expected) => {
  expect(isAgentCommand(args)).toBe(expected)
})

test.each([
  [
    '/private/var/folders/x1/T/AppTranslocation/0A1B-2C/d/Assent.app/Contents/MacOS/Assent',
    '/Applications/Assent.app/Contents/MacOS/Assent',
  ],
  ['/Volumes/Disk/Assent.app/Contents/MacOS/Assent', '/Volumes/Disk/Assent.app/Contents/MacOS/Assent'],
  ['/opt/Assent/assent', '/opt/Assent/assent'],
])('%s is named to other apps as %s', (program, expected) => {
  expect(lastingProgram(program)).toBe(expected)
})

test.runIf(process.platform === 'linux')('a variable that the process no longer has is read as it was at the start', () => {
  const module = JSON.stringify(join(import.meta.dirname, 'start-options.ts'))
  const program = `const { variableAtStart } = await import(${module})
delete process.env.NODE_EXTRA_CA_CERTS
console.log(JSON.stringify([process.env.NODE_EXTRA_CA_CERTS, variableAtStart('NODE_EXTRA_CA_CERTS'), variableAtStart('NODE_EXTRA')]))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...process.env, NODE_EXTRA_CA_CERTS: '/etc/our ca.pem' },
    encoding: 'utf8',
  })
  expect(JSON.parse(stdout)).toEqual([null, '/etc/our ca.pem', null])
})

test('where the start’s environment cannot be read there is no variable', () => {
  expect(variableAtStart('PATH', '/nowhere')).toBeUndefined()
})
