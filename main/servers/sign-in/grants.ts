// Requests at the token endpoint: one for each way to a token, made by the SDK, which sees to https, client
// authentication, `resource` and DPoP. What the endpoint said in an error stays here.
import { createPrivateKey } from 'node:crypto'
import {
  type AddClientAuthentication,
  createPrivateKeyJwtAuth,
  type DpopSession,
  exchangeAuthorization,
  type FetchLike,
  fetchToken,
  type OAuthTokens,
  refreshAuthorization,
  requestJwtAuthorizationGrant,
} from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import type { OAuthSettings } from '#app/server/sign-in.ts'
import { t } from '#app/words/translate.ts'
import { type Discovered, readServerMetadata } from './discovery.ts'
import { signInFailed } from './failures.ts'
import { toSignInFailure } from './sdk-failures.ts'
import type { ClientInfo } from './vault.ts'

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

export async function exchangeCode(
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
