import { expect, it } from 'vitest'
import { hostId, hostPlaces } from './hosts.ts'

const places = (platform: string, home: string, env: Record<string, string> = {}): Record<string, string[] | undefined> => {
  const all = hostPlaces({ platform, home, env })
  return Object.fromEntries(hostId.options.map((host) => [host, all.filter((place) => place.host === host).map(({ path }) => path)]))
}

it('knows the places on macOS', () => {
  const support = '/Users/ada/Library/Application Support'
  expect(places('darwin', '/Users/ada')).toMatchObject({
    'claude-desktop': [`${support}/Claude/claude_desktop_config.json`],
    'claude-code': ['/Users/ada/.claude.json'],
    cursor: ['/Users/ada/.cursor/mcp.json'],
    vscode: expect.arrayContaining([`${support}/Code/User/mcp.json`, `${support}/Code - Insiders/User/settings.json`]),
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
    'claude-desktop': [`${roaming}\\Claude\\claude_desktop_config.json`],
    'claude-code': [`${home}\\.claude.json`],
    cursor: [`${home}\\.cursor\\mcp.json`],
    vscode: expect.arrayContaining([`${roaming}\\Code\\User\\mcp.json`]),
    zed: [`${roaming}\\Zed\\settings.json`],
    goose: [`${roaming}\\Block\\goose\\config\\config.yaml`],
  })
  expect(places('win32', home, { APPDATA: 'D:\\Data' })['claude-desktop']).toEqual(['D:\\Data\\Claude\\claude_desktop_config.json'])
})

it('knows the places on Linux', () => {
  expect(places('linux', '/home/ada')).toMatchObject({
    'claude-desktop': ['/home/ada/.config/Claude/claude_desktop_config.json'],
    'claude-code': ['/home/ada/.claude.json'],
    vscode: expect.arrayContaining(['/home/ada/.config/Code/User/mcp.json', '/home/ada/.config/VSCodium/User/mcp.json']),
    zed: ['/home/ada/.config/zed/settings.json'],
    goose: ['/home/ada/.config/goose/config.yaml'],
  })
})

it('follows what moves a place, where it is a whole path', () => {
  const moved = places('linux', '/home/ada', {
    XDG_CONFIG_HOME: '/etc/ada',
    CLAUDE_CONFIG_DIR: '/srv/claude/',
    CONTINUE_GLOBAL_DIR: 'here',
  })
  expect([moved['zed'], moved['claude-code'], moved['continue']?.slice(0, 1)]).toEqual([
    ['/etc/ada/zed/settings.json'],
    ['/srv/claude/.claude.json'],
    ['/home/ada/.continue/config.yaml'],
  ])
})
