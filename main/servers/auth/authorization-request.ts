// The part with a person in it (OAuth 2.1, 4.1): a port is opened for the answer, the person is asked, the browser opens the
// very address that they were shown, and the answer is checked before its code is worth anything. Whatever ends it closes the
// port. Requests at the token endpoint: one for each way to a token, made by the SDK, which sees to https, client
// authentication, `resource` and DPoP. What the endpoint said in an error stays here.
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
import type { OAuthSettings } from '#app/server/auth-status.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ApprovedUrl } from '#main/consent/approved.ts'
import type { ConsentBroker, SignInQuestion } from '#main/consent/broker-api.ts'
import { type Discovered, readServerMetadata } from './auth-discovery.ts'
import { refusedBy, signInFailed } from './auth-errors.ts'
import { type ClientPlan, planClient, register } from './client-registration.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import { type Loopback, openLoopback } from './loopback-redirect.ts'
import { toSignInFailure } from './sdk-errors.ts'
import type { ClientInfo, TokenStore } from './token-store.ts'

export interface TokenRequest {
  readonly server: string
  /** Canonical URL of the server, where its metadata names no resource. */
  readonly url: string
  readonly settings: OAuthSettings
  readonly from: Pick<Discovered, 'issuer' | 'server' | 'metadata' | 'resource'>
  readonly client: ClientInfo
  readonly scopes: readonly string[]
  readonly fetch: FetchLike
  readonly dpop: DpopSession | undefined
}

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const scopeOf = (scopes: readonly string[]): string | undefined => (scopes.length > 0 ? scopes.join(' ') : undefined)

/** What all of them say. Absent, not undefined: the SDK asks for some by their being there. */
function common({ from, client, settings, fetch, dpop, server }: TokenRequest) {
  const authenticate = clientAuthentication(server, settings, client, from.issuer)
  return {
    clientInformation: client,
    fetchFn: fetch,
    ...(from.metadata ? { metadata: from.metadata } : {}),
    ...(from.resource === undefined ? {} : { resource: from.resource }),
    ...(authenticate ? { addClientAuthentication: authenticate } : {}),
    ...(dpop ? { dpop } : {}),
  }
}

async function exchangeCode(
  request: TokenRequest,
  answer: { readonly code: string; readonly iss: string | undefined; readonly verifier: string; readonly redirectUri: string },
): Promise<OAuthTokens> {
  return attempt(request, () =>
    exchangeAuthorization(request.from.server, {
      ...common(request),
      authorizationCode: answer.code,
      ...(answer.iss === undefined ? {} : { iss: answer.iss }),
      codeVerifier: answer.verifier,
      redirectUri: answer.redirectUri,
    }),
  )
}

export const refresh = (request: TokenRequest, refreshToken: string): Promise<OAuthTokens> =>
  attempt(request, () => refreshAuthorization(request.from.server, { ...common(request), refreshToken }))

/** A token without the person: for a client, or for a workload or person that somebody else vouches for. */
export async function machineToken(request: TokenRequest): Promise<OAuthTokens> {
  const scope = scopeOf(request.scopes)
  const params = await attempt(request, () => machineParams(request, scope))
  const { clientInformation, addClientAuthentication, dpop, fetchFn, ...rest } = common(request)
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
        ...(addClientAuthentication ? { addClientAuthentication } : {}),
        ...(dpop ? { dpop: () => dpop } : {}),
      },
      request.from.server,
      { ...rest, fetchFn, ...(scope === undefined ? {} : { scope }) },
    ),
  )
}

async function machineParams(request: TokenRequest, scope: string | undefined): Promise<URLSearchParams> {
  const { settings, client } = request
  const params = new URLSearchParams(scope === undefined ? {} : { scope })
  if (settings.grant === 'client-credentials') {
    params.set('grant_type', 'client_credentials')
    return params
  }
  params.set('grant_type', jwtBearer)
  if (settings.grant === 'cross-app') params.set('assertion', await identityGrant(request, scope))
  else params.set('assertion', settings.subjectToken ?? (await selfSigned(request, client)))
  return params
}

