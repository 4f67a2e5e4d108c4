// Scope selection (MCP, "Scope Selection Strategy"): the scopes of the challenge, else those configured, else `scopes_supported`,
// else none. Scopes granted before are kept. Pure.
import type { OAuthSettings } from '#app/server/auth-status.ts'
import type { Discovered } from './auth-discovery.ts'
import type { Challenge } from './www-authenticate.ts'

const union = (...lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())]

export function selectScopes(options: {
  readonly challenge: Challenge
  readonly settings: OAuthSettings
  readonly discovered: Pick<Discovered, 'scopes' | 'metadata'>
  readonly kept: readonly string[]
}): string[] {
  const { challenge, settings, discovered, kept } = options
  const asked = settings.scopes
    ? union(settings.scopes, challenge.scopes)
    : challenge.scopes.length > 0
      ? challenge.scopes
      : discovered.scopes
  const scopes = union(kept, asked)
  // OpenID Connect Core, 11: `offline_access` asks for a refresh token. Nothing is requested where no scope is.
  const offline = discovered.metadata?.scopes_supported?.includes('offline_access') && scopes.length > 0
  return offline && (settings.grant ?? 'authorization-code') === 'authorization-code' ? union(scopes, ['offline_access']) : scopes
}

export const addsScopes = (challenge: Challenge, asked: readonly string[]): boolean =>
  challenge.scopes.some((scope) => !asked.includes(scope))
