import { expect, it } from 'vitest'
import { system32 } from './powershell.ts'

it.each([
  [{ SystemRoot: 'C:\\Windows' }, 'C:\\Windows\\System32\\cmd.exe'],
  [{ SYSTEMROOT: 'D:\\WinNT\\' }, 'D:\\WinNT\\System32\\cmd.exe'],
  [{}, 'C:\\Windows\\System32\\cmd.exe'],
  [{ SystemRoot: '' }, 'C:\\Windows\\System32\\cmd.exe'],
  [{ SystemRoot: 'Windows' }, 'C:\\Windows\\System32\\cmd.exe'],
  [{ SystemRoot: '.' }, 'C:\\Windows\\System32\\cmd.exe'],
  [{ SystemRoot: '\\\\elsewhere\\share' }, 'C:\\Windows\\System32\\cmd.exe'],
  [{ SystemRoot: 'C:\\Windows\\..\\evil' }, 'C:\\Windows\\System32\\cmd.exe'],
  [{ SystemRoot: 'C:\\Windows"&calc' }, 'C:\\Windows\\System32\\cmd.exe'],
])('with %j cmd.exe is %s', (env, path) => {
  expect(system32('cmd.exe', env)).toBe(path)
})
