// Bundles as servers: installed, updated, set otherwise, taken back and removed. What is installed is an ordinary entry of
// servers.json that names files in a folder of ours, so the launch is asked for, diagnosed and logged like any other.
// Nothing of a bundle runs here. A folder appears whole by one rename, and goes when no server names it any more.
import { type BundlePlatform, commandFor } from '#app/server/bundle/bundle-command.ts'
import type { BundleSummary, InstalledBundle } from '#app/server/bundle/bundle-summary.ts'
import { checkFit, programsOf } from '#app/server/bundle/compatibility.ts'
import { type BundleFolders, type ConfigValues, fieldsOf } from '#app/server/bundle/user-config.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import type { Emit } from '#main/base/events.ts'
import type { Log } from '#main/base/host-log.ts'
import { proxiesIn } from '#main/servers/transport/http/dispatchers.ts'
import type { Registry } from '../registry/registry.ts'
import {
  type BundleContext,
  type BundleTarget,
  configureBundle,
  dropPrevious,
  installBundle,
  restorePrevious,
  updateBundle,
} from './bundle-changes.ts'
import { findPrograms } from './bundle-runtimes.ts'
import { bundlePaths, createBundleStore, type Installed } from './bundle-store.ts'
import { bundleFactsOf, concernsAbout, suggestedName, updatesOf } from './bundle-summary.ts'
import type { VerifyOptions } from './incoming-bundles.ts'
import { createIncoming, type OpenedBundle } from './incoming-bundles.ts'
import { type BundleSource, createDownloads } from './running-downloads.ts'

export interface BundlesOptions extends Pick<BundleContext, 'config' | 'inputs' | 'servers' | 'environment' | 'audit' | 'clock'> {
  readonly dataDir: string
  readonly log: Log
  readonly version: string
  readonly system: BundlePlatform
  readonly places: BundleFolders
  /** What names addresses of bundles. */
  readonly registry: Pick<Registry, 'address'>
  readonly emit: Emit
  readonly roots?: VerifyOptions['roots']
  /** The person's language; default: that of the system. */
  readonly locale?: string | undefined
}

export interface Bundles {
  part(upload: string, at: number, bytes: Uint8Array): Promise<void>
  /** `bundle.unreadable`, `bundle.too-large`, `bundle.manifest`: it is not kept. */
  open(upload: string, file: string): Promise<BundleSummary>
  openPath(path: string): Promise<BundleSummary>
  /** Also `bundle.not-downloaded`, `bundle.wrong-hash`, and `cancelled` once it is stopped. */
  download(name: string, source: BundleSource): Promise<BundleSummary>
  stopDownload(name: string): void
  /** Of one that is open. */
  view(id: string): Promise<BundleSummary>
  close(id: string): Promise<void>
  /** Adds a server of that name. Starts nothing. */
  install(id: string, server: string, values: ConfigValues): Promise<void>
  /** In place of what the server runs now, which is kept until this has started once. */
  update(id: string, server: string, values: ConfigValues): Promise<void>
  configure(server: string, values: ConfigValues): Promise<void>
  /** Back to the version before. Throws `bundle.gone` where there is none. */
  goBack(server: string): Promise<void>
  /** The version before is not wanted any more. */
  accept(server: string): Promise<void>
  /**
   * The server is about to be taken out. Its files and its secrets go some minutes later, or as Assent closes, so that the
   * removal can be undone until then. Nothing for a server that is not from a bundle.
   */
  leaving(server: string): void
  installed(): InstalledBundle[]
  /** Told of every change of a server: one that is ready needs its version before no more. */
  observe(server: ServerSummary): void
  /** Removes folders that no server names, and what an earlier run left behind. Never rejects. */
  sweep(): Promise<void>
  dispose(): Promise<void>
}

const undoneWithinMs = 10 * 60_000

/** Runs one piece of work after the other, whether the one before failed or not. */
interface WorkQueue {
  add<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when the last one is over. */
  idle(): Promise<void>
}

function createWorkQueue(): WorkQueue {
  let last: Promise<unknown> = Promise.resolve()
  return {
    add<T>(work: () => Promise<T>) {
      const next = last.then(work, work)
      last = next.catch(() => undefined)
      return next
    },
    async idle() {
      await last
    },
  }
}

