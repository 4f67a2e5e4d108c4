// Locations of the config files of other applications, as their documentation names them, by system and packaging. Files are looked for
// nowhere else, but in a folder or file that the person names.

import type { Snippet } from '../candidate.ts'
import type { ServerDefinition } from '../definition.ts'
import { replaceReferences } from '../inputs/variable-references.ts'
import type { HostId } from './app-names.ts'
import { mapTexts } from './fresh-inputs.ts'

/** Puts the folder (absolute) of a project in place of references to it, and makes servers run there unless they name another. */
export function inProject(snippet: Snippet, folder: string): Snippet {
  const name = folder.split(/[\\/]/).at(-1) ?? folder
  // A path that could be read as a reference itself is not put in.
  const known = !folder.includes('$' + '{')
  const whole = (text: string): string =>
    replaceReferences(text, (reference) => {
      if (!known || reference.kind !== 'place') return undefined
      return reference.place === 'workspaceFolder' ? folder : reference.place === 'workspaceFolderBasename' ? name : undefined
    })
  const there = (definition: ServerDefinition): ServerDefinition => {
    const own = mapTexts(definition, whole)
    return known && own.transport === 'stdio' && own.cwd === undefined ? { ...own, cwd: folder } : own
  }
  return {
    ...snippet,
    servers: snippet.servers.map((server) => ({ ...server, definition: there(server.definition), project: server.project ?? folder })),
  }
}

export interface AppConfigLocation {
  readonly host: HostId
  readonly path: string
  /** Set when `path` is a folder: entries whose name starts and ends so, and in each the file `file`. */
  readonly inside?: { readonly starts?: string; readonly ends?: readonly string[]; readonly file?: string }
}

export interface AppSystem {
  readonly platform: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const pathsOn = (platform: string): ((...parts: string[]) => string) => {
  const separator = platform === 'win32' ? '\\' : '/'
  return (...parts) => parts.join(separator)
}
const at = (host: HostId, ...paths: string[]): AppConfigLocation[] => paths.map((path) => ({ host, path }))
const yamlOrJson = { ends: ['.yaml', '.yml', '.json'] }

export function appConfigLocations({ platform, home, env }: AppSystem): AppConfigLocation[] {
  const windows = platform === 'win32'
  const join = pathsOn(platform)
  const named = (name: string): string | undefined => {
    const value = env[name]
    return value !== undefined && (windows ? /^[A-Za-z]:[\\/]|^\\\\/ : /^\//).test(value) ? value.replace(/[\\/]+$/, '') : undefined
  }
  const dotConfig = named('XDG_CONFIG_HOME') ?? join(home, '.config')
  const roaming = named('APPDATA') ?? join(home, 'AppData', 'Roaming')
  const own = windows ? roaming : platform === 'darwin' ? join(home, 'Library', 'Application Support') : dotConfig
  const portable = named('VSCODE_PORTABLE')
  /** Flatpak gives each app a config folder of its own. Snaps of editors are not confined and use the usual one. */
  const flatpak = (app: string): string => join(home, '.var', 'app', app, 'config')
  const editors = [
    ...(portable === undefined ? [] : [join(portable, 'user-data', 'User')]),
    ...['Code', 'Code - Insiders', 'VSCodium'].map((name) => join(named('VSCODE_APPDATA') ?? own, name, 'User')),
    ...(platform === 'linux'
      ? [
          join(flatpak('com.visualstudio.code'), 'Code', 'User'),
          join(flatpak('com.visualstudio.code.insiders'), 'Code - Insiders', 'User'),
          join(flatpak('com.vscodium.codium'), 'VSCodium', 'User'),
          // Used when this computer is edited from another one.
          join(home, '.vscode-server', 'data', 'User'),
        ]
      : []),
  ]
  const continueHome = named('CONTINUE_GLOBAL_DIR') ?? join(home, '.continue')
  const packages = join(named('LOCALAPPDATA') ?? join(home, 'AppData', 'Local'), 'Packages')
  return [
    ...at('claude-desktop', join(own, 'Claude', 'claude_desktop_config.json')),
    // Installed as an MSIX package, it reads a roaming folder of its own.
    ...(windows
      ? [
          {
            host: 'claude-desktop' as const,
            path: packages,
            inside: { starts: 'Claude_', file: join('LocalCache', 'Roaming', 'Claude', 'claude_desktop_config.json') },
          },
        ]
      : []),
    ...at('claude-code', join(named('CLAUDE_CONFIG_DIR') ?? home, '.claude.json')),
    ...at('cursor', join(home, '.cursor', 'mcp.json')),
    ...editors.flatMap((user): AppConfigLocation[] => [
      ...at('vscode', join(user, 'mcp.json'), join(user, 'settings.json')),
      { host: 'vscode', path: join(user, 'profiles'), inside: { file: 'mcp.json' } },
    ]),
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
      ...(platform === 'linux' ? [join(flatpak('dev.zed.Zed'), 'zed', 'settings.json')] : []),
    ),
    ...at('goose', windows ? join(roaming, 'Block', 'goose', 'config', 'config.yaml') : join(dotConfig, 'goose', 'config.yaml')),
    ...at('lm-studio', join(home, '.lmstudio', 'mcp.json'), join(home, '.cache', 'lm-studio', 'mcp.json')),
    ...at('continue', join(continueHome, 'config.yaml'), join(continueHome, 'config.json')),
    { host: 'continue', path: join(continueHome, 'mcpServers'), inside: yamlOrJson },
    ...at('codex', join(named('CODEX_HOME') ?? join(home, '.codex'), 'config.toml')),
  ]
}

export function projectConfigLocations(folder: string, platform: string): AppConfigLocation[] {
  const join = pathsOn(platform)
  return [
    ...at('claude-code', join(folder, '.mcp.json')),
    ...at('cursor', join(folder, '.cursor', 'mcp.json')),
    ...at('vscode', join(folder, '.vscode', 'mcp.json'), join(folder, '.vscode', 'settings.json')),
    { host: 'vscode', path: folder, inside: { ends: ['.code-workspace'] } },
    ...at('zed', join(folder, '.zed', 'settings.json')),
    { host: 'continue', path: join(folder, '.continue', 'mcpServers'), inside: yamlOrJson },
    ...at('codex', join(folder, '.codex', 'config.toml')),
  ]
}
