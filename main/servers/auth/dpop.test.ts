import type { webcrypto } from 'node:crypto'
import { expect, it } from 'vitest'
import { createDpop, restoreDpop } from './dpop.ts'

const proofOf = async (session: Awaited<ReturnType<typeof restoreDpop>>) => {
  const proof = await session.buildProof({ htm: 'post', htu: 'https://mcp.example/mcp?secret=1', accessToken: 'token' })
  const [header = '', payload = '', signature = ''] = proof.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const { jwk, alg } = read(header) as { jwk: webcrypto.JsonWebKey; alg: string }
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify'])
  const signed = Buffer.from(`${header}.${payload}`)
  const valid = await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(signature, 'base64url'), signed)
  return { valid, alg, jwk, payload: read(payload) }
}

it('a key that was kept signs as the same key, and only its public half is shown', async () => {
  const { session, key } = await createDpop()
  const restored = await restoreDpop(JSON.parse(JSON.stringify(key)) as Record<string, unknown>)
  expect(restored.thumbprint).toBe(session.thumbprint)
  const [before, after] = [await proofOf(session), await proofOf(restored)]
  expect([before.valid, after.valid, after.jwk, after.alg]).toEqual([true, true, before.jwk, 'ES256'])
  expect(JSON.stringify(after)).not.toContain(String(key['d']))
  expect(after.payload).toMatchObject({ htm: 'POST', htu: 'https://mcp.example/mcp' })
  expect(after.payload['jti']).not.toBe(before.payload['jti'])
})
