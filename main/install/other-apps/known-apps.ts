// Table of the config files of other applications: by user and by project, on each system, with the page that names them. Files are
// looked for nowhere else, but in a folder or file that the person names.

import type { Snippet } from '#app/server/candidate.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { HostId } from '#app/server/import/app-names.ts'
import { mapTexts } from '#app/server/import/fresh-inputs.ts'
import { replaceReferences } from '#app/server/inputs/variable-references.ts'

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
  /** File; with `within` a folder. */
  readonly path: string
  /** Path in the folder, in its parts; `*` stands for any letters of a part. */
  readonly within?: readonly string[]
}

export interface AppSystem {
  readonly platform: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Folders that the table builds on. Paths are written with `/` on every system. */
interface Folders {
  readonly platform: string
  readonly home: string
  /** `XDG_CONFIG_HOME`, else `~/.config`. */
  readonly dotConfig: string
  /** Settings of desktop apps: `%APPDATA%`, `~/Library/Application Support`, or `dotConfig`. */
  readonly own: string
  /** `%LOCALAPPDATA%` */
  readonly local: string
  /** `User` folders of VS Code and its relatives. */
  readonly editors: readonly string[]
  /** Value of a variable that moves a place, where it is a whole path. */
  readonly named: (variable: string) => string | undefined
}

/** File, or a folder and a path in it with `*`. */
type Place = string | readonly [folder: string, within: string]

interface KnownApp {
  readonly host: HostId
  /** Page of its documentation, or file of its source, that names the places. */
  readonly source: string
  readonly user?: (at: Folders) => readonly Place[]
  /** Paths in the folder of a project. */
  readonly project?: readonly Place[]
}

/** Extension of an editor that keeps its servers in the editor's storage. */
const inEditors = (editors: readonly string[], extension: string, file: string): string[] =>
  editors.map((user) => `${user}/globalStorage/${extension}/settings/${file}`)

const json = (base: string): string[] => [`${base}.json`, `${base}.jsonc`]
const yamlOrJson = (folder: string): Place[] => ['*.yaml', '*.yml', '*.json'].map((pattern) => [folder, pattern])

export const knownApps: readonly KnownApp[] = [
  {
    host: 'claude-desktop',
    source: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
    user: ({ platform, own, local }) => [
      `${own}/Claude/claude_desktop_config.json`,
      // Installed as an MSIX package, it reads a roaming folder of its own.
      ...(platform === 'win32' ? [[`${local}/Packages`, 'Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json'] as const] : []),
    ],
  },
  {
    // Folder of the installed extensions, which Settings → Extensions → Advanced settings opens.
    host: 'claude-desktop',
    source: 'https://github.com/anthropics/claude-code/issues/27041',
    user: ({ platform, own, local }) => [
      [`${own}/Claude/Claude Extensions`, '*/manifest.json'],
      ...(platform === 'win32'
        ? [[`${local}/Packages`, 'Claude_*/LocalCache/Roaming/Claude/Claude Extensions/*/manifest.json'] as const]
        : []),
    ],
  },
  {
    host: 'claude-code',
    source: 'https://code.claude.com/docs/en/mcp',
    user: ({ home, named }) => [`${named('CLAUDE_CONFIG_DIR') ?? home}/.claude.json`],
    project: ['.mcp.json'],
  },
  {
    host: 'cursor',
    source: 'https://docs.cursor.com/context/model-context-protocol',
    user: ({ home }) => [`${home}/.cursor/mcp.json`],
    project: ['.cursor/mcp.json'],
  },
  {
    host: 'vscode',
    source: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
    user: ({ editors }) =>
      editors.flatMap((user): Place[] => [`${user}/mcp.json`, `${user}/settings.json`, [`${user}/profiles`, '*/mcp.json']]),
    project: ['.vscode/mcp.json', '.vscode/settings.json', ['', '*.code-workspace']],
  },
  {
    host: 'windsurf',
    source: 'https://docs.windsurf.com/windsurf/cascade/mcp',
    user: ({ home }) => [`${home}/.codeium/windsurf/mcp_config.json`],
  },
  {
    host: 'cline',
    source: 'https://docs.cline.bot/mcp/configuring-mcp-servers',
    user: ({ home, editors, named }) => [
      ...inEditors(editors, 'saoudrizwan.claude-dev', 'cline_mcp_settings.json'),
      `${named('CLINE_DIR') ?? `${home}/.cline`}/data/settings/cline_mcp_settings.json`,
    ],
  },
  {
    host: 'zed',
    source: 'https://zed.dev/docs/configuring-zed',
    user: ({ platform, home, own, dotConfig }) => [
      platform === 'win32' ? `${own}/Zed/settings.json` : `${platform === 'darwin' ? `${home}/.config` : dotConfig}/zed/settings.json`,
      ...(platform === 'linux' ? [`${flatpak(home, 'dev.zed.Zed')}/zed/settings.json`] : []),
    ],
    project: ['.zed/settings.json'],
  },
  {
    host: 'goose',
    source: 'https://block.github.io/goose/docs/guides/config-file',
    user: ({ platform, own, dotConfig }) => [
      platform === 'win32' ? `${own}/Block/goose/config/config.yaml` : `${dotConfig}/goose/config.yaml`,
    ],
  },
  {
    host: 'lm-studio',
    source: 'https://lmstudio.ai/docs/app/mcp',
    user: ({ home }) => [`${home}/.lmstudio/mcp.json`, `${home}/.cache/lm-studio/mcp.json`],
  },
  {
    host: 'continue',
    source: 'https://docs.continue.dev/customize/deep-dives/mcp',
    user: ({ home, named }) => {
      const base = named('CONTINUE_GLOBAL_DIR') ?? `${home}/.continue`
      return [`${base}/config.yaml`, `${base}/config.json`, ...yamlOrJson(`${base}/mcpServers`)]
    },
    project: yamlOrJson('.continue/mcpServers'),
  },
  {
    host: 'codex',
    source: 'https://developers.openai.com/codex/mcp',
    user: ({ home, named }) => [`${named('CODEX_HOME') ?? `${home}/.codex`}/config.toml`],
    project: ['.codex/config.toml'],
  },
  {
    host: 'gemini-cli',
    source: 'https://geminicli.com/docs/reference/configuration',
    user: ({ home }) => [`${home}/.gemini/settings.json`],
    project: ['.gemini/settings.json'],
  },
  {
    host: 'qwen-code',
    source: 'https://qwenlm.github.io/qwen-code-docs/1.x/en/users/mcp/',
    user: ({ home }) => [`${home}/.qwen/settings.json`],
    project: ['.qwen/settings.json', '.qwen/settings.local.json'],
  },
  {
    host: 'opencode',
    source: 'https://opencode.ai/docs/config/',
    user: ({ dotConfig, named }) => [
      ...json(`${dotConfig}/opencode/opencode`),
      ...[named('OPENCODE_CONFIG') ?? []].flat(),
      ...[named('OPENCODE_CONFIG_DIR') ?? []].flat().flatMap((folder) => json(`${folder}/opencode`)),
    ],
    project: [...json('opencode'), ...json('.opencode/opencode')],
  },
  {
    host: 'kiro',
    source: 'https://kiro.dev/docs/mcp/configuration',
    // Agents of Kiro CLI have servers of their own.
    user: ({ home }) => [`${home}/.kiro/settings/mcp.json`, [`${home}/.kiro/agents`, '*.json']],
    project: ['.kiro/settings/mcp.json', ['.kiro/agents', '*.json']],
  },
  {
    host: 'copilot-cli',
    source: 'https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-config-dir-reference',
    user: ({ home, named }) => [`${named('COPILOT_HOME') ?? `${home}/.copilot`}/mcp-config.json`],
    project: ['.github/mcp.json'],
  },
  {
    host: 'amazon-q',
    source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/mcp-ide.html',
    user: ({ home }) => {
      const base = `${home}/.aws/amazonq`
      return [`${base}/mcp.json`, `${base}/default.json`, `${base}/agents/default.json`, [`${base}/cli-agents`, '*.json']]
    },
    project: ['.amazonq/mcp.json', '.amazonq/default.json', ['.amazonq/cli-agents', '*.json']],
  },
  {
    host: 'warp',
    source: 'https://docs.warp.dev/agents/capabilities/mcp/',
    user: ({ home }) => [`${home}/.warp/.mcp.json`],
    project: ['.warp/.mcp.json'],
  },
  {
    host: 'roo-code',
    source: 'https://docs.roocode.com/features/mcp/using-mcp-in-roo',
    user: ({ editors }) => inEditors(editors, 'rooveterinaryinc.roo-cline', 'mcp_settings.json'),
    project: ['.roo/mcp.json'],
  },
  {
    host: 'kilo-code',
    source: 'https://kilo.ai/docs/automate/mcp/using-in-kilo-code',
    user: ({ home, editors }) => [
      ...json(`${home}/.config/kilo/kilo`),
      // Until version 5.
      ...inEditors(editors, 'kilocode.kilo-code', 'mcp_settings.json'),
      `${home}/.kilocode/cli/global/settings/mcp_settings.json`,
    ],
    project: [...json('kilo'), ...json('.kilo/kilo'), '.kilocode/mcp.json'],
  },
  {
    host: 'junie',
    source: 'https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html',
    user: ({ home }) => [`${home}/.junie/mcp/mcp.json`],
    project: ['.junie/mcp/mcp.json'],
  },
  {
    host: 'amp',
    source: 'https://ampcode.com/manual',
    user: ({ home }) => json(`${home}/.config/amp/settings`),
    project: json('.amp/settings'),
  },
  {
    host: 'crush',
    source: 'https://github.com/charmbracelet/crush/blob/main/README.md',
    // `crushrc` is a script, of which the servers are read and nothing is run.
    user: ({ platform, local, dotConfig }) => [
      `${platform === 'win32' ? local : dotConfig}/crush/crush.json`,
      `${dotConfig}/crush/crushrc`,
    ],
    project: ['.crush.json', 'crush.json', '.crushrc', 'crushrc'],
  },
]

/** Flatpak gives each app a config folder of its own. Snaps of editors are not confined and use the usual one. */
const flatpak = (home: string, app: string): string => `${home}/.var/app/${app}/config`

function foldersOf({ platform, home, env }: AppSystem): Folders {
  const windows = platform === 'win32'
  const named = (variable: string): string | undefined => {
    const value = env[variable]
    return value !== undefined && (windows ? /^[A-Za-z]:[\\/]|^\\\\/ : /^\//).test(value) ? value.replace(/[\\/]+$/, '') : undefined
  }
  const dotConfig = named('XDG_CONFIG_HOME') ?? `${home}/.config`
  const roaming = named('APPDATA') ?? `${home}/AppData/Roaming`
  const own = windows ? roaming : platform === 'darwin' ? `${home}/Library/Application Support` : dotConfig
  const portable = named('VSCODE_PORTABLE')
  const editors = [
    ...(portable === undefined ? [] : [`${portable}/user-data/User`]),
    ...['Code', 'Code - Insiders', 'VSCodium'].map((name) => `${named('VSCODE_APPDATA') ?? own}/${name}/User`),
    ...(platform === 'linux'
      ? [
          `${flatpak(home, 'com.visualstudio.code')}/Code/User`,
          `${flatpak(home, 'com.visualstudio.code.insiders')}/Code - Insiders/User`,
          `${flatpak(home, 'com.vscodium.codium')}/VSCodium/User`,
          // Used when this computer is edited from another one.
          `${home}/.vscode-server/data/User`,
        ]
      : []),
  ]
  return { platform, home, dotConfig, own, local: named('LOCALAPPDATA') ?? `${home}/AppData/Local`, editors, named }
}

function located(host: HostId, place: Place, platform: string): AppConfigLocation {
  const native = (path: string): string => (platform === 'win32' ? path.replaceAll('/', '\\') : path)
  const [path, within] = typeof place === 'string' ? [place] : place
  return { host, path: native(path), ...(within === undefined ? {} : { within: within.split('/') }) }
}

export function appConfigLocations(system: AppSystem): AppConfigLocation[] {
  const folders = foldersOf(system)
  return knownApps.flatMap(({ host, user }) => (user?.(folders) ?? []).map((place) => located(host, place, system.platform)))
}

export function projectConfigLocations(folder: string, platform: string): AppConfigLocation[] {
  const inside = (path: string): string => (path === '' ? folder : `${folder}/${path}`)
  return knownApps.flatMap(({ host, project = [] }) =>
    project.map((place) => located(host, typeof place === 'string' ? inside(place) : [inside(place[0]), place[1]], platform)),
  )
}
