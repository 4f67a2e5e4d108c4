// Bundles as servers: installed, updated, set otherwise, taken back and removed. What is installed is an ordinary entry of
// servers.json that names files in a folder of ours, so the launch is asked for, diagnosed and logged like any other.
// Nothing of a bundle runs here. A folder appears whole by one rename, and goes when no server names it any more.
import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { commandFor, type System } from '#app/server/bundle/command.ts'
import { checkFit, programsOf } from '#app/server/bundle/fit.ts'
import { isSameOrigin } from '#app/server/bundle/signature.ts'
import { type ConfigValues, fieldsOf, type Places } from '#app/server/bundle/user-config.ts'
import type { BundleView, InstalledBundle } from '#app/server/bundle/view.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { asDefined } from '#app/server/import/found.ts'
import type { ServerView } from '#app/server/view.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { Log } from '#main/base/log.ts'
import type { AuditStore } from '#main/store/types.ts'
import { proxiesIn } from '../http/dispatchers.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Registry } from '../registry/registry.ts'
import type { Environment } from '../stdio/environment.ts'
import type { ServerConfig, Servers } from '../types.ts'
import { concernsAbout, factsOf, suggestedName, updatesOf } from './describe.ts'
import { type BundleSource, createDownloads } from './downloads.ts'
import { createIncoming, type OpenedBundle } from './opened.ts'
import { type BundlePlan, planBundle } from './plan.ts'
import { findPrograms, nameHere } from './programs.ts'
import { type BundleRecord, bundlePlaces, folderName, writeRecord } from './record.ts'
import { createShelf, type Installed } from './shelf.ts'
import type { VerifyOptions } from './signature.ts'
import { unpackInto } from './unpack.ts'

export interface BundlesOptions {
  readonly dataDir: string
  readonly config: ServerConfig
  readonly inputs: Inputs
  readonly servers: Pick<Servers, 'stop'>
  readonly environment: Environment
  readonly audit: Pick<AuditStore, 'append'>
  readonly clock: Clock
  readonly log: Log
  readonly version: string
  readonly system: System
  readonly places: Places
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
  open(upload: string, file: string): Promise<BundleView>
  openPath(path: string): Promise<BundleView>
  /** Also `bundle.not-downloaded`, `bundle.wrong-hash`, and `cancelled` once it is stopped. */
  download(name: string, source: BundleSource): Promise<BundleView>
  stopDownload(name: string): void
  /** Of one that is open. */
  view(id: string): Promise<BundleView>
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
  observe(server: ServerView): void
  /** Removes folders that no server names, and what an earlier run left behind. Never rejects. */
  sweep(): Promise<void>
  dispose(): Promise<void>
}

const undoneWithinMs = 10 * 60_000

