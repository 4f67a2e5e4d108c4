// Client of the server registry that the settings name. It makes requests only for a person who looks at the registry. Pages are kept
// in the profile: a recent one is not requested again, and while the registry cannot be reached kept ones stand in, with their age.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined, orElse, parseJson } from '#app/or-else.ts'
import {
  latestOf,
  type ReadPage,
  type RegistryEntry,
  type RegistryResultPage,
  readPage,
  readRegistryEntry,
  readServerList,
} from '#app/server/registry/registry-entry.ts'
import { tidyRegistryAddress } from '#app/server/registry/registry-url.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Environment } from '#main/servers/process/environment/environment.ts'
import { proxiesIn } from '#main/servers/transport/http/dispatchers.ts'
import { bad, createGetJson, type GetJson, type Got } from '#main/servers/transport/http/get-json.ts'

const kept = z.object({ url: z.string(), address: z.string(), at: z.number(), etag: z.string().optional(), page: readPage })
type Kept = z.infer<typeof kept>

/** Cache of pages on disk, one small file a URL. It is read like any other foreign text; a page that cannot be written is not kept. */
export function createRegistryCache(folder: string, log: Log, limits = { files: 300, bytes: 30 * 1024 * 1024 }) {
  const pathOf = (url: string): string => join(folder, `${createHash('sha256').update(url).digest('hex')}.json`)
  /** Undefined for a file that is missing, cut off, or of another version: it is requested again. */
  const parsed = (text: string): Kept | undefined => kept.safeParse(parseJson(text)).data

  function files(): { readonly path: string; readonly stat: Stats }[] {
    return orElse(() => {
      const paths = readdirSync(folder).flatMap((name) => (/^[0-9a-f]{64}\.json$/.test(name) ? [join(folder, name)] : []))
      return paths.map((path) => ({ path, stat: statSync(path) })).sort((a, b) => b.stat.mtimeMs - a.stat.mtimeMs)
    }, []) // There is no folder yet.
  }

  function prune(): void {
    let bytes = 0
    for (const [index, file] of files().entries()) {
      bytes += file.stat.size
      if (index >= limits.files || bytes > limits.bytes) rmSync(file.path, { force: true })
    }
  }

  return {
    get(url: string): Kept | undefined {
      const found = parsed(orElse(() => readFileSync(pathOf(url), 'utf8'), ''))
      return found?.url === url ? found : undefined
    },
    set(entry: Kept): void {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileAtomically(pathOf(entry.url), JSON.stringify(entry))
        prune()
      } catch (error) {
        log.debug(`An answer of a registry was not kept: ${String(error)}`)
      }
    },
    /** Reads every page of a registry, the latest first. Files are read one after the other: there may be 30 MB of them. */
    async all(address: string): Promise<Kept[]> {
      const found: Kept[] = []
      for (const { path } of files()) {
        const page = parsed(await readFile(path, 'utf8').catch(() => ''))
        if (page?.address === address) found.push(page)
      }
      return found
    },
  }
}

/** Versions of the API, both of the same shapes: the stable one first, then the older one that some registries still have. */
const versions = ['v0.1', 'v0'] as const

const isMissing = (error: unknown): boolean =>
  error instanceof HostError && error.code === 'registry.refused' && error.data['status'] === 404

