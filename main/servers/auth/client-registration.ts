// How Assent is known to an authorization server (MCP, "Client Registration Approaches"): pre-registered, by a Client ID Metadata
// Document, or by dynamic registration (RFC 7591). Not every server accepts another port than the registered one (RFC 8252, 7.3).
import { type FetchLike, isHttpsUrl, registerClient } from '@modelcontextprotocol/client'
import type { SignInRequest } from '#app/consent/request.ts'
import { defined } from '#app/or-else.ts'
import type { OAuthSettings } from '#app/server/auth-status.ts'
import { type Discovered, orSignInFailure } from './auth-discovery.ts'
import { noSignInOffered, signInFailed } from './auth-errors.ts'
import type { ClientInfo, Registration, TokenStore } from './token-store.ts'

export type ClientPlan =
  | {
      readonly kind: Extract<SignInRequest['client'], 'pre-registered' | 'metadata-document'>
      readonly client: ClientInfo
      readonly port: number
    }
  /** `known`: the stored registration, for this port. */
  | { readonly kind: 'registered'; readonly known: Registration | undefined; readonly port: number }

export const configuredClient = ({ clientId, clientSecret }: OAuthSettings): ClientInfo | undefined =>
  clientId === undefined ? undefined : { client_id: clientId, ...defined({ client_secret: clientSecret }) }

/** Chooses the registration approach before a port is opened (MCP, "Client Registration Approaches"). */
export async function planClient(options: {
  readonly server: string
  readonly settings: OAuthSettings
  readonly from: Discovered
  readonly store: TokenStore
  readonly now: number
}): Promise<ClientPlan> {
  const { server, settings, from, store, now } = options
  const { clientMetadataUrl, callbackPort = 0 } = settings
  const client = configuredClient(settings)
  if (client) return { kind: 'pre-registered', client, port: callbackPort }
  if (clientMetadataUrl !== undefined && from.metadata?.client_id_metadata_document_supported === true) {
    if (!isHttpsUrl(clientMetadataUrl)) throw signInFailed(server, 'settings-incomplete', { missing: ['clientMetadataUrl'] })
    return { kind: 'metadata-document', client: { client_id: clientMetadataUrl }, port: callbackPort }
  }
  const known = await store.registration(from.issuer)
  const port = known ? Number(new URL(known.redirectUri).port) : 0
  const fits = known && (callbackPort === 0 || callbackPort === port) && (known.expiresAt === undefined || known.expiresAt > now)
  if (fits) return { kind: 'registered', known, port }
  if (from.metadata && from.metadata.registration_endpoint === undefined)
    throw signInFailed(server, 'client-unknown', { issuer: from.issuer })
  return { kind: 'registered', known: undefined, port: callbackPort }
}

/** Registers Assent dynamically (RFC 7591, 3). Throws `server.sign-in-failed`, or `server.sign-in-needed` where there is no metadata. */
export async function register(options: {
  readonly server: string
  readonly from: Discovered
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly fetch: FetchLike
}): Promise<Registration> {
  const { server, from, redirectUri, scopes, fetch } = options
  const offered = from.metadata?.token_endpoint_auth_methods_supported
  const registered = orSignInFailure(server, from.issuer, () =>
    registerClient(from.server, {
      clientMetadata: {
        client_name: 'Assent',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        application_type: 'native',
        // A native app is a public client (RFC 8252, 8.4), unless the server accepts confidential ones only.
        token_endpoint_auth_method: offered === undefined || offered.includes('none') ? 'none' : (offered[0] ?? 'none'),
      },
      ...defined({ metadata: from.metadata, scope: scopes.join(' ') || undefined }),
      fetchFn: fetch,
    }),
  )
  const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = await registered.catch((error: unknown) => {
    // Without metadata, registration was only a guess.
    throw from.metadata ? error : noSignInOffered(server)
  })
  return {
    issuer: from.issuer,
    client: { client_id, ...defined({ client_secret, token_endpoint_auth_method }) },
    redirectUri,
    ...(client_secret_expires_at ? { expiresAt: client_secret_expires_at * 1000 } : {}),
  }
}
