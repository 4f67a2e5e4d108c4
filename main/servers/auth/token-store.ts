// What a sign-in gives, in the secret store and nowhere else: tokens by issuer, resource and configured server, registrations
// by issuer. Two servers with one address may be two accounts: neither has what the other was given. What comes back is checked
// against what it was asked for by, so that nothing of one issuer can end up with another. Whose a sign-in is that was kept by
// the address alone, as it was before each server had its own: the only server's with that address, else the one's that
// somebody signed in to last, as the record has it. Where that is not known it is nobody's.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { oauthGrant } from '#app/server/auth-status.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { AuditReader } from '#main/store/store-api.ts'

/** What tokens are kept by: the fragment of an address means nothing. */
function resourceOf(url: string): string {
  const at = new URL(url)
  at.hash = ''
  return at.href
}

export function inheritsSignIn(
  server: string,
  definitions: readonly (readonly [name: string, definition: ServerDefinition])[],
  audit: Pick<AuditReader, 'list'>,
): boolean {
  const own = definitions.find(([name]) => name === server)
  const address = own && addressOf(own[1])
  const sharers = definitions.filter(([, definition]) => addressOf(definition) === address).map(([name]) => name)
  if (sharers.length < 2) return sharers.includes(server)
  const last = sharers
    .flatMap((name) => audit.list({ limit: 1, filter: { server: name, kinds: ['sign-in'], decisions: ['signed-in'] } }))
    .reduce<{ readonly seq: number; readonly server: string | null } | undefined>(
      (one, row) => (one && one.seq > row.seq ? one : row),
      undefined,
    )
  return last?.server === server
}

/** A reference stands for itself. */
function addressOf(definition: ServerDefinition): string | undefined {
  if (definition.transport !== 'streamable-http' && definition.transport !== 'sse') return undefined
  return URL.canParse(definition.url) ? resourceOf(definition.url) : definition.url
}

/** What this needs of `platform.secrets`. */
export interface Secrets {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  delete(name: string): Promise<void>
}

const client = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  token_endpoint_auth_method: z.string().optional(),
})
export type ClientInfo = z.infer<typeof client>

const signedIn = z.object({
  issuer: z.string(),
  /** What requests name (RFC 8707); absent: the server has no metadata. */
  resource: z.string().optional(),
  /** Where default endpoints would lie. */
  server: z.string(),
  grant: oauthGrant,
  client,
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number().optional(),
  obtainedAt: z.number(),
  scopes: z.array(z.string()),
  /** Where the server's own metadata lies, as its challenge said. */
  resourceMetadata: z.string().optional(),
  /** The private key that the token is bound to, as a JWK. */
  dpopKey: z.record(z.string(), z.unknown()).optional(),
})
export type StoredSignIn = z.infer<typeof signedIn>

const registration = z.object({
  issuer: z.string(),
  client,
  /** With the port: an authorization server may insist on it. */
  redirectUri: z.string(),
  expiresAt: z.number().optional(),
})
export type Registration = z.infer<typeof registration>

const pointer = z.object({ url: z.string(), issuer: z.string() })
type Pointer = z.infer<typeof pointer>

/** Whose it is: the server as configured, in the profile's own file (scope '') or in another. */
export interface Owner {
  readonly server: string
  readonly scope: string
  /** What was kept by the address alone, before each server had its own, is this one's. */
  readonly inherits: () => boolean
}

export interface TokenStore {
  /** What is held for this server at this URL. */
  signedIn(): Promise<StoredSignIn | undefined>
  put(value: StoredSignIn): Promise<void>
  forget(): Promise<void>
  registration(issuer: string): Promise<Registration | undefined>
  putRegistration(value: Registration): Promise<void>
  forgetRegistration(issuer: string): Promise<void>
  /** The one issuer that credentials of the settings were shown to for this server. */
  boundIssuer(clientId: string): Promise<string | undefined>
  bind(clientId: string, issuer: string): Promise<void>
  unbind(clientId: string): Promise<void>
}

const name = (kind: string, ...parts: readonly string[]): string =>
  `oauth/${kind}/${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`

/** `url`: of the server, as configured. */
export function createTokenStore(secrets: Secrets, url: string, { server, scope, inherits }: Owner): TokenStore {
  const resource = resourceOf(url)
  const pointerName = name('server', resource, scope, server)
  const tokensName = (issuer: string): string => name('tokens', issuer, resource, scope, server)
  const registrationName = (issuer: string): string => name('client', issuer)

  async function read<T>(key: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const text = await secrets.get(key)
    if (text === undefined) return undefined
    try {
      return schema.parse(JSON.parse(text))
    } catch {
      // Of another version, or not ours: as if there were none.
      return undefined
    }
  }
  const boundName = (clientId: string): string => name('bound', clientId, resource)
  const point = (key: string, issuer: string): Promise<void> =>
    secrets.set(key, JSON.stringify({ url: resource, issuer } satisfies Pointer))
  async function pointed(key: string): Promise<string | undefined> {
    const found = await read(key, pointer)
    return found?.url === resource ? found.issuer : undefined
  }
  const issuerNow = (): Promise<string | undefined> => pointed(pointerName)
  async function forget(): Promise<void> {
    const issuer = await issuerNow()
    if (issuer !== undefined) await secrets.delete(tokensName(issuer))
    await secrets.delete(pointerName)
  }
  async function held(issuer: string, key: string): Promise<StoredSignIn | undefined> {
    const found = await read(key, signedIn)
    return found?.issuer === issuer ? found : undefined
  }
  async function put(value: StoredSignIn): Promise<void> {
    const before = await issuerNow()
    // What another issuer gave is of no use any more.
    if (before !== undefined && before !== value.issuer) await secrets.delete(tokensName(before))
    await secrets.set(tokensName(value.issuer), JSON.stringify(value))
    if (before !== value.issuer) await point(pointerName, value.issuer)
  }
  /** It moves, so that it never has two owners. */
  async function inherit(): Promise<StoredSignIn | undefined> {
    const sharedName = name('server', resource)
    const issuer = await pointed(sharedName)
    if (issuer === undefined || !inherits()) return undefined
    const tokens = name('tokens', issuer, resource)
    const found = await held(issuer, tokens)
    if (found) await put(found)
    await secrets.delete(tokens)
    await secrets.delete(sharedName)
    return found
  }

  return {
    async signedIn() {
      const issuer = await issuerNow()
      return issuer === undefined ? inherit() : held(issuer, tokensName(issuer))
    },
    put,
    forget,
    async registration(issuer) {
      const found = await read(registrationName(issuer), registration)
      return found?.issuer === issuer ? found : undefined
    },
    putRegistration: (value) => secrets.set(registrationName(value.issuer), JSON.stringify(value)),
    forgetRegistration: (issuer) => secrets.delete(registrationName(issuer)),
    boundIssuer: (clientId) => pointed(boundName(clientId)),
    bind: (clientId, issuer) => point(boundName(clientId), issuer),
    unbind: (clientId) => secrets.delete(boundName(clientId)),
  }
}
