// Schema of a server as a registry lists it (server.json, schema 2025-12-11), and of pages of entries. Unknown keys are ignored. A
// package that cannot be read whole is left out and counted: without one argument it would be another command.

import { z } from 'zod'
import { errorValue } from '#app/errors.ts'
import { isJsonObject } from '#app/json.ts'
import { mapOf } from '#app/json-schemas.ts'
import { isServerName } from '../definition.ts'

/** Names that do not tell one server from another. */
const anyServer = /^(?:mcp|server|mcp-?server|server-?mcp|main|app)$/i

/** Proposes a name for the server of an entry: `io.github.somebody/weather-mcp` → `weather`. */
export function nameForEntry(entryName: string): string {
  const [space = '', own = ''] = entryName.split('/')
  const short = (own || space)
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^(?:mcp-server-|server-|mcp-)(?=.)/i, '')
    .replace(/(?<=.)(?:-mcp-server|-server-mcp|-mcp|-server)$/i, '')
    .replace(/^[-._]+|[-._]+$/g, '')
  const name = (anyServer.test(short) || short === '' ? (space.split('.').at(-1) ?? '') : short).slice(0, 64)
  return isServerName(name) ? name : 'server'
}

/** Some registries write null for what is not there. */
const maybe = <T extends z.ZodType>(schema: T) => z.preprocess((value) => value ?? undefined, schema.optional())
/** Text for display, left out when it is wrong. */
const words = (most: number) => maybe(z.string().max(most)).catch(undefined)
const flag = z.preprocess((value) => value === true || value === 'true', z.boolean())
const listOf = <T extends z.ZodType>(item: T) => z.preprocess((value) => value ?? [], z.array(item).max(100))
const variablesOf = <T extends z.ZodType>(item: T) => z.preprocess((value) => value ?? {}, mapOf(item, z.string().min(1).max(100)))
const value = z.preprocess((raw) => (typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : raw), z.string().max(4000))

const inputShape = {
  description: words(2000),
  placeholder: words(500),
  isRequired: flag,
  isSecret: flag,
  format: z.enum(['string', 'number', 'boolean', 'filepath']).catch('string'),
  value: maybe(value),
  default: maybe(value),
  choices: maybe(z.array(value).max(200)),
}
const registryInput = z.object(inputShape)
export type RegistryInput = z.infer<typeof registryInput>

/** `{name}` in its value stands for a variable. */
const templateShape = { ...inputShape, variables: variablesOf(registryInput) }
const registryTemplate = z.object(templateShape)
export type RegistryTemplate = z.infer<typeof registryTemplate>

const registryArgument = z.discriminatedUnion('type', [
  z.object({ type: z.literal('named'), name: z.string().min(1).max(200), isRepeated: flag, ...templateShape }),
  z.object({ type: z.literal('positional'), valueHint: maybe(z.string().max(200)), isRepeated: flag, ...templateShape }),
])
export type RegistryArgument = z.infer<typeof registryArgument>

const registryPair = z.object({ name: z.string().min(1).max(200), ...templateShape })

const address = z.string().min(1).max(4000)
const remote = z.object({ type: z.string().max(100), url: address, headers: listOf(registryPair), variables: variablesOf(registryInput) })
export type RegistryRemote = z.infer<typeof remote>

const registryPackage = z.object({
  /** `npm`, `pypi`, `oci`, `nuget`, `mcpb`, and what is yet to come. */
  registryType: z.string().min(1).max(100),
  registryBaseUrl: maybe(address),
  identifier: z.string().min(1).max(2000),
  version: maybe(z.string().max(255)),
  fileSha256: maybe(z.string().max(200)),
  runtimeHint: maybe(z.string().max(100)),
  runtimeArguments: listOf(registryArgument),
  packageArguments: listOf(registryArgument),
  environmentVariables: listOf(registryPair),
  transport: z.preprocess((raw) => raw ?? { type: 'stdio' }, z.object({ type: z.string().max(100), url: maybe(address) })),
})
export type RegistryPackage = z.infer<typeof registryPackage>

const registryStatus = z.enum(['active', 'deprecated', 'deleted'])

