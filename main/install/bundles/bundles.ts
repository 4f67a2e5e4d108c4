// Servers that come from bundles: opened, installed, updated, configured, restored and removed. An installed bundle is an ordinary
// entry of `servers.json` that names files in a folder of ours, so its launch is asked for like any other. No code of it runs here.

import { defined } from '#app/or-else.ts'
import { type BundlePlatform, commandFor } from '#app/server/bundle/bundle-command.ts'
import { withLocale } from '#app/server/bundle/bundle-labels.ts'
import { isSameOrigin } from '#app/server/bundle/bundle-signature.ts'
import {
  type BundleFacts,
  type BundleSummary,
  type BundleUpdate,
  changesBetween,
  type InstalledBundle,
} from '#app/server/bundle/bundle-summary.ts'
import { type Concern, concernsOf, unknownVariables } from '#app/server/bundle/command-warnings.ts'
import { checkFit, programsOf } from '#app/server/bundle/compatibility.ts'
import { type BundleManifest, knownManifestVersions, manifestVersionOf } from '#app/server/bundle/manifest.ts'
import { compareVersions } from '#app/server/bundle/semver-range.ts'
import { type ConfigValues, fieldsOf } from '#app/server/bundle/user-config.ts'
import { reviewCandidate } from '#app/server/import/review-candidate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { hasHidden } from '#app/text/hidden-characters.ts'
import { freeName } from '#app/text/look-alike.ts'
import type { Emit } from '#main/base/events.ts'
import type { Log } from '#main/base/host-log.ts'
import { createWorkQueue, type WorkQueue } from '#main/base/work-queue.ts'
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
import { type BundleDisplay, createIncoming, type OpenedBundle } from './incoming-bundles.ts'
import { type BundleSource, createDownloads } from './running-downloads.ts'
import type { VerifyOptions } from './signature.ts'

// Review of an opened bundle for the page: facts of its manifest, concerns about what would run, and updates that it offers. Besides
// the manifest only the names of its files are read.

const entries = (list: readonly { readonly name: string; readonly description?: string | undefined }[] = []) =>
  list.map(({ name, description = '' }) => ({ name, description }))

export function bundleFactsOf(original: BundleManifest, { words, icon }: BundleDisplay): BundleFacts {
  const manifest = withLocale(original, words)
  const link = (what: BundleFacts['links'][number]['what'], url: string | undefined) => (url ? [{ what, url }] : [])
  const { author, long_description, license } = manifest
  return {
    name: manifest.name,
    displayName: manifest.display_name?.trim() || manifest.name,
    version: manifest.version,
    description: manifest.description,
    ...defined({ icon, longDescription: long_description || undefined, license: license || undefined }),
    author: { name: author.name, ...defined({ email: author.email || undefined, url: author.url || undefined }) },
    links: [
      ...link('homepage', manifest.homepage),
      ...link('documentation', manifest.documentation),
      ...link('support', manifest.support),
      ...link('repository', manifest.repository?.url),
      ...(manifest.privacy_policies ?? []).flatMap((url) => link('privacy', url)),
    ],
    manifestVersion: manifestVersionOf(manifest),
    type: manifest.server.type,
    tools: entries(manifest.tools),
    toolsGenerated: manifest.tools_generated ?? false,
    prompts: entries(manifest.prompts),
    promptsGenerated: manifest.prompts_generated ?? false,
  }
}