/** RFC 7523, 2.1, with a key of the person's: the assertion is made as client authentication makes its own. */
async function selfSigned({ server, settings, from }: TokenRequest, client: ClientInfo): Promise<string> {
  const sign = clientAuthentication(server, settings, client, from.issuer)
  const params = new URLSearchParams()
  await sign?.(new Headers(), params, from.issuer, from.metadata)
  const assertion = params.get('client_assertion')
  if (assertion === null) throw incomplete(server, 'subjectToken', 'privateKey')
  return assertion
}

/** The identity provider's token, for one that this authorization server takes (RFC 8693). */
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
    ...(idpClientSecret === undefined ? {} : { clientSecret: idpClientSecret }),
    ...(scope === undefined ? {} : { scope }),
    fetchFn: fetch,
  })
  return jwtAuthGrant
}

/** `private_key_jwt` where there is a key; undefined: as the SDK does by id and secret. */
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
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPrivateKey(privateKey)
    const found = type === 'rsa' ? 'RS256' : type === 'ec' ? curves[details?.namedCurve ?? ''] : undefined
    if (found !== undefined) return found
  } catch {
    // Not a key at all; said below.
  }
  throw new HostError('config.invalid', t`“privateKey” of “${server}” is no RSA or EC key in PEM.`, {
    data: { server, name: 'privateKey' },
  })
}

const incomplete = (server: string, ...missing: readonly string[]): HostError =>
  signInFailed(server, 'settings-incomplete', { missing: [...missing] })

async function attempt<T>({ server, from }: TokenRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toSignInFailure(server, from.issuer, error)
  }
}

/** A person may look for their telephone, but not for ever. */
export const browserMs = 10 * 60_000

export interface PendingAuthorization {
  readonly issuer: string
  readonly url: string
  readonly since: number
  /** An address that the person copied from their browser. False: it is not the answer. */
  offer(address: string): boolean
}

export interface BrowserOptions {
  readonly request: Omit<TokenRequest, 'client' | 'from'> & { readonly from: Discovered }
  readonly granted: readonly string[]
  readonly why: SignInQuestion['why']
  readonly vault: TokenStore
  readonly guarded: GuardedFetch
  readonly broker: Pick<ConsentBroker, 'signIn'>
  readonly openUrl: (url: ApprovedUrl) => Promise<'host' | 'page'>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Somebody is asked; then, once they agreed, the browser is waited for; then neither. */
  readonly onWaiting: (waiting: PendingAuthorization | undefined) => void
}

export async function signInByBrowser(options: BrowserOptions): Promise<{ readonly tokens: OAuthTokens; readonly client: ClientInfo }> {
  const { request, vault, guarded, clock, signal } = options
  const { server, from, settings } = request
  assertPkce(server, from)
  // Also where the code is to go: nobody signs in for what would be refused then.
  for (const endpoint of [from.metadata?.authorization_endpoint, from.metadata?.token_endpoint])
    await guarded.check(endpoint ?? from.server)
  const plan = await planClient({ server, settings, from, vault, now: clock.now() })
  const state = randomBytes(32).toString('base64url')
  const { loopback, fresh } = await openPort(server, plan, state)
  let opened = false
  const watch = (waiting: PendingAuthorization | undefined): void => {
    opened = true
    options.onWaiting(waiting)
  }
  try {
    signal.throwIfAborted()
    const client = plan.kind === 'registered' ? await registered(options, plan, loopback, fresh) : plan.client
    try {
      const tokens = await ask({ ...options, onWaiting: watch }, { client, how: plan.kind, loopback, state })
      return { tokens, client }
    } catch (error) {
      // It may be that its registration is not known there any more, and the page only said so to the person.
      if (plan.kind === 'registered' && !fresh && opened && !isAnswered(error)) await vault.forgetRegistration(from.issuer)
      throw error
    }
  } finally {
    options.onWaiting(undefined)
    await loopback.close()
  }
}

/** The person was there and said no: so the page knew the client. */
const isAnswered = (error: unknown): boolean => error instanceof HostError && error.data['reason'] === 'access_denied'

