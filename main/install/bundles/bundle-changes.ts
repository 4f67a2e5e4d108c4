// Changes of servers that come from bundles: install, update, configure, restore the version before. First comes a plan: the ordinary
// definition that the bundle and the entered values make, with references in place of secrets. Then the files are unpacked and the
// server is saved. A change is kept whole or not at all; the caller runs one at a time.
import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { type BundlePlatform, makeCommand } from '#app/server/bundle/bundle-command.ts'
import { isSameOrigin } from '#app/server/bundle/bundle-signature.ts'
import type { BundleManifest } from '#app/server/bundle/manifest.ts'
import {
  type BundleFolders,
  type ConfigValue,
  type ConfigValues,
  faultsOf,
  fieldsOf,
  type ValueFault,
  withHome,
} from '#app/server/bundle/user-config.ts'
import { asDefined } from '#app/server/candidate.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { inputReference } from '#app/server/inputs/variable-references.ts'
import { freeName } from '#app/text/look-alike.ts'
import { renameFolder } from '#main/base/atomic-write.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import { nameTaken } from '#main/servers/config/config-file.ts'
import type { Servers } from '#main/servers/lifecycle/servers.ts'
import type { Environment } from '#main/servers/process/environment/environment.ts'
import type { BundleMove } from '#main/store/store-api.ts'
import { type SaveContext, saveServer } from '../save-server.ts'
import { installedPython } from './bundle-runtimes.ts'
import { type BundlePaths, type BundleRecord, type BundleStore, bundleFolderName, type Installed, writeRecord } from './bundle-store.ts'
import type { Incoming, OpenedBundle } from './incoming-bundles.ts'
import { unpackInto } from './zip-archive.ts'

interface BundlePlan {
  readonly definition: Pick<StdioDefinition, 'command' | 'args' | 'env' | 'cwd'>
  readonly values: Record<string, ConfigValue>
  /** Ids of its secrets, by setting. */
  readonly secrets: Record<string, string>
  readonly entered: ReadonlyMap<string, string>
}

const valueProblem = (title: string, fault: ValueFault): string =>
  fault === 'missing' ? t`“${title}” is required.` : t`“${title}” has a value that cannot be used (${fault}).`

/** `id`: folder of the bundle; `kept`: ids of kept secrets. A secret that `values` leaves out stays what it was. */
interface PlanOptions {
  readonly id: string
  readonly values: ConfigValues
  readonly kept: Readonly<Record<string, string>>
}

/** @throws {HostError} `bundle.values`, `bundle.manifest` */
async function planBundle(context: BundleContext, manifest: BundleManifest, options: PlanOptions): Promise<BundlePlan> {
  const { kept } = options
  const { system, folders } = context.here
  const fields = fieldsOf(manifest, { ...context.here, kept: Object.keys(kept) })
  const [fault] = faultsOf(fields, options.values)
  if (fault) {
    const title = fields.find(({ key }) => key === fault[0])?.title ?? fault[0]
    throw new HostError('bundle.values', valueProblem(title, fault[1]), { data: { field: fault[0], fault: fault[1] } })
  }
  const secrets: Record<string, string> = {}
  const entered = new Map<string, string>()
  const values: Record<string, ConfigValue> = {}
  // An id that is declared for all servers would give this one their value.
  const reserved = context.inputs.declared()
  for (const { key, sensitive, type } of fields) {
    const given = Object.hasOwn(options.values, key) ? options.values[key] : undefined
    const value = given === '' ? undefined : type === 'directory' || type === 'file' ? atHome(given, folders.HOME) : given
    const before = Object.hasOwn(kept, key) ? kept[key] : undefined
    if (!sensitive) {
      if (value !== undefined) values[key] = value
      continue
    }
    if (before === undefined && value === undefined) continue
    const id = before !== undefined && !reserved.has(before) ? before : freeName(idOf(key), [...reserved.keys(), ...Object.values(secrets)])
    secrets[key] = id
    if (value !== undefined) entered.set(id, String(value))
  }
  const made = makeCommand(manifest, {
    folder: context.paths.files(options.id),
    system,
    folders,
    values,
    secret: (key) => (Object.hasOwn(secrets, key) ? inputReference(secrets[key] ?? '') : undefined),
  })
  if (made.kind === 'refused')
    throw new HostError('bundle.manifest', t`The bundle cannot be run: “${made.field}” is not allowed (${made.fault}).`, {
      data: { field: made.field, fault: made.fault, text: made.text.slice(0, 1000) },
    })
  const { command, args, env, cwd } = made.command
  const program = manifest.server.type === 'python' ? await installedPython(command, context.environment) : command
  return { definition: { command: program, args: [...args], env: { ...env }, cwd }, values, secrets, entered }
}