export function concernsAbout(
  { manifest: original, archive, display, refused }: Pick<OpenedBundle, 'manifest' | 'archive' | 'display' | 'refused'>,
  system: BundlePlatform,
  taken: readonly string[],
): Concern[] {
  // Hidden characters are looked for in the words that are shown.
  const manifest = withLocale(original, display.words)
  const raw = commandFor(manifest, system)
  const { entry_point, type } = manifest.server
  const entry = entry_point
    .replace(/^\$\{__dirname\}[\\/]/, '')
    .replace(/^\.\//, '')
    .replaceAll('\\', '/')
  const isThere = archive.entries.some(({ name }) => name === entry || (type === 'binary' && name === `${entry}.exe`))
  const version = manifestVersionOf(manifest)
  const shown: readonly (readonly [string, string | undefined])[] = [
    ['name', manifest.name],
    ['display_name', manifest.display_name],
    ['author', manifest.author.name],
    ['description', manifest.description],
    ['command', [raw.command, ...raw.args, ...Object.values(raw.env)].join(' ')],
  ]
  const names = [manifest.name, manifest.display_name ?? manifest.name]
  const [like] = names.flatMap((name) => reviewCandidate({ name }, { taken }).alike)
  return [
    ...concernsOf(manifest, raw),
    ...unknownVariables(manifest, raw),
    ...refused,
    ...(isThere ? [] : [{ kind: 'entry-missing' as const, entry: entry_point }]),
    ...(knownManifestVersions.includes(version) ? [] : [{ kind: 'newer-manifest' as const, version }]),
    ...shown.flatMap(([field, text]) => (text !== undefined && hasHidden(text) ? [{ kind: 'hidden-characters' as const, field }] : [])),
    ...(like === undefined ? [] : [{ kind: 'look-alike' as const, name: names[1] ?? manifest.name, like }]),
  ]
}

const updatesOf = (
  opened: Pick<OpenedBundle, 'manifest' | 'signature'>,
  installed: readonly Pick<Installed, 'server' | 'record'>[],
  here: BundleTarget,
): BundleUpdate[] =>
  installed
    .filter(({ record }) => record.manifest.name === opened.manifest.name)
    .map(({ server, record }) => {
      const order = compareVersions(record.manifest.version, opened.manifest.version)
      return {
        server,
        version: record.manifest.version,
        order: order === undefined ? 'unknown' : order === 0 ? 'same' : order < 0 ? 'newer' : 'older',
        sameOrigin: isSameOrigin(record, opened),
        changes: changesBetween(record.manifest, opened.manifest, here.system),
        fields: fieldsOf(opened.manifest, { ...here, values: record.values, kept: Object.keys(record.secrets) }),
      }
    })

/** Makes a free server name from the characters of the bundle's name that may stand in one. */
function suggestedName({ name, display_name }: BundleManifest, taken: readonly string[]): string {
  const clean = (text: string): string =>
    text
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N} ._-]+/gu, '')
      .trim()
      .slice(0, 48)
      .trim()
  return freeName(clean(name) || clean(display_name ?? '') || 'bundle', taken, (text) => text.toLowerCase())
}

export interface BundlesOptions
  extends Pick<BundleContext, 'config' | 'inputs' | 'servers' | 'broker' | 'environment' | 'audit' | 'clock'>,
    Pick<BundleTarget, 'system' | 'folders'> {
  readonly dataDir: string
  readonly log: Log
  readonly version: string
  readonly registry: Pick<Registry, 'address'>
  readonly emit: Emit
  readonly roots?: VerifyOptions['roots']
  /** Language of the person; default: that of the system. */
  readonly locale?: string | undefined
}

export type Bundles = ReturnType<typeof createBundles>

const undoneWithinMs = 10 * 60_000

export function createBundles(options: BundlesOptions) {
  const { environment, clock, log, system } = options
  const paths = bundlePaths(options.dataDir)
  const here: BundleTarget = { system, folders: options.folders, separator: system === 'win32' ? '\\' : '/' }
  const incoming = createIncoming({
    folder: paths.incoming,
    now: () => clock.now(),
    // Read only when a bundle is opened: it loads the dates of all languages from the disk.
    locale: () => options.locale ?? Intl.DateTimeFormat().resolvedOptions().locale,
    roots: options.roots,
  })
  const downloads = createDownloads({
    incoming,
    registry: options.registry.address,
    proxies: async () => proxiesIn(await environment.variables()),
    emit: options.emit,
    clock,
  })
  const store = createBundleStore({ paths, config: options.config })
  const context: BundleContext = { ...options, paths, here, store, incoming }
  const queue = createWorkQueue()
  const removed = createRemovedBundles(context, queue, log)
  const summary = (opened: OpenedBundle): Promise<BundleSummary> => summaryOf(context, options.version, opened)

  return {
    part: incoming.part,
    /** @throws {HostError} `bundle.unreadable`, `bundle.too-large`, `bundle.manifest`; nothing is kept then */
    open: async (upload: string, file: string) => summary(await incoming.open(upload, file)),
    openPath: async (path: string) => summary(await incoming.openPath(path)),
    /** @throws {HostError} also `bundle.not-downloaded`, `bundle.wrong-hash`, and `cancelled` once it is stopped */
    download: async (name: string, source: BundleSource) => summary(await downloads.fetch(name, source)),
    stopDownload: downloads.stop,
    view: async (id: string) => summary(incoming.find(id)),
    close: incoming.close,
    install: (id: string, server: string, values: ConfigValues) => queue(() => installBundle(context, id, server, values)),
    /** Replaces the version that the server runs, which is kept until this one has started once. */
    update: (id: string, server: string, values: ConfigValues) => queue(() => updateBundle(context, id, server, values)),
    configure: (server: string, values: ConfigValues) => queue(() => configureBundle(context, server, values)),
    /** Puts the version before back. @throws {HostError} `bundle.gone` where there is none */
    goBack: (server: string) => queue(() => restorePrevious(context, server)),
    accept: (server: string) => queue(() => dropPrevious(context, server)),
    leaving: removed.add,
    installed: () => store.list().map((one) => installedOf(context, one)),
    /** Takes in a change of a server. One that is ready does not need its version before any more. */
    observe({ name, state, definition }: ServerSummary) {
      if (state.kind !== 'ready' || definition.transport !== 'stdio') return
      const mine = store.list().find(({ server }) => server === name)
      // A server that is ready since an earlier time runs the version before.
      if (mine?.record.previous === undefined || state.since < mine.record.installedAt) return
      queue(() => dropPrevious(context, name)).catch((error: unknown) =>
        log.warn(`The version before of “${name}” could not be removed: ${error instanceof Error ? error.message : error}`),
      )
    },
    /** Removes folders that no server names, and what an earlier run left behind. Never rejects. */
    async sweep() {
      if (!store.isEmpty()) await incoming.clear()
      await removed.sweep()
    },
    async dispose() {
      downloads.dispose()
      await removed.dispose()
      await queue(async () => undefined)
      await incoming.dispose()
    },
  }
}

