// The bundles that are installed: their folders, their records, and which server each belongs to by what it runs.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { bundleDownload } from '#app/server/bundle/bundle-download.ts'
import { bundleLocale } from '#app/server/bundle/bundle-labels.ts'
import { signatureSummary } from '#app/server/bundle/bundle-signature.ts'
import { bundleManifest } from '#app/server/bundle/manifest.ts'
import { configValues } from '#app/server/bundle/user-config.ts'
import type { ServerDefinition, StdioDefinition } from '#app/server/definition.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import type { ServerConfig } from '#main/servers/config/config-file.ts'

// What is kept of an installed bundle, beside its files, in a folder of its own that comes and goes as a whole:
//   <data>/bundles/<id>/bundle.json   what it said of itself, what was entered, which secrets are its own
//   <data>/bundles/<id>/files/…       what it was unpacked to
// Which server it belongs to is not written here: it is the one whose command names the folder, however it is called.

const bundleRecord = z.object({
  format: z.literal(1),
  manifest: bundleManifest,
  signature: signatureSummary,
  installedAt: z.number(),
  /** For the eye, as the file had them when it was installed. */
  words: bundleLocale.optional(),
  icon: z.string().max(400_000).optional(),
  /** Where its file came from, where that was a registry. */
  download: bundleDownload.optional(),
  /** What was entered and is no secret. */
  values: configValues,
  /** The id of each kept secret, by the setting that it is of. */
  secrets: z.record(z.string(), z.string()),
  /** The config file that its server stands in. */
  config: z.string(),
  /** The id of the version before, until this one has started once or is accepted. */
  previous: z.string().optional(),
})
export type BundleRecord = z.infer<typeof bundleRecord>

export interface BundlePaths {
  readonly root: string
  /** Files on their way, and what is being unpacked. Nothing in it outlives a run. */
  readonly incoming: string
  readonly folder: (id: string) => string
  readonly files: (id: string) => string
}

export function bundlePaths(dataDir: string): BundlePaths {
  const root = join(dataDir, 'bundles')
  return { root, incoming: join(root, 'incoming'), folder: (id) => join(root, id), files: (id) => join(root, id, 'files') }
}

/** A name for its folder: nothing of it but plain letters, so that no name of an author's leads anywhere. */
export const bundleFolderName = (name: string, version: string, id: string): string =>
  [name, version, id]
    .map(
      (part) =>
        part
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '-')
          .replace(/^-+|-+$/g, '')
          .slice(0, 40) || 'x',
    )
    .join('_')

export const writeRecord = (folder: string, record: BundleRecord): void =>
  writeFileAtomically(join(folder, 'bundle.json'), `${JSON.stringify(record, null, 2)}\n`)

interface FoundRecords {
  readonly records: ReadonlyMap<string, BundleRecord>
  /** Every folder that is there, with a record that can be read or without. */
  readonly folders: readonly string[]
}

function readRecords({ root, folder }: BundlePaths): FoundRecords {
  const folders = namesIn(root).filter((name) => name !== 'incoming')
  const records = new Map<string, BundleRecord>()
  for (const id of folders) {
    const record = readRecord(join(folder(id), 'bundle.json'))
    if (record) records.set(id, record)
  }
  return { records, folders }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return [] // No bundle was ever installed.
  }
}

function readRecord(path: string): BundleRecord | undefined {
  try {
    return bundleRecord.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
  } catch {
    return undefined // Its folder is half gone: its server runs as it is configured, and nobody can say more.
  }
}

/** Whether what runs is in this folder. */
function runsFromFolder(definition: ServerDefinition, folder: string): boolean {
  if (definition.transport !== 'stdio') return false
  const { command, args, env, cwd = '' } = definition
  return [command, cwd, ...args, ...Object.values(env)].some(
    (text) => text.endsWith(folder) || text.includes(`${folder}${sep}`) || text.includes(`${folder}/`),
  )
}

export interface Installed {
  readonly id: string
  readonly server: string
  readonly definition: StdioDefinition
  readonly record: BundleRecord
}

export interface BundleStore {
  /** No bundle was ever installed or looked at in this profile. */
  isEmpty(): boolean
  list(): Installed[]
  /** Throws `bundle.gone`. */
  find(server: string): Installed
  get(id: string): BundleRecord | undefined
  /** Its folder has just come, with this record in it. */
  add(id: string, record: BundleRecord): void
  /** Writes its record anew. */
  keep(id: string, record: BundleRecord): void
  drop(id: string): Promise<void>
  /** Removes folders that no server names any more. */
  sweep(): Promise<void>
}

export function createBundleStore({ places, config }: { readonly places: BundlePaths; readonly config: ServerConfig }): BundleStore {
  let records: Map<string, BundleRecord> | undefined
  const all = (): Map<string, BundleRecord> => {
    records ??= new Map(readRecords(places).records)
    return records
  }
  const list = (): Installed[] => {
    if (all().size === 0) return []
    return [...config.definitions()].flatMap(([server, definition]) => {
      if (definition.transport !== 'stdio') return []
      const found = [...all()].find(([id]) => runsFromFolder(definition, places.files(id)))
      return found ? [{ id: found[0], server, definition, record: found[1] }] : []
    })
  }
  const drop = async (id: string): Promise<void> => {
    all().delete(id)
    await rm(places.folder(id), { recursive: true, force: true, maxRetries: 3 })
  }

  return {
    isEmpty: () => !existsSync(places.root),
    list,
    find(server) {
      const found = list().find((one) => one.server === server)
      if (found) return found
      throw new HostError('bundle.gone', t`“${server}” was not installed from a bundle.`, { data: { server } })
    },
    get: (id) => all().get(id),
    add: (id, record) => void all().set(id, record),
    keep(id, record) {
      writeRecord(places.folder(id), record)
      all().set(id, record)
    },
    drop,
    async sweep() {
      // A file that cannot be read whole may name what it does not seem to.
      if (config.problems().length > 0) return
      const found = readRecords(places)
      records = new Map(found.records)
      const used = new Set(list().flatMap(({ id, record }) => [id, ...(record.previous === undefined ? [] : [record.previous])]))
      for (const id of found.folders) {
        const record = found.records.get(id)
        if (!used.has(id) && (record === undefined || record.config === config.path)) await drop(id)
      }
    },
  }
}