const registryEntry = z.object({
  /** `io.github.somebody/weather`: the part before the slash is what the official registry checks. */
  name: z.string().min(1).max(200),
  title: words(200),
  description: z.string().max(4000),
  version: z.string().max(255),
  websiteUrl: words(2000),
  repository: maybe(z.object({ url: z.string().max(2000), subfolder: words(500) })).catch(undefined),
  packages: z.array(registryPackage),
  remotes: z.array(remote),
  unread: z.number().int(),
  status: registryStatus,
  /** Reason why it is deprecated or deleted, in its publisher's words. */
  statusMessage: words(2000),
  isLatest: maybe(z.boolean()).catch(undefined),
  publishedAt: words(100),
  updatedAt: words(100),
})
export type RegistryEntry = z.infer<typeof registryEntry>

const officialMeta = 'io.modelcontextprotocol.registry/official'
const mostOptions = 50
/** Characters of one entry as JSON: far more than any that a person wrote. */
const longestEntry = 200_000

/** Reads one item; undefined when it is no entry. Older registries have the fields of the server beside `_meta`. */
export function readRegistryEntry(item: unknown): RegistryEntry | undefined {
  if (!isJsonObject(item)) return undefined
  const server = isJsonObject(item['server']) ? item['server'] : item
  const known = isJsonObject(item['_meta']) ? item['_meta'][officialMeta] : undefined
  const meta = isJsonObject(known) ? known : {}
  const [packages, badPackages] = readList(server['packages'], registryPackage)
  const [remotes, badRemotes] = readList(server['remotes'], remote)
  const status = registryStatus.safeParse(meta['status'] ?? server['status'])
  const { name, title, description, version, websiteUrl, repository } = server
  const { statusMessage, isLatest, publishedAt, updatedAt } = meta
  const entry = registryEntry.safeParse({
    ...{ name, title, description: description ?? '', version: version ?? '', websiteUrl, repository, packages, remotes },
    ...{ unread: badPackages + badRemotes, statusMessage, isLatest, publishedAt, updatedAt },
    status: status.success ? status.data : 'active',
  })
  return entry.success && JSON.stringify(entry.data).length <= longestEntry ? entry.data : undefined
}

function readList<T extends z.ZodType>(list: unknown, item: T): [z.output<T>[], number] {
  if (list === undefined || list === null) return [[], 0]
  if (!Array.isArray(list)) return [[], 1]
  const read = list.slice(0, mostOptions).flatMap((raw) => {
    const parsed = item.safeParse(raw)
    return parsed.success ? [parsed.data] : []
  })
  return [read, list.length - read.length]
}

export const registryCursor = z.string().min(1).max(4000)

/** `registry`: read just now. `kept`: read `at` that time. `looked-through`: found in all kept pages, since this one is not kept. */
const registrySource = z.enum(['registry', 'kept', 'looked-through'])

export const registryResultPage = z.object({
  address: z.string(),
  entries: z.array(registryEntry),
  next: registryCursor.optional(),
  unread: z.number().int(),
  at: z.number(),
  source: registrySource,
  /** Reason why it is not from the registry now; absent when it is, or was a moment ago. */
  error: errorValue.optional(),
})
export type RegistryResultPage = z.infer<typeof registryResultPage>

/** Part of a page that is kept. */
export const readPage = z.object({ entries: z.array(registryEntry), next: registryCursor.optional(), unread: z.number().int() })
export type ReadPage = z.infer<typeof readPage>

/** Entries of one page; the official registry returns at most 100. */
const mostEntries = 500

/** Reads a page; undefined when it is no list of servers. An entry that cannot be read is left out. */
export function readServerList(json: unknown): ReadPage | undefined {
  if (!isJsonObject(json) || !Array.isArray(json['servers'])) return undefined
  const raw: readonly unknown[] = json['servers']
  const read = raw.slice(0, mostEntries).map(readRegistryEntry)
  const known = read.filter((entry) => entry !== undefined)
  const metadata = isJsonObject(json['metadata']) ? json['metadata'] : {}
  const next = registryCursor.safeParse(metadata['nextCursor'] ?? metadata['next_cursor'])
  return { entries: known, unread: raw.length - known.length, ...(next.success ? { next: next.data } : {}) }
}

/** Keeps the latest entry of each name: registries that do not know `version=latest` list every version. */
export function latestOf(entries: readonly RegistryEntry[]): RegistryEntry[] {
  const byName = new Map<string, RegistryEntry>()
  for (const entry of entries) {
    const before = byName.get(entry.name)
    if (!before || (entry.isLatest === true && before.isLatest !== true)) byName.set(entry.name, entry)
  }
  return [...byName.values()]
}
