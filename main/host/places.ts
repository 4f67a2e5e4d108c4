// The person's own folders, as bundles name them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '#app/server/bundle/user-config.ts'

/** On Linux they are named in the person's language, in a file of the desktop's. */
export function personalPlaces(home: string, platform: NodeJS.Platform = process.platform): Places {
  const named = platform === 'linux' ? readUserDirs(join(home, '.config', 'user-dirs.dirs'), home) : new Map<string, string>()
  return {
    HOME: home,
    DESKTOP: named.get('DESKTOP') ?? join(home, 'Desktop'),
    DOCUMENTS: named.get('DOCUMENTS') ?? join(home, 'Documents'),
    DOWNLOADS: named.get('DOWNLOAD') ?? join(home, 'Downloads'),
  }
}

function readUserDirs(file: string, home: string): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map()
  try {
    const lines = readFileSync(file, 'utf8').matchAll(/^\s*XDG_(\w+)_DIR="(\$HOME)?([^"$]*)"\s*$/gm)
    return new Map([...lines].map(([, name = '', inHome, path = '']) => [name, inHome ? `${home}${path}` : path]))
  } catch {
    return new Map() // Not for us to read: the usual names are tried.
  }
}
