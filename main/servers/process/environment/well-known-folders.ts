// Folders in which package and version managers put commands: searched after PATH, and used to name a folder's manager.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { orElse } from '#app/or-else.ts'

const parts = (version: string): number[] => version.slice(1).split('.').map(Number)

function compare(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)]
  return [0, 1, 2].map((at) => (left[at] ?? 0) - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}

/**
 * Version that `nvm use default` selects; nvm has no folder or link for it. `installed`: folder names. `alias`: text of an alias
 * file. Undefined: none is installed, or `system` is selected.
 */
export function nvmDefault(installed: readonly string[], alias: (name: string) => string | undefined): string | undefined {
  const versions = installed.filter((name) => /^v\d+\.\d+\.\d+$/.test(name)).sort(compare)
  const newest = versions.at(-1)
  let wanted = alias('default')?.trim()
  for (let depth = 0; depth < 6 && wanted !== undefined; depth += 1) {
    if (wanted === 'system') return undefined
    if (wanted === 'node' || wanted === 'stable') return newest
    const number = /^v?(\d+(?:\.\d+){0,2})$/.exec(wanted)?.[1]
    // A version that is not installed falls back to the newest.
    if (number !== undefined) return versions.findLast((version) => version === `v${number}` || version.startsWith(`v${number}.`)) ?? newest
    const isName = /^[\w*-]+(?:\/[\w*-]+)?$/.test(wanted)
    wanted = isName ? alias(wanted)?.trim() : undefined
  }
  return newest
}

export interface KnownFolder {
  readonly folder: string
  readonly manager: string
}

/** Disk access, replaced in tests. */
export interface Files {
  exists(path: string): boolean
  list(folder: string): readonly string[]
  read(file: string): string | undefined
}

interface KnownFoldersOptions {
  readonly platform: NodeJS.Platform
  readonly home: string
  /** Variables that relocate managers (`NVM_DIR`, `VOLTA_HOME`). */
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly files?: Files
}

export const diskFiles: Files = {
  exists: existsSync,
  list: (folder) => orElse(() => readdirSync(folder), []),
  read: (file) => orElse(() => readFileSync(file, 'utf8'), undefined),
}

/** Lists the folders that exist, each once, in search order. */
export function wellKnownFolders(options: KnownFoldersOptions): KnownFolder[] {
  const { files = diskFiles, platform } = options
  const all = platform === 'win32' ? onWindows(options) : onPosix({ ...options, files })
  const seen = new Set<string>()
  return all.filter(({ folder }) => {
    const fresh = !seen.has(folder) && files.exists(folder)
    seen.add(folder)
    return fresh
  })
}

