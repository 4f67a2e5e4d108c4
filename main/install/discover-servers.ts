// Servers that a site names (AI Catalog, MCP server cards; docs/protocol/extensions.md). A site is looked at once the person asked for it,
// over `guarded-dispatchers.ts`, and what it says is a candidate to review like pasted text: nothing of it is started, saved or trusted.
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { emptySnippet, type Snippet } from '#app/server/candidate.ts'
import type { ConfigProblem } from '#app/server/definition.ts'
import { type CatalogEntry, readCard, readCatalog } from '#app/server/import/formats/server-card.ts'
import { pasteRemedy, unreadable } from '#app/server/import/import-notes.ts'
import { notAllowed } from '#app/server/registry/install-options.ts'
import { addressProblem } from '#main/base/network/address-policy.ts'
import type { Environment } from '#main/servers/process/environment/environment.ts'
import { passageTo, proxiesIn } from '#main/servers/transport/http/dispatchers.ts'
import { getJsonBy } from '#main/servers/transport/http/get-json.ts'
import { createGuardedDispatchers, createServerNetwork } from '#main/servers/transport/http/guarded-dispatchers.ts'

/** Bytes of one document, milliseconds for it and for all of them; cards, catalogues and levels of them that are read. */
const limits = { maxBytes: 1024 * 1024, timeoutMs: 15_000 }
const wholeMs = 30_000
const mostCards = 20
const mostCatalogs = 20
/** Depth that the AI Catalog recommends. */
const deepest = 4

/** Places of a site, in this order: of the published text, then of its drafts, which many sites still have. */
const places = [
  '/.well-known/ai-catalog.json',
  '/.well-known/mcp/catalog.json',
  '/.well-known/mcp/server-card.json',
  '/.well-known/mcp.json',
]

interface Collected {
  readonly file: string
  readonly documentOf: (entry: CatalogEntry) => Promise<{ readonly json: unknown } | Failure>
  /** Addresses of catalogues, of which none is read twice. */
  readonly seen: Set<string>
  readonly cards: Map<string, { readonly entry: CatalogEntry; readonly base: string }>
  readonly problems: ConfigProblem[]
  /** A catalogue that was not read: there are too many, or it lies too deep. */
  left?: string
}

type Failure = { readonly problem: ConfigProblem; readonly missing: boolean }

/** Collects the cards of a catalogue and of those that it names. */
async function collect(json: unknown, base: string, depth: number, into: Collected): Promise<void> {
  const { file, seen } = into
  const entries = readCatalog(json, base) ?? { version: base }
  if ('version' in entries) return void into.problems.push({ file, ...unreadable(entries.version) })
  for (const entry of entries) {
    if (entry.holds === 'card') {
      into.cards.set('url' in entry ? entry.url : JSON.stringify(entry.data), { entry, base })
      continue
    }
    const at = 'url' in entry ? entry.url : `${base}#${seen.size}`
    if (seen.has(at)) continue
    if (depth >= deepest || seen.size >= mostCatalogs) {
      into.left ??= at
      continue
    }
    seen.add(at)
    const found = await into.documentOf(entry)
    if ('problem' in found) into.problems.push(found.problem)
    else await collect(found.json, 'url' in entry ? at : base, depth + 1, into)
  }
}

export type DiscoverServers = ReturnType<typeof createDiscoverServers>

