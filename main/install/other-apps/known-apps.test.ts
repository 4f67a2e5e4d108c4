import { expect, it } from 'vitest'
import { type HostId, hostId } from '#app/server/import/app-names.ts'
import { appConfigLocations, knownApps, projectConfigLocations } from './known-apps.ts'

const places = (platform: string, home: string, env: Record<string, string> = {}): Record<string, string[] | undefined> => {
  const all = appConfigLocations({ platform, home, env })
  return Object.fromEntries(
    hostId.options.map((host) => [
      host,
      all.filter((place) => place.host === host).map(({ path, within = [] }) => [path, ...within].join(platform === 'win32' ? '\\' : '/')),
    ]),
  )
}

it('knows the places on macOS', () => {
  const support = '/Users/ada/Library/Application Support'
  expect(places('darwin', '/Users/ada')).toMatchObject({
    'claude-desktop': [`${support}/Claude/claude_desktop_config.json`, `${support}/Claude/Claude Extensions/*/manifest.json`],
    'claude-code': ['/Users/ada/.claude.json'],
    cursor: ['/Users/ada/.cursor/mcp.json'],
    vscode: expect.arrayContaining([
      `${support}/Code/User/mcp.json`,
      `${support}/Code/User/profiles/*/mcp.json`,
      `${support}/Code - Insiders/User/settings.json`,
    ]),
    codex: ['/Users/ada/.codex/config.toml'],
    windsurf: ['/Users/ada/.codeium/windsurf/mcp_config.json'],
    cline: expect.arrayContaining([`${support}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`]),
    zed: ['/Users/ada/.config/zed/settings.json'],
    goose: ['/Users/ada/.config/goose/config.yaml'],
    'lm-studio': ['/Users/ada/.lmstudio/mcp.json', '/Users/ada/.cache/lm-studio/mcp.json'],
    continue: ['config.yaml', 'config.json', 'mcpServers/*.yaml', 'mcpServers/*.yml', 'mcpServers/*.json'].map(
      (file) => `/Users/ada/.continue/${file}`,
    ),
  })
})

it('knows the places on Windows', () => {
  const home = 'C:\\Users\\ada'
  const roaming = `${home}\\AppData\\Roaming`
  expect(places('win32', home)).toMatchObject({
    'claude-desktop': [
      `${roaming}\\Claude\\claude_desktop_config.json`,
      `${home}\\AppData\\Local\\Packages\\Claude_*\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json`,
      `${roaming}\\Claude\\Claude Extensions\\*\\manifest.json`,
      `${home}\\AppData\\Local\\Packages\\Claude_*\\LocalCache\\Roaming\\Claude\\Claude Extensions\\*\\manifest.json`,
    ],
    'claude-code': [`${home}\\.claude.json`],
    cursor: [`${home}\\.cursor\\mcp.json`],
    vscode: expect.arrayContaining([`${roaming}\\Code\\User\\mcp.json`]),
    zed: [`${roaming}\\Zed\\settings.json`],
    goose: [`${roaming}\\Block\\goose\\config\\config.yaml`],
  })
  expect(places('win32', home, { APPDATA: 'D:\\Data', LOCALAPPDATA: 'D:\\Local' })['claude-desktop']?.slice(0, 2)).toEqual([
    'D:\\Data\\Claude\\claude_desktop_config.json',
    'D:\\Local\\Packages\\Claude_*\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
  ])
})

