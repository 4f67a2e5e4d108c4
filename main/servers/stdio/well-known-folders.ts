// Where package managers and version managers put their commands, for when nobody can be asked for the PATH.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const everywhere = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']
const homebrew = ['/opt/homebrew/bin', '/home/linuxbrew/.linuxbrew/bin']

const inHome = [
  '.local/bin',
  'bin',
  '.volta/bin',
  '.asdf/shims',
  '.local/share/mise/shims',
  '.bun/bin',
  '.deno/bin',
  '.cargo/bin',
  '.pyenv/shims',
  '.local/share/fnm/aliases/default/bin',
  '.fnm/aliases/default/bin',
  'Library/Application Support/fnm/aliases/default/bin',
]

/** Those that exist. */
export function wellKnownFolders(platform: NodeJS.Platform, home: string): string[] {
  if (platform === 'win32') return []
  const folders = [...homebrew, ...inHome.map((folder) => join(home, folder)), ...newestNvm(home), ...everywhere]
  return folders.filter((folder) => existsSync(folder))
}

/** nvm has no folder for its default version; the newest installed one is the likeliest. */
function newestNvm(home: string): string[] {
  const versions = join(home, '.nvm/versions/node')
  if (!existsSync(versions)) return []
  const newest = readdirSync(versions)
    .filter((name) => /^v\d+\.\d+\.\d+$/.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1)
  return newest === undefined ? [] : [join(versions, newest, 'bin')]
}
