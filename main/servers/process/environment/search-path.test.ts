import { expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { findEnvironment, registryVariables } from './search-path.ts'

/** As `reg query` prints them, with the empty line and the key before. */
const machine = [
  '',
  'HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
  '    ComSpec    REG_EXPAND_SZ    %SystemRoot%\\system32\\cmd.exe',
  '    Path    REG_EXPAND_SZ    %SystemRoot%\\system32;%SystemRoot%;C:\\Program Files\\nodejs\\;',
  '    USERNAME    REG_SZ    SYSTEM',
  '    TEMP    REG_EXPAND_SZ    %SystemRoot%\\TEMP',
  '    NUMBER_OF_PROCESSORS    REG_SZ    8',
  '    Odd    REG_DWORD    0x1',
  '',
].join('\r\n')
const person = [
  '',
  'HKEY_CURRENT_USER\\Environment',
  '    Path    REG_EXPAND_SZ    %USERPROFILE%\\bin;%NVM_SYMLINK%;%NOT_SET%\\x;C:\\a b',
  '    NVM_SYMLINK    REG_SZ    C:\\nvm4w\\nodejs',
  '    TEMP    REG_EXPAND_SZ    %USERPROFILE%\\AppData\\Local\\Temp',
  '    With Space    REG_SZ    two  words',
  '    LITERAL    REG_SZ    100%USERPROFILE%',
  '    GITHUB_TOKEN    REG_SZ    ghp_secret',
  '',
].join('\r\n')
const env = { SystemRoot: 'C:\\Windows', UserProfile: 'C:\\Users\\Ada', Path: 'C:\\Windows\\system32;D:\\ours' }

it('reads variables as a new process of Windows would get them', () => {
  expect(registryVariables({ machine, person }, env)).toEqual({
    COMSPEC: 'C:\\Windows\\system32\\cmd.exe',
    NUMBER_OF_PROCESSORS: '8',
    PATH: 'C:\\Windows\\system32;C:\\Windows;C:\\Program Files\\nodejs\\;C:\\Users\\Ada\\bin;C:\\nvm4w\\nodejs;%NOT_SET%\\x;C:\\a b',
    NVM_SYMLINK: 'C:\\nvm4w\\nodejs',
    TEMP: 'C:\\Users\\Ada\\AppData\\Local\\Temp',
    'WITH SPACE': 'two  words',
    LITERAL: '100%USERPROFILE%',
    GITHUB_TOKEN: 'ghp_secret',
  })
})

it('has none where the registry cannot be read, or says what makes no sense', () => {
  expect(registryVariables({ machine: undefined, person: 'ERROR: Access is denied.\r\n' }, env)).toEqual({})
})

const find = (isTerminal: boolean, output = { machine, person } as Partial<typeof registry>) =>
  findEnvironment({
    env,
    platform: 'win32',
    home: 'C:\\Users\\Ada',
    isTerminal,
    clock: manualClock(),
    shellTimeoutMs: [1, 1],
    registry: async (key) => output[key],
    files: {
      exists: (path) => path.startsWith('C:\\Users\\Ada\\.bun') || path === 'C:\\Program Files\\nodejs',
      list: () => [],
      read: () => undefined,
    },
  })
const registry = { machine, person }

it('gives a search path of the registry’s folders, then ours, then the usual places, each with where it is from', async () => {
  const { source, folders, variables, path } = await find(false)
  expect(source).toBe('registry')
  expect(folders.filter(({ source: from, manager }) => from !== 'registry' || manager !== undefined)).toEqual([
    { folder: 'C:\\Program Files\\nodejs\\', source: 'registry', manager: 'Node' },
    { folder: 'D:\\ours', source: 'own' },
    { folder: 'C:\\Users\\Ada\\.bun\\bin', source: 'usual-place', manager: 'Bun' },
    { folder: 'C:\\Program Files\\nodejs', source: 'usual-place', manager: 'Node' },
  ])
  expect(path.split(';')).toEqual(folders.map(({ folder }) => folder))
  expect([variables['GITHUB_TOKEN'], variables['USERPROFILE']]).toEqual(['ghp_secret', 'C:\\Users\\Ada'])
})

it('puts a terminal’s own first, and does without the registry', async () => {
  expect((await find(true)).folders[1]).toEqual({ folder: 'D:\\ours', source: 'own' })
  expect(await find(false, {})).toMatchObject({ source: 'terminal', path: expect.stringMatching(/^C:\\Windows\\system32;D:\\ours;/) })
})