it('knows the places on Linux', () => {
  expect(places('linux', '/home/ada')).toMatchObject({
    'claude-desktop': ['/home/ada/.config/Claude/claude_desktop_config.json', '/home/ada/.config/Claude/Claude Extensions/*/manifest.json'],
    'claude-code': ['/home/ada/.claude.json'],
    vscode: expect.arrayContaining([
      '/home/ada/.config/Code/User/mcp.json',
      '/home/ada/.config/VSCodium/User/mcp.json',
      '/home/ada/.var/app/com.visualstudio.code/config/Code/User/mcp.json',
      '/home/ada/.var/app/com.vscodium.codium/config/VSCodium/User/profiles/*/mcp.json',
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
    COPILOT_HOME: '/srv/copilot',
    OPENCODE_CONFIG_DIR: '/srv/opencode',
  })
  expect([
    moved['zed']?.[0],
    moved['claude-code'],
    moved['continue']?.[0],
    moved['vscode']?.[0],
    moved['codex'],
    moved['copilot-cli'],
    moved['opencode']?.[0],
    moved['opencode']?.at(-1),
  ]).toEqual([
    '/etc/ada/zed/settings.json',
    ['/srv/claude/.claude.json'],
    '/home/ada/.continue/config.yaml',
    '/media/stick/data/user-data/User/mcp.json',
    ['/srv/codex/config.toml'],
    ['/srv/copilot/mcp-config.json'],
    '/etc/ada/opencode/opencode.json',
    '/srv/opencode/opencode.jsonc',
  ])
})

/** Places as each application documents them; `~` is the home folder. By user on Linux, macOS and Windows, then by project. */
const documented: readonly (readonly [HostId, linux: string[], darwin: string[], win32: string[], project: string[]])[] = [
  ['codex', ['~/.codex/config.toml'], ['~/.codex/config.toml'], ['~\\.codex\\config.toml'], ['.codex/config.toml']],
  ['gemini-cli', ['~/.gemini/settings.json'], ['~/.gemini/settings.json'], ['~\\.gemini\\settings.json'], ['.gemini/settings.json']],
  [
    'qwen-code',
    ['~/.qwen/settings.json'],
    ['~/.qwen/settings.json'],
    ['~\\.qwen\\settings.json'],
    ['.qwen/settings.json', '.qwen/settings.local.json'],
  ],
  [
    'opencode',
    ['~/.config/opencode/opencode.json', '~/.config/opencode/opencode.jsonc'],
    ['~/.config/opencode/opencode.json', '~/.config/opencode/opencode.jsonc'],
    ['~\\.config\\opencode\\opencode.json', '~\\.config\\opencode\\opencode.jsonc'],
    ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
  ],
  [
    'kiro',
    ['~/.kiro/settings/mcp.json', '~/.kiro/agents/*.json'],
    ['~/.kiro/settings/mcp.json', '~/.kiro/agents/*.json'],
    ['~\\.kiro\\settings\\mcp.json', '~\\.kiro\\agents\\*.json'],
    ['.kiro/settings/mcp.json', '.kiro/agents/*.json'],
  ],
  ['copilot-cli', ['~/.copilot/mcp-config.json'], ['~/.copilot/mcp-config.json'], ['~\\.copilot\\mcp-config.json'], ['.github/mcp.json']],
  [
    'amazon-q',
    ['~/.aws/amazonq/mcp.json', '~/.aws/amazonq/default.json', '~/.aws/amazonq/agents/default.json', '~/.aws/amazonq/cli-agents/*.json'],
    ['~/.aws/amazonq/mcp.json', '~/.aws/amazonq/agents/default.json', '~/.aws/amazonq/cli-agents/*.json'],
    ['~\\.aws\\amazonq\\mcp.json', '~\\.aws\\amazonq\\agents\\default.json', '~\\.aws\\amazonq\\cli-agents\\*.json'],
    ['.amazonq/mcp.json', '.amazonq/default.json', '.amazonq/cli-agents/*.json'],
  ],
  ['warp', ['~/.warp/.mcp.json'], ['~/.warp/.mcp.json'], ['~\\.warp\\.mcp.json'], ['.warp/.mcp.json']],
  [
    'roo-code',
    ['~/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json'],
    ['~/Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json'],
    ['~\\AppData\\Roaming\\Code\\User\\globalStorage\\rooveterinaryinc.roo-cline\\settings\\mcp_settings.json'],
    ['.roo/mcp.json'],
  ],
  [
    'kilo-code',
    ['~/.config/kilo/kilo.json', '~/.config/kilo/kilo.jsonc', '~/.kilocode/cli/global/settings/mcp_settings.json'],
    ['~/.config/kilo/kilo.jsonc', '~/Library/Application Support/Code/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json'],
    ['~\\.config\\kilo\\kilo.jsonc', '~\\AppData\\Roaming\\Code\\User\\globalStorage\\kilocode.kilo-code\\settings\\mcp_settings.json'],
    ['kilo.json', 'kilo.jsonc', '.kilo/kilo.json', '.kilo/kilo.jsonc', '.kilocode/mcp.json'],
  ],
  ['junie', ['~/.junie/mcp/mcp.json'], ['~/.junie/mcp/mcp.json'], ['~\\.junie\\mcp\\mcp.json'], ['.junie/mcp/mcp.json']],
  [
    'amp',
    ['~/.config/amp/settings.json', '~/.config/amp/settings.jsonc'],
    ['~/.config/amp/settings.json', '~/.config/amp/settings.jsonc'],
    ['~\\.config\\amp\\settings.json', '~\\.config\\amp\\settings.jsonc'],
    ['.amp/settings.json', '.amp/settings.jsonc'],
  ],
  [
    'crush',
    ['~/.config/crush/crush.json', '~/.config/crush/crushrc'],
    ['~/.config/crush/crush.json', '~/.config/crush/crushrc'],
    ['~\\AppData\\Local\\crush\\crush.json', '~\\.config\\crush\\crushrc'],
    ['.crush.json', 'crush.json', '.crushrc', 'crushrc'],
  ],
]

it.each(documented)('knows the places of %s on each system and in a project', (host, linux, darwin, win32, project) => {
  const at = (platform: string, home: string): string[] => places(platform, home)[host]?.map((path) => path.replace(home, '~')) ?? []
  expect(at('linux', '/home/ada')).toEqual(expect.arrayContaining(linux))
  expect(at('darwin', '/Users/ada')).toEqual(expect.arrayContaining(darwin))
  expect(at('win32', 'C:\\Users\\ada')).toEqual(expect.arrayContaining(win32))
  const inProject = (folder: string, platform: string, separator: string): string[] =>
    projectConfigLocations(folder, platform)
      .filter((place) => place.host === host)
      .map(({ path, within = [] }) => [path, ...within].join(separator).slice(folder.length + 1))
  expect(inProject('/home/ada/books', 'linux', '/')).toEqual(project)
  expect(inProject('D:\\books', 'win32', '\\')).toEqual(project.map((path) => path.replaceAll('/', '\\')))
})

it('names the page of each place', () => {
  expect(knownApps.filter(({ source }) => !URL.canParse(source))).toEqual([])
  expect(new Set(knownApps.map(({ host }) => host))).toEqual(new Set(hostId.options.filter((host) => host !== 'other')))
})

it('knows what stands in the folder of a project', () => {
  expect(projectConfigLocations('/home/ada/books', 'linux').map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/home/ada/books/.vscode/mcp.json', '/home/ada/books/.mcp.json', '/home/ada/books/.cursor/mcp.json']),
  )
  expect(projectConfigLocations('D:\\books', 'win32')[0]?.path).toBe('D:\\books\\.mcp.json')
})
