import { expect, it } from 'vitest'
import type { OAuthSettings } from '#app/server/auth-status.ts'
import { addsScopes, selectScopes } from './scopes.ts'
import { noChallenge } from './www-authenticate.ts'

const select = (options: {
  challenge?: string[]
  settings?: OAuthSettings
  listed?: string[]
  offered?: string[]
  kept?: string[]
}): string[] =>
  selectScopes({
    challenge: { ...noChallenge, scopes: options.challenge ?? [] },
    settings: options.settings ?? {},
    discovered: {
      scopes: options.listed ?? [],
      metadata: options.offered && {
        issuer: 'https://as.example',
        authorization_endpoint: 'https://as.example/a',
        token_endpoint: 'https://as.example/t',
        response_types_supported: ['code'],
        scopes_supported: options.offered,
      },
    },
    kept: options.kept ?? [],
  })

it.each([
  ['what the challenge names', { challenge: ['a'], listed: ['a', 'b'] }, ['a']],
  ['all that is listed, where it names none', { listed: ['a', 'b'] }, ['a', 'b']],
  ['none, where nothing is known', {}, []],
  ['what the person set, and what the challenge names', { settings: { scopes: ['x'] }, challenge: ['a'], listed: ['b'] }, ['x', 'a']],
  ['what was granted, and what is needed now', { kept: ['a', 'b'], challenge: ['b', 'c'] }, ['a', 'b', 'c']],
  ['a refresh token where there is one', { challenge: ['a'], offered: ['a', 'offline_access'] }, ['a', 'offline_access']],
  ['no refresh token where there is none', { challenge: ['a'], offered: ['a'] }, ['a']],
  ['no refresh token alone', { offered: ['offline_access'] }, []],
  [
    'no refresh token without a person',
    { settings: { grant: 'client-credentials' as const }, challenge: ['a'], offered: ['offline_access'] },
    ['a'],
  ],
])('%s', (_what, options, expected) => {
  expect(select(options)).toEqual(expected)
})

it('a challenge adds to what was asked for, or does not', () => {
  const challenge = { ...noChallenge, scopes: ['a', 'b'] }
  expect([addsScopes(challenge, ['a']), addsScopes(challenge, ['b', 'a']), addsScopes(noChallenge, [])]).toEqual([true, false, false])
})
