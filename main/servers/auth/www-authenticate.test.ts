import { describe, expect, it } from 'vitest'
import { classifyAnswer, readChallenge } from './www-authenticate.ts'

const none = { dpopOnly: false, resourceMetadata: undefined, scopes: [], error: undefined }
const answer = (status: number, headers: Record<string, string> = {}) => classifyAnswer({ status, headers: new Headers(headers) })

describe('a challenge', () => {
  it.each([
    [null, undefined],
    ['', undefined],
    ['Basic realm="x"', undefined],
    ['Bearer', none],
    ['bearer realm="a, b", scope="one two one"', { ...none, scopes: ['one', 'two'] }],
    [
      'Bearer resource_metadata=https://a.example/x, error="invalid_token"',
      { ...none, resourceMetadata: 'https://a.example/x', error: 'invalid_token' },
    ],
    ['Basic realm="x", Bearer error_description="error=\\"no\\"", scope="a"', { ...none, scopes: ['a'] }],
    ['Bearer scope="a", scope="b"', { ...none, scopes: ['a'] }],
    ['DPoP algs="ES256", error="use_dpop_nonce"', { ...none, dpopOnly: true, error: 'use_dpop_nonce' }],
    ['DPoP algs="ES256", Bearer scope="a"', { ...none, scopes: ['a'] }],
    ['Negotiate abc==, Bearer scope="a"', { ...none, scopes: ['a'] }],
  ])('%j is read', (header, expected) => {
    expect(readChallenge(header)).toEqual(expected)
  })

  it('of any length is read in time, and holds no more than a hundred scopes', () => {
    expect(readChallenge(`Bearer ${'a'.repeat(1_000_000)}`)?.scopes).toEqual([])
    const scopes = Array.from({ length: 1000 }, (_, index) => `s${index}`).join(' ')
    expect(readChallenge(`Bearer scope="${scopes}"`)?.scopes).toHaveLength(100)
  })
})

describe('an answer', () => {
  it('of 401 asks for a sign-in, whether or not it says how', () => {
    expect(answer(401)).toEqual({ kind: 'sign-in', challenge: none })
    expect(answer(401, { 'www-authenticate': 'Bearer scope="a"' })).toEqual({ kind: 'sign-in', challenge: { ...none, scopes: ['a'] } })
  })

  it('of 403 asks for more only when it says that scopes are missing', () => {
    expect(answer(403)).toBeUndefined()
    expect(answer(403, { 'www-authenticate': 'Bearer error="invalid_token"' })).toBeUndefined()
    expect(answer(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="b"' })).toMatchObject({ kind: 'more-scopes' })
  })

  it('that wants a nonce names one', () => {
    const wants = { 'www-authenticate': 'DPoP error="use_dpop_nonce"' }
    expect(answer(401, { ...wants, 'dpop-nonce': 'n' })).toEqual({ kind: 'nonce' })
    expect(answer(401, wants)).toMatchObject({ kind: 'sign-in' })
  })

  it('of any other kind goes on as it is', () => {
    expect([200, 202, 400, 404, 500].map((status) => answer(status, { 'www-authenticate': 'Bearer' }))).toEqual(Array(5).fill(undefined))
  })
})
