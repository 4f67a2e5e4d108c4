// The authorization code flow with PKCE (OAuth 2.1, 4.1; MCP, "Authorization Flow Steps") and requests at the token endpoint. The
// person is shown the exact address that the browser opens. The SDK enforces https, client authentication, `resource` (RFC 8707)
// and DPoP (RFC 9449). Text of an error response is not passed on.
import { createPrivateKey, randomBytes } from 'node:crypto'
import {
  type AddClientAuthentication,
  createPrivateKeyJwtAuth,
  type DpopSession,
  exchangeAuthorization,
  type FetchLike,
  fetchToken,
  IssuerMismatchError,
  type OAuthTokens,
  refreshAuthorization,
  requestJwtAuthorizationGrant,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import type { Decision } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { defined, orElse } from '#app/or-else.ts'
import type { OAuthSettings } from '#app/server/auth-status.ts'
import { doneWithin } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import type { PeerGuardOptions } from '#main/base/peer-account.ts'
import type { ApprovedUrl } from '#main/consent/approved.ts'
import type { ConsentBroker, SignInQuestion } from '#main/consent/broker-api.ts'
import { type Discovered, orSignInFailure, readServerMetadata } from './auth-discovery.ts'
import { refusedBy, signInFailed } from './auth-errors.ts'
import { type ClientPlan, type OwnDocument, planClient, register } from './client-registration.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import { type Loopback, openLoopback } from './loopback-redirect.ts'
import type { ClientInfo, TokenStore } from './token-store.ts'

export interface TokenRequest {
  readonly server: string
  /** Canonical URL of the server (RFC 8707, 2), for metadata that names no resource. */
  readonly url: string
  readonly settings: OAuthSettings
  readonly from: Pick<Discovered, 'issuer' | 'server' | 'metadata' | 'resource'>
  readonly client: ClientInfo
  readonly scopes: readonly string[]
  readonly fetch: FetchLike
  readonly dpop: DpopSession | undefined
}

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const scopeOf = (scopes: readonly string[]): string | undefined => scopes.join(' ') || undefined

/** Options of every token request. Absent members matter: the SDK tests some by their presence. */
function common({ from, client, settings, fetch, dpop, server }: TokenRequest) {
  const addClientAuthentication = clientAuthentication(server, settings, client, from.issuer)
  const { metadata, resource } = from
  return { clientInformation: client, fetchFn: fetch, ...defined({ metadata, resource, addClientAuthentication, dpop }) }
}

/** Requests a new access token with a refresh token (RFC 6749, 6). */
export const refresh = (request: TokenRequest, refreshToken: string): Promise<OAuthTokens> =>
  attempt(request, () =>
    refreshAuthorization(request.from.server, { ...common(request), refreshToken, fetchFn: withRefusalNamed(request.fetch) }),
  )

/** Names a refusal that says nothing: the refresh token is good no more (RFC 6749, 5.2). */
const withRefusalNamed =
  (fetch: FetchLike): FetchLike =>
  async (at, init) => {
    const response = await fetch(at, init)
    if (response.status < 400 || response.status >= 500 || response.status === 408 || response.status === 429) return response
    const json = await response
      .clone()
      .json()
      .catch(() => undefined)
    const named = isJsonObject(json) && typeof json['error'] === 'string'
    return named ? response : new Response('{"error":"invalid_grant"}', { status: response.status })
  }

/** Requests a token without the person: client credentials (RFC 6749, 4.4) or a JWT bearer grant (RFC 7523, 2.1). */
export async function machineToken(request: TokenRequest): Promise<OAuthTokens> {
  const scope = scopeOf(request.scopes)
  const params = await attempt(request, () => machineParams(request, scope))
  const { clientInformation, addClientAuthentication, dpop, ...rest } = common(request)
  const { issuer } = request.from
  return attempt(request, () =>
    fetchToken(
      {
        redirectUrl: undefined,
        clientMetadata: { redirect_uris: [] },
        clientInformation: () => ({ ...clientInformation, issuer }),
        tokens: () => undefined,
        saveTokens: () => undefined,
        redirectToAuthorization: () => undefined,
        saveCodeVerifier: () => undefined,
        codeVerifier: () => '',
        prepareTokenRequest: () => params,
        ...defined({ addClientAuthentication, dpop: dpop && (() => dpop) }),
      },
      request.from.server,
      { ...rest, ...defined({ scope }) },
    ),
  )
}

async function machineParams(request: TokenRequest, scope: string | undefined): Promise<URLSearchParams> {
  const { settings, client } = request
  const named = defined({ scope })
  if (settings.grant === 'client-credentials') return new URLSearchParams({ ...named, grant_type: 'client_credentials' })
  const assertion =
    settings.grant === 'cross-app' ? await identityGrant(request, scope) : (settings.subjectToken ?? (await selfSigned(request, client)))
  return new URLSearchParams({ ...named, grant_type: jwtBearer, assertion })
}

/** Signs an assertion with the configured key (RFC 7523, 2.1), in the way client authentication signs its own. */
async function selfSigned({ server, settings, from }: TokenRequest, client: ClientInfo): Promise<string> {
  const sign = clientAuthentication(server, settings, client, from.issuer)
  const params = new URLSearchParams()
  await sign?.(new Headers(), params, from.issuer, from.metadata)
  const assertion = params.get('client_assertion')
  if (assertion === null) throw incomplete(server, 'subjectToken', 'privateKey')
  return assertion
}

/** Exchanges the identity provider's ID token for an identity assertion grant (RFC 8693; MCP, enterprise-managed authorization). */
async function identityGrant({ server, url, settings, from, fetch }: TokenRequest, scope: string | undefined): Promise<string> {
  const { subjectToken, idpClientId, idpClientSecret, idpIssuer } = settings
  if (subjectToken === undefined || idpClientId === undefined) throw incomplete(server, 'subjectToken', 'idpClientId')
  const named = async () => (idpIssuer === undefined ? undefined : await readServerMetadata(server, idpIssuer, fetch))
  const tokenEndpoint = settings.idpTokenEndpoint ?? (await named())?.token_endpoint
  if (tokenEndpoint === undefined) throw incomplete(server, 'idpTokenEndpoint', 'idpIssuer')
  const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
    tokenEndpoint,
    audience: from.issuer,
    resource: from.resource ?? url,
    idToken: subjectToken,
    clientId: idpClientId,
    ...defined({ clientSecret: idpClientSecret, scope }),
    fetchFn: fetch,
  })
  return jwtAuthGrant
}