/** MCP, "Authorization Code Protection": without S256 in the metadata there is no sign-in. */
function assertPkce(server: string, { metadata, issuer }: Discovered): void {
  if (metadata && metadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw signInFailed(server, 'pkce-unsupported', { issuer })
}

/** `fresh`: nothing is registered for this port yet. */
async function openPort(
  server: string,
  plan: ClientPlan,
  state: string,
): Promise<{ readonly loopback: Loopback; readonly fresh: boolean }> {
  const known = plan.kind === 'registered' && plan.known !== undefined
  try {
    return { loopback: await openLoopback({ port: plan.port, state }), fresh: !known }
  } catch (cause) {
    if (known) return { loopback: await openLoopback({ port: 0, state }), fresh: true }
    throw new HostError('port.in-use', t`The port ${plan.port}, where the browser is to come back to for “${server}”, is taken.`, {
      data: { server, port: plan.port },
      cause,
    })
  }
}

async function registered(
  { request, vault }: BrowserOptions,
  plan: Extract<ClientPlan, { kind: 'registered' }>,
  loopback: Loopback,
  fresh: boolean,
): Promise<ClientInfo> {
  if (plan.known && !fresh) return plan.known.client
  const { redirectUri } = loopback
  const made = await register({ ...request, redirectUri })
  await vault.putRegistration(made)
  return made.client
}

async function ask(
  { request, granted, why, guarded, broker, openUrl, clock, signal, onWaiting }: BrowserOptions,
  {
    client,
    how,
    loopback,
    state,
  }: { readonly client: ClientInfo; readonly how: ClientPlan['kind']; readonly loopback: Loopback; readonly state: string },
): Promise<OAuthTokens> {
  const { server, from, scopes } = request
  const { redirectUri } = loopback
  const { authorizationUrl, codeVerifier } = await authorization()
  const url = authorizationUrl.href
  await guarded.check(url)
  const { issuer, resource = request.url } = from
  const verdict = await broker.signIn({ server, resource, issuer, url, scopes, granted, client: how, why, signal })
  if (verdict.kind === 'withdrawn')
    throw signal.aborted ? signal.reason : new HostError('consent.withdrawn', t`The sign-in was called off.`)
  if (verdict.kind === 'denied')
    throw verdict.decision.by === 'policy' ? signInFailed(server, 'address-refused') : signInRefused(server, verdict.decision)
  onWaiting({ issuer, url, since: clock.now(), offer: (address) => loopback.offer(address) })
  await openUrl(verdict.approval)
  const answer = await comeBack(server, loopback, { clock, signal })
  const iss = answer.get('iss') ?? undefined
  try {
    // RFC 9207, 2.4: before anything else in it is believed, its error too.
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
  return exchangeCode({ ...request, client }, { code, iss, verifier: codeVerifier, redirectUri })

  async function authorization() {
    try {
      return await startAuthorization(from.server, {
        ...(from.metadata ? { metadata: from.metadata } : {}),
        clientInformation: client,
        redirectUrl: redirectUri,
        state,
        ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
        ...(from.resource === undefined ? {} : { resource: from.resource }),
      })
    } catch (error) {
      throw toSignInFailure(server, from.issuer, error)
    }
  }
}

/** Says that the person refused only when they did: on the command line, an option may have. */
export function signInRefused(server: string, { by, word }: Pick<Decision, 'by' | 'word'> = { by: 'person' }): HostError {
  const message =
    by === 'person'
      ? t`You did not allow the sign-in to “${server}”.`
      : [t`Nobody signs in to “${server}”.`, word ?? ''].join(' ').trimEnd()
  return new HostError('server.sign-in-refused', message, { data: { server } })
}

async function comeBack(
  server: string,
  loopback: Loopback,
  { clock, signal }: Pick<BrowserOptions, 'clock' | 'signal'>,
): Promise<URLSearchParams> {
  const over = Promise.withResolvers<never>()
  const onAbort = (): void => over.reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  const cancel = clock.after(browserMs, () =>
    over.reject(
      new HostError('server.sign-in-timeout', t`The browser did not come back from the sign-in to “${server}” in time.`, {
        data: { server },
      }),
    ),
  )
  try {
    return await Promise.race([loopback.answer, over.promise])
  } finally {
    cancel()
    signal.removeEventListener('abort', onAbort)
  }
}
