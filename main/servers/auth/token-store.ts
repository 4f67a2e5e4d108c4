// Tokens and client registrations in the secret store. Tokens are stored by issuer, resource and configured server, since two
// servers at one address may be two accounts; registrations by issuer. A value read back is checked against its key, so nothing of
// one issuer is used with another (MCP, "Authorization Server Binding").
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '#app/or-else.ts'
import { type Account, account, oauthGrant } from '#app/server/auth-status.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { AuditReader } from '#main/store/store-api.ts'

/** Canonical resource of an address, without its fragment (RFC 8707, 2). */
function resourceOf(url: string): string {
  const at = new URL(url)
  at.hash = ''
  return at.href
}

/**
 * Returns whether a sign-in stored by address alone (an older format) belongs to `server`: it is the only server at that address,
 * or the last one of them that signed in by the audit log. Otherwise it belongs to nobody.
 */
export function inheritsSignIn(
  server: string,
  definitions: readonly (readonly [name: string, definition: ServerDefinition])[],
  audit: Pick<AuditReader, 'list'>,
): boolean {
  const own = definitions.find(([name]) => name === server)
  const address = own && addressOf(own[1])
  const sharers = definitions.filter(([, definition]) => addressOf(definition) === address).map(([name]) => name)
  if (sharers.length < 2) return sharers.includes(server)
  const rows = sharers.flatMap((name) => audit.list({ limit: 1, filter: { server: name, kinds: ['sign-in'], decisions: ['signed-in'] } }))
  return rows.sort((a, b) => b.seq - a.seq)[0]?.server === server
}

function addressOf(definition: ServerDefinition): string | undefined {
  if (definition.transport !== 'streamable-http' && definition.transport !== 'sse') return undefined
  return URL.canParse(definition.url) ? resourceOf(definition.url) : definition.url
}

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
  /** The `resource` parameter of requests (RFC 8707, 2); absent: the server has no metadata. */
  resource: z.string().optional(),
  server: z.string(),
  grant: oauthGrant,
  client,
  accessToken: z.string(),
  /** Absent: nobody told, or it was stored before accounts were kept. */
  account: account.optional(),
  refreshToken: z.string().optional(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number().optional(),
  obtainedAt: z.number(),
  scopes: z.array(z.string()),
  /** Address of the protected resource metadata, from the challenge (RFC 9728, 5.1). */
  resourceMetadata: z.string().optional(),
  /** Private key that the token is bound to, as a JWK (RFC 9449). */
  dpopKey: z.record(z.string(), z.unknown()).optional(),
})
export type StoredSignIn = z.infer<typeof signedIn>

const registration = z.object({
  issuer: z.string(),
  client,
  /** Redirect URI with its port: an authorization server may compare it exactly. */
  redirectUri: z.string(),
  expiresAt: z.number().optional(),
})
export type Registration = z.infer<typeof registration>

const pointer = z.object({ url: z.string(), issuer: z.string() })
const lastAccount = z.object({ url: z.string(), account: account.optional() })

/** Owner of a sign-in: a server as configured. `scope`: the file that configures it; '': the profile's own. */
export interface Owner {
  readonly server: string
  readonly scope: string
  readonly inherits: () => boolean
}

export type TokenStore = ReturnType<typeof createTokenStore>

const name = (kind: string, ...parts: readonly string[]): string =>
  `oauth/${kind}/${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`

export function createTokenStore(secrets: Secrets, url: string, { server, scope, inherits }: Owner) {
  const resource = resourceOf(url)
  const pointerName = name('server', resource, scope, server)
  const tokensName = (issuer: string): string => name('tokens', issuer, resource, scope, server)
  const accountName = name('account', resource, scope, server)
  const registrationName = (issuer: string): string => name('client', issuer)

  async function read<T>(key: string, schema: z.ZodType<T>): Promise<T | undefined> {
    // A value of another version reads as absent.
    return schema.safeParse(parseJson((await secrets.get(key)) ?? '')).data
  }
  const boundName = (clientId: string): string => name('bound', clientId, resource)
  const point = (key: string, issuer: string): Promise<void> => secrets.set(key, JSON.stringify({ url: resource, issuer }))
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
  async function readOf<T extends { readonly issuer: string }>(issuer: string, key: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const found = await read(key, schema)
    return found?.issuer === issuer ? found : undefined
  }
  async function put(value: StoredSignIn): Promise<void> {
    const before = await issuerNow()
    // Tokens of the previous issuer are of no use any more.
    if (before !== undefined && before !== value.issuer) await secrets.delete(tokensName(before))
    await secrets.set(tokensName(value.issuer), JSON.stringify(value))
    if (before !== value.issuer) await point(pointerName, value.issuer)
  }
  /** Moves a sign-in stored by address alone to this server, so that it has one owner. */
  async function inherit(): Promise<StoredSignIn | undefined> {
    const sharedName = name('server', resource)
    const issuer = await pointed(sharedName)
    if (issuer === undefined || !inherits()) return undefined
    const tokens = name('tokens', issuer, resource)
    const found = await readOf(issuer, tokens, signedIn)
    if (found) await put(found)
    await secrets.delete(tokens)
    await secrets.delete(sharedName)
    return found
  }

  return {
    async signedIn(): Promise<StoredSignIn | undefined> {
      const issuer = await issuerNow()
      return issuer === undefined ? inherit() : readOf(issuer, tokensName(issuer), signedIn)
    },
    put,
    forget,
    /** Account of the server's last sign-in, kept when that ends; `{}`: it told none. Undefined: there was no sign-in yet. */
    async lastAccount(): Promise<{ readonly account?: Account | undefined } | undefined> {
      const found = await read(accountName, lastAccount)
      return found?.url === resource ? found : undefined
    },
    putLastAccount: (value: Account | undefined): Promise<void> =>
      secrets.set(accountName, JSON.stringify({ url: resource, account: value })),
    forgetLastAccount: () => secrets.delete(accountName),
    registration: (issuer: string) => readOf(issuer, registrationName(issuer), registration),
    putRegistration: (value: Registration) => secrets.set(registrationName(value.issuer), JSON.stringify(value)),
    forgetRegistration: (issuer: string) => secrets.delete(registrationName(issuer)),
    /** Reads the only issuer that a configured client was used with. */
    boundIssuer: (clientId: string) => pointed(boundName(clientId)),
    bind: (clientId: string, issuer: string) => point(boundName(clientId), issuer),
    unbind: (clientId: string) => secrets.delete(boundName(clientId)),
  }
}
