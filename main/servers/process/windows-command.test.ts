import { expect, it } from 'vitest'
import { isBatchFile, windowsCandidates, windowsCommandLine } from './windows-command.ts'

const script = String.raw`C:\Program Files\nodejs\npx.cmd`
const line = (...args: string[]): string =>
  windowsCommandLine(script, args).replace(String.raw`/e:ON /v:OFF /d /c ""C:\Program Files\nodejs\npx.cmd"`, 'SCRIPT')

it.each([
  ['npx.cmd', true],
  ['RUN.BAT', true],
  ['run.bat. ', true],
  ['node.exe', false],
  ['cmd', false],
  ['a.cmd.exe', false],
])('%s is a batch file: %s', (name, expected) => {
  expect(isBatchFile(name)).toBe(expected)
})

it.each([
  [[], 'SCRIPT"'],
  [['-y', '@scope/server@1.2.3'], 'SCRIPT -y @scope/server@1.2.3"'],
  [[''], 'SCRIPT """'],
  [['two words'], 'SCRIPT "two words""'],
  [['a&calc.exe'], 'SCRIPT "a&calc.exe""'],
  [['a|b', 'a>b', 'a^b', '(a)'], 'SCRIPT "a|b" "a>b" "a^b" "(a)""'],
  [['"&calc.exe'], 'SCRIPT """&calc.exe""'],
  [[String.raw`\"&calc.exe`], String.raw`SCRIPT "\\""&calc.exe""`],
  [['C:\\folder with space\\'], String.raw`SCRIPT "C:\folder with space\\""`],
  [['C:\\plain\\'], String.raw`SCRIPT "C:\plain\\""`],
  [[String.raw`C:\plain`], String.raw`SCRIPT C:\plain"`],
  [['%PATH%'], 'SCRIPT "%%cd:~,%PATH%%cd:~,%""'],
  [['%CMDCMDLINE:~-1%&calc.exe'], 'SCRIPT "%%cd:~,%CMDCMDLINE:~-1%%cd:~,%&calc.exe""'],
  [['!x!', 'a,b', 'a;b', 'a=b', '~', "'", '`'], 'SCRIPT "!x!" "a,b" "a;b" "a=b" "~" "\'" "`""'],
  [['grüße'], 'SCRIPT grüße"'],
  [['a\u0085b'], 'SCRIPT "a\u0085b""'],
])('quotes %j for a batch file', (args, expected) => {
  expect(line(...args)).toBe(expected)
})

it.each(['C:\\a"b.cmd', 'C:\\dir.cmd\\'])('refuses %s as the name of a batch file', (name) => {
  expect(() => windowsCommandLine(name, [])).toThrow(expect.objectContaining({ code: 'server.spawn-failed' }))
})

// nodejs/node issue 8856: the working folder of a batch file on a share.
it.each([
  [String.raw`\\server\share\work`, true],
  [String.raw`\\wsl$\Ubuntu\home\m`, true],
  [String.raw`\\wsl.localhost\Ubuntu\home\m`, true],
  ['//server/share', true],
  [String.raw`\\?\UNC\server\share`, true],
  [String.raw`\\?\C:\work`, false],
  [String.raw`C:\work`, false],
  [String.raw`\work`, false],
])('refuses to run a batch file in %s: %s', (cwd, refused) => {
  const run = (): string => windowsCommandLine(script, [], cwd)
  if (refused) expect(run).toThrow(expect.objectContaining({ data: expect.objectContaining({ reason: 'network-folder', field: 'cwd' }) }))
  else expect(run()).toContain('npx.cmd')
})

it('refuses a line that is longer than cmd.exe takes, by what it is once it is quoted', () => {
  expect(line('x'.repeat(8000))).toHaveLength(8008)
  expect(() => line('%'.repeat(1100))).toThrow(
    expect.objectContaining({ code: 'server.spawn-failed', data: expect.objectContaining({ reason: 'too-long' }) }),
  )
})

it.each([
  ['npx', undefined, ['npx.com', 'npx.exe', 'npx.bat', 'npx.cmd']],
  ['npx', '', ['npx.com', 'npx.exe', 'npx.bat', 'npx.cmd']],
  ['npx', '.CMD;.EXE;.JS;.VBS;.CMD', ['npx.cmd', 'npx.exe']],
  ['npx.CMD', '.EXE', ['npx.CMD']],
  ['server.js', '.EXE;.JS', ['server.js.exe']],
  ['C:\\Program Files\\x', '.EXE', ['C:\\Program Files\\x.exe']],
])('looks for %s with PATHEXT %s as %j', (name, pathExt, files) => {
  expect(windowsCandidates(name, pathExt)).toEqual(files)
})
