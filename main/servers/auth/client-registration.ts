// How Assent is known to an authorization server (MCP, "Client Registration Approaches"): pre-registered, by a Client ID Metadata
// Document, or by dynamic registration (RFC 7591). Not every server accepts another port than the registered one (RFC 8252, 7.3).
import { isDeepStrictEqual } from 'node:util'
import { type FetchLike, isHttpsUrl, registerClient } from '@modelcontextprotocol/client'
import type { SignInRequest } from '#app/consent/request.ts'
import { defined } from '#app/or-else.ts'
import type { OAuthSettings } from '#app/server/auth-status.ts'
import { type Discovered, orSignInFailure } from './auth-discovery.ts'
import { noSignInOffered, signInFailed } from './auth-errors.ts'
import type { LoopbackHost } from './loopback-redirect.ts'
import type { ClientInfo, Registration, TokenStore } from './token-store.ts'

interface CallbackPlan {
  readonly host: LoopbackHost
  readonly port: number
  /** Whether any other port does where this one is taken. */
  readonly anyPort: boolean
}

const clientName = 'Assent'

export type ClientPlan = CallbackPlan &
  (
    | { readonly kind: Extract<SignInRequest['client'], 'pre-registered' | 'metadata-document'>; readonly client: ClientInfo }
    /** `known`: the stored registration, for this host and port. */
    | { readonly kind: 'registered'; readonly known: Registration | undefined }
  )

/** Client metadata document of Assent (OAuth Client ID Metadata Document, 4). It lies in the repository, to be published at `url`. */
export interface OwnDocument {
  readonly url: string
  /** First port to try: issuers that do not compare loopback ports as RFC 8252, 7.3, says find it in the document. */
  readonly port: number
  /** Whether that very document is what the address answers. */
  readonly answers: (fetch: FetchLike) => Promise<boolean>
}

export const configuredClient = ({ clientId, clientSecret }: OAuthSettings): ClientInfo | undefined =>
  clientId === undefined ? undefined : { client_id: clientId, ...defined({ client_secret: clientSecret }) }

/** Set by the build (`vite.config.ts`, from `ASSENT_CLIENT_METADATA_URL`). */
declare const CLIENT_METADATA_URL: string | undefined

/**
 * Address of the document in this build; it is published from the repository, at the project's pages unless the build
 * says otherwise. Not used unless it answers.
 */
const documentUrl =
  typeof CLIENT_METADATA_URL === 'string' ? CLIENT_METADATA_URL : 'https://assent-desktop.github.io/assent/oauth-client.json'
const documentPort = 33_417
const answerMs = 5000

/** Contents of the document: `resources/oauth-client.json`. Ports are named once for issuers that compare them. */
export const clientDocument = (url: string) => ({
  client_id: url,
  client_name: clientName,
  redirect_uris: ['127.0.0.1', 'localhost'].flatMap((host) => ['', `:${documentPort}`].map((port) => `http://${host}${port}/callback`)),
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
})

export const ownDocument: OwnDocument = makeOwnDocument(documentUrl)

export function makeOwnDocument(url: string): OwnDocument {
  return {
    url,
    port: documentPort,
    async answers(fetch) {
      try {
        const signal = AbortSignal.timeout(answerMs)
        const response = await fetch(url, { redirect: 'manual', headers: { accept: 'application/json' }, signal })
        const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '')
        return response.status === 200 && isJson && isDeepStrictEqual(await response.json(), clientDocument(url))
      } catch {
        // Unreachable, or something else answers: Assent registers itself.
        return false
      }
    },
  }
}

/** Chooses the registration approach before a port is opened (MCP, "Client Registration Approaches"). */
export async function planClient(options: {
  readonly server: string
  readonly settings: OAuthSettings
  readonly from: Discovered
  readonly store: TokenStore
  readonly now: number
  readonly fetch: FetchLike
  readonly ownDocument: OwnDocument | undefined
}): Promise<ClientPlan> {
  const { server, settings, from, store, now, fetch, ownDocument: own } = options
  const { clientMetadataUrl, callbackPort = 0, callbackHost = '127.0.0.1' } = settings
  const callback: CallbackPlan = { host: callbackHost, port: callbackPort, anyPort: false }
  const client = configuredClient(settings)
  if (client) return { kind: 'pre-registered', client, ...callback }
  if (from.metadata?.client_id_metadata_document_supported === true) {
    if (clientMetadataUrl !== undefined) {
      if (!isHttpsUrl(clientMetadataUrl)) throw signInFailed(server, 'settings-incomplete', { missing: ['clientMetadataUrl'] })
      return { kind: 'metadata-document', client: { client_id: clientMetadataUrl }, ...callback }
    }
    if (own && (await own.answers(fetch))) {
      const port = callbackPort === 0 ? { port: own.port, anyPort: true } : {}
      return { kind: 'metadata-document', client: { client_id: own.url }, ...callback, ...port }
    }
  }
  const known = await store.registration(from.issuer)
  const at = known && new URL(known.redirectUri)
  const port = Number(at?.port ?? 0)
  const isSameHost = settings.callbackHost === undefined || settings.callbackHost === at?.hostname
  const fits =
    known && isSameHost && (callbackPort === 0 || callbackPort === port) && (known.expiresAt === undefined || known.expiresAt > now)
  if (fits) return { kind: 'registered', known, host: at?.hostname === 'localhost' ? 'localhost' : '127.0.0.1', port, anyPort: true }
  if (from.metadata && from.metadata.registration_endpoint === undefined)
    throw signInFailed(server, 'client-unknown', { issuer: from.issuer })
  return { kind: 'registered', known: undefined, ...callback }
}

/** Registers Assent dynamically (RFC 7591, 3). @throws {HostError} `server.sign-in-failed`, or `server.sign-in-needed` where there is no metadata */
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
        client_name: clientName,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        application_type: 'native',
        // A native app is a public client (RFC 8252, 8.4), unless the server accepts confidential ones only.
        token_endpoint_auth_method: offered?.includes('none')
          ? 'none'
          : (offered?.find((one) => /^client_secret_(?:basic|post)$/.test(one)) ?? 'none'),
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
