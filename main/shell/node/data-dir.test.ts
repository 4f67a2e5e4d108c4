import { expect, it } from 'vitest'
import { dataDirOf, type Surroundings } from './data-dir.ts'

const linux: Surroundings = { platform: 'linux', env: {}, home: '/home/me', cwd: '/projects' }

it.each<[string, string | undefined, Partial<Surroundings>, string]>([
  ['the option wins, and is made absolute', 'here', { env: { ASSENT_DATA_DIR: '/else' } }, '/projects/here'],
  ['then the variable', undefined, { env: { ASSENT_DATA_DIR: '/else', XDG_DATA_HOME: '/xdg' } }, '/else'],
  ['an empty variable counts as none', undefined, { env: { ASSENT_DATA_DIR: '' } }, '/home/me/.local/share/assent'],
  ['XDG on Linux', undefined, { env: { XDG_DATA_HOME: '/xdg' } }, '/xdg/assent'],
  ['a relative XDG folder is ignored', undefined, { env: { XDG_DATA_HOME: 'xdg' } }, '/home/me/.local/share/assent'],
  ['Library on macOS', undefined, { platform: 'darwin', home: '/Users/me' }, '/Users/me/Library/Application Support/Assent'],
  [
    'AppData on Windows',
    undefined,
    { platform: 'win32', env: { APPDATA: 'C:\\Users\\me\\AppData\\Roaming' } },
    'C:\\Users\\me\\AppData\\Roaming\\Assent',
  ],
])('%s', (_title, option, other, expected) => {
  expect(dataDirOf(option, { ...linux, ...other })).toBe(expected)
})
