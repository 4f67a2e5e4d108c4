// Obtains a token: discovers the authorization server anew (RFC 9728, 5.2), refreshes where possible, else signs in. A token or
// client of one issuer is never used with another (MCP, "Authorization Server Binding").
import { type FetchLike, type OAuthTokens, selectClientAuthMethod } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { Account, OAuthSettings } from '#app/server/auth-status.ts'
import { reachOfHost } from '#main/base/network/address-policy.ts'
import { machineAccount, readAccount } from './account.ts'
import { type Discovered, discover, metadataText, readServerMetadata, stringListOf } from './auth-discovery.ts'
import { signInFailed } from './auth-errors.ts'
import { type BrowserOptions, machineToken, refresh, signInByBrowser, type TokenRequest } from './authorization-request.ts'
import { configuredClient } from './client-registration.ts'
import { createDpop, dpopAlgorithm, type PrivateJwk, restoreDpop } from './dpop.ts'
import { selectScopes } from './scopes.ts'
import type { StoredSignIn } from './token-store.ts'
import { type Challenge, noChallenge, readScopes } from './www-authenticate.ts'

export type Need =
  | { readonly kind: 'renew' }
  /** `byPerson`: the person pressed “Sign in”, possibly for another account. */
  | { readonly kind: 'unauthorized'; readonly challenge: Challenge; readonly mayRefresh: boolean; readonly byPerson?: boolean }
  | { readonly kind: 'scopes'; readonly challenge: Challenge; readonly kept: readonly string[] }
  | { readonly kind: 'person'; readonly challenge: Challenge; readonly guess: boolean }

export interface Obtained {
  readonly how: 'refresh' | 'sign-in'
  readonly value: StoredSignIn
  readonly asked: readonly string[]
}

export interface ObtainOptions
  extends Pick<BrowserOptions, 'store' | 'guarded' | 'broker' | 'openUrl' | 'clock' | 'signal' | 'peers' | 'onWaiting' | 'ownDocument'>,
    Pick<TokenRequest, 'server' | 'url' | 'settings'> {
  readonly held: StoredSignIn | undefined
  /** @throws {HostError} `server.sign-in-refused` when the person has refused and not retried since */
  readonly assertMayAsk: (challenge: Challenge) => void
  /** Called when a renewal failed for good; a sign-in follows. */
  readonly onExpired: (issuer: string, error: HostError) => Promise<void>
  readonly note: (text: string) => void
}

/** Obtains a token by refresh where allowed, else by a new sign-in. @throws {HostError} `server.sign-in-failed` or any error of `signInByBrowser` */
export async function obtain(options: ObtainOptions, need: Exclude<Need, { kind: 'renew' }>): Promise<Obtained> {
  const { server, url, settings, store, guarded, held } = options
  const { challenge } = need
  assertPrivate(server, url)
  const only = settings.issuer ?? (settings.clientId === undefined ? undefined : await store.boundIssuer(settings.clientId))
  const { fetch } = guarded
  const guess = need.kind !== 'person' || need.guess
  const from = await discover({ server, url, challenge, fetch, held: held?.issuer, only, guess })
  // Tokens of another issuer, or of another client than the settings name, are not used.
  const same = held?.issuer === from.issuer && matchesSettings(settings, held) ? held : undefined
  let expired = false
  if (need.kind === 'unauthorized' && need.mayRefresh && same?.refreshToken !== undefined) {
    try {
      return { how: 'refresh', value: await renew(options, same, from), asked: same.scopes }
    } catch (error) {
      if (!isFinal(error)) throw error
      await options.onExpired(from.issuer, error)
      expired = true
    }
  }
  const kept = need.kind === 'scopes' ? [...(same?.scopes ?? []), ...need.kept] : []
  const scopes = selectScopes({ challenge, settings, discovered: from, kept })
  const bound = wantsDpop(server, settings, challenge, from) ? await dpopOf(same) : undefined
  const request = { server, url, settings, from, scopes, fetch, dpop: bound?.session }
  const { tokens, client } = isMachine(settings)
    ? await byMachine(request)
    : await byBrowser(options, request, same?.scopes ?? [], need, expired)
  const grant = settings.grant ?? 'authorization-code'
  const { issuer, resource } = from
  const before = { issuer, server: from.server, grant, client, resource, resourceMetadata: challenge.resourceMetadata }
  const value = keep(options, { tokens, scopes, before, dpopKey: bound?.key })
  const told = await tellAccount(options, from, value, tokens)
  if (told === 'invalid') options.note(t`The ID token of ${new URL(issuer).host} is not valid. The account is unknown.`)
  else if (told) value.account = told
  if (settings.clientId !== undefined) await store.bind(settings.clientId, from.issuer)
  return { how: 'sign-in', value, asked: scopes }
}