const idOf = (key: string): string => key.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60) || 'secret'

const atHome = (value: ConfigValue | undefined, home: string): ConfigValue | undefined =>
  typeof value === 'string' ? withHome(value, home) : Array.isArray(value) ? value.map((one) => withHome(one, home)) : value

export interface BundleTarget {
  readonly system: BundlePlatform
  readonly folders: BundleFolders
  readonly separator: string
}

export interface BundleContext extends SaveContext {
  readonly paths: BundlePaths
  readonly here: BundleTarget
  readonly store: BundleStore
  readonly incoming: Incoming
  readonly servers: Pick<Servers, 'stop'>
  readonly broker: Pick<ConsentBroker, 'bundleUpdated'>
  readonly environment: Environment
  readonly clock: Clock
}

/** Adds a server of that name. @throws {HostError} `config.invalid` when the name is taken */
export async function installBundle(context: BundleContext, id: string, server: string, values: ConfigValues): Promise<void> {
  if (context.config.definitions().has(server)) throw nameTaken(server)
  const opened = context.incoming.find(id)
  await installVersion(context, opened, server, { values, definition: { ...asDefined, transport: 'stdio' }, before: undefined })
}

/** Puts another version in place of the one that the server runs. @throws {HostError} `config.invalid` for a bundle of another origin */
export async function updateBundle(context: BundleContext, id: string, server: string, values: ConfigValues): Promise<void> {
  const { store } = context
  const opened = context.incoming.find(id)
  const before = store.find(server)
  if (before.record.manifest.name !== opened.manifest.name || !isSameOrigin(before.record, opened))
    throw new HostError('config.invalid', t`This bundle is not from the author of “${server}”. Install it under another name.`, {
      data: { server },
    })
  const older = before.record.previous
  await installVersion(context, opened, server, { values, definition: before.definition, before })
  if (older !== undefined) await store.drop(older)
}

/** Writes the entry of the server anew with these values. @throws {HostError} `bundle.gone` */
export async function configureBundle(context: BundleContext, server: string, values: ConfigValues): Promise<void> {
  const { id, record, definition } = context.store.find(server)
  const plan = await planBundle(context, record.manifest, { id, values, kept: record.secrets })
  await save(context, server, 'bundle-configured', record, { definition, plan })
  context.store.keep(id, { ...record, values: plan.values, secrets: plan.secrets })
}

/** Stops the server and puts the version before back. @throws {HostError} `bundle.gone` when none is kept */
export async function restorePrevious(context: BundleContext, server: string): Promise<void> {
  const { store } = context
  const { id, record, definition } = store.find(server)
  const { previous } = record
  const before = store.get(previous)
  if (previous === undefined || !before)
    throw new HostError('bundle.gone', t`No earlier version of “${server}” is kept.`, { data: { server } })
  const plan = await planBundle(context, before.manifest, { id: previous, values: before.values, kept: before.secrets })
  await context.servers.stop(server)
  await save(context, server, 'bundle-taken-back', before, { definition, plan, folders: { from: id, to: previous } })
  await store.drop(id)
}

/** Removes the version before, and the secrets that only it had. */
export async function dropPrevious({ store, inputs }: BundleContext, server: string): Promise<void> {
  const { id, record } = store.find(server)
  if (record.previous === undefined) return
  const before = store.get(record.previous)
  const { previous: _, ...rest } = record
  store.keep(id, rest)
  if (before) {
    const still = new Set(Object.values(record.secrets))
    for (const secret of Object.values(before.secrets)) if (!still.has(secret)) await inputs.forget(server, secret)
  }
  await store.drop(record.previous)
}