/** Returns `private_key_jwt` authentication (RFC 7523, 2.2); undefined without a key: the SDK then uses id and secret. */
function clientAuthentication(
  server: string,
  { privateKey, keyAlgorithm }: OAuthSettings,
  { client_id }: ClientInfo,
  issuer: string,
): AddClientAuthentication | undefined {
  if (privateKey === undefined) return undefined
  const alg = keyAlgorithm ?? algorithmOf(server, privateKey)
  return createPrivateKeyJwtAuth({ issuer: client_id, subject: client_id, privateKey, alg, audience: issuer })
}

const curves: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' }

function algorithmOf(server: string, privateKey: string): string {
  const key = orElse(() => createPrivateKey(privateKey), undefined)
  if (key?.asymmetricKeyType === 'rsa') return 'RS256'
  const found = key?.asymmetricKeyType === 'ec' ? curves[key.asymmetricKeyDetails?.namedCurve ?? ''] : undefined
  if (found !== undefined) return found
  const message = t`“privateKey” of “${server}” is not an RSA or EC key in PEM.`
  throw new HostError('config.invalid', message, { data: { server, name: 'privateKey' } })
}

const incomplete = (server: string, ...missing: readonly string[]): HostError =>
  signInFailed(server, 'settings-incomplete', { missing: [...missing] })

const attempt = <T>({ server, from }: Pick<TokenRequest, 'server' | 'from'>, work: () => Promise<T>): Promise<T> =>
  orSignInFailure(server, from.issuer, work)