/** Renews the token of a sign-in (RFC 6749, 6; machine grants repeat their request). @throws {HostError} see `isFinal` */
export async function renew(options: ObtainOptions, held: StoredSignIn | undefined, known?: Discovered): Promise<StoredSignIn> {
  if (!held) throw new HostError('internal', t`There is nothing to renew.`)
  const { server, url, settings, guarded } = options
  const { fetch } = guarded
  const from = known ?? { ...held, metadata: await readServerMetadata(server, held.server, fetch), resource: held.resource }
  if (from.metadata && from.metadata.issuer !== held.issuer) throw signInFailed(server, 'issuer-changed')
  const { client, scopes, dpopKey, refreshToken } = held
  const asked = { issuer: held.issuer, server: held.server, metadata: from.metadata, resource: from.resource }
  const dpop = dpopKey && (await restoreDpop(dpopKey))
  const request: TokenRequest = { server, url, settings, from: asked, client, scopes, fetch, dpop }
  const tokens = refreshToken === undefined ? await machineToken(request) : await refresh(request, refreshToken)
  const value = keep(options, { tokens, scopes, before: held, dpopKey })
  const told = await tellAccount(options, { issuer: held.issuer, metadata: from.metadata }, value, tokens)
  const { account } = held
  // OpenID Connect Core, 12.2: a renewal is for the same subject.
  if (told === 'invalid' || (told && account?.name !== undefined && told.id !== account.id))
    throw signInFailed(server, 'account-changed', { issuer: held.issuer })
  // What was signed at the sign-in stays so, whatever a renewal leaves out.
  return { ...value, ...defined({ account: told && account?.signed ? { ...told, signed: true as const } : (told ?? account) }) }
}

function tellAccount(
  { settings, guarded, clock }: ObtainOptions,
  from: Pick<Discovered, 'issuer' | 'metadata'>,
  { client, scopes }: StoredSignIn,
  tokens: OAuthTokens,
): Promise<Account | 'invalid' | undefined> {
  if (isMachine(settings)) return machineAccount(from.issuer, client.client_id, settings.subjectToken)
  const secrets = [client.client_secret, settings.clientSecret, settings.privateKey].filter((one) => one !== undefined)
  return readAccount({ from, clientId: client.client_id, tokens, scopes, fetch: guarded.fetch, now: clock.now(), secrets })
}

/** Whether the authorization server refused, rather than being unreachable or failing for the moment. */
export const isFinal = (error: unknown): error is HostError =>
  error instanceof HostError && error.code === 'server.sign-in-failed' && !passing.has(String(error.data['reason']))
const passing: ReadonlySet<string> = new Set(['unreachable', 'server_error', 'temporarily_unavailable', 'too_many_requests'])

export const isMachine = ({ grant = 'authorization-code' }: OAuthSettings): boolean => grant !== 'authorization-code'

/** Whether the stored sign-in belongs to the client, grant and issuer of the settings. */
export const matchesSettings = (settings: OAuthSettings, held: StoredSignIn): boolean =>
  held.grant === (settings.grant ?? 'authorization-code') &&
  (settings.clientId === undefined || settings.clientId === held.client.client_id) &&
  (settings.issuer === undefined || settings.issuer.replace(/\/$/, '') === held.issuer.replace(/\/$/, ''))

/** Refuses plain http beyond this machine (RFC 6750, 5.3). */
function assertPrivate(server: string, url: string): void {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && reachOfHost(hostname) !== 'loopback') throw signInFailed(server, 'insecure')
}

async function byMachine(request: Omit<TokenRequest, 'client'>) {
  const client = configuredClient(request.settings)
  if (!client) throw signInFailed(request.server, 'settings-incomplete', { missing: ['clientId'] })
  return { tokens: await machineToken({ ...request, client }), client }
}

const reasons = { unauthorized: 'sign-in-needed', scopes: 'more-scopes', person: 'person-asks' } as const

function byBrowser(
  options: ObtainOptions,
  request: BrowserOptions['request'],
  granted: readonly string[],
  need: Exclude<Need, { kind: 'renew' }>,
  expired: boolean,
): ReturnType<typeof signInByBrowser> {
  options.assertMayAsk(need.challenge)
  const asked = need.kind === 'unauthorized' && need.byPerson === true ? 'person-asks' : reasons[need.kind]
  return signInByBrowser({ ...options, request, granted, why: expired ? 'sign-in-expired' : asked })
}

function wantsDpop(server: string, settings: OAuthSettings, challenge: Challenge, from: Discovered): boolean {
  const required = settings.dpop === true || challenge.dpopOnly || from.dpopRequired
  if (settings.dpop === false || !required) return false
  if (stringListOf(from.metadata, 'dpop_signing_alg_values_supported')?.includes(dpopAlgorithm) === false)
    throw signInFailed(server, 'dpop-unsupported', { issuer: from.issuer })
  return true
}

