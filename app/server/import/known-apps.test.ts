import { expect, it } from 'vitest'
import { hostId } from './app-names.ts'
import { appConfigLocations, projectConfigLocations } from './known-apps.ts'

const places = (platform: string, home: string, env: Record<string, string> = {}): Record<string, string[] | undefined> => {
  const all = appConfigLocations({ platform, home, env })
  return Object.fromEntries(hostId.options.map((host) => [host, all.filter((place) => place.host === host).map(({ path }) => path)]))
}

it('knows the places on macOS', () => {
  const support = '/Users/ada/Library/Application Support'
  expect(places('darwin', '/Users/ada')).toMatchObject({
    'claude-desktop': [`${support}/Claude/claude_desktop_config.json`],
    'claude-code': ['/Users/ada/.claude.json'],
    cursor: ['/Users/ada/.cursor/mcp.json'],
    vscode: expect.arrayContaining([
      `${support}/Code/User/mcp.json`,
      `${support}/Code/User/profiles`,
      `${support}/Code - Insiders/User/settings.json`,
    ]),
    codex: ['/Users/ada/.codex/config.toml'],
    windsurf: ['/Users/ada/.codeium/windsurf/mcp_config.json'],
    cline: expect.arrayContaining([`${support}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`]),
    zed: ['/Users/ada/.config/zed/settings.json'],
    goose: ['/Users/ada/.config/goose/config.yaml'],
    'lm-studio': ['/Users/ada/.lmstudio/mcp.json', '/Users/ada/.cache/lm-studio/mcp.json'],
    continue: ['/Users/ada/.continue/config.yaml', '/Users/ada/.continue/config.json', '/Users/ada/.continue/mcpServers'],
  })
})

it('knows the places on Windows', () => {
  const home = 'C:\\Users\\ada'
  const roaming = `${home}\\AppData\\Roaming`
  expect(places('win32', home)).toMatchObject({
    'claude-desktop': [`${roaming}\\Claude\\claude_desktop_config.json`, `${home}\\AppData\\Local\\Packages`],
    'claude-code': [`${home}\\.claude.json`],
    cursor: [`${home}\\.cursor\\mcp.json`],
    vscode: expect.arrayContaining([`${roaming}\\Code\\User\\mcp.json`]),
    zed: [`${roaming}\\Zed\\settings.json`],
    goose: [`${roaming}\\Block\\goose\\config\\config.yaml`],
  })
  expect(places('win32', home, { APPDATA: 'D:\\Data', LOCALAPPDATA: 'D:\\Local' })['claude-desktop']).toEqual([
    'D:\\Data\\Claude\\claude_desktop_config.json',
    'D:\\Local\\Packages',
  ])
})

it('knows the places on Linux', () => {
  expect(places('linux', '/home/ada')).toMatchObject({
    'claude-desktop': ['/home/ada/.config/Claude/claude_desktop_config.json'],
    'claude-code': ['/home/ada/.claude.json'],
    vscode: expect.arrayContaining([
      '/home/ada/.config/Code/User/mcp.json',
      '/home/ada/.config/VSCodium/User/mcp.json',
      '/home/ada/.var/app/com.visualstudio.code/config/Code/User/mcp.json',
      '/home/ada/.var/app/com.vscodium.codium/config/VSCodium/User/profiles',
      '/home/ada/.vscode-server/data/User/mcp.json',
    ]),
    zed: ['/home/ada/.config/zed/settings.json', '/home/ada/.var/app/dev.zed.Zed/config/zed/settings.json'],
    goose: ['/home/ada/.config/goose/config.yaml'],
  })
})

it('follows what moves a place, where it is a whole path', () => {
  const moved = places('linux', '/home/ada', {
    XDG_CONFIG_HOME: '/etc/ada',
    CLAUDE_CONFIG_DIR: '/srv/claude/',
    CONTINUE_GLOBAL_DIR: 'here',
    VSCODE_PORTABLE: '/media/stick/data',
    CODEX_HOME: '/srv/codex',
  })
  expect([moved['zed']?.[0], moved['claude-code'], moved['continue']?.[0], moved['vscode']?.[0], moved['codex']]).toEqual([
    '/etc/ada/zed/settings.json',
    ['/srv/claude/.claude.json'],
    '/home/ada/.continue/config.yaml',
    '/media/stick/data/user-data/User/mcp.json',
    ['/srv/codex/config.toml'],
  ])
})

it('knows what stands in the folder of a project', () => {
  expect(projectConfigLocations('/home/ada/books', 'linux').map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/home/ada/books/.vscode/mcp.json', '/home/ada/books/.mcp.json', '/home/ada/books/.cursor/mcp.json']),
  )
  expect(projectConfigLocations('D:\\books', 'win32')[0]?.path).toBe('D:\\books\\.mcp.json')
})
