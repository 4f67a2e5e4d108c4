import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onWindows } from '#main/base/this-system.testing.ts'
import { diskFiles, wellKnownFolders } from './well-known-folders.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assent-home-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const folder = (path: string): string => {
  mkdirSync(join(home, path), { recursive: true })
  return join(home, path)
}
const found = (variables: Record<string, string> = {}, platform: NodeJS.Platform = 'linux') =>
  wellKnownFolders({ platform, home, variables }).filter((known) => known.folder.startsWith(home))

describe.skipIf(onWindows)('in a home folder', () => {
  it.each([
    ['.nvm/versions/node/v22.1.0/bin', 'nvm'],
    ['.config/nvm/versions/node/v22.1.0/bin', 'nvm'],
    ['.local/share/fnm/aliases/default/bin', 'fnm'],
    ['.fnm/aliases/default/bin', 'fnm'],
    ['Library/Application Support/fnm/aliases/default/bin', 'fnm'],
    ['.volta/bin', 'Volta'],
    ['.asdf/shims', 'asdf'],
    ['.local/share/mise/shims', 'mise'],
    ['.pyenv/shims', 'pyenv'],
    ['.rbenv/shims', 'rbenv'],
    ['.bun/bin', 'Bun'],
    ['.deno/bin', 'Deno'],
    ['.cargo/bin', 'Cargo'],
    ['go/bin', 'Go'],
    ['.local/share/pnpm', 'pnpm'],
    ['.docker/bin', 'Docker'],
    ['.orbstack/bin', 'Docker'],
    ['.linuxbrew/bin', 'Linuxbrew'],
    ['.nix-profile/bin', 'Nix'],
    ['.local/share/flatpak/exports/bin', 'Flatpak'],
    ['.local/bin', 'your home folder'],
  ])('%s is known as that of %s', (path, manager) => {
    expect(found()).toEqual([])
    expect([folder(path)].map((made) => ({ folder: made, manager }))).toEqual(found())
  })

  it.each([
    ['NVM_DIR', 'versions/node/v22.1.0/bin', 'nvm'],
    ['FNM_DIR', 'aliases/default/bin', 'fnm'],
    ['VOLTA_HOME', 'bin', 'Volta'],
    ['ASDF_DATA_DIR', 'shims', 'asdf'],
    ['MISE_DATA_DIR', 'shims', 'mise'],
    ['PYENV_ROOT', 'shims', 'pyenv'],
    ['RBENV_ROOT', 'shims', 'rbenv'],
    ['BUN_INSTALL', 'bin', 'Bun'],
    ['CARGO_HOME', 'bin', 'Cargo'],
    ['GOPATH', 'bin', 'Go'],
    ['PIPX_BIN_DIR', '', 'pipx'],
    ['UV_INSTALL_DIR', '', 'uv'],
    ['PNPM_HOME', '', 'pnpm'],
    ['HOMEBREW_PREFIX', 'bin', 'Homebrew'],
  ])('%s says where else it is', (name, below, manager) => {
    const made = folder(join('elsewhere', below))
    expect(found({ [name]: join(home, 'elsewhere') })).toContainEqual({ folder: made.replace(/\/$/, ''), manager })
    expect(found({ [name]: 'elsewhere' })).toEqual([])
  })

  it('the version that nvm takes by default is the one', () => {
    for (const version of ['v18.1.0', 'v22.1.0']) folder(`.nvm/versions/node/${version}/bin`)
    const alias = join(home, '.nvm/alias/default')
    mkdirSync(dirname(alias))
    writeFileSync(alias, '18\n')
    expect(found()).toEqual([{ folder: join(home, '.nvm/versions/node/v18.1.0/bin'), manager: 'nvm' }])
  })

  it('the older Library folder of pnpm counts on a Mac', () => {
    const made = folder('Library/pnpm')
    expect([found({}, 'darwin'), found()]).toEqual([[{ folder: made, manager: 'pnpm' }], []])
  })
})

describe('of the system', () => {
  const at = (path: string, platform: NodeJS.Platform = 'linux') =>
    wellKnownFolders({ platform, home: '/home/ada', variables: {}, files: { ...diskFiles, exists: (asked) => asked === path } })

  it.each([
    ['/opt/homebrew/bin', 'darwin', 'Homebrew'],
    ['/usr/local/bin', 'darwin', 'Homebrew'],
    ['/usr/local/bin', 'linux', 'the system'],
    ['/home/linuxbrew/.linuxbrew/bin', 'linux', 'Linuxbrew'],
    ['/Applications/Docker.app/Contents/Resources/bin', 'darwin', 'Docker'],
    ['/usr/local/go/bin', 'linux', 'Go'],
    ['/nix/var/nix/profiles/default/bin', 'darwin', 'Nix'],
    ['/run/current-system/sw/bin', 'linux', 'Nix'],
    ['/etc/profiles/per-user/ada/bin', 'linux', 'Nix'],
    ['/snap/bin', 'linux', 'Snap'],
    ['/var/lib/flatpak/exports/bin', 'linux', 'Flatpak'],
    ['/opt/local/bin', 'darwin', 'MacPorts'],
  ] as const)('%s on %s is that of %s', (path, platform, manager) => {
    expect(at(path, platform)).toEqual([{ folder: path, manager }])
  })
})
