import type { ProviderId } from '#app/models/models.ts'
import type { KeyStore } from './models-api.ts'

export const secretName = (provider: ProviderId): string => `key/${provider}`

/** Shows enough to tell two keys apart: the public prefix and the last four characters; nothing of a short key. */
export function keyHint(key: string): string {
  if (key.length < 16) return '…'
  const prefix = /^[a-z]+-[a-z]+-/i.exec(key)?.[0] ?? ''
  return `${prefix}…${key.slice(-4)}`
}

export interface FoundKey {
  readonly value: string
  readonly source: 'environment' | KeyStore['kind']
}

/** Reads the key of Anthropic. The environment takes precedence: it was set for this very run. */
export async function findKey(env: Readonly<Record<string, string | undefined>>, secrets: KeyStore): Promise<FoundKey | undefined> {
  const fromEnvironment = env['ANTHROPIC_API_KEY']?.trim()
  if (fromEnvironment) return { value: fromEnvironment, source: 'environment' }
  const kept = await secrets.get(secretName('anthropic'))
  return kept ? { value: kept, source: secrets.kind } : undefined
}
