// Store of installed bundles. Each has a folder of its own that comes and goes as a whole:
//   <data>/bundles/<id>/bundle.json   its manifest, what was entered for it, the ids of its secrets
//   <data>/bundles/<id>/files/…       its unpacked files
// No record names the server that a bundle belongs to: it is the one whose command names the folder, under whatever name.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { mapOf } from '#app/json-schemas.ts'
import { orElse } from '#app/or-else.ts'
import { bundleDownload } from '#app/server/bundle/bundle-download.ts'
import { bundleLocale } from '#app/server/bundle/bundle-labels.ts'
import { signatureSummary } from '#app/server/bundle/bundle-signature.ts'
import { bundleManifest } from '#app/server/bundle/manifest.ts'
import { configValues } from '#app/server/bundle/user-config.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import type { ServerConfig } from '#main/servers/config/config-file.ts'

const bundleRecord = z.object({
  format: z.literal(1),
  manifest: bundleManifest,
  signature: signatureSummary,
  installedAt: z.number(),
  /** Localized texts for display, as the file had them when it was installed. */
  words: bundleLocale.optional(),
  icon: z.string().max(400_000).optional(),
  download: bundleDownload.optional(),
  values: configValues,
  /** Ids of its secrets, by setting. */
  secrets: mapOf(z.string()),
  config: z.string(),
  /** Id of the version before, until this one has started once or is accepted. */
  previous: z.string().optional(),
})
export type BundleRecord = z.infer<typeof bundleRecord>

export type BundlePaths = ReturnType<typeof bundlePaths>

/** `incoming`: folder of files that are received or unpacked. Nothing in it outlives a run. */
export function bundlePaths(dataDir: string) {
  const root = join(dataDir, 'bundles')
  const folder = (id: string): string => join(root, id)
  return { root, incoming: join(root, 'incoming'), folder, files: (id: string): string => join(folder(id), 'files') }
}

/** Name of a bundle's folder, of plain letters only: no name that an author chose leads elsewhere. */
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

function readRecords({ root, folder }: BundlePaths) {
  // There is no folder until a bundle is installed.
  const folders = orElse(() => readdirSync(root), []).filter((name) => name !== 'incoming')
  const records = new Map<string, BundleRecord>()
  for (const id of folders) {
    const record = readRecord(join(folder(id), 'bundle.json'))
    if (record) records.set(id, record)
  }
  return { records, folders }
}

/** Undefined: the folder is half gone; its server still runs as it is configured. */
const readRecord = (path: string): BundleRecord | undefined =>
  orElse(() => bundleRecord.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data, undefined)

function runsFromFolder({ command, args, env, cwd = '' }: StdioDefinition, folder: string): boolean {
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

export type BundleStore = ReturnType<typeof createBundleStore>

export function createBundleStore({ paths, config }: { readonly paths: BundlePaths; readonly config: ServerConfig }) {
  let records: Map<string, BundleRecord> | undefined
  const all = (): Map<string, BundleRecord> => (records ??= readRecords(paths).records)
  const list = (): Installed[] => {
    if (all().size === 0) return []
    return [...config.definitions()].flatMap(([server, definition]) => {
      if (definition.transport !== 'stdio') return []
      const found = [...all()].find(([id]) => runsFromFolder(definition, paths.files(id)))
      return found ? [{ id: found[0], server, definition, record: found[1] }] : []
    })
  }
  const drop = async (id: string): Promise<void> => {
    all().delete(id)
    await rm(paths.folder(id), { recursive: true, force: true, maxRetries: 3 })
  }

  return {
    /** Tells whether no bundle was ever installed or opened in this profile. */
    isEmpty: () => !existsSync(paths.root),
    list,
    /** @throws {HostError} `bundle.gone` when the server is not from a bundle. */
    find(server: string): Installed {
      const found = list().find((one) => one.server === server)
      if (found) return found
      throw new HostError('bundle.gone', t`“${server}” was not installed from a bundle.`, { data: { server } })
    },
    get: (id: string | undefined): BundleRecord | undefined => (id === undefined ? undefined : all().get(id)),
    add: (id: string, record: BundleRecord) => void all().set(id, record),
    keep(id: string, record: BundleRecord): void {
      writeRecord(paths.folder(id), record)
      all().set(id, record)
    },
    drop,
    async sweep() {
      // A file that cannot be read whole may name more than is seen of it.
      if (config.problems().length > 0) return
      const found = readRecords(paths)
      records = found.records
      const used = new Set(list().flatMap(({ id, record }) => [id, record.previous]))
      for (const id of found.folders) {
        const record = found.records.get(id)
        if (!used.has(id) && (record === undefined || record.config === config.path)) await drop(id)
      }
    },
  }
}
