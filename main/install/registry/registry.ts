// The registry of servers that the settings name: asked when somebody looks at it, never by itself. Answers are kept; a recent
// one is not asked for again, and where the registry cannot be reached what is kept stands in, with its age. Which version of
// the API a registry answers: the stable one, or the older one that it has since or still. Both have the same shapes; what a
// registry answered once it is asked for from then on.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import {
  latestOf,
  type ReadPage,
  type RegistryEntry,
  type RegistryResultPage,
  readPage,
  readRegistryEntry,
  readServerList,
} from '#app/server/registry/registry-entry.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { bad, type GetJson, type Got } from './get-json.ts'

// What registries answered, on disk: one small file a question, so that what was seen once can be seen without a network.
// It is read like any other foreign text. Nothing depends on it: what cannot be written is not kept.

const kept = z.object({ url: z.string(), address: z.string(), at: z.number(), etag: z.string().optional(), page: readPage })
type Kept = z.infer<typeof kept>

interface RegistryCache {
  get(url: string): Kept | undefined
  set(entry: Kept): void
  /** Every page of a registry, the latest first. */
  /** Read one after the other: there may be 30 MB of them, and nothing else is to wait. */
  all(address: string): Promise<Kept[]>
}

interface CacheLimits {
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

const versions = ['v0.1', 'v0'] as const

type AskRegistry = (
  base: string,
  path: string,
  options: { readonly signal: AbortSignal; readonly etag?: string | undefined },
) => Promise<Got>

const isMissing = (error: unknown): boolean =>
  error instanceof HostError && error.code === 'registry.refused' && error.data['status'] === 404

function createAskRegistry(getJson: GetJson): AskRegistry {
  const spoken = new Map<string, (typeof versions)[number]>()
  return async (base, path, options) => {
    const known = spoken.get(base)
    if (known) return getJson.get(`${base}/${known}${path}`, options)
    let missing: unknown
    for (const version of versions) {
      try {
        const got = await getJson.get(`${base}/${version}${path}`, options)
        spoken.set(base, version)
        return got
      } catch (error) {
        if (!isMissing(error)) throw error
        missing ??= error
      }
    }
    throw missing
  }
}

interface RegistryQuestion {
  readonly text: string
  readonly cursor?: string | undefined
  /** Even when the answer that is kept is recent. */
  readonly again?: boolean | undefined
}

export interface Registry {
  /** As the settings have it now. */
  address(): string
  /**
   * One page of what fits the text. A searcher that asks again gets `cancelled` for what it asked before. Rejects with
   * `registry.*` when nothing that is kept can stand in.
   */
  find(searcher: string, question: RegistryQuestion): Promise<RegistryResultPage>
  /** All versions of one server, the newest first as the registry has them; with a version, that one alone. */
  server(searcher: string, name: string, version?: string): Promise<RegistryResultPage>
  cancel(searcher: string): void
  close(): Promise<void>
}

interface RegistryOptions {
  readonly address: () => string
  readonly getJson: GetJson
  readonly cache: RegistryCache
  readonly clock: Clock
}

/** People go back and forth between words: what was asked a moment ago is not asked again. */
const recentMs = 5 * 60_000
const pageSize = 50
/** Of all that is kept, where it is looked through without a network. */
const mostFound = 200

interface Question {
  readonly path: string
  readonly read: (json: unknown, url: string) => ReadPage
  readonly again?: boolean | undefined
}

export function createRegistry({ address, getJson, cache, clock }: RegistryOptions): Registry {
  const ask = createAskRegistry(getJson)
  const asking = new Map<string, AbortController>()

  /** One question a searcher at a time. */
  async function asked<T>(searcher: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    asking.get(searcher)?.abort(new HostError('cancelled', t`Something else is asked for now.`))
    const control = new AbortController()
    asking.set(searcher, control)
    try {
      return await work(control.signal)
    } finally {
      if (asking.get(searcher) === control) asking.delete(searcher)
    }
  }

  async function answer(signal: AbortSignal, { path, read, again = false }: Question): Promise<RegistryResultPage> {
    const base = address()
    const url = `${base}${path}`
    const before = cache.get(url)
    const shown = (kept: Kept, more: Pick<RegistryResultPage, 'source' | 'error'>): RegistryResultPage => ({
      ...{ address: base, at: kept.at },
      ...kept.page,
      ...more,
    })
    const age = before ? clock.now() - before.at : Number.POSITIVE_INFINITY
    if (before && !again && age >= 0 && age < recentMs) return shown(before, { source: 'kept' })
    try {
      const got = await ask(base, path, { signal, etag: before?.etag })
      const page = got.kind === 'unchanged' ? before?.page : read(got.json, url)
      if (!page) throw bad(url, t`it says that nothing changed, and nothing was kept`)
      const etag = got.kind === 'json' ? got.etag : before?.etag
      const kept: Kept = { url, address: base, at: clock.now(), ...(etag === undefined ? {} : { etag }), page }
      cache.set(kept)
      return shown(kept, { source: 'registry' })
    } catch (error) {
      if (signal.aborted || !before || isMissing(error)) throw error
      return shown(before, { source: 'kept', error: toErrorValue(error) })
    }
  }

  /** What of all that is kept fits, where this very question was never asked. */
  async function lookThrough(text: string, error: HostError): Promise<RegistryResultPage | undefined> {
    const base = address()
    const pages = await cache.all(base)
    const found = latestOf(pages.flatMap(({ page }) => page.entries)).filter((entry) => fits(entry, text))
    if (found.length === 0) return undefined
    const at = Math.min(...pages.map((page) => page.at))
    return { address: base, entries: found.slice(0, mostFound), unread: 0, at, source: 'looked-through', error: error.toValue() }
  }

  return {
    address,
    find: (searcher, { text, cursor, again }) =>
      asked(searcher, async (signal) => {
        const search = text.trim()
        const query = new URLSearchParams({ limit: String(pageSize), version: 'latest' })
        if (search !== '') query.set('search', search)
        if (cursor !== undefined) query.set('cursor', cursor)
        try {
          return await answer(signal, { path: `/servers?${query}`, read: listOf, again })
        } catch (error) {
          const instead =
            signal.aborted || cursor !== undefined || !(error instanceof HostError) ? undefined : await lookThrough(search, error)
          if (signal.aborted) throw signal.reason
          if (!instead) throw error
          return instead
        }
      }),
    server: (searcher, name, version) =>
      asked(searcher, (signal) => {
        const path = `/servers/${encodeURIComponent(name)}/versions`
        if (version === undefined) return answer(signal, { path, read: versionsOf(name) })
        return answer(signal, { path: `${path}/${encodeURIComponent(version)}`, read: oneOf(name) })
      }),
    cancel: (searcher) => asking.get(searcher)?.abort(new HostError('cancelled', t`It was called off.`)),
    async close() {
      for (const control of asking.values()) control.abort(new HostError('cancelled', t`Assent is closing.`))
      await getJson.close()
    },
  }
}

function listOf(json: unknown, url: string): ReadPage {
  const list = readServerList(json)
  if (!list) throw bad(url, t`there is no list of servers in it`)
  return { ...list, entries: latestOf(list.entries).filter(({ isLatest }) => isLatest !== false) }
}

/** A registry that answers with another server than it was asked for is not believed. */
const versionsOf =
  (name: string) =>
  (json: unknown, url: string): ReadPage => {
    const list = readServerList(json)
    if (!list) throw bad(url, t`there is no list of versions in it`)
    return { entries: list.entries.filter((entry) => entry.name === name), unread: list.unread }
  }

const oneOf =
  (name: string) =>
  (json: unknown, url: string): ReadPage => {
    const entry = readRegistryEntry(json)
    if (entry?.name !== name) throw bad(url, t`there is no such server in it`)
    return { entries: [entry], unread: 0 }
  }

function fits({ name, title = '', description }: RegistryEntry, text: string): boolean {
  const whole = `${name}\n${title}\n${description}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word))
}
