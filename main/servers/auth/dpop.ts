// DPoP keys (RFC 9449): tokens bound to a key of this machine. The key is stored with its token.
import { createHash, type webcrypto } from 'node:crypto'
import { DpopSession, generateDpopKeyPair } from '@modelcontextprotocol/client'

export const dpopAlgorithm = 'ES256'
const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const

export type PrivateJwk = Record<string, unknown>

export async function createDpop(): Promise<{ readonly session: DpopSession; readonly key: PrivateJwk }> {
  const pair = await generateDpopKeyPair({ alg: dpopAlgorithm, extractable: true })
  const key = await crypto.subtle.exportKey('jwk', pair.privateKey as webcrypto.CryptoKey)
  return { session: await restoreDpop({ ...key }), key: { ...key } }
}

/** Restores a session from a stored JWK. The imported private key is not extractable. */
export async function restoreDpop(key: PrivateJwk): Promise<DpopSession> {
  const { kty = '', crv = '', x = '', y = '' } = key as webcrypto.JsonWebKey
  const publicJwk = { kty, crv, x, y }
  const jwk = { ...publicJwk, d: String(key['d']) }
  const privateKey = await crypto.subtle.importKey('jwk', jwk, curve, false, ['sign'])
  const publicKey = await crypto.subtle.importKey('jwk', publicJwk, curve, true, ['verify'])
  // RFC 7638, 3.2: these members, in this order.
  const members = JSON.stringify({ crv, kty, x, y })
  const thumbprint = createHash('sha256').update(members).digest('base64url')
  return DpopSession.create({ keyPair: { privateKey, publicKey, publicJwk, thumbprint, alg: dpopAlgorithm } })
}
