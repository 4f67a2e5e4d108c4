// What is known of a resource, on one line.

import type { ResourceEntry } from '#app/server/catalogue.ts'
import { formatBytes } from '#app/text.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import type { ResourceUpdates } from '#renderer/stores/servers.ts'
import type { ReadResource } from './use-reading.ts'

const ago = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return t`just now`
  if (minutes < 60) return t`${minutes} min ago`
  return minutes < 1440 ? t`${Math.floor(minutes / 60)} h ago` : t`${Math.floor(minutes / 1440)} days ago`
}

export interface KnownOfResource {
  readonly server: string
  readonly entry: ResourceEntry | undefined
  readonly read: ReadResource | undefined
  readonly live: boolean
  readonly updates: ResourceUpdates | undefined
  readonly now: number
}

export function resourceFacts({ server, entry, read, live, updates, now }: KnownOfResource): string {
  const type = read?.contents[0]?.mimeType ?? entry?.mimeType
  const bytes = read ? read.contents.reduce((sum, { blob }) => sum + blob.bytes, 0) : entry?.size
  const parts = read && read.contents.length > 1 ? t`${read.contents.length} parts` : undefined
  const said = Date.parse(entry?.annotations?.lastModified ?? '')
  const changed = updates?.last ?? (Number.isNaN(said) || said > now ? undefined : said)
  const when = changed === undefined ? undefined : t`changed ${ago(now - changed)}`
  const words = [when, live ? t`updates by itself` : undefined].filter(Boolean).join(', ')
  return [server, type, parts, bytes === undefined ? undefined : formatBytes(bytes), words || undefined].filter(Boolean).join(' · ')
}

/** What it costs to attach. */
export function tokenWords(read: ReadResource): string {
  const counts = read.contents.map(({ tokens }) => tokens)
  if (counts.every((count) => count === undefined)) return t`No model reads it.`
  const sum = counts.reduce<number>((total, count) => total + (count ?? 0), 0)
  return t`Attached, the model gets it as it is, about ${numberWords(sum)} tokens.`
}