async function summaryOf(context: BundleContext, version: string, opened: OpenedBundle): Promise<BundleSummary> {
  const { config, store, environment, here } = context
  const { id, name, bytes, archive, manifest, signature, download } = opened
  const taken = [...config.definitions().keys()]
  const programs = await findPrograms(programsOf(manifest), environment)
  const { command, args, env } = commandFor(manifest, here.system)
  const updates = updatesOf(opened, store.list(), here)
  // A server that this bundle updates is not another one of a similar name.
  const others = taken.filter((server) => !updates.some((update) => update.server === server && update.sameOrigin))
  return {
    id,
    file: name,
    bytes,
    files: archive.entries.filter((entry) => !entry.name.endsWith('/')).length,
    unpackedBytes: archive.unpackedBytes,
    facts: bundleFactsOf(manifest, opened.display),
    command: { command, args: [...args], env: { ...env } },
    concerns: concernsAbout(opened, here.system, others),
    fit: checkFit(manifest, { system: here.system, assent: version, programs }),
    signature,
    fields: fieldsOf(manifest, here),
    suggestedName: suggestedName(manifest, taken),
    updates,
    ...(download ? { download } : {}),
  }
}

function installedOf({ store, paths, here }: BundleContext, { id, server, record }: Installed): InstalledBundle {
  const before = store.get(record.previous)
  return {
    server,
    facts: bundleFactsOf(record.manifest, record),
    installedAt: record.installedAt,
    signature: record.signature,
    fields: fieldsOf(record.manifest, { ...here, values: record.values, kept: Object.keys(record.secrets) }),
    folder: paths.files(id),
    ...(record.download ? { download: record.download } : {}),
    ...(before ? { previous: { version: before.manifest.version } } : {}),
  }
}

/** Keeps files and secrets of servers that were removed until the removal cannot be undone any more. */
function createRemovedBundles({ store, config, inputs, clock }: BundleContext, queue: WorkQueue, log: Log) {
  const left = new Map<string, { readonly id: string; readonly secrets: ReadonlySet<string> }>()
  let cancelClear: (() => void) | undefined

  async function clearNow(): Promise<void> {
    const shared = inputs.declared()
    for (const [server, { id, secrets }] of [...left]) {
      left.delete(server)
      if (store.list().some((one) => one.id === id) || config.definitions().has(server)) continue
      for (const secret of secrets) if (!shared.has(secret)) await inputs.forget(server, secret)
    }
    await store.sweep()
  }
  const clear = (work = clearNow): Promise<void> =>
    queue(work).catch((error: unknown) => log.error('What bundles left behind could not be removed', error))

  return {
    /** Call it before a server is removed. Does nothing for a server that is not from a bundle. */
    add(server: string): void {
      const mine = store.list().find((one) => one.server === server)
      if (!mine) return
      const before = store.get(mine.record.previous)
      const secrets = new Set([...Object.values(mine.record.secrets), ...Object.values(before?.secrets ?? {})])
      left.set(server, { id: mine.id, secrets })
      cancelClear?.()
      cancelClear = clock.after(undoneWithinMs, () => void clear())
    },
    /** Removes what an earlier run left. What was removed in this one can still be undone: its timer clears that. */
    sweep: () => clear(async () => (left.size > 0 ? undefined : clearNow())),
    async dispose() {
      cancelClear?.()
      if (left.size > 0) await clear()
    },
  }
}