export function createBundles(options: BundlesOptions): Bundles {
  const { config, environment, clock, log, system } = options
  const places = bundlePaths(options.dataDir)
  const here: BundleTarget = { system, places: options.places, separator: system === 'win32' ? '\\' : '/' }
  const incoming = createIncoming({
    folder: places.incoming,
    now: () => clock.now(),
    // Asked when a bundle is opened: dates of all languages are read from the disk for it.
    locale: () => options.locale ?? Intl.DateTimeFormat().resolvedOptions().locale,
    ...(options.roots ? { roots: options.roots } : {}),
  })
  const downloads = createDownloads({
    incoming,
    registry: options.registry.address,
    proxies: async () => proxiesIn(await environment.variables()),
    emit: options.emit,
    clock,
  })
  const shelf = createBundleStore({ places, config })
  const context: BundleContext = { ...options, places, here, shelf, incoming }
  const queue = createWorkQueue()
  const removed = createRemovedBundles(context, queue, log)
  const viewOf = (opened: OpenedBundle): Promise<BundleSummary> => viewBundle(context, options.version, opened)

  return {
    part: (upload, at, bytes) => incoming.part(upload, at, bytes),
    open: async (upload, file) => viewOf(await incoming.open(upload, file)),
    openPath: async (path) => viewOf(await incoming.openPath(path)),
    download: async (name, source) => viewOf(await downloads.fetch(name, source)),
    stopDownload: downloads.stop,
    view: async (id) => viewOf(incoming.find(id)),
    close: (id) => incoming.close(id),
    install: (id, server, values) => queue.add(() => installBundle(context, id, server, values)),
    update: (id, server, values) => queue.add(() => updateBundle(context, id, server, values)),
    configure: (server, values) => queue.add(() => configureBundle(context, server, values)),
    goBack: (server) => queue.add(() => restorePrevious(context, server)),
    accept: (server) => queue.add(() => dropPrevious(context, server)),
    leaving: removed.add,
    installed: () => shelf.list().map((one) => viewInstalled(context, one)),
    observe({ name, state, definition }) {
      if (state.kind !== 'ready' || definition.transport !== 'stdio') return
      const mine = shelf.list().find(({ server }) => server === name)
      // What is ready was started after this version came.
      if (mine?.record.previous === undefined || state.since < mine.record.installedAt) return
      queue
        .add(() => dropPrevious(context, name))
        .catch((error: unknown) =>
          log.warn(`The version before of “${name}” could not be removed: ${error instanceof Error ? error.message : error}`),
        )
    },
    async sweep() {
      if (!shelf.isEmpty()) await incoming.clear()
      await removed.clear()
    },
    async dispose() {
      downloads.dispose()
      await removed.dispose()
      await queue.idle()
      await incoming.dispose()
    },
  }
}

async function viewBundle(
  { config, shelf, environment, here }: BundleContext,
  version: string,
  opened: OpenedBundle,
): Promise<BundleSummary> {
  const { id, name, bytes, archive, manifest, signature, download } = opened
  const taken = [...config.definitions().keys()]
  const programs = await findPrograms(programsOf(manifest), environment)
  const raw = commandFor(manifest, here.system)
  const updates = updatesOf(opened, shelf.list(), here)
  // The server that it is another version of is no other one.
  const others = taken.filter((name) => !updates.some((update) => update.server === name && update.sameOrigin))
  return {
    id,
    file: name,
    bytes,
    files: archive.entries.filter((entry) => !entry.name.endsWith('/')).length,
    unpackedBytes: archive.unpackedBytes,
    facts: bundleFactsOf(manifest, opened.looks),
    command: { command: raw.command, args: [...raw.args], env: { ...raw.env } },
    concerns: concernsAbout(opened, here.system, others),
    fit: checkFit(manifest, { system: here.system, assent: version, programs }),
    signature,
    fields: fieldsOf(manifest, here),
    suggestedName: suggestedName(manifest, taken),
    updates,
    ...(download ? { download } : {}),
  }
}

function viewInstalled({ shelf, places, here }: BundleContext, { id, server, record }: Installed): InstalledBundle {
  const before = record.previous === undefined ? undefined : shelf.get(record.previous)
  return {
    server,
    facts: bundleFactsOf(record.manifest, record),
    installedAt: record.installedAt,
    signature: record.signature,
    fields: fieldsOf(record.manifest, { ...here, values: record.values, kept: Object.keys(record.secrets) }),
    folder: places.files(id),
    ...(record.download ? { download: record.download } : {}),
    ...(before ? { previous: { version: before.manifest.version } } : {}),
  }
}

interface RemovedBundles {
  /** Its files and secrets go some minutes later. Nothing for a server that is not from a bundle. */
  add(server: string): void
  /** Removes them now. Never rejects. */
  clear(): Promise<void>
  dispose(): Promise<void>
}

/** Servers that were taken out, kept until that cannot be undone any more. */
function createRemovedBundles({ shelf, config, inputs, clock }: BundleContext, queue: WorkQueue, log: Log): RemovedBundles {
  /** The secrets that their bundles had, by server. */
  const left = new Map<string, { readonly id: string; readonly secrets: ReadonlySet<string> }>()
  let cancelClear: (() => void) | undefined

  /** Folders that no server names, and secrets of servers that did not come back. */
  async function clearNow(): Promise<void> {
    const shared = inputs.declared()
    for (const [server, { id, secrets }] of [...left]) {
      left.delete(server)
      if (shelf.list().some((one) => one.id === id) || config.definitions().has(server)) continue
      for (const secret of secrets) if (!shared.has(secret)) await inputs.forget(server, secret)
    }
    await shelf.sweep()
  }
  const clear = (): Promise<void> =>
    queue.add(clearNow).catch((error: unknown) => log.error('What bundles left behind could not be removed', error))

  return {
    add(server) {
      const mine = shelf.list().find((one) => one.server === server)
      if (!mine) return
      const before = mine.record.previous === undefined ? undefined : shelf.get(mine.record.previous)
      const secrets = new Set([...Object.values(mine.record.secrets), ...Object.values(before?.secrets ?? {})])
      left.set(server, { id: mine.id, secrets })
      cancelClear?.()
      cancelClear = clock.after(undoneWithinMs, () => void clear())
    },
    clear,
    async dispose() {
      cancelClear?.()
      if (left.size > 0) await clear()
    },
  }
}
