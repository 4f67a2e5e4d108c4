// Finds the authorization server of an MCP server (MCP, "Authorization Server Discovery"). Protected resource metadata (RFC 9728)
// names it; its own metadata (RFC 8414 or OpenID Connect Discovery) is read by the SDK. A server of revision 2025-03-26 has no
// resource metadata: its own origin is then the authorization server.
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  type FetchLike,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { isJsonObject } from '#app/json.ts'
import { refusedBy, signInFailed } from './auth-errors.ts'
import { type Challenge, readScopes } from './www-authenticate.ts'

export interface Discovered {
  /** The `issuer` of the metadata, byte for byte (RFC 8414, 2). Tokens are stored by it. */
  readonly issuer: string
  readonly server: string
  /** Absent only for a server of 2025-03-26 that has no metadata at all. */
  readonly metadata: AuthorizationServerMetadata | undefined
  /** The `resource` of the resource metadata, byte for byte (RFC 8707, 2); undefined: there is no such metadata. */
  readonly resource: string | undefined
  readonly scopes: readonly string[]
  readonly dpopRequired: boolean
}

const resourceMetadata = z.object({
  resource: z.string().max(2000),
  authorization_servers: z.array(z.string().max(2000)).max(20).optional(),
  scopes_supported: z.array(z.string()).optional().catch(undefined),
  dpop_bound_access_tokens_required: z.boolean().optional().catch(undefined),
})
type ResourceMetadata = z.infer<typeof resourceMetadata>

interface DiscoverOptions {
  readonly server: string
  readonly url: string
  readonly challenge: Challenge
  readonly fetch: FetchLike
  /** Issuer of the stored sign-in. It is chosen again while the metadata still lists it. */
  readonly held: string | undefined
  readonly only: string | undefined
  /** Whether to try the server's own origin when it names no authorization server. */
  readonly guess: boolean
}

/** @throws {HostError} `server.sign-in-failed` when metadata is missing, invalid or for another resource or issuer */
export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const { server, url, fetch, guess } = options
  const resource = await findResourceMetadata(options)
  const { origin, pathname } = new URL(url)
  // Servers of 2025-03-26 are their own issuer, some by their path.
  const places =
    resource === undefined ? [...(pathname === '/' ? [] : [origin + pathname]), `${origin}/`] : [chooseServer(options, resource)]
  let authorizationServer = places[0] ?? origin
  let metadata: AuthorizationServerMetadata | undefined
  for (const place of places) {
    authorizationServer = place
    metadata ??= await readServerMetadata(server, place, fetch)
    if (metadata !== undefined) break
  }
  if (metadata === undefined && (resource !== undefined || !guess))
    throw signInFailed(server, resource === undefined ? 'not-offered' : 'metadata-invalid', { issuer: authorizationServer })
  // RFC 8414, 3.3: the SDK has compared `issuer`, but for one trailing slash.
  const issuer = metadata?.issuer ?? new URL(url).origin
  if (options.only !== undefined && !sameIssuer(options.only, issuer)) throw signInFailed(server, 'issuer-changed', { issuer })
  return {
    issuer,
    server: authorizationServer,
    metadata,
    resource: resource?.resource,
    scopes: readScopes(resource?.scopes_supported?.join(' ')),
    dpopRequired: resource?.dpop_bound_access_tokens_required === true,
  }
}

/** Reads authorization server metadata (RFC 8414, 3); undefined: it has none. @throws {HostError} `server.sign-in-failed` when it cannot be read */
export const readServerMetadata = (server: string, authorizationServer: string, fetch: FetchLike) =>
  orSignInFailure(server, authorizationServer, () =>
    discoverAuthorizationServerMetadata(authorizationServer, { fetchFn: async (at, init) => withoutNulls(await fetch(at, init)) }),
  )

/** Takes members out that are null: some issuers write so what they do not have. */
async function withoutNulls(response: Response): Promise<Response> {
  const json = response.ok
    ? await response
        .clone()
        .json()
        .catch(() => undefined)
    : undefined
  if (!isJsonObject(json)) return response
  const present = Object.entries(json).filter(([, value]) => value !== null)
  return new Response(JSON.stringify(Object.fromEntries(present)), {
    status: response.status,
    headers: { 'content-type': 'application/json' },
  })
}

/** Runs `work` and turns what the SDK throws into a `server.sign-in-failed`. */
export async function orSignInFailure<T>(server: string, issuer: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HostError) throw error
    if (error instanceof OAuthError) throw refusedBy(server, issuer, error.code)
    if (error instanceof IssuerMismatchError) throw signInFailed(server, 'issuer-mismatch')
    if (error instanceof RegistrationRejectedError) throw signInFailed(server, 'registration-refused', { issuer, status: error.status })
    throw signInFailed(server, 'answer-invalid', { issuer })
  }
}