/** @returns a function that reads what the site at an address names. Never rejects: what fails is among the problems. */
export const createDiscoverServers =
  (environment: Pick<Environment, 'variables'>) =>
  async (address: string): Promise<Snippet> => {
    const site = new URL(address)
    const { host: file } = site
    const proxies = proxiesIn(await environment.variables())
    const dispatchers = createGuardedDispatchers({
      ...{ url: site.origin, trusted: [site.origin], proxies },
      timeouts: { headersTimeout: limits.timeoutMs, bodyTimeout: limits.timeoutMs },
      refuse: (named) => new HostError('registry.bad-answer', notAllowed(named), { data: { host: file } }),
    })
    const get = getJsonBy(dispatchers.for, limits)
    const signal = AbortSignal.timeout(wholeMs)

    const noServers: Failure = { problem: { file, message: t`No server is named here.`, remedy: pasteRemedy() }, missing: true }

    async function read(url: string): Promise<{ readonly json: unknown } | Failure> {
      try {
        const got = await get(url, { signal, headers: { accept: 'application/mcp-server-card+json, application/json' } })
        return { json: got.kind === 'json' ? got.json : undefined }
      } catch (error) {
        const { code, data, message } = toErrorValue(error)
        // A page in place of a document is how many sites say that there is none.
        const missing = data?.['json'] === false || (code === 'registry.refused' && Number(data?.['status']) < 500)
        return { problem: { file, message, remedy: pasteRemedy() }, missing }
      }
    }

    const documentOf = async (entry: CatalogEntry) => ('url' in entry ? await read(entry.url) : { json: entry.data })

    async function cardOf(entry: CatalogEntry, base: string): Promise<Snippet> {
      const found = await documentOf(entry)
      if ('problem' in found) return { ...emptySnippet, problems: [found.problem] }
      const at = 'url' in entry ? entry.url : base
      return readCard(found.json, at) ?? { ...emptySnippet, problems: [{ file, ...unreadable(at) }] }
    }

    async function look(url: string): Promise<Snippet | Failure> {
      const found = await read(url)
      if ('problem' in found) return found
      if (readCatalog(found.json, url) === undefined) return readCard(found.json, url) ?? noServers
      const all: Collected = { file, documentOf, seen: new Set([url]), cards: new Map(), problems: [] }
      await collect(found.json, url, 1, all)
      const entries = [...all.cards.values()]
      const cards = await Promise.all(entries.slice(0, mostCards).map(({ entry, base }) => cardOf(entry, base)))
      const more = entries.length > mostCards ? [{ file, message: t`There are more than ${mostCards} servers.`, remedy: '' }] : []
      if (all.left !== undefined) more.push({ file, ...unreadable(all.left) })
      return {
        ...{ format: 'url', servers: cards.flatMap(({ servers }) => servers), inputs: cards.flatMap(({ inputs }) => inputs) },
        problems: [...all.problems, ...cards.flatMap(({ problems }) => problems), ...more],
      }
    }

    /** Keeps the servers that a site there may name: none within the person's computer or network that it is not in itself. */
    async function allowed({ servers, ...rest }: Snippet): Promise<Snippet> {
      const from = await createServerNetwork(site.hostname).reach((await passageTo(site.origin, proxies)).proxy !== undefined)
      const judged = await Promise.all(
        servers.map(async (server) => {
          const { definition } = server
          const shown = definition.transport === 'streamable-http' || definition.transport === 'sse' ? definition.url : ''
          const plain = shown.replace(/\$\{[^}]*\}/g, 'x')
          const { hostname = '', host = '', origin = '' } = URL.canParse(plain) ? new URL(plain) : {}
          const reach = hostname === '' ? 'loopback' : await createServerNetwork(hostname).reach(false)
          const problem = addressProblem(plain, from) ?? (from === 'public' && reach !== 'public' ? 'private' : undefined)
          if (problem !== undefined)
            return { problem: { file, message: notAllowed(shown), remedy: t`Correct the address.`, server: server.name } }
          const own = origin === site.origin || `.${host}`.endsWith(`.${file.replace(/^www\./, '')}`)
          const told = own ? [] : [{ file, message: t`Its address is at ${host}, not at ${file}.`, remedy: '' }]
          return { server: { ...server, problems: [...told, ...server.problems] } }
        }),
      )
      const named = judged.flatMap(({ server }) => server ?? [])
      return { ...rest, servers: named, problems: [...rest.problems, ...judged.flatMap(({ problem }) => problem ?? [])] }
    }

    try {
      const own = site.pathname === '/' ? [] : [`${site.origin}${site.pathname.replace(/\/$/, '')}/server-card`]
      for (const url of [...own, ...places.map((place) => site.origin + place)]) {
        const found = await look(url)
        if (!('problem' in found)) {
          if (found.servers.length + found.problems.length > 0) return await allowed(found)
        } else if (!found.missing) return { ...emptySnippet, problems: [found.problem] }
      }
      return { ...emptySnippet, format: 'url', problems: [noServers.problem] }
    } finally {
      await dispatchers.close()
    }
  }
