// OAuth settings of a remote server and its sign-in status as a page sees them. Tokens, codes and verifiers appear in neither;
// secrets of the settings are masked before a page gets them.
import { z } from 'zod'

/** Grant (OAuth 2.1; RFC 7523 for `jwt-bearer`; MCP enterprise-managed authorization for `cross-app`). */
export const oauthGrant = z.enum(['authorization-code', 'client-credentials', 'jwt-bearer', 'cross-app'])
export type OAuthGrant = z.infer<typeof oauthGrant>

/** The key `oauth` of an entry of `mcpServers`; without it everything is discovered from the server. */
export const oauthSettings = z.object({
  /** Absent: `authorization-code`, which opens the browser. */
  grant: oauthGrant.optional(),
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  /** An https client id that describes Assent (Client ID Metadata Documents). */
  clientMetadataUrl: z.string().min(1).optional(),
  /** The only authorization server that the client id and its secret may go to. */
  issuer: z.string().min(1).optional(),
  /** Scopes to request; absent: those that the server names. */
  scopes: z.array(z.string().min(1)).optional(),
  /** Port of the loopback redirect; absent: any free one. */
  callbackPort: z.number().int().min(1).max(65_535).optional(),
  /** Host of the loopback redirect, where an issuer insists on one; absent: `127.0.0.1`. */
  callbackHost: z.enum(['127.0.0.1', 'localhost']).optional(),
  /** Whether tokens are bound to a key of this machine (RFC 9449). */
  dpop: z.boolean().optional(),
  /** PEM key that signs client assertions with `client-credentials` and `jwt-bearer` (RFC 7523). */
  privateKey: z.string().min(1).optional(),
  /** JWS algorithm of the key, such as `ES256`. */
  keyAlgorithm: z.string().min(1).optional(),
  /** `cross-app`: identity provider, Assent's client there, and the ID token to exchange (RFC 8693). */
  idpIssuer: z.string().min(1).optional(),
  idpTokenEndpoint: z.string().min(1).optional(),
  idpClientId: z.string().min(1).optional(),
  idpClientSecret: z.string().min(1).optional(),
  subjectToken: z.string().min(1).optional(),
})
export type OAuthSettings = z.infer<typeof oauthSettings>

/** Settings that are masked for a page. */
export const oauthSecrets = ['clientSecret', 'privateKey', 'idpClientSecret', 'subjectToken'] as const satisfies (keyof OAuthSettings)[]

/**
 * Account that a server is used as, as far as its sign-in server told. `id`: digest of issuer and subject; an untold account has a random
 * one where it may be another's than before, or none. `name`: its own text, bounded. `signed`: checked with the issuer's keys.
 */
export const account = z.object({ id: z.string().max(64), name: z.string().max(200).optional(), signed: z.literal(true).optional() })
export type Account = z.infer<typeof account>

/** Whether what was answered for one account counts for another: it is the same one, and no less sure. */
export const isForAccount = (made: Account | undefined, now: Account | undefined): boolean =>
  made?.id === now?.id && (made?.signed !== true || now?.signed === true)

export const signInStatus = z.discriminatedUnion('kind', [
  /** The server requires a sign-in, or the person signed out. */
  z.object({ kind: z.literal('signed-out') }),
  z.object({ kind: z.literal('waiting'), issuer: z.string(), url: z.string(), since: z.number() }),
  z.object({
    kind: z.literal('signed-in'),
    issuer: z.string(),
    /** Granted scopes; empty: the issuer did not say. */
    scopes: z.array(z.string()),
    /** Milliseconds since the epoch; absent: the issuer did not say. */
    expiresAt: z.number().optional(),
    refreshable: z.boolean(),
    grant: oauthGrant,
    dpop: z.boolean(),
    account: account.optional(),
  }),
])
export type SignInStatus = z.infer<typeof signInStatus>
