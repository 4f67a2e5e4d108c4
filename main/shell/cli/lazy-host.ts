// The host of the web shell, loaded while the page loads, since that takes longer than everything that the link needs. The profile is
// opened first, so its errors are known at once.
import { type Clock, systemClock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Host } from '#main/host.ts'
import { readAppVersion } from '#main/shell/node/program-files.ts'
import { openKeyring, serviceOf } from '#main/shell/node/system-keyring.ts'
import { openStore } from '#main/store/open-store.ts'
import type { Store } from '#main/store/store-api.ts'
import type { Profile } from './data-folder.ts'

interface LazyHostOptions {
  readonly profile: Profile
  readonly log: Log
  readonly roots: readonly string[]
  readonly clock?: Clock
}

/** Milliseconds after which the host is loaded without a page, since servers start with it. */
const withinMs = 500

/** @throws {HostError} `profile.*` or `disk.full` when the profile cannot be opened. */
export function createLazyHost(options: LazyHostOptions) {
  const { profile, log, clock = systemClock } = options
  const store = openStore({ dataDir: profile.dataDir, clock, log })
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined) // It may reject before it is awaited.
  let loading: Promise<Host> | undefined
  function host(): Promise<Host> {
    if (!loading) {
      stopWaiting()
      loading = load(options, store)
      loading.catch(failed.reject)
    }
    return loading
  }
  const stopWaiting = clock.after(withinMs, () => void host())
  return {
    host,
    /** Rejects when the host cannot be loaded, and never resolves. */
    failed: failed.promise,
    async dispose(): Promise<void> {
      stopWaiting()
      await loading?.then(
        (loaded) => loaded.dispose(),
        () => undefined, // `failed` rejects.
      )
      store.close()
    },
  }
}

async function load({ profile, log, roots }: LazyHostOptions, store: Store): Promise<Host> {
  const [{ createHost }, { createNodePlatform }, secrets] = await Promise.all([
    import('#main/host.ts'),
    import('#main/shell/node/node-platform.ts'),
    openKeyring(serviceOf(profile.dataDir, profile.isDefault), process.env),
  ])
  return createHost({
    dataDir: profile.dataDir,
    store,
    version: readAppVersion(),
    log,
    platform: createNodePlatform({ kind: 'web', secrets }),
    roots,
    ...(profile.configFile === undefined ? {} : { configFile: profile.configFile }),
  })
}
