import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type OAuthSettings, oauthGrant, oauthSecrets, oauthSettings } from '#app/server/auth-status.ts'
import { emptyOAuth, type OAuthField, type OAuthForm, oauthErrors, oauthSummary, toOAuthForm, toOAuthSettings } from './oauth-form.ts'

const word = fc.stringMatching(/^[!-~]{1,20}$/)
const full: OAuthSettings = {
  grant: 'cross-app',
  clientId: 'c1',
  clientSecret: 's1',
  clientMetadataUrl: 'https://assent.example/client.json',
  issuer: 'https://auth.example',
  scopes: ['read', 'write'],
  callbackHost: 'localhost',
  callbackPort: 4711,
  dpop: true,
  privateKey: '-----BEGIN\nKEY-----',
  keyAlgorithm: 'ES256',
  idpIssuer: 'https://idp.example',
  idpTokenEndpoint: 'https://idp.example/token',
  idpClientId: 'c2',
  idpClientSecret: 's2',
  subjectToken: 's3',
}

describe('the sign-in of the form', () => {
  it('has a place for every setting', () => {
    expect(new Set(Object.keys(full))).toEqual(new Set(Object.keys(oauthSettings.shape)))
    expect(toOAuthSettings(toOAuthForm(full))).toEqual(full)
  })

  it('gives back any settings, whatever the grant', () => {
    const settings = fc.record(
      {
        grant: fc.constantFrom(...oauthGrant.options.filter((one) => one !== 'authorization-code')),
        clientId: word,
        clientSecret: word,
        issuer: word,
        privateKey: word,
        subjectToken: word,
        idpClientId: word,
        scopes: fc.array(word, { minLength: 1, maxLength: 4 }),
        callbackPort: fc.integer({ min: 1, max: 65_535 }),
        dpop: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(settings, (one) => {
        expect(toOAuthSettings(toOAuthForm(one)) ?? {}).toEqual(one)
      }),
    )
  })

  it('is nothing where nothing is set', () => {
    expect([toOAuthSettings(emptyOAuth), oauthErrors(emptyOAuth)]).toEqual([undefined, {}])
    expect(toOAuthSettings(toOAuthForm({ grant: 'authorization-code' }))).toBeUndefined()
  })

  it.each<readonly [string, Partial<OAuthForm>, OAuthField[]]>([
    ['a port that is no number', { callbackPort: 'x' }, ['callbackPort']],
    ['a port that is too high', { callbackPort: '65536' }, ['callbackPort']],
    ['metadata without encryption', { clientMetadataUrl: 'http://a.example/c.json' }, ['clientMetadataUrl']],
    ['metadata without a path', { clientMetadataUrl: 'https://a.example/' }, ['clientMetadataUrl']],
    ['an issuer that is no address', { issuer: 'auth.example' }, ['issuer']],
    ['client credentials without any', { grant: 'client-credentials' }, ['clientId', 'clientSecret']],
    ['an assertion that nothing makes', { grant: 'jwt-bearer' }, ['subjectToken']],
    ['cross-app access without a provider', { grant: 'cross-app' }, ['clientId', 'idpClientId', 'idpIssuer', 'subjectToken']],
    ['a provider that is no address', { idpTokenEndpoint: 'idp' }, ['idpTokenEndpoint']],
  ])('refuses %s beside its field', (_what, change, fields) => {
    expect(new Set(Object.keys(oauthErrors({ ...emptyOAuth, ...change })))).toEqual(new Set(fields))
  })

  it.each<Partial<OAuthForm>>([
    { grant: 'client-credentials', clientId: 'c', clientSecret: '••••' },
    { grant: 'client-credentials', clientId: 'c', privateKey: 'k' },
    { grant: 'jwt-bearer', privateKey: 'k' },
    { grant: 'cross-app', clientId: 'c', idpClientId: 'i', idpTokenEndpoint: 'https://idp.example/token', subjectToken: 't' },
    { issuer: `\${env:ISSUER}`, clientMetadataUrl: `https://\${env:HOST}/c.json` },
  ])('has nothing against %j', (change) => {
    expect(oauthErrors({ ...emptyOAuth, ...change })).toEqual({})
  })

  it('says in short what is set, and no secret', () => {
    const secrets = Object.fromEntries(oauthSecrets.map((name) => [name, 'hunter2']))
    const said = oauthSummary(toOAuthForm({ ...full, ...secrets }))
    expect([said.includes('hunter2'), said.includes('c1'), said === oauthSummary(emptyOAuth)]).toEqual([false, true, false])
  })
})
