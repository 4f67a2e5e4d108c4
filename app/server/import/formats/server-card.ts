// Reader of what a site publishes about its servers: an AI Catalog (`/.well-known/ai-catalog.json`) and MCP server cards (SEP-2127), in
// the shape of their earlier draft (SEP-1649) too. A card says where a server is, and nothing that could be run. Nothing is fetched here.
import { isJsonObject, type JsonObject, ownMember } from '#app/json.ts'
import { optionsOf, type RemoteOption } from '#app/server/registry/install-options.ts'
import { readRegistryEntry } from '#app/server/registry/registry-entry.ts'
import { toInstall } from '#app/server/registry/to-candidate.ts'
import { emptySnippet, type Snippet } from '../../candidate.ts'
import { leftOut, unreadable } from '../import-notes.ts'

/** Endings of programs. */
const script = /\.(?:py|[cm]?[jt]s|sh|cmd|exe|bat|ps1|jar|rb|pl)$/i
const hostForm = /^(?:(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}|localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?:[/?]\S*)?$/i

/** Address of the site or server that a text names and nothing else: a host alone, or with a path. Undefined: it names none. */
export function addressAlone(text: string): string | undefined {
  const trimmed = text.trim()
  if (/^https?:\/\/\S+$/i.test(trimmed)) return URL.canParse(trimmed) ? trimmed : undefined
  if (!hostForm.test(trimmed) || script.test(trimmed)) return undefined
  const url = `${/^(?:localhost|127\.)/i.test(trimmed) ? 'http' : 'https'}://${trimmed}`
  return URL.canParse(url) ? url : undefined
}

/** Entry of a catalogue for a card or for another catalogue: where that is, or itself. */
export type CatalogEntry = { readonly holds: 'card' | 'catalogue' } & ({ readonly url: string } | { readonly data: unknown })

const held: Readonly<Record<string, CatalogEntry['holds']>> = {
  'application/mcp-server-card+json': 'card',
  'application/ai-catalog+json': 'catalogue',
}
const byNumber = new Intl.Collator('en', { numeric: true }).compare

/** Lists the cards and catalogues in an AI Catalog of the site at `base`; undefined: it is none. The rest of it is not for us. */
export function readCatalog(json: unknown, base: string): CatalogEntry[] | { readonly version: string } | undefined {
  if (!isJsonObject(json) || !Array.isArray(json['entries'])) return undefined
  const { specVersion } = json
  // A later minor version only adds fields.
  if (typeof specVersion === 'string' && !/^[01](?:\.|$)/.test(specVersion)) return { version: specVersion }
  const entries = json['entries'].filter(isJsonObject)
  const isOlder = (entry: JsonObject): boolean =>
    entries.some((other) => other !== entry && other['identifier'] === entry['identifier'] && isLater(other, entry))
  return entries.flatMap((entry): CatalogEntry[] => {
    // `mediaType`: its name until July 2026.
    const holds = ownMember(held, String(entry['type'] ?? entry['mediaType']))
    if (holds === undefined || (entry['identifier'] !== undefined && isOlder(entry))) return []
    const { url, data } = entry
    if (data !== undefined) return [{ holds, data }]
    return typeof url === 'string' && URL.canParse(url, base) ? [{ holds, url: new URL(url, base).href }] : []
  })
}

/** Compares two versions of one server. */
const isLater = (one: JsonObject, other: JsonObject): boolean =>
  ['version', 'updatedAt'].some((key) => {
    const [mine, theirs] = [one[key], other[key]]
    return typeof mine === 'string' && typeof theirs === 'string' && byNumber(mine, theirs) > 0
  })

/** A transport of the earlier draft as a remote; its endpoint may be a path. */
function remoteOf(transport: unknown, base: string): JsonObject[] {
  if (!isJsonObject(transport)) return []
  const at = transport['endpoint'] ?? transport['url']
  if (typeof at !== 'string') return []
  const type = transport['type'] === 'sse' ? 'sse' : 'streamable-http'
  const url = at.startsWith('/') && !at.startsWith('//') ? new URL(base).origin + at : at
  return [{ ...transport, type, url }]
}

/** Reads a card; undefined: it is none. `base`: where it was found. A package of it would be a program on this computer: it is left out. */
export function readCard(json: unknown, base: string): Snippet | undefined {
  if (!isJsonObject(json)) return undefined
  const info = isJsonObject(json['serverInfo']) ? json['serverInfo'] : json
  const transports = [json['remotes'], json['transports']].find(Array.isArray) ?? [json['transport'] ?? json]
  const remotes = transports.flatMap((one) => remoteOf(one, base))
  const name = typeof info['name'] === 'string' ? info['name'] : undefined
  if (name === undefined || (remotes.length === 0 && json['$schema'] === undefined)) return undefined
  const entry = readRegistryEntry({ name, version: info['version'], description: json['description'], remotes })
  const option = entry && bestOf(optionsOf(entry).filter((one) => one.kind === 'remote'))
  if (!entry || !option) return { ...emptySnippet, format: 'url', problems: [{ file: new URL(base).host, ...unreadable(name) }] }
  const { server, inputs } = toInstall(entry, { option, filled: {} })
  const packages = json['packages'] === undefined ? [] : [{ file: new URL(base).host, ...leftOut('packages') }]
  return { ...emptySnippet, format: 'url', servers: [{ ...server, problems: [...server.problems, ...packages] }], inputs }
}

const bestOf = (options: readonly RemoteOption[]): RemoteOption | undefined =>
  options.find(({ transport }) => transport === 'streamable-http') ?? options[0]