export const browserMs = 10 * 60_000

export interface PendingAuthorization {
  readonly issuer: string
  readonly url: string
  readonly since: number
  /** Takes an address that the person copied from their browser. Returns whether it was the redirect. */
  offer(address: string): boolean
}

export interface BrowserOptions {
  readonly request: Omit<TokenRequest, 'client' | 'from'> & { readonly from: Discovered }
  readonly granted: readonly string[]
  readonly why: SignInQuestion['why']
  readonly store: TokenStore
  readonly guarded: GuardedFetch
  readonly broker: Pick<ConsentBroker, 'signIn'>
  readonly openUrl: (url: ApprovedUrl) => Promise<'host' | 'page'>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Told of connections to the redirect's port that are not this account's. */
  readonly peers: PeerGuardOptions
  /** Absent: Assent has no document. */
  readonly ownDocument?: OwnDocument | undefined
  /** Called with the pending authorization once the person agreed, and with undefined when it is over. */
  readonly onWaiting: (waiting: PendingAuthorization | undefined) => void
}

/**
 * Signs in through the person's browser. The loopback port is closed in any case.
 * @throws {HostError} `server.sign-in-failed`, `server.sign-in-refused`, `server.sign-in-timeout`, `port.in-use` or `consent.withdrawn`.
 */
export async function signInByBrowser(options: BrowserOptions) {
  const { request, store, guarded, clock, signal } = options
  const { server, from, settings } = request
  assertPkce(server, from)
  // The token endpoint is checked too: nobody signs in for a request that would be refused afterwards.
  for (const endpoint of [from.metadata?.authorization_endpoint, from.metadata?.token_endpoint])
    await guarded.check(endpoint ?? from.server)
  const { fetch } = request
  const plan = await planClient({ server, settings, from, store, now: clock.now(), fetch, ownDocument: options.ownDocument })
  const state = randomBytes(32).toString('base64url')
  let { loopback, fresh } = await openPort(options, plan, state)
  let opened = false
  const watch = (waiting: PendingAuthorization | undefined): void => {
    opened = true
    options.onWaiting(waiting)
  }
  try {
    signal.throwIfAborted()
    let client = plan.kind === 'registered' ? plan.known?.client : plan.client
    if (client === undefined || (fresh && plan.kind === 'registered')) {
      const made = await registerAt(options, plan, loopback, state)
      loopback = made.loopback
      client = made.client
    }
    try {
      const tokens = await ask({ ...options, onWaiting: watch }, { client, kind: plan.kind, loopback, state })
      return { tokens, client }
    } catch (error) {
      // The issuer may have deleted the registration and told only the person, in the browser.
      if (plan.kind === 'registered' && plan.known && !fresh && opened && !isDenied(error)) await store.forgetRegistration(from.issuer)
      throw error
    }
  } finally {
    options.onWaiting(undefined)
    await loopback.close()
  }
}

/** Whether the person denied the authorization: the page then knew the client. */
const isDenied = (error: unknown): boolean => error instanceof HostError && error.data['reason'] === 'access_denied'

