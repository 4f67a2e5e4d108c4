// How an authorization server knows Assent: as a client that the person registered, by a metadata document, or by
// registering now (RFC 7591). A registration is kept with its port, since not every server lets the port vary.
import { type FetchLike, isHttpsUrl, registerClient } from '@modelcontextprotocol/client'
import type { SignInRequest } from '#app/consent/request.ts'
import type { OAuthSettings } from '#app/server/auth-status.ts'
import type { Discovered } from './auth-discovery.ts'
import { saysNotHow, signInFailed } from './auth-errors.ts'
import { toSignInFailure } from './sdk-errors.ts'
import type { ClientInfo, Registration, TokenStore } from './token-store.ts'

export type ClientPlan =
  | {
      readonly kind: Extract<SignInRequest['client'], 'pre-registered' | 'metadata-document'>
      readonly client: ClientInfo
      readonly port: number
    }
  /** `known`: registered before, to come back at this port. */
  | { readonly kind: 'registered'; readonly known: Registration | undefined; readonly port: number }

export const configuredClient = ({ clientId, clientSecret }: OAuthSettings): ClientInfo | undefined =>
  clientId === undefined ? undefined : { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) }

/** Which way it is to be (MCP, "Client Registration Approaches"), before a port is opened. */
export async function planClient(options: {
  readonly server: string
  readonly settings: OAuthSettings
  readonly from: Discovered
  readonly vault: TokenStore
  readonly now: number
}): Promise<ClientPlan> {
  const { server, settings, from, vault, now } = options
  const { clientMetadataUrl, callbackPort = 0 } = settings
  const client = configuredClient(settings)
  if (client) return { kind: 'pre-registered', client, port: callbackPort }
  if (clientMetadataUrl !== undefined && from.metadata?.client_id_metadata_document_supported === true) {
    if (!isHttpsUrl(clientMetadataUrl)) throw signInFailed(server, 'settings-incomplete', { missing: ['clientMetadataUrl'] })
    return { kind: 'metadata-document', client: { client_id: clientMetadataUrl }, port: callbackPort }
  }
  const known = await vault.registration(from.issuer)
  const port = known ? Number(new URL(known.redirectUri).port) : 0
  const fits = known && (callbackPort === 0 || callbackPort === port) && (known.expiresAt === undefined || known.expiresAt > now)
  if (fits) return { kind: 'registered', known, port }
  if (from.metadata && from.metadata.registration_endpoint === undefined)
    throw signInFailed(server, 'client-unknown', { issuer: from.issuer })
  return { kind: 'registered', known: undefined, port: callbackPort }
}

export async function register(options: {
  readonly server: string
  readonly from: Discovered
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly fetch: FetchLike
}): Promise<Registration> {
  const { server, from, redirectUri, scopes, fetch } = options
  const offered = from.metadata?.token_endpoint_auth_methods_supported
  try {
    const {
      client_id,
      client_secret,
      client_secret_expires_at: expires,
      token_endpoint_auth_method,
    } = await registerClient(from.server, {
      ...(from.metadata ? { metadata: from.metadata } : {}),
      clientMetadata: {
        client_name: 'Assent',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        application_type: 'native',
        // A program on a person's machine keeps no secret (RFC 8252, 8.5), unless a server takes no others.
        token_endpoint_auth_method: offered === undefined || offered.includes('none') ? 'none' : (offered[0] ?? 'none'),
      },
      ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
      fetchFn: fetch,
    })
    return {
      issuer: from.issuer,
      client: {
        client_id,
        ...(client_secret === undefined ? {} : { client_secret }),
        ...(token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method }),
      },
      redirectUri,
      ...(expires ? { expiresAt: expires * 1000 } : {}),
    }
  } catch (error) {
    // Nothing said that one can register there; it was only tried.
    if (!from.metadata) throw saysNotHow(server)
    throw toSignInFailure(server, from.issuer, error)
  }
}
