import { describe, expect, it } from 'vitest'
import type { SignInRequest } from './request.ts'
import { signInFacts } from './sign-in-warnings.ts'

const makeSignIn = (part: Partial<SignInRequest> = {}): SignInRequest => ({
  id: 'r1',
  createdAt: 1,
  server: 'tracker',
  why: { kind: 'sign-in-needed' },
  kind: 'sign-in',
  resource: 'https://mcp.tracker.example/mcp',
  issuer: 'https://auth.tracker.example',
  url: 'https://auth.tracker.example/authorize?x=1',
  scopes: [],
  granted: [],
  client: 'registered',
  ...part,
})

describe('what is told of a sign-in', () => {
  it('is nothing more where server, issuer and page are of one domain', () => {
    expect(signInFacts(makeSignIn())).toEqual({ otherDomain: undefined, otherPage: undefined, lookAlike: false, scopes: [] })
  })

  it('is the other domain of the issuer, and of the page', () => {
    const { otherDomain, otherPage } = signInFacts(makeSignIn({ issuer: 'https://login.accounts.example', url: 'https://evil.test/a' }))
    expect(otherDomain).toEqual({ server: 'tracker.example', issuer: 'accounts.example' })
    expect(otherPage).toEqual({ issuer: 'accounts.example', page: 'evil.test' })
  })

  it.each(['resource', 'issuer', 'url'] as const)('are letters of another alphabet in the %s', (field) => {
    expect(signInFacts(makeSignIn({ [field]: 'https://trаcker.example/' })).lookAlike).toBe(true)
  })

  it('are its scopes, each once, what is new told apart from what was granted', () => {
    const { scopes } = signInFacts(makeSignIn({ scopes: ['read', 'write', 'read'], granted: ['read', 'profile'] }))
    expect(scopes.map(({ name, standing }) => `${name} ${standing}`)).toEqual(['write new', 'read granted', 'profile granted'])
    expect(signInFacts(makeSignIn({ scopes: ['read'] })).scopes).toEqual([{ name: 'read', standing: 'asked' }])
  })
})
