// The account that a sign-in was made with, as far as the authorization server tells it: by the ID token of its token response (OpenID
// Connect Core, 2), else by its UserInfo endpoint (5.3). What it tells is its own text, so it is bounded, masked and never believed as
// another issuer's. An ID token that is not valid names nobody.
import { createHash, randomBytes } from 'node:crypto'
import type { FetchLike, OAuthTokens } from '@modelcontextprotocol/client'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { orElse, parseJson } from '#app/or-else.ts'
import type { Account } from '#app/server/auth-status.ts'
import { createMask } from '#main/base/redact-secrets.ts'
import { type Discovered, metadataText } from './auth-discovery.ts'

/** Signature algorithms with a public key. With a shared secret, or `none`, anybody who knows the client could have signed. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const longestToken = 64 * 1024
const longestName = 100
/** Seconds that the clocks of two computers may differ. */
const clockToleranceS = 120

interface TellingAnswer {
  readonly from: Pick<Discovered, 'issuer' | 'metadata'>
  readonly clientId: string
  readonly tokens: OAuthTokens
  readonly scopes: readonly string[]
  readonly fetch: FetchLike
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Values that the name must not repeat. */
  readonly secrets: readonly string[]
}

type Claims = JsonObject & { readonly sub: string }

/** Returns the account of a token response; undefined: it tells none; 'invalid': what it tells is not the issuer's. Never rejects. */
export async function readAccount(answer: TellingAnswer): Promise<Account | 'invalid' | undefined> {
  const { id_token: idToken } = answer.tokens
  if (idToken === undefined) {
    const info = answer.scopes.includes('openid') ? await readUserInfo(answer) : undefined
    return info && accountOf(answer, info, info, false)
  }
  const token = await readIdToken(answer, idToken)
  if (token === undefined) return 'invalid'
  const { claims, signed } = token
  const info = nameIn(claims) === undefined ? await readUserInfo(answer) : undefined
  // OpenID Connect Core, 5.3.2: of another subject nothing is used.
  return accountOf(answer, claims, info?.sub === claims.sub ? info : claims, signed)
}

/** Account of a grant without a browser: the client of the settings, or whom its assertion is about. */
export async function machineAccount(issuer: string, clientId: string, assertion: string | undefined): Promise<Account> {
  const { decodeJwt } = await import('jose')
  const claims = assertion === undefined ? {} : (orElse(() => decodeJwt(assertion), {}) as JsonObject)
  const { iss = null, sub = null } = claims
  return { id: digestOf('client', issuer, clientId, iss, sub), name: bounded(nameIn(claims) ?? (typeof sub === 'string' ? sub : clientId)) }
}

/** Account that may be another than before, while nobody tells which. */
export const untoldAccount = (): Account => ({ id: randomBytes(16).toString('hex') })

const digestOf = (...parts: readonly Json[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

/** Checks an ID token (OpenID Connect Core, 3.1.3.7). `signed`: by a key of the issuer. Undefined: it is not valid. */
async function readIdToken(
  { from, clientId, fetch, now }: TellingAnswer,
  token: string,
): Promise<{ readonly claims: Claims; readonly signed: boolean } | undefined> {
  if (token.length > longestToken) return undefined
  const { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, UnsecuredJWT } = await import('jose')
  const expected = {
    issuer: from.issuer,
    audience: clientId,
    clockTolerance: clockToleranceS,
    currentDate: new Date(now),
    requiredClaims: ['sub', 'exp', 'iat'],
  }
  try {
    const { alg = '' } = decodeProtectedHeader(token)
    const keys = algorithms.includes(alg) ? await readKeys(from, fetch) : undefined
    // A token that says of itself that nobody signed it, or that a shared secret did, is no better than its transport.
    if (alg === 'none' || !/^[\x21-\x7e]{1,40}$/.test(alg)) return undefined
    const claims: unknown = keys
      ? (await jwtVerify(token, createLocalJWKSet(keys), { ...expected, algorithms })).payload
      : UnsecuredJWT.decode(unsecured(decodeJwt(token)), expected).payload
    if (!isJsonObject(claims) || !hasSubject(claims)) return undefined
    const { aud, azp } = claims
    if (Array.isArray(aud) && aud.length > 1 && azp !== clientId) return undefined
    return { claims, signed: keys !== undefined }
  } catch {
    // Another key, issuer, client or time, or no token at all.
    return undefined
  }
}

/** Token without a signature, so that its claims are checked by the same code. */
const unsecured = (claims: unknown): string =>
  `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`

/** Reads the issuer's keys (RFC 8414, 2); undefined: it publishes none, or they cannot be reached. */
async function readKeys({ metadata }: TellingAnswer['from'], fetch: FetchLike) {
  const found = await readJson(metadataText(metadata, 'jwks_uri'), fetch)
  return found && Array.isArray(found['keys']) ? { keys: found['keys'].filter(isJsonObject) } : undefined
}

async function readUserInfo({ from, tokens, fetch }: TellingAnswer): Promise<Claims | undefined> {
  // A token that is bound to a key is not sent without its proof (RFC 9449).
  if (tokens.token_type.toLowerCase() !== 'bearer') return undefined
  const found = await readJson(metadataText(from.metadata, 'userinfo_endpoint'), fetch, { authorization: `Bearer ${tokens.access_token}` })
  return found && hasSubject(found) ? found : undefined
}

const hasSubject = (claims: JsonObject): claims is Claims => typeof claims['sub'] === 'string' && claims['sub'] !== ''

/** Fetches an object without following redirects; undefined: it cannot be had. */
async function readJson(
  address: string | undefined,
  fetch: FetchLike,
  headers: Record<string, string> = {},
): Promise<JsonObject | undefined> {
  if (address === undefined || !URL.canParse(address)) return undefined
  try {
    const response = await fetch(address, { redirect: 'manual', headers: { accept: 'application/json', ...headers } })
    const found = response.ok ? parseJson(await response.text()) : undefined
    return isJsonObject(found) ? found : undefined
  } catch {
    // Unreachable, or a forbidden address: the account stays untold.
    return undefined
  }
}

function accountOf({ from, tokens, secrets }: TellingAnswer, { sub }: Claims, named: Claims, signed: boolean): Account {
  const hidden = [...secrets, tokens.access_token, tokens.refresh_token, tokens.id_token].filter((one) => one !== undefined)
  const name = bounded(createMask(hidden)(nameIn(named) ?? sub))
  return { id: digestOf(from.issuer, sub), name, ...(signed ? { signed } : {}) }
}

/** Name that a person knows the account by. An address that the server says nobody checked is none. */
function nameIn(claims: JsonObject): string | undefined {
  const names = [claims['email_verified'] === false ? undefined : claims['email'], claims['preferred_username'], claims['name']]
  return names.find((one): one is string => typeof one === 'string' && one.trim() !== '')
}

/** Cuts a name, and takes out what cannot be seen. */
function bounded(name: string): string {
  const plain = name
    .slice(0, 4 * longestName)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}\u2028\u2029]+/gu, '\uFFFD')
    .replace(/\s+/gu, ' ')
    .trim()
  const letters = [...plain]
  return letters.length > longestName || name.length > 4 * longestName ? `${letters.slice(0, longestName).join('')}…` : plain
}
