import { expect, it } from 'vitest'
import { type ProfilePlaces, profilePlaces, type Surroundings } from './data-dir.ts'

const linux: Surroundings = { platform: 'linux', env: {}, home: '/home/me', cwd: '/projects' }

const me = 'C:\\Users\\me\\AppData'

it.each<[string, string | undefined, Partial<Surroundings>, ProfilePlaces]>([
  ['the option wins, and is made absolute', 'here', { env: { ASSENT_DATA_DIR: '/else' } }, { dataDir: '/projects/here' }],
  ['then the variable', undefined, { env: { ASSENT_DATA_DIR: '/else', XDG_DATA_HOME: '/xdg' } }, { dataDir: '/else' }],
  ['an empty variable counts as none', undefined, { env: { ASSENT_DATA_DIR: '' } }, { dataDir: '/home/me/.local/share/assent' }],
  ['XDG on Linux', undefined, { env: { XDG_DATA_HOME: '/xdg' } }, { dataDir: '/xdg/assent' }],
  ['a relative XDG folder is ignored', undefined, { env: { XDG_DATA_HOME: 'xdg' } }, { dataDir: '/home/me/.local/share/assent' }],
  ['Library on macOS', undefined, { platform: 'darwin', home: '/Users/me' }, { dataDir: '/Users/me/Library/Application Support/Assent' }],
  [
    'the local folder on Windows, where it roamed before',
    undefined,
    { platform: 'win32', env: { APPDATA: `${me}\\Roaming`, LOCALAPPDATA: `${me}\\Local` } },
    { dataDir: `${me}\\Local\\Assent`, former: `${me}\\Roaming\\Assent` },
  ],
  [
    'a share of a company on Windows, whose roaming folder is redirected',
    undefined,
    { platform: 'win32', env: { APPDATA: '\\\\files\\profiles\\me' }, home: 'C:\\Users\\me' },
    { dataDir: `${me}\\Local\\Assent`, former: '\\\\files\\profiles\\me\\Assent' },
  ],
  [
    'one folder for both on Windows',
    undefined,
    { platform: 'win32', env: { APPDATA: 'D:\\Data', LOCALAPPDATA: 'd:\\data' } },
    { dataDir: 'd:\\data\\Assent' },
  ],
  ['a chosen folder on Windows has no former one', 'D:\\mine', { platform: 'win32', cwd: 'C:\\' }, { dataDir: 'D:\\mine' }],
])('%s', (_title, option, other, expected) => {
  expect(profilePlaces(option, { ...linux, ...other })).toEqual(expected)
})