const dpopOf = async ({ dpopKey: key }: Pick<StoredSignIn, 'dpopKey'> = {}) =>
  key ? { session: await restoreDpop(key), key } : createDpop()

/** Longest lifetime in seconds that is believed; a 401 says when a token ended earlier. */
const longestLifeS = 10 * 365 * 24 * 3600

/** Expiry in milliseconds since the epoch (RFC 6749, 5.1). A lifetime that is not positive is ignored: each request would renew it. */
export const expiry = (life: number | undefined, now: number): { readonly expiresAt?: number } =>
  life !== undefined && life > 0 ? { expiresAt: now + Math.min(life, longestLifeS) * 1000 } : {}

interface Granted {
  readonly tokens: OAuthTokens
  readonly scopes: readonly string[]
  readonly before: Pick<StoredSignIn, 'issuer' | 'server' | 'grant' | 'client' | 'resource' | 'resourceMetadata'>
  readonly dpopKey: PrivateJwk | undefined
}

function keep({ server, settings, clock }: ObtainOptions, { tokens, scopes, before, dpopKey }: Granted): StoredSignIn {
  const { issuer, server: authorizationServer, grant, client, resource, resourceMetadata } = before
  // A token that no header can hold is invalid, and an error about it would repeat it.
  if (!/^[\x21-\x7e]{1,16384}$/.test(tokens.access_token)) throw signInFailed(server, 'answer-invalid', { issuer })
  const type = tokens.token_type.toLowerCase()
  const isBound = type === 'dpop' && dpopKey !== undefined
  if (!isBound && type !== 'bearer') throw signInFailed(server, 'answer-invalid', { issuer })
  if (!isBound && settings.dpop === true) throw signInFailed(server, 'dpop-unsupported', { issuer })
  const now = clock.now()
  return {
    issuer,
    server: authorizationServer,
    grant,
    client,
    accessToken: tokens.access_token,
    obtainedAt: now,
    // RFC 6749, 5.1: without `scope`, the granted scopes are those requested.
    scopes: tokens.scope === undefined ? [...scopes] : readScopes(tokens.scope),
    ...defined({ resource, resourceMetadata, dpopKey: isBound ? dpopKey : undefined }),
    // A machine grant repeats its request instead of refreshing.
    ...defined({ refreshToken: isMachine(settings) ? undefined : tokens.refresh_token }),
    ...expiry(tokens.expires_in, now),
  }
}

export const rememberedChallenge = (held: StoredSignIn | undefined): Challenge => ({
  ...noChallenge,
  resourceMetadata: held?.resourceMetadata,
})

/** Revokes refresh and access token (RFC 7009); the stored ones are deleted anyway. Returns false when there is no endpoint or it did not confirm. */
export async function revoke(server: string, held: StoredSignIn, fetch: FetchLike): Promise<boolean> {
  try {
    const metadata = await readServerMetadata(server, held.server, fetch)
    const endpoint = metadataText(metadata, 'revocation_endpoint')
    if (metadata?.issuer !== held.issuer || endpoint === undefined) return false
    const own = stringListOf(metadata, 'revocation_endpoint_auth_methods_supported')
    const method = selectClientAuthMethod(held.client, own ?? metadata.token_endpoint_auth_methods_supported ?? [])
    // RFC 7009, 2.1: revoking the refresh token may end the access token too, so it comes first.
    const { refreshToken, accessToken, client } = held
    const isRevoked = async (token: string | undefined, token_type_hint: string): Promise<boolean> =>
      token === undefined || revokeOne(endpoint, new URLSearchParams({ token, token_type_hint }), client, method, fetch)
    const refreshGone = await isRevoked(refreshToken, 'refresh_token')
    return (await isRevoked(accessToken, 'access_token')) && refreshGone
  } catch {
    // Unreachable, or a forbidden address: the tokens stay valid until they expire.
    return false
  }
}

async function revokeOne(
  endpoint: string,
  body: URLSearchParams,
  { client_id, client_secret }: StoredSignIn['client'],
  method: ReturnType<typeof selectClientAuthMethod>,
  fetch: FetchLike,
): Promise<boolean> {
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
  if (method === 'client_secret_basic' && client_secret !== undefined)
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`)
  else {
    body.set('client_id', client_id)
    if (client_secret !== undefined && method === 'client_secret_post') body.set('client_secret', client_secret)
  }
  const response = await fetch(endpoint, { method: 'POST', headers, body: body.toString(), redirect: 'manual' })
  return response.ok
}
