// The programs whose servers can be taken over, where each keeps them, and how its files are read. Places are those that
// its documentation names, by system; nothing is looked for anywhere else.
import { z } from 'zod'
import { readFileText } from './read-json.ts'
import type { Snippet } from './snippet.ts'

export const hostId = z.enum([
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'windsurf',
  'cline',
  'zed',
  'goose',
  'lm-studio',
  'continue',
])
export type HostId = z.infer<typeof hostId>

export const hostNames: Readonly<Record<HostId, string>> = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  cline: 'Cline',
  zed: 'Zed',
  goose: 'Goose',
  'lm-studio': 'LM Studio',
  continue: 'Continue',
}

export interface HostPlace {
  readonly host: HostId
  readonly path: string
  /** `folder`: each file in it with one of these ends. */
  readonly ends?: readonly string[]
}

export interface System {
  /** As `process.platform` names it. */
  readonly platform: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export function hostPlaces({ platform, home, env }: System): HostPlace[] {
  const windows = platform === 'win32'
  const join = (...parts: string[]): string => parts.join(windows ? '\\' : '/')
  /** A variable that names no whole path is not followed. */
  const named = (name: string): string | undefined => {
    const value = env[name]
    return value !== undefined && (windows ? /^[A-Za-z]:[\\/]|^\\\\/ : /^\//).test(value) ? value.replace(/[\\/]+$/, '') : undefined
  }
  const dotConfig = named('XDG_CONFIG_HOME') ?? join(home, '.config')
  const roaming = named('APPDATA') ?? join(home, 'AppData', 'Roaming')
  const own = windows ? roaming : platform === 'darwin' ? join(home, 'Library', 'Application Support') : dotConfig
  const editors = ['Code', 'Code - Insiders', 'VSCodium'].map((name) => join(own, name, 'User'))
  const continueHome = named('CONTINUE_GLOBAL_DIR') ?? join(home, '.continue')
  const at = (host: HostId, ...paths: string[]): HostPlace[] => paths.map((path) => ({ host, path }))
  return [
    ...at('claude-desktop', join(own, 'Claude', 'claude_desktop_config.json')),
    ...at('claude-code', join(named('CLAUDE_CONFIG_DIR') ?? home, '.claude.json')),
    ...at('cursor', join(home, '.cursor', 'mcp.json')),
    ...at('vscode', ...editors.flatMap((user) => [join(user, 'mcp.json'), join(user, 'settings.json')])),
    ...at('windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json')),
    ...at(
      'cline',
      ...editors.map((user) => join(user, 'globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json')),
      join(named('CLINE_DIR') ?? join(home, '.cline'), 'data', 'settings', 'cline_mcp_settings.json'),
    ),
    ...at(
      'zed',
      windows
        ? join(roaming, 'Zed', 'settings.json')
        : join(platform === 'darwin' ? join(home, '.config') : dotConfig, 'zed', 'settings.json'),
    ),
    ...at('goose', windows ? join(roaming, 'Block', 'goose', 'config', 'config.yaml') : join(dotConfig, 'goose', 'config.yaml')),
    ...at('lm-studio', join(home, '.lmstudio', 'mcp.json'), join(home, '.cache', 'lm-studio', 'mcp.json')),
    ...at('continue', join(continueHome, 'config.yaml'), join(continueHome, 'config.json')),
    { host: 'continue', path: join(continueHome, 'mcpServers'), ends: ['.yaml', '.yml', '.json'] },
  ]
}

/** `file`: its path, for problems. */
export const readHostFile = (host: HostId, text: string, file: string): Snippet =>
  readFileText(text, file, {
    language: /\.ya?ml$/i.test(file) ? 'yaml' : 'json',
    unit: host === 'cline' ? 's' : host === 'claude-code' || host === 'continue' ? 'ms' : 'guess',
    bareVariables: host === 'claude-code',
  })