export function createBundles(options: BundlesOptions): Bundles {
  const { config, inputs, servers, environment, audit, clock, log, system, places: known } = options
  const places = bundlePlaces(options.dataDir)
  const separator = system === 'win32' ? '\\' : '/'
  const here = { system, places: known, separator }
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
  const shelf = createShelf({ places, config })
  /** Servers that were taken out, with the secrets that their bundles had. */
  const left = new Map<string, { readonly id: string; readonly secrets: ReadonlySet<string> }>()
  let cancelClear: (() => void) | undefined
  /** One change after the other: each begins with what the one before left. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }

  async function viewOf(opened: OpenedBundle): Promise<BundleView> {
    const { id, name, bytes, archive, manifest, signature, download } = opened
    const taken = [...config.definitions().keys()]
    const programs = await findPrograms(programsOf(manifest), environment)
    const raw = commandFor(manifest, system)
    const updates = updatesOf(opened, shelf.list(), here)
    // The server that it is another version of is no other one.
    const others = taken.filter((name) => !updates.some((update) => update.server === name && update.sameOrigin))
    return {
      id,
      file: name,
      bytes,
      files: archive.entries.filter((entry) => !entry.name.endsWith('/')).length,
      unpackedBytes: archive.unpackedBytes,
      facts: factsOf(manifest, opened.looks),
      command: { command: raw.command, args: [...raw.args], env: { ...raw.env } },
      concerns: concernsAbout(opened, system, others),
      fit: checkFit(manifest, { system, assent: options.version, programs }),
      signature,
      fields: fieldsOf(manifest, here),
      suggestedName: suggestedName(manifest, taken),
      updates,
      ...(download ? { download } : {}),
    }
  }

  const planFor = async (
    bundle: Pick<OpenedBundle, 'manifest'>,
    of: { readonly id: string; readonly values: ConfigValues; readonly kept: Readonly<Record<string, string>> },
  ): Promise<BundlePlan> => {
    const plan = planBundle({
      manifest: bundle.manifest,
      values: of.values,
      kept: of.kept,
      reserved: new Set(inputs.declared().keys()),
      files: places.files(of.id),
      ...here,
    })
    const { type } = bundle.manifest.server
    if (type !== 'python') return plan
    return { ...plan, definition: { ...plan.definition, command: await nameHere(plan.definition.command, environment) } }
  }

  /** Unpacked beside its place, then put there whole. */
  async function unpack(opened: OpenedBundle, id: string, record: BundleRecord, command: string): Promise<void> {
    const beside = join(places.incoming, id)
    try {
      await mkdir(beside, { recursive: true, mode: 0o700 })
      const prefix = `${places.files(id)}${separator}`
      const program = command.startsWith(prefix) ? command.slice(prefix.length).replaceAll('\\', '/') : ''
      await unpackInto(opened.archive, join(beside, 'files'), [program])
      writeRecord(beside, record)
      await rename(beside, places.folder(id))
    } catch (error) {
      await rm(beside, { recursive: true, force: true })
      const code = (error as NodeJS.ErrnoException).code
      if (error instanceof HostError || code === undefined) throw error
      throw new HostError(
        code === 'ENOSPC' || code === 'EDQUOT' ? 'disk.full' : 'profile.unwritable',
        t`The bundle could not be unpacked (${code}). Nothing was installed.`,
        {
          data: { path: places.root },
          cause: error,
        },
      )
    }
    shelf.add(id, record)
  }

  /** The secrets, then the entry of the file: both or neither. */
  async function put(server: string, definition: StdioDefinition, plan: Pick<BundlePlan, 'entered'>): Promise<void> {
    const undo = await inputs.setAll(server, plan.entered)
    try {
      config.save(server, definition)
    } catch (error) {
      await undo()
      throw error
    }
  }

  const note = (
    server: string,
    decision: string,
    { manifest, signature, download }: Pick<BundleRecord, 'manifest' | 'signature' | 'download'>,
    plan?: BundlePlan,
  ): void =>
    void audit.append({
      kind: 'config',
      server,
      decision,
      by: 'person',
      detail: {
        bundle: manifest.name,
        version: manifest.version,
        signature: signature.kind,
        ...(download ? { url: download.url, sha256: download.sha256, checked: download.checked } : {}),
        ...(plan && plan.entered.size > 0 ? { secrets: [...plan.entered.keys()] } : {}),
      },
    })

  async function install(id: string, server: string, values: ConfigValues): Promise<void> {
    if (config.definitions().has(server))
      throw new HostError('config.invalid', t`There is a server named “${server}” already. Choose another name.`, { data: { server } })
    const opened = incoming.find(id)
    await bring(opened, server, { values, definition: { ...asDefined, transport: 'stdio' }, before: undefined })
    note(server, 'bundle-installed', opened)
  }

  async function update(id: string, server: string, values: ConfigValues): Promise<void> {
    const opened = incoming.find(id)
    const before = shelf.find(server)
    const origin = (one: Pick<BundleRecord, 'manifest' | 'signature'>) => ({ author: one.manifest.author.name, signature: one.signature })
    if (before.record.manifest.name !== opened.manifest.name || !isSameOrigin(origin(before.record), origin(opened)))
      throw new HostError('config.invalid', t`This bundle is not from whom “${server}” is. Install it beside, under a name of its own.`, {
        data: { server },
      })
    const older = before.record.previous
    await bring(opened, server, { values, definition: before.definition, before })
    if (older !== undefined) await shelf.drop(older)
    note(server, 'bundle-updated', opened)
  }

  async function bring(
    opened: OpenedBundle,
    server: string,
    how: {
      readonly values: ConfigValues
      readonly definition: Omit<StdioDefinition, 'command' | 'args' | 'env' | 'cwd'>
      readonly before: Installed | undefined
    },
  ): Promise<void> {
    const { manifest, signature, download } = opened
    const id = folderName(manifest.name, manifest.version, randomBytes(4).toString('hex'))
    const kept = how.before ? keptOf(how.before, manifest) : {}
    const plan = await planFor(opened, { id, values: how.values, kept })
    const record: BundleRecord = {
      format: 1,
      manifest,
      signature,
      installedAt: clock.now(),
      values: { ...plan.values },
      secrets: { ...plan.secrets },
      config: config.path,
      ...opened.looks,
      ...(download ? { download } : {}),
      ...(how.before ? { previous: how.before.id } : {}),
    }
    await unpack(opened, id, record, plan.definition.command)
    try {
      await put(server, { ...how.definition, ...plan.definition }, plan)
    } catch (error) {
      await shelf.drop(id)
      throw error
    }
    await incoming.close(opened.id)
  }

  /** What was kept for the version before counts on, where the new one still calls it a secret. */
  const keptOf = ({ record }: Installed, manifest: OpenedBundle['manifest']): Record<string, string> => {
    const secret = new Set(fieldsOf(manifest, here).flatMap(({ key, sensitive }) => (sensitive ? [key] : [])))
    return Object.fromEntries(Object.entries(record.secrets).filter(([key]) => secret.has(key)))
  }

  async function configure(server: string, values: ConfigValues): Promise<void> {
    const { id, record, definition } = shelf.find(server)
    const plan = await planFor(record, { id, values, kept: record.secrets })
    await put(server, { ...definition, ...plan.definition }, plan)
    shelf.keep(id, { ...record, values: { ...plan.values }, secrets: { ...plan.secrets } })
    note(server, 'bundle-configured', record, plan)
  }

  async function goBack(server: string): Promise<void> {
    const { id, record, definition } = shelf.find(server)
    const before = record.previous === undefined ? undefined : shelf.get(record.previous)
    if (record.previous === undefined || !before)
      throw new HostError('bundle.gone', t`No version before is kept of “${server}”.`, { data: { server } })
    const plan = await planFor(before, { id: record.previous, values: before.values, kept: before.secrets })
    await servers.stop(server)
    await put(server, { ...definition, ...plan.definition }, plan)
    await shelf.drop(id)
    note(server, 'bundle-taken-back', before)
  }

  async function accept(server: string): Promise<void> {
    const { id, record } = shelf.find(server)
    if (record.previous === undefined) return
    const before = shelf.get(record.previous)
    const { previous: _, ...rest } = record
    shelf.keep(id, rest)
    if (before) {
      const still = new Set(Object.values(record.secrets))
      for (const secret of Object.values(before.secrets)) if (!still.has(secret)) await inputs.forget(server, secret)
    }
    await shelf.drop(record.previous)
  }

  /** Folders that no server names, and secrets of servers that did not come back. */
  async function clear(): Promise<void> {
    const shared = inputs.declared()
    for (const [server, { id, secrets }] of [...left]) {
      left.delete(server)
      if (shelf.list().some((one) => one.id === id) || config.definitions().has(server)) continue
      for (const secret of secrets) if (!shared.has(secret)) await inputs.forget(server, secret)
    }
    await shelf.sweep()
  }
  const clearSoon = (): Promise<void> =>
    inTurn(clear).catch((error: unknown) => log.error('What bundles left behind could not be removed', error))

  return {
    part: (upload, at, bytes) => incoming.part(upload, at, bytes),
    open: async (upload, file) => viewOf(await incoming.open(upload, file)),
    openPath: async (path) => viewOf(await incoming.openPath(path)),
    download: async (name, source) => viewOf(await downloads.fetch(name, source)),
    stopDownload: downloads.stop,
    view: async (id) => viewOf(incoming.find(id)),
    close: (id) => incoming.close(id),
    install: (id, server, values) => inTurn(() => install(id, server, values)),
    update: (id, server, values) => inTurn(() => update(id, server, values)),
    configure: (server, values) => inTurn(() => configure(server, values)),
    goBack: (server) => inTurn(() => goBack(server)),
    accept: (server) => inTurn(() => accept(server)),
    leaving(server) {
      const mine = shelf.list().find((one) => one.server === server)
      if (!mine) return
      const before = mine.record.previous === undefined ? undefined : shelf.get(mine.record.previous)
      const secrets = new Set([...Object.values(mine.record.secrets), ...Object.values(before?.secrets ?? {})])
      left.set(server, { id: mine.id, secrets })
      cancelClear?.()
      cancelClear = clock.after(undoneWithinMs, () => void clearSoon())
    },
    installed: () =>
      shelf.list().map(({ id, server, record }) => {
        const before = record.previous === undefined ? undefined : shelf.get(record.previous)
        return {
          server,
          facts: factsOf(record.manifest, record),
          installedAt: record.installedAt,
          signature: record.signature,
          fields: fieldsOf(record.manifest, { ...here, values: record.values, kept: Object.keys(record.secrets) }),
          folder: places.files(id),
          ...(record.download ? { download: record.download } : {}),
          ...(before ? { previous: { version: before.manifest.version } } : {}),
        }
      }),
    observe({ name, state, definition }) {
      if (state.kind !== 'ready' || definition.transport !== 'stdio') return
      const mine = shelf.list().find(({ server }) => server === name)
      // What is ready was started after this version came.
      if (mine?.record.previous === undefined || state.since < mine.record.installedAt) return
      inTurn(() => accept(name)).catch((error: unknown) =>
        log.warn(`The version before of “${name}” could not be removed: ${error instanceof Error ? error.message : error}`),
      )
    },
    async sweep() {
      if (!shelf.isEmpty()) await incoming.clear()
      await clearSoon()
    },
    async dispose() {
      downloads.dispose()
      cancelClear?.()
      if (left.size > 0) await clearSoon()
      await last
      await incoming.dispose()
    },
  }
}
