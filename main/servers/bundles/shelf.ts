// The bundles that are installed: their folders, their records, and which server each belongs to by what it runs.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { HostError } from '#app/errors.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { t } from '#app/words/translate.ts'
import type { ServerConfig } from '../types.ts'
import { type BundlePlaces, type BundleRecord, namesFolder, readRecords, writeRecord } from './record.ts'

export interface Installed {
  readonly id: string
  readonly server: string
  readonly definition: StdioDefinition
  readonly record: BundleRecord
}

export interface Shelf {
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

export function createShelf({ places, config }: { readonly places: BundlePlaces; readonly config: ServerConfig }): Shelf {
  let records: Map<string, BundleRecord> | undefined
  const all = (): Map<string, BundleRecord> => {
    records ??= new Map(readRecords(places).records)
    return records
  }
  const list = (): Installed[] => {
    if (all().size === 0) return []
    return [...config.definitions()].flatMap(([server, definition]) => {
      if (definition.transport !== 'stdio') return []
      const found = [...all()].find(([id]) => namesFolder(definition, places.files(id)))
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
