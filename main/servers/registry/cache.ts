// What registries answered, on disk: one small file a question, so that what was seen once can be seen without a network.
// It is read like any other foreign text. Nothing depends on it: what cannot be written is not kept.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readPage } from '#app/server/registry/page.ts'
import type { Log } from '#main/base/log.ts'
import { writeFileAtomically } from '../config/atomic-write.ts'

const kept = z.object({ url: z.string(), address: z.string(), at: z.number(), etag: z.string().optional(), page: readPage })
export type Kept = z.infer<typeof kept>

export interface RegistryCache {
  get(url: string): Kept | undefined
  set(entry: Kept): void
  /** Every page of a registry, the latest first. */
  /** Read one after the other: there may be 30 MB of them, and nothing else is to wait. */
  all(address: string): Promise<Kept[]>
}

export interface CacheLimits {
  readonly files: number
  readonly bytes: number
}
const usual: CacheLimits = { files: 300, bytes: 30 * 1024 * 1024 }

export function createRegistryCache(folder: string, log: Log, limits: CacheLimits = usual): RegistryCache {
  const pathOf = (url: string): string => join(folder, `${createHash('sha256').update(url).digest('hex')}.json`)
  const textOf = (path: string): string => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      // Not there, or not to be read: it is asked for again.
      return ''
    }
  }
  const parsed = (text: string): Kept | undefined => {
    try {
      return kept.safeParse(JSON.parse(text)).data
    } catch {
      // Cut off, or of another version: it is asked for again.
      return undefined
    }
  }

  /** The latest first. */
  function files(): { readonly path: string; readonly bytes: number; readonly time: number }[] {
    try {
      return readdirSync(folder)
        .filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
        .map((name) => ({ path: join(folder, name), stat: statSync(join(folder, name)) }))
        .map(({ path, stat }) => ({ path, bytes: stat.size, time: stat.mtimeMs }))
        .sort((a, b) => b.time - a.time)
    } catch {
      // There is no folder yet.
      return []
    }
  }

  function prune(): void {
    let bytes = 0
    for (const [index, file] of files().entries()) {
      bytes += file.bytes
      if (index >= limits.files || bytes > limits.bytes) rmSync(file.path, { force: true })
    }
  }

  return {
    get(url) {
      const path = pathOf(url)
      const found = parsed(textOf(path))
      return found?.url === url ? found : undefined
    },
    set(entry) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileAtomically(pathOf(entry.url), JSON.stringify(entry))
        prune()
      } catch (error) {
        log.debug(`An answer of a registry was not kept: ${String(error)}`)
      }
    },
    async all(address) {
      const found: Kept[] = []
      for (const { path } of files()) {
        // Gone meanwhile: as if it had never been kept.
        const one = parsed(await readFile(path, 'utf8').catch(() => ''))
        if (one?.address === address) found.push(one)
      }
      return found
    },
  }
}
