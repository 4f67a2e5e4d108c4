import { describe, expect, it } from 'vitest'
import { plainSecretsOf } from '#app/server/inputs/plain-secrets.ts'
import { inputReference as input } from '#app/server/inputs/variable-references.ts'
import { http, raw } from '#main/servers/lifecycle/servers.testing.ts'
import { keepSecrets, putBack } from './extract-secrets.ts'

const headers = { Authorization: 'Bearer s3cret', 'X-Trace': 'on', 'X-Api-Key': 'k' }

describe('plain secrets', () => {
  it('are known by their name or their look, unless they are references', () => {
    expect(plainSecretsOf(http('https://x.example', headers))).toEqual(['Authorization', 'X-Api-Key'])
    const env = { A_TOKEN: input('a'), B_TOKEN: '', C: 'ghp_0123456789012345678901', LANG: 'C', D_TOKEN: '${' + 'env:D}' }
    expect(plainSecretsOf({ ...raw('tools'), env })).toEqual(['C'])
  })
})

describe('keeping secrets', () => {
  it('puts references in their place, the scheme before them', () => {
    const { definition, secrets } = keepSecrets(http('https://x.example', headers), ['Authorization', 'X-Api-Key', 'none'], [])
    expect(definition).toMatchObject({
      headers: { Authorization: `Bearer ${input('authorization')}`, 'X-Trace': 'on', 'X-Api-Key': input('x-api-key') },
    })
    expect([...secrets]).toEqual([
      ['authorization', 's3cret'],
      ['x-api-key', 'k'],
    ])
    expect(putBack(definition, secrets)).toEqual(http('https://x.example', headers))
  })

  it('keeps the secrets of a sign-in too', () => {
    const definition = {
      ...http('https://x.example', { 'X-Trace': 'on' }),
      oauth: { clientId: 'c', clientSecret: 's1', subjectToken: 's2' },
    }
    expect(plainSecretsOf(definition)).toEqual(['oauth clientSecret', 'oauth subjectToken'])
    const kept = keepSecrets(definition, plainSecretsOf(definition), [])
    expect(kept.definition).toEqual({
      ...definition,
      oauth: { clientId: 'c', clientSecret: input('oauth-clientsecret'), subjectToken: input('oauth-subjecttoken') },
    })
    expect([...kept.secrets.values()]).toEqual(['s1', 's2'])
    expect(putBack(kept.definition, kept.secrets)).toEqual(definition)
  })

  it('takes no id that means something else', () => {
    const env = { API_KEY: 'one', Api_Key: 'two', OTHER: input('api-key-2') }
    const { definition, secrets } = keepSecrets({ ...raw('tools'), env }, ['API_KEY', 'Api_Key'], ['api-key'])
    expect(definition).toMatchObject({ env: { API_KEY: input('api-key-3'), Api_Key: input('api-key-4'), OTHER: input('api-key-2') } })
    expect(secrets.get('api-key-4')).toBe('two')
  })

  it('leaves what is empty or a reference already', () => {
    const definition = { ...raw('tools'), env: { A: '', B: input('b') } }
    expect(keepSecrets(definition, ['A', 'B'], [])).toEqual({ definition, secrets: new Map() })
  })
})
