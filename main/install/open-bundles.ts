// Bundles as this host has them, and what opens one from outside. The person's own folders, as bundles name them.
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ShellSummary } from '#app/contract/snapshot.ts'
import { bundlePlatformOf } from '#app/server/bundle/command-warnings.ts'
import type { BundleFolders } from '#app/server/bundle/user-config.ts'
import type { EventHub } from '#main/base/events.ts'
import { type Bundles, type BundlesOptions, createBundles } from './bundles/bundles.ts'
import { createDeepLinks, type DeepLinks } from './deep-links.ts'

/** On Linux they are named in the person's language, in a file of the desktop's. */
function personalFolders(home: string, platform: NodeJS.Platform = process.platform): BundleFolders {
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

interface BundlesHere {
  readonly os: ShellSummary['os']
  readonly hub: EventHub
}

/** Listens for as long as the hub is there. */
export function openBundles(
  options: Omit<BundlesOptions, 'system' | 'places' | 'emit'>,
  { os, hub }: BundlesHere,
): { readonly bundles: Bundles; readonly outside: DeepLinks } {
  const bundles = createBundles({ ...options, system: bundlePlatformOf(os), places: personalFolders(homedir()), emit: hub.emit })
  hub.onEvent((event) => {
    if (event.name === 'server.changed') bundles.observe(event.payload.server)
  })
  return { bundles, outside: createDeepLinks({ bundles, emit: hub.emit }) }
}