interface NewVersion {
  readonly values: ConfigValues
  readonly definition: Omit<StdioDefinition, keyof BundlePlan['definition']>
  readonly before: Installed | undefined
}

async function installVersion(context: BundleContext, opened: OpenedBundle, server: string, how: NewVersion): Promise<void> {
  const { config, store, incoming } = context
  const { manifest, signature, download } = opened
  const id = bundleFolderName(manifest.name, manifest.version, randomBytes(4).toString('hex'))
  const kept = how.before ? keptSecrets(how.before.record, manifest, context.here) : {}
  const plan = await planBundle(context, manifest, { id, values: how.values, kept })
  const record: BundleRecord = {
    format: 1,
    manifest,
    signature,
    installedAt: context.clock.now(),
    values: plan.values,
    secrets: plan.secrets,
    config: config.path,
    ...opened.display,
    ...defined({ download, previous: how.before?.id }),
  }
  await unpack(context, opened, id, record, plan.definition.command)
  try {
    const folders = how.before && { from: how.before.id, to: id }
    await save(context, server, how.before ? 'bundle-updated' : 'bundle-installed', opened, { definition: how.definition, plan, folders })
  } catch (error) {
    // The entry may be saved, and only its row of the audit log missing.
    if (!store.list().some((one) => one.id === id)) await store.drop(id)
    throw error
  }
  await incoming.close(opened.id)
}

/** Picks the secrets of the version before that are secrets of the new one too. Returns their ids, by setting. */
export function keptSecrets(record: Pick<BundleRecord, 'secrets'>, manifest: BundleManifest, here: BundleTarget): Record<string, string> {
  const secret = new Set(fieldsOf(manifest, here).flatMap(({ key, sensitive }) => (sensitive ? [key] : [])))
  return Object.fromEntries(Object.entries(record.secrets).filter(([key]) => secret.has(key)))
}

/** Unpacks beside the folder of the bundle, then moves all of it there by one rename. @throws {HostError} `disk.full`, `profile.unwritable` */
async function unpack(
  { paths, store, here }: BundleContext,
  opened: OpenedBundle,
  id: string,
  record: BundleRecord,
  command: string,
): Promise<void> {
  const beside = join(paths.incoming, id)
  try {
    await mkdir(beside, { recursive: true, mode: 0o700 })
    const prefix = `${paths.files(id)}${here.separator}`
    const program = command.startsWith(prefix) ? command.slice(prefix.length).replaceAll('\\', '/') : ''
    await unpackInto(opened.archive, join(beside, 'files'), [program])
    writeRecord(beside, record)
    await renameFolder(beside, paths.folder(id))
  } catch (error) {
    await rm(beside, { recursive: true, force: true })
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof HostError || code === undefined) throw error
    const kind = code === 'ENOSPC' || code === 'EDQUOT' ? 'disk.full' : 'profile.unwritable'
    const message = t`The bundle could not be unpacked (${code}). Nothing was installed.`
    throw new HostError(kind, message, { data: { path: paths.root }, cause: error })
  }
  store.add(id, record)
}

interface SavedEntry {
  readonly definition: NewVersion['definition']
  readonly plan: BundlePlan
  /** Names of the folder that the server ran from and of the one from now on. */
  readonly folders?: BundleMove | undefined
}

/** Saves the server with a row that names the bundle. The values of the version before stay: it may come back. */
async function save(
  context: BundleContext,
  server: string,
  decision: string,
  { manifest, signature, download }: Pick<BundleRecord, 'manifest' | 'signature' | 'download'>,
  { definition, plan, folders }: SavedEntry,
): Promise<void> {
  await saveServer(context, {
    name: server,
    definition: { ...definition, ...plan.definition },
    secrets: plan.entered,
    keepsPrevious: true,
    write(whole) {
      context.config.save(server, whole)
      if (folders) context.broker.bundleUpdated(server, folders)
    },
    record: {
      decision,
      detail: {
        bundle: manifest.name,
        version: manifest.version,
        signature: signature.kind,
        ...(download ? { url: download.url, sha256: download.sha256, checked: download.checked } : {}),
      },
    },
  })
}
