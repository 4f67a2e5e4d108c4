// From a server to the one that signs people in: protected resource metadata (RFC 9728, by the challenge or in one of two
// places), then authorization server metadata (RFC 8414 and OpenID Connect, all path variants, by the SDK, which checks
// `issuer`). A server of 2025-03-26 has none of the first: then its own origin signs people in.
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  type FetchLike,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import { signInFailed } from './auth-errors.ts'
import { toSignInFailure } from './sdk-errors.ts'
import { type Challenge, readScopes } from './www-authenticate.ts'

export interface Discovered {
  /** As the metadata has it, letter for letter: what tokens are kept by. */
  readonly issuer: string
  /** Where default endpoints would lie. */
  readonly server: string
  /** Absent only for a server of 2025-03-26 that has no metadata at all. */
  readonly metadata: AuthorizationServerMetadata | undefined
  /** As the server's own metadata has it, letter for letter (RFC 8707); absent: it has none. */
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
  /** The person's name for the server. */
  readonly server: string
  readonly url: string
  readonly challenge: Challenge
  readonly fetch: FetchLike
  /** The issuer that a sign-in is held from: where it is still among several, it is chosen again. */
  readonly held: string | undefined
  /** The only issuer that the settings allow. */
  readonly only: string | undefined
  /** False: what it does not name is not guessed. */
  readonly guess: boolean
}

export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const { server, url, fetch, guess } = options
  const resource = await findResourceMetadata(options)
  const authorizationServer = resource === undefined ? new URL('/', url).href : chooseServer(options, resource)
  const metadata = await readServerMetadata(server, authorizationServer, fetch)
  if (metadata === undefined && (resource !== undefined || !guess))
    throw signInFailed(server, resource === undefined ? 'not-offered' : 'metadata-invalid', { issuer: authorizationServer })
  // RFC 8414, 3.3: checked by the SDK, but for one slash at the end.
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

export async function readServerMetadata(
  server: string,
  authorizationServer: string,
  fetch: FetchLike,
): Promise<AuthorizationServerMetadata | undefined> {
  try {
    return await discoverAuthorizationServerMetadata(authorizationServer, { fetchFn: fetch })
  } catch (error) {
    throw toSignInFailure(server, authorizationServer, error)
  }
}

/** A list of texts that the SDK's type does not know of; undefined: it is not there. */
export function listIn(metadata: AuthorizationServerMetadata | undefined, name: string): string[] | undefined {
  const value = (metadata as Readonly<Record<string, unknown>> | undefined)?.[name]
  return Array.isArray(value) ? value.map(String) : undefined
}

/** People write an issuer with or without its last slash. */
const sameIssuer = (a: string, b: string): boolean => a.replace(/\/$/, '') === b.replace(/\/$/, '')

function chooseServer({ server, held, only }: DiscoverOptions, { authorization_servers: offered = [] }: ResourceMetadata): string {
  const wanted = [only, held].find((issuer) => issuer !== undefined && offered.some((one) => sameIssuer(one, issuer)))
  const chosen = offered.find((one) => wanted !== undefined && sameIssuer(one, wanted)) ?? offered[0]
  if (chosen === undefined || !URL.canParse(chosen)) throw signInFailed(server, 'metadata-invalid')
  const { protocol, username, password } = new URL(chosen)
  // A name before the @ is there to be taken for the host.
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '')
    throw signInFailed(server, 'address-refused', { problem: 'not-an-address' })
  return chosen
}

/** Undefined: the server has none. */
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

/** RFC 9728, 3.1: the path of the server behind the well-known one; then without it. */
function resourceMetadataUrls(url: string): string[] {
  const { pathname, search, origin } = new URL(url)
  const path = pathname.replace(/\/$/, '')
  const root = `${origin}/.well-known/oauth-protected-resource`
  return path === '' ? [`${root}${search}`] : [`${root}${path}${search}`, root]
}

async function readResourceMetadata(place: string, server: string, url: string, fetch: FetchLike): Promise<ResourceMetadata | undefined> {
  const response = await followWithin(place, fetch)
  if (!response.ok) {
    if (response.status >= 500) throw signInFailed(server, 'metadata-invalid', { status: response.status })
    return undefined
  }
  const parsed = resourceMetadata.safeParse(await response.json().catch(() => undefined))
  if (!parsed.success) throw signInFailed(server, 'metadata-invalid')
  const { resource } = parsed.data
  // RFC 9728, 3.3: metadata of another server is not this one's. RFC 8707, 2: a resource has no fragment.
  if (!isPlainUrl(resource) || !checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(url), configuredResource: resource }))
    throw signInFailed(server, 'resource-mismatch')
  return parsed.data
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** Within its origin, and not for ever. */
async function followWithin(place: string, fetch: FetchLike): Promise<Response> {
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
