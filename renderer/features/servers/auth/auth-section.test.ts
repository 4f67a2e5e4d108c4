import { expect, it } from 'vitest'
import { oauthGrant } from '#app/server/auth-status.ts'
import { grantNames } from '../edit/oauth-form.ts'
import { expiryLabel, type SignedInStatus } from './auth-section.tsx'

const now = 1_000_000
const signedIn = (change: Partial<SignedInStatus>): SignedInStatus => ({
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
  const renewed = expiryLabel(signedIn({ expiresAt: ends }), now)
  const asked = expiryLabel(signedIn({ expiresAt: ends, refreshable: false }), now)
  expect([renewed.includes('52 min'), asked.includes('52 min')]).toEqual([false, true])
})

it('never counts backwards', () => {
  for (const refreshable of [true, false]) expect(expiryLabel(signedIn({ expiresAt: now - 5000, refreshable }), now)).not.toMatch(/-/)
})

it('promises no renewal where there is none, also where nobody says when it ends', () => {
  expect(expiryLabel(signedIn({}), now)).not.toBe(expiryLabel(signedIn({ refreshable: false }), now))
})

it('asks nobody where Assent itself signs in', () => {
  const of = (grant: SignedInStatus['grant']) => expiryLabel(signedIn({ expiresAt: now + 60_000, refreshable: false, grant }), now)
  expect(of('client-credentials')).not.toBe(of('authorization-code'))
})

it('has words of its own for every way to a token', () => {
  expect(new Set(oauthGrant.options.map((grant) => grantNames[grant])).size).toBe(oauthGrant.options.length)
})