/** Requires S256 in the metadata (MCP, "Authorization Code Protection"; RFC 7636, 4.2). */
function assertPkce(server: string, { metadata, issuer }: Discovered): void {
  if (metadata && metadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw signInFailed(server, 'pkce-unsupported', { issuer })
}

/**
 * Registers Assent for the loopback port. Where that is refused, `localhost` is tried in place of the address, unless the settings name a host:
 * some services take only that, and firewalls take an address for an attack (anomalyco/opencode pull 31033). The other port is closed.
 */
async function registerAt({ request, store, peers }: BrowserOptions, { host }: ClientPlan, loopback: Loopback, state: string) {
  const at = async (open: Loopback) => {
    const registration = await register({ ...request, redirectUri: open.redirectUri })
    await store.putRegistration(registration)
    return { loopback: open, client: registration.client }
  }
  return at(loopback).catch(async (error: unknown) => {
    const isRefused = error instanceof HostError && error.data['reason'] === 'registration-refused'
    if (!isRefused || host === 'localhost' || request.settings.callbackHost !== undefined) throw error
    await loopback.close()
    const other = await openLoopback({ host: 'localhost', port: request.settings.callbackPort ?? 0, state, peers })
    return at(other).catch(async () => {
      await other.close()
      throw error
    })
  })
}

/** Opens the loopback port. `fresh`: it is another port than the client is registered for. */
async function openPort({ request: { server }, peers }: BrowserOptions, plan: ClientPlan, state: string) {
  const { host, port, anyPort } = plan
  try {
    return { loopback: await openLoopback({ host, port, state, peers }), fresh: false }
  } catch (cause) {
    if (anyPort) return { loopback: await openLoopback({ host, port: 0, state, peers }), fresh: true }
    const message = t`The callback port ${plan.port} of “${server}” is in use.`
    throw new HostError('port.in-use', message, { data: { server, port: plan.port }, cause })
  }
}

async function ask(
  { request, granted, why, guarded, broker, openUrl, clock, signal, onWaiting }: BrowserOptions,
  how: { readonly client: ClientInfo; readonly kind: ClientPlan['kind']; readonly loopback: Loopback; readonly state: string },
): Promise<OAuthTokens> {
  const { server, from, scopes } = request
  const { client, loopback, state } = how
  const { redirectUri } = loopback
  const { authorizationUrl, codeVerifier } = await attempt(request, () =>
    startAuthorization(from.server, {
      clientInformation: client,
      redirectUrl: redirectUri,
      state,
      ...defined({ metadata: from.metadata, scope: scopeOf(scopes), resource: from.resource }),
    }),
  )
  const url = authorizationUrl.href
  await guarded.check(url)
  const { issuer, resource = request.url } = from
  const verdict = await broker.signIn({ server, resource, issuer, url, scopes, granted, client: how.kind, why, signal })
  if (verdict.kind === 'withdrawn')
    throw signal.aborted ? signal.reason : new HostError('consent.withdrawn', t`The sign-in to “${server}” was cancelled.`)
  if (verdict.kind === 'denied')
    throw verdict.decision.by === 'policy' ? signInFailed(server, 'address-refused') : signInRefused(server, verdict.decision)
  onWaiting({ issuer, url, since: clock.now(), offer: (address) => loopback.offer(address) })
  await openUrl(verdict.approval)
  const answer = await awaitRedirect(server, loopback, clock, signal)
  const iss = answer.get('iss') ?? undefined
  try {
    // RFC 9207, 2.4: `iss` is validated before any other member of the response, an error included.
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: from.metadata?.issuer,
      issParameterSupported: from.metadata?.authorization_response_iss_parameter_supported === true,
    })
  } catch (error) {
    throw error instanceof IssuerMismatchError ? signInFailed(server, 'issuer-mismatch', { issuer }) : error
  }
  const code = answer.get('code')
  if (code === null) throw refusedBy(server, issuer, answer.get('error') ?? 'server_error')
  const options = { ...common({ ...request, client }), authorizationCode: code, codeVerifier, redirectUri, ...defined({ iss }) }
  return attempt(request, () => exchangeAuthorization(from.server, options))
}

/** `word`: why, where an option of the command line decided. */
export function signInRefused(server: string, { by, word }: Pick<Decision, 'by' | 'word'> = { by: 'person' }): HostError {
  const message = [t`The sign-in to “${server}” was denied.`, by === 'person' ? '' : (word ?? '')].join(' ').trimEnd()
  return new HostError('server.sign-in-refused', message, { data: { server } })
}

async function awaitRedirect(server: string, { answer }: Loopback, clock: Clock, signal: AbortSignal): Promise<URLSearchParams> {
  signal.throwIfAborted()
  if (await doneWithin(answer, clock, browserMs, signal)) return answer
  const message = t`The sign-in to “${server}” timed out.`
  throw new HostError('server.sign-in-timeout', message, { data: { server } })
}
