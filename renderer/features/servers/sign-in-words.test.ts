import { expect, it } from 'vitest'
import { oauthGrant } from '#app/server/sign-in.ts'
import { expiryWords, grantWords, type SignedIn } from './sign-in-words.ts'

const now = 1_000_000
const signedIn = (change: Partial<SignedIn>): SignedIn => ({
  kind: 'signed-in',
  issuer: 'https://auth.example',
  scopes: [],
  refreshable: true,
  grant: 'authorization-code',
  dpop: false,
  ...change,
})

it('says how long a sign-in lasts, and whether it goes on by itself', () => {
  const ends = now + 52 * 60_000
  const renewed = expiryWords(signedIn({ expiresAt: ends }), now)
  const asked = expiryWords(signedIn({ expiresAt: ends, refreshable: false }), now)
  expect([renewed.includes('52 min'), asked.includes('52 min'), renewed === asked]).toEqual([true, true, false])
})

it('never counts backwards', () => {
  for (const refreshable of [true, false]) expect(expiryWords(signedIn({ expiresAt: now - 5000, refreshable }), now)).not.toMatch(/-/)
})

it('promises no renewal where there is none, also where nobody says when it ends', () => {
  expect(expiryWords(signedIn({}), now)).not.toBe(expiryWords(signedIn({ refreshable: false }), now))
})

it('asks nobody where Assent itself signs in', () => {
  const of = (grant: SignedIn['grant']) => expiryWords(signedIn({ expiresAt: now + 60_000, refreshable: false, grant }), now)
  expect(of('client-credentials')).not.toBe(of('authorization-code'))
})

it('has words of its own for every way to a token', () => {
  expect(new Set(oauthGrant.options.map((grant) => grantWords[grant])).size).toBe(oauthGrant.options.length)
})
