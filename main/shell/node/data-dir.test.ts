import { expect, it } from 'vitest'
import { profileFolder, type Surroundings } from './data-dir.ts'

const linux: Surroundings = { platform: 'linux', env: {}, home: '/home/me', cwd: '/projects' }

const me = 'C:\\Users\\me\\AppData'

it.each<[string, string | undefined, Partial<Surroundings>, string]>([
  ['the option wins, and is made absolute', 'here', { env: { ASSENT_DATA_DIR: '/else' } }, '/projects/here'],
  ['then the variable', undefined, { env: { ASSENT_DATA_DIR: '/else', XDG_DATA_HOME: '/xdg' } }, '/else'],
  ['an empty variable counts as none', undefined, { env: { ASSENT_DATA_DIR: '' } }, '/home/me/.local/share/assent'],
  ['XDG on Linux', undefined, { env: { XDG_DATA_HOME: '/xdg' } }, '/xdg/assent'],
  ['a relative XDG folder is ignored', undefined, { env: { XDG_DATA_HOME: 'xdg' } }, '/home/me/.local/share/assent'],
  ['Library on macOS', undefined, { platform: 'darwin', home: '/Users/me' }, '/Users/me/Library/Application Support/Assent'],
  [
    'the local folder on Windows, since the roaming one may lie on a share',
    undefined,
    { platform: 'win32', env: { APPDATA: `${me}\\Roaming`, LOCALAPPDATA: `${me}\\Local` } },
    `${me}\\Local\\Assent`,
  ],
  [
    'a share of a company on Windows, whose roaming folder is redirected',
    undefined,
    { platform: 'win32', env: { APPDATA: '\\\\files\\profiles\\me' }, home: 'C:\\Users\\me' },
    `${me}\\Local\\Assent`,
  ],
  ['a chosen folder on Windows', 'D:\\mine', { platform: 'win32', cwd: 'C:\\' }, 'D:\\mine'],
])('%s', (_title, option, other, expected) => {
  expect(profileFolder(option, { ...linux, ...other })).toEqual(expected)
})