function onPosix({ platform, home, variables, files }: KnownFoldersOptions & { readonly files: Files }): KnownFolder[] {
  const at = (path: string): string => (path.startsWith('/') ? path : posix.join(home, path))
  const moved = (name: string): string | undefined => (variables[name]?.startsWith('/') ? variables[name] : undefined)
  const roots = (name: string, ...usual: readonly string[]): string[] => [...new Set([moved(name) ?? [], usual.map(at)].flat())]
  const mac = platform === 'darwin'
  const data = moved('XDG_DATA_HOME') ?? at('.local/share')
  const known: Readonly<Record<string, readonly string[]>> = {
    nvm: roots('NVM_DIR', '.nvm', posix.join(moved('XDG_CONFIG_HOME') ?? at('.config'), 'nvm')).flatMap((root) => nvmFolder(root, files)),
    fnm: roots('FNM_DIR', posix.join(data, 'fnm'), '.fnm', 'Library/Application Support/fnm').map((root) => `${root}/aliases/default/bin`),
    Volta: roots('VOLTA_HOME', '.volta').map((root) => `${root}/bin`),
    asdf: roots('ASDF_DATA_DIR', '.asdf').flatMap((root) => [`${root}/shims`, `${root}/bin`]),
    mise: roots('MISE_DATA_DIR', posix.join(data, 'mise')).map((root) => `${root}/shims`),
    pyenv: roots('PYENV_ROOT', '.pyenv').flatMap((root) => [`${root}/shims`, `${root}/bin`]),
    rbenv: roots('RBENV_ROOT', '.rbenv').flatMap((root) => [`${root}/shims`, `${root}/bin`]),
    uv: [...roots('UV_INSTALL_DIR'), ...roots('XDG_BIN_HOME')],
    pipx: roots('PIPX_BIN_DIR'),
    Bun: roots('BUN_INSTALL', '.bun').map((root) => `${root}/bin`),
    Deno: roots('DENO_INSTALL', '.deno').map((root) => `${root}/bin`),
    Cargo: roots('CARGO_HOME', '.cargo').map((root) => `${root}/bin`),
    Go: [...roots('GOBIN'), ...roots('GOPATH', 'go').map((root) => `${root}/bin`), '/usr/local/go/bin'],
    pnpm: roots('PNPM_HOME', mac ? 'Library/pnpm' : posix.join(data, 'pnpm')).flatMap((root) => [root, `${root}/bin`]),
    npm: ['.npm-global/bin'].map(at),
    Yarn: ['.yarn/bin'].map(at),
    Docker: ['.docker/bin', '.orbstack/bin', '.rd/bin', '/Applications/Docker.app/Contents/Resources/bin'].map(at),
    'your home folder': ['.local/bin', 'bin'].map(at),
    Homebrew: [...roots('HOMEBREW_PREFIX', '/opt/homebrew'), ...(mac ? ['/usr/local'] : [])].flatMap((root) => [
      `${root}/bin`,
      `${root}/sbin`,
    ]),
    Linuxbrew: ['/home/linuxbrew/.linuxbrew/bin', '/home/linuxbrew/.linuxbrew/sbin', at('.linuxbrew/bin')],
    Nix: [
      ...['.nix-profile/bin', '.local/state/nix/profile/bin', `/etc/profiles/per-user/${posix.basename(home)}/bin`].map(at),
      ...['/nix/var/nix/profiles/default/bin', '/run/current-system/sw/bin'],
    ],
    MacPorts: mac ? ['/opt/local/bin'] : [],
    Snap: ['/snap/bin', '/var/lib/snapd/snap/bin'],
    Flatpak: [posix.join(data, 'flatpak/exports/bin'), '/var/lib/flatpak/exports/bin'],
    'the system': ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'],
  }
  return Object.entries(known).flatMap(([manager, folders]) => folders.map((folder) => ({ folder, manager })))
}

function nvmFolder(root: string, files: Files): string[] {
  const versions = posix.join(root, 'versions/node')
  const version = nvmDefault(files.list(versions), (name) => files.read(posix.join(root, 'alias', name)))
  return version === undefined ? [] : [posix.join(versions, version, 'bin')]
}

function onWindows({ home, variables }: KnownFoldersOptions): KnownFolder[] {
  const value = (name: string): string | undefined => {
    const found = Object.entries(variables).find(([key]) => key.toUpperCase() === name)?.[1]
    return found !== undefined && /^[A-Za-z]:\\/.test(found) ? found : undefined
  }
  const local = value('LOCALAPPDATA') ?? win32.join(home, 'AppData\\Local')
  const roaming = value('APPDATA') ?? win32.join(home, 'AppData\\Roaming')
  const programs = value('PROGRAMFILES') ?? 'C:\\Program Files'
  const known: Readonly<Record<string, readonly (string | undefined)[]>> = {
    nvm: [value('NVM_SYMLINK')],
    fnm: [win32.join(roaming, 'fnm\\aliases\\default')],
    Volta: [win32.join(value('VOLTA_HOME') ?? win32.join(local, 'Volta'), 'bin')],
    mise: [win32.join(local, 'mise\\shims')],
    pyenv: [win32.join(home, '.pyenv\\pyenv-win\\shims'), win32.join(home, '.pyenv\\pyenv-win\\bin')],
    Bun: [win32.join(home, '.bun\\bin')],
    Deno: [win32.join(home, '.deno\\bin')],
    Cargo: [win32.join(home, '.cargo\\bin')],
    Go: [win32.join(home, 'go\\bin'), win32.join(programs, 'Go\\bin')],
    pnpm: [value('PNPM_HOME') ?? win32.join(local, 'pnpm')],
    npm: [win32.join(roaming, 'npm')],
    Node: [win32.join(programs, 'nodejs')],
    Docker: [win32.join(programs, 'Docker\\Docker\\resources\\bin')],
    Scoop: [win32.join(home, 'scoop\\shims')],
    Chocolatey: ['C:\\ProgramData\\chocolatey\\bin'],
    'your home folder': [win32.join(home, '.local\\bin')],
  }
  return Object.entries(known).flatMap(([manager, folders]) =>
    folders.flatMap((folder) => (folder === undefined ? [] : { folder, manager })),
  )
}
