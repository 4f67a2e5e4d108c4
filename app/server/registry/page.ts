// What a registry answers: one page of its list, or all versions of one server.
import { z } from 'zod'
import { errorValue } from '../../errors.ts'
import { isJsonObject } from '../../json.ts'
import { type RegistryEntry, readEntry, registryEntry } from './entry.ts'

export const registryCursor = z.string().min(1).max(4000)

/** `registry`: just now. `kept`: as it was `at` that time. `looked-through`: what is kept of all pages, since this one is not. */
export const registrySource = z.enum(['registry', 'kept', 'looked-through'])

export const registryPage = z.object({
  address: z.string(),
  entries: z.array(registryEntry),
  /** Asks for the page after it. */
  next: registryCursor.optional(),
  /** Entries that could not be read. */
  unread: z.number().int(),
  at: z.number(),
  source: registrySource,
  /** Why it is not from the registry now. Absent: it is, or was a moment ago. */
  error: errorValue.optional(),
})
export type RegistryPage = z.infer<typeof registryPage>

/** What of a page is kept. */
export const readPage = z.object({ entries: z.array(registryEntry), next: registryCursor.optional(), unread: z.number().int() })
export type ReadPage = z.infer<typeof readPage>

/** More on one page than anybody looks through; the official registry gives 100 at most. */
const mostEntries = 500

/** Undefined: this is no list of servers. One bad entry costs itself alone. */
export function readServerList(json: unknown): ReadPage | undefined {
  if (!isJsonObject(json) || !Array.isArray(json['servers'])) return undefined
  const raw: readonly unknown[] = json['servers']
  const read = raw.slice(0, mostEntries).map(readEntry)
  const known = read.filter((entry) => entry !== undefined)
  const metadata = isJsonObject(json['metadata']) ? json['metadata'] : {}
  const next = registryCursor.safeParse(metadata['nextCursor'] ?? metadata['next_cursor'])
  return { entries: known, unread: raw.length - known.length, ...(next.success ? { next: next.data } : {}) }
}

/** One entry a name: the latest. Registries that do not know `version=latest` list every version there is. */
export function latestOf(entries: readonly RegistryEntry[]): RegistryEntry[] {
  const byName = new Map<string, RegistryEntry>()
  for (const entry of entries) {
    const before = byName.get(entry.name)
    if (!before || (entry.isLatest === true && before.isLatest !== true)) byName.set(entry.name, entry)
  }
  return [...byName.values()]
}
