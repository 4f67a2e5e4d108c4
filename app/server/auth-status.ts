// Signing in to a server that is given by URL: what the person may configure for it, and what they see of it. Tokens,
// codes and verifiers have no place in either; secrets of the configuration are masked before a view holds them.
import { z } from 'zod'

/** How an access token is got (OAuth 2.1; RFC 7523 for `jwt-bearer`; enterprise-managed authorization for `cross-app`). */
export const oauthGrant = z.enum(['authorization-code', 'client-credentials', 'jwt-bearer', 'cross-app'])
export type OAuthGrant = z.infer<typeof oauthGrant>

/** The key `oauth` of an entry of `mcpServers`. Without it, everything is found out from the server. */
export const oauthSettings = z.object({
  /** Absent: `authorization-code`, which opens the browser. */
  grant: oauthGrant.optional(),
  /** A client that was registered with the authorization server beforehand. */
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  /** An https address that is the client id and describes Assent (Client ID Metadata Documents). */
  clientMetadataUrl: z.string().min(1).optional(),
  /** The only authorization server that the client id and its secret may go to. */
  issuer: z.string().min(1).optional(),
  /** What to ask for; absent: what the server says it needs. */
  scopes: z.array(z.string().min(1)).optional(),
  /** The port on loopback that the browser comes back to; absent: any that is free. */
  callbackPort: z.number().int().min(1).max(65_535).optional(),
  /** Tokens are bound to a key of this machine (RFC 9449), where the server can do it. */
  dpop: z.boolean().optional(),
  /** Signs what identifies the client with `client-credentials` and `jwt-bearer`: PEM. */
  privateKey: z.string().min(1).optional(),
  /** `ES256`, `RS256` … */
  keyAlgorithm: z.string().min(1).optional(),
  /** `cross-app`: the identity provider, how it knows Assent, and the ID token that it exchanges (RFC 8693). */
  idpIssuer: z.string().min(1).optional(),
  idpTokenEndpoint: z.string().min(1).optional(),
  idpClientId: z.string().min(1).optional(),
  idpClientSecret: z.string().min(1).optional(),
  subjectToken: z.string().min(1).optional(),
})
export type OAuthSettings = z.infer<typeof oauthSettings>

/** Those of the settings that a view masks. */
export const oauthSecrets = ['clientSecret', 'privateKey', 'idpClientSecret', 'subjectToken'] as const satisfies (keyof OAuthSettings)[]

export const signInStatus = z.discriminatedUnion('kind', [
  /** It wants a sign-in, or was signed out here. */
  z.object({ kind: z.literal('signed-out') }),
  /** The browser is open: waits for its redirect. */
  z.object({ kind: z.literal('waiting'), issuer: z.string(), url: z.string(), since: z.number() }),
  z.object({
    kind: z.literal('signed-in'),
    issuer: z.string(),
    /** What was granted; empty: the issuer did not say. */
    scopes: z.array(z.string()),
    /** Milliseconds since the epoch; absent: the issuer did not say. */
    expiresAt: z.number().optional(),
    /** It is renewed by itself. */
    refreshable: z.boolean(),
    grant: oauthGrant,
    dpop: z.boolean(),
  }),
])
export type SignInStatus = z.infer<typeof signInStatus>
