// Makes bundles and deep links for this host, with the person's own folders as manifests name them.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ShellSummary } from '#app/contract/snapshot.ts'
import { orElse } from '#app/or-else.ts'
import { bundlePlatformOf } from '#app/server/bundle/command-warnings.ts'
import type { BundleFolders } from '#app/server/bundle/user-config.ts'
import type { EventHub } from '#main/base/events.ts'
import { type BundlesOptions, createBundles } from './bundles/bundles.ts'
import { createDeepLinks } from './deep-link-queue.ts'

function personalFolders(home: string): BundleFolders {
  const named = process.platform === 'linux' ? readUserDirs(join(home, '.config', 'user-dirs.dirs'), home) : new Map<string, string>()
  return {
    HOME: home,
    DESKTOP: named.get('DESKTOP') ?? join(home, 'Desktop'),
    DOCUMENTS: named.get('DOCUMENTS') ?? join(home, 'Documents'),
    DOWNLOADS: named.get('DOWNLOAD') ?? join(home, 'Downloads'),
  }
}

function readUserDirs(file: string, home: string): ReadonlyMap<string, string> {
  const text = orElse(() => readFileSync(file, 'utf8'), '')
  const lines = text.matchAll(/^\s*XDG_(\w+)_DIR="(\$HOME)?([^"$]*)"\s*$/gm)
  return new Map([...lines].map(([, name = '', inHome, path = '']) => [name, inHome ? `${home}${path}` : path]))
}

/** Listens to changes of servers for as long as the hub is there. */
export function openBundles(
  options: Omit<BundlesOptions, 'system' | 'folders' | 'emit'>,
  { os, hub }: { readonly os: ShellSummary['os']; readonly hub: EventHub },
) {
  const bundles = createBundles({ ...options, system: bundlePlatformOf(os), folders: personalFolders(homedir()), emit: hub.emit })
  hub.onEvent((event) => {
    if (event.name === 'server.changed') bundles.observe(event.payload.server)
  })
  return { bundles, deepLinks: createDeepLinks({ bundles, emit: hub.emit }) }
}