/** Returns a function that finds out which version of the API a registry has, and requests that one from then on. */
function createAskRegistry(getJson: GetJson) {
  const spoken = new Map<string, (typeof versions)[number]>()
  return async (base: string, path: string, options: Parameters<GetJson['get']>[1]): Promise<Got> => {
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
  readonly again?: boolean | undefined
}

interface RegistryOptions {
  readonly address: () => string
  readonly getJson: GetJson
  readonly cache: ReturnType<typeof createRegistryCache>
  readonly clock: Clock
}

/** Milliseconds in which a kept page is not requested again: people go back and forth between searches. */
const recentMs = 5 * 60_000
const pageSize = 50
/** Entries shown of all kept pages, when these are searched without a network. */
const mostFound = 200

interface Question extends Pick<RegistryQuestion, 'again'> {
  readonly path: string
  readonly read: (json: unknown, url: string) => ReadPage
}

export type Registry = ReturnType<typeof createRegistry>

export function createRegistry({ address, getJson, cache, clock }: RegistryOptions) {
  const ask = createAskRegistry(getJson)
  const asking = new Map<string, AbortController>()

  /** Runs one request a searcher at a time: a new one cancels the one before. */
  async function asked<T>(searcher: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    asking.get(searcher)?.abort(new HostError('cancelled', t`It was cancelled.`))
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
    const shown = ({ at, page }: Kept, more: Pick<RegistryResultPage, 'source' | 'error'>) => ({ address: base, at, ...page, ...more })
    const age = before ? clock.now() - before.at : Number.POSITIVE_INFINITY
    if (before && !again && age >= 0 && age < recentMs) return shown(before, { source: 'kept' })
    try {
      const got = await ask(base, path, { signal, etag: before?.etag })
      const page = got.kind === 'unchanged' ? before?.page : read(got.json, url)
      if (!page) throw bad(url, t`no list of servers`)
      const etag = got.kind === 'json' ? got.etag : before?.etag
      const fresh: Kept = { url, address: base, at: clock.now(), ...defined({ etag }), page }
      cache.set(fresh)
      return shown(fresh, { source: 'registry' })
    } catch (error) {
      if (signal.aborted || !before || isMissing(error)) throw error
      return shown(before, { source: 'kept', error: toErrorValue(error) })
    }
  }

  async function searchKept(text: string, error: HostError): Promise<RegistryResultPage | undefined> {
    const base = address()
    const pages = await cache.all(base)
    const found = latestOf(pages.flatMap(({ page }) => page.entries)).filter((entry) => fits(entry, text))
    if (found.length === 0) return undefined
    const at = Math.min(...pages.map((page) => page.at))
    return { address: base, entries: found.slice(0, mostFound), unread: 0, at, source: 'looked-through', error: error.toValue() }
  }

  return {
    address,
    /** Finds a page of entries; cancels the earlier request of this searcher. @throws {HostError} `registry.*` when no kept page can stand in */
    find: (searcher: string, { text, cursor, again }: RegistryQuestion) =>
      asked(searcher, async (signal) => {
        const search = text.trim()
        const query = new URLSearchParams({ limit: String(pageSize), version: 'latest' })
        if (search !== '') query.set('search', search)
        if (cursor !== undefined) query.set('cursor', cursor)
        try {
          return await answer(signal, { path: `/servers?${query}`, read: listOf, again })
        } catch (error) {
          const instead = cursor === undefined && error instanceof HostError && !signal.aborted && (await searchKept(search, error))
          if (signal.aborted) throw signal.reason
          if (!instead) throw error
          return instead
        }
      }),
    /** Finds all versions of one server, in the order of the registry, or the one that is named. */
    server: (searcher: string, name: string, version?: string) =>
      asked(searcher, (signal) => {
        const path = `/servers/${encodeURIComponent(name)}/versions`
        if (version === undefined) return answer(signal, { path, read: (json, at) => versionsOf(name, json, at) })
        return answer(signal, { path: `${path}/${encodeURIComponent(version)}`, read: (json, at) => versionIn(name, json, at) })
      }),
    cancel: (searcher: string): void => asking.get(searcher)?.abort(new HostError('cancelled', t`It was cancelled.`)),
    async close() {
      for (const control of asking.values()) control.abort(new HostError('cancelled', t`Assent is closing.`))
      await getJson.close()
    },
  }
}

function listOf(json: unknown, url: string): ReadPage {
  const list = readServerList(json)
  if (!list) throw bad(url, t`no list of servers`)
  return { ...list, entries: latestOf(list.entries).filter(({ isLatest }) => isLatest !== false) }
}

function versionsOf(name: string, json: unknown, url: string): ReadPage {
  const list = readServerList(json)
  if (!list) throw bad(url, t`no list of servers`)
  return { entries: list.entries.filter((entry) => entry.name === name), unread: list.unread }
}

function versionIn(name: string, json: unknown, url: string): ReadPage {
  const entry = readRegistryEntry(json)
  if (entry?.name !== name) throw bad(url, t`no such server`)
  return { entries: [entry], unread: 0 }
}

function fits({ name, title = '', description }: RegistryEntry, text: string): boolean {
  const whole = `${name}\n${title}\n${description}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word))
}

interface OpenRegistryOptions extends Pick<RegistryOptions, 'address' | 'clock'> {
  readonly dataDir: string
  readonly environment: Pick<Environment, 'variables'>
  readonly log: Log
}

/** Makes a registry whose pages are kept in the profile. Makes no request yet. */
export const openRegistry = ({ dataDir, address, environment, clock, log }: OpenRegistryOptions): Registry =>
  createRegistry({
    address: () => tidyRegistryAddress(address()),
    getJson: createGetJson(async () => proxiesIn(await environment.variables())),
    cache: createRegistryCache(join(dataDir, 'registry'), log),
    clock,
  })
