// The host of the web shell, loaded while the page loads: reading and evaluating it takes longer than all that must be
// known before there is a link. The profile is opened before, so whether it can be had is known at once.
import { type Clock, systemClock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Host } from '#main/host.ts'
import { readAppVersion } from '#main/shell/node/program-files.ts'
import { openKeyring, serviceOf } from '#main/shell/node/system-keyring.ts'
import { openStore } from '#main/store/open-store.ts'
import type { Store } from '#main/store/store-api.ts'
import type { Profile } from './data-folder.ts'

interface LazyHost {
  /** Loads it at the first call. */
  readonly host: () => Promise<Host>
  /** Rejects when it cannot be loaded, and never resolves. */
  readonly failed: Promise<never>
  dispose(): Promise<void>
}

interface LazyHostOptions {
  readonly profile: Profile
  readonly log: Log
  readonly roots: readonly string[]
  readonly clock?: Clock
}

/** No page may come, and servers start with the host. */
const withinMs = 500

/** Throws `profile.*` and `disk.full` when the profile cannot be opened. */
export function createLazyHost(options: LazyHostOptions): LazyHost {
  const { profile, log, clock = systemClock } = options
  const store = openStore({ dataDir: profile.dataDir, clock, log })
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined) // It may fail before anybody looks.
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
    failed: failed.promise,
    async dispose() {
      stopWaiting()
      await loading?.then(
        (loaded) => loaded.dispose(),
        () => undefined, // Told by `failed`.
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
