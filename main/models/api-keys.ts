// Where a provider's key comes from, and how little of it is ever shown.
import type { ProviderId } from '#app/models/models.ts'
import type { KeyStore } from './models-api.ts'

export const secretName = (provider: ProviderId): string => `key/${provider}`

/** Enough to tell two keys apart: its public prefix and the last four characters. A short key shows nothing. */
export function keyHint(key: string): string {
  if (key.length < 16) return '…'
  const prefix = /^[a-z]+-[a-z]+-/i.exec(key)?.[0] ?? ''
  return `${prefix}…${key.slice(-4)}`
}

export interface FoundKey {
  readonly value: string
  readonly source: 'environment' | KeyStore['kind']
}

/** The environment wins: it was set for this very run. */
export async function findKey(env: Readonly<Record<string, string | undefined>>, secrets: KeyStore): Promise<FoundKey | undefined> {
  const fromEnvironment = env['ANTHROPIC_API_KEY']?.trim()
  if (fromEnvironment) return { value: fromEnvironment, source: 'environment' }
  const kept = await secrets.get(secretName('anthropic'))
  return kept ? { value: kept, source: secrets.kind } : undefined
}
