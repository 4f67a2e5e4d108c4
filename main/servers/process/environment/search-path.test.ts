import { expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { findEnvironment } from './search-path.ts'
import { registryVariables } from './windows-variables.ts'

/** As `reg export` writes them, decoded: https://en.wikipedia.org/wiki/Windows_Registry#.REG_files. A name like Jörg is whole in UTF-16. */
const machine = [
  'Windows Registry Editor Version 5.00',
  '',
  '[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment]',
  '"ComSpec"=hex(2):25,00,53,00,79,00,73,00,74,00,65,00,6d,00,52,00,6f,00,6f,00,\\',
  '  74,00,25,00,5c,00,73,00,79,00,73,00,74,00,65,00,6d,00,33,00,32,00,5c,00,63,\\',
  '  00,6d,00,64,00,2e,00,65,00,78,00,65,00,00,00',
  '"Path"=hex(2):25,00,53,00,79,00,73,00,74,00,65,00,6d,00,52,00,6f,00,6f,00,74,\\',
  '  00,25,00,5c,00,73,00,79,00,73,00,74,00,65,00,6d,00,33,00,32,00,3b,00,25,00,\\',
  '  53,00,79,00,73,00,74,00,65,00,6d,00,52,00,6f,00,6f,00,74,00,25,00,3b,00,22,\\',
  '  00,43,00,3a,00,5c,00,50,00,72,00,6f,00,67,00,72,00,61,00,6d,00,20,00,46,00,\\',
  '  69,00,6c,00,65,00,73,00,5c,00,6e,00,6f,00,64,00,65,00,6a,00,73,00,5c,00,22,\\',
  '  00,3b,00,00,00',
  '"USERNAME"="SYSTEM"',
  '"TEMP"=hex(2):25,00,53,00,79,00,73,00,74,00,65,00,6d,00,52,00,6f,00,6f,00,74,\\',
  '  00,25,00,5c,00,54,00,45,00,4d,00,50,00,00,00',
  '"NUMBER_OF_PROCESSORS"="8"',
  '"Odd"=dword:00000001',
  '',
].join('\r\n')
const person = [
  'Windows Registry Editor Version 5.00',
  '',
  '[HKEY_CURRENT_USER\\Environment]',
  '"Path"=hex(2):25,00,55,00,53,00,45,00,52,00,50,00,52,00,4f,00,46,00,49,00,4c,\\',
  '  00,45,00,25,00,5c,00,62,00,69,00,6e,00,3b,00,25,00,4e,00,56,00,4d,00,5f,00,\\',
  '  53,00,59,00,4d,00,4c,00,49,00,4e,00,4b,00,25,00,3b,00,25,00,4e,00,4f,00,54,\\',
  '  00,5f,00,53,00,45,00,54,00,25,00,5c,00,78,00,3b,00,43,00,3a,00,5c,00,61,00,\\',
  '  20,00,62,00,3b,00,43,00,3a,00,5c,00,55,00,73,00,65,00,72,00,73,00,5c,00,4a,\\',
  '  00,f6,00,72,00,67,00,5c,00,62,00,69,00,6e,00,5c,00,00,00',
  '"NVM_SYMLINK"="C:\\\\nvm4w\\\\nodejs"',
  '"TEMP"=hex(2):25,00,55,00,53,00,45,00,52,00,50,00,52,00,4f,00,46,00,49,00,4c,\\',
  '  00,45,00,25,00,5c,00,41,00,70,00,70,00,44,00,61,00,74,00,61,00,5c,00,4c,00,\\',
  '  6f,00,63,00,61,00,6c,00,5c,00,54,00,65,00,6d,00,70,00,00,00',
  '"With Space"="two  words"',
  '"LITERAL"="100%USERPROFILE%"',
  '"QUOTED"="say \\"hi\\""',
  '"GITHUB_TOKEN"="ghp_secret"',
  '',
  '[HKEY_CURRENT_USER\\Environment\\Sub]',
  '"BELOW"="not a variable"',
  '',
].join('\r\n')
const env = { SystemRoot: 'C:\\Windows', UserProfile: 'C:\\Users\\Ada', Path: 'C:\\Windows\\system32;D:\\ours' }

it('reads variables as a new process of Windows would get them', () => {
  expect(registryVariables({ machine, person }, env)).toEqual({
    COMSPEC: 'C:\\Windows\\system32\\cmd.exe',
    NUMBER_OF_PROCESSORS: '8',
    PATH: 'C:\\Windows\\system32;C:\\Windows;"C:\\Program Files\\nodejs\\";C:\\Users\\Ada\\bin;C:\\nvm4w\\nodejs;%NOT_SET%\\x;C:\\a b;C:\\Users\\Jörg\\bin\\',
    QUOTED: 'say "hi"',
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
    { folder: 'C:\\Program Files\\nodejs', source: 'registry', manager: 'Node' },
    { folder: 'D:\\ours', source: 'own' },
    { folder: 'C:\\Users\\Ada\\.bun\\bin', source: 'usual-place', manager: 'Bun' },
  ])
  expect(path.split(';')).toEqual(folders.map(({ folder }) => folder))
  expect(path).toContain(';C:\\Users\\Jörg\\bin;')
  expect([variables['GITHUB_TOKEN'], variables['USERPROFILE']]).toEqual(['ghp_secret', 'C:\\Users\\Ada'])
})

it('puts a terminal’s own first, and does without the registry', async () => {
  expect((await find(true)).folders[1]).toEqual({ folder: 'D:\\ours', source: 'own' })
  expect(await find(false, {})).toMatchObject({ source: 'terminal', path: expect.stringMatching(/^C:\\Windows\\system32;D:\\ours;/) })
})
