import { expect, it } from 'vitest'
import { powershell } from './powershell.ts'

it('is Windows’ own, reads nothing by itself, and gets what it needs of the environment and no more', () => {
  const env = { SystemRoot: 'D:\\Win', Path: 'C:\\evil', TEMP: 'C:\\T', PSModulePath: 'C:\\evil', API_KEY: 'x', windir: 'D:\\Win' }
  expect(powershell('\nGet-Date\n', env)).toEqual({
    file: 'D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-InputFormat', 'None', '-Command', 'Get-Date'],
    options: {
      cwd: 'D:\\Win\\System32',
      env: { SystemRoot: 'D:\\Win', TEMP: 'C:\\T', windir: 'D:\\Win', PATH: 'D:\\Win\\System32' },
      windowsHide: true,
    },
  })
})

it('takes no script whose quoting would be in doubt', () => {
  expect(() => powershell('echo "a"', {})).toThrow()
})