const memberOf = (metadata: AuthorizationServerMetadata | undefined, name: string): unknown =>
  (metadata as Readonly<Record<string, unknown>> | undefined)?.[name]

/** Returns a list of strings that the SDK's type does not declare; undefined when it is absent. */
export function stringListOf(metadata: AuthorizationServerMetadata | undefined, name: string): string[] | undefined {
  const value = memberOf(metadata, name)
  return Array.isArray(value) ? value.map(String) : undefined
}

/** Returns a text that the SDK's type does not declare; undefined when it is absent. */
export function metadataText(metadata: AuthorizationServerMetadata | undefined, name: string): string | undefined {
  const value = memberOf(metadata, name)
  return typeof value === 'string' ? value : undefined
}

const sameIssuer = (a: string, b: string): boolean => a.replace(/\/$/, '') === b.replace(/\/$/, '')

function chooseServer({ server, held, only }: DiscoverOptions, { authorization_servers: offered = [] }: ResourceMetadata): string {
  const wanted = [only, held].find((issuer) => issuer !== undefined && offered.some((one) => sameIssuer(one, issuer)))
  const chosen = offered.find((one) => wanted !== undefined && sameIssuer(one, wanted)) ?? offered[0]
  if (chosen === undefined || !URL.canParse(chosen)) throw signInFailed(server, 'metadata-invalid')
  // User information in a URL can make one host look like another.
  if (!/^https?:$/.test(new URL(chosen).protocol) || hasCredentials(new URL(chosen)))
    throw signInFailed(server, 'address-refused', { problem: 'not-an-address' })
  return chosen
}

/** Reads protected resource metadata (RFC 9728, 5.1 and 3.1); undefined when the server has none. */
async function findResourceMetadata({ server, url, challenge, fetch }: DiscoverOptions): Promise<ResourceMetadata | undefined> {
  if (challenge.resourceMetadata !== undefined) {
    if (!URL.canParse(challenge.resourceMetadata)) throw signInFailed(server, 'metadata-invalid')
    const found = await readResourceMetadata(challenge.resourceMetadata, server, url, fetch)
    if (found === undefined) throw signInFailed(server, 'metadata-invalid')
    return found
  }
  for (const place of resourceMetadataUrls(url)) {
    const found = await readResourceMetadata(place, server, url, fetch)
    if (found !== undefined) return found
  }
  return undefined
}

/** Well-known addresses of the metadata (RFC 9728, 3.1): with the server's path, then without it. */
function resourceMetadataUrls(url: string): string[] {
  const { pathname, search, origin } = new URL(url)
  const path = pathname.replace(/\/$/, '')
  const root = `${origin}/.well-known/oauth-protected-resource`
  return path === '' ? [`${root}${search}`] : [`${root}${path}${search}`, root]
}

async function readResourceMetadata(place: string, server: string, url: string, fetch: FetchLike): Promise<ResourceMetadata | undefined> {
  const response = await fetchWithinOrigin(place, fetch)
  if (!response.ok) {
    if (response.status >= 500) throw signInFailed(server, 'metadata-invalid', { status: response.status })
    return undefined
  }
  const parsed = resourceMetadata.safeParse(await response.json().catch(() => undefined))
  if (!parsed.success) throw signInFailed(server, 'metadata-invalid')
  const { resource } = parsed.data
  if (!isResourceOf(url, resource)) throw signInFailed(server, 'resource-mismatch')
  return parsed.data
}

/** RFC 9728, 3.3: `resource` must be this server's. A query may be left out, and tells tenants apart. RFC 8707, 2: a resource has no fragment. */
function isResourceOf(url: string, resource: string): boolean {
  if (!isPlainUrl(resource)) return false
  const { search } = new URL(resource)
  if (search !== '' && search !== new URL(url).search) return false
  return checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(url), configuredResource: resource })
}

const isPlainUrl = (text: string): boolean => URL.canParse(text) && !text.includes('#') && !hasCredentials(new URL(text))

const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== ''

/** Fetches metadata and follows up to five redirects within its origin. */
async function fetchWithinOrigin(place: string, fetch: FetchLike): Promise<Response> {
  let at = new URL(place)
  for (let followed = 0; ; followed += 1) {
    const response = await fetch(at, { redirect: 'manual', headers: { accept: 'application/json' } })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null || !URL.canParse(location, at.href) || followed === 5)
      return response
    const next = new URL(location, at)
    if (next.origin !== at.origin) return response
    at = next
  }
}
