// What is kept of an installed bundle, beside its files, in a folder of its own that comes and goes as a whole:
//   <data>/bundles/<id>/bundle.json   what it said of itself, what was entered, which secrets are its own
//   <data>/bundles/<id>/files/…       what it was unpacked to
// Which server it belongs to is not written here: it is the one whose command names the folder, however it is called.
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { z } from 'zod'
import { bundleDownload } from '#app/server/bundle/download.ts'
import { bundleManifest } from '#app/server/bundle/manifest.ts'
import { signatureView } from '#app/server/bundle/signature.ts'
import { configValues } from '#app/server/bundle/user-config.ts'
import { bundleWords } from '#app/server/bundle/words.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { writeFileAtomically } from '../config/atomic-write.ts'

export const bundleRecord = z.object({
  format: z.literal(1),
  manifest: bundleManifest,
  signature: signatureView,
  installedAt: z.number(),
  /** For the eye, as the file had them when it was installed. */
  words: bundleWords.optional(),
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

export interface BundlePlaces {
  readonly root: string
  /** Files on their way, and what is being unpacked. Nothing in it outlives a run. */
  readonly incoming: string
  readonly folder: (id: string) => string
  readonly files: (id: string) => string
}

export function bundlePlaces(dataDir: string): BundlePlaces {
  const root = join(dataDir, 'bundles')
  return { root, incoming: join(root, 'incoming'), folder: (id) => join(root, id), files: (id) => join(root, id, 'files') }
}

/** A name for its folder: nothing of it but plain letters, so that no name of an author's leads anywhere. */
export const folderName = (name: string, version: string, id: string): string =>
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

export interface FoundRecords {
  readonly records: ReadonlyMap<string, BundleRecord>
  /** Every folder that is there, with a record that can be read or without. */
  readonly folders: readonly string[]
}

export function readRecords({ root, folder }: BundlePlaces): FoundRecords {
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
export function namesFolder(definition: ServerDefinition, folder: string): boolean {
  if (definition.transport !== 'stdio') return false
  const { command, args, env, cwd = '' } = definition
  return [command, cwd, ...args, ...Object.values(env)].some(
    (text) => text.endsWith(folder) || text.includes(`${folder}${sep}`) || text.includes(`${folder}/`),
  )
}
