// The account that a server is used as: what its issuer says of the account, how far that is believed, and what the broker is told of it.
import { expect, it, test } from 'vitest'
import type { Account } from '#app/server/auth-status.ts'
import { eventually, fakeBroker, http, makeServers, memoryAudit, memorySecrets } from '#main/servers/lifecycle/servers.testing.ts'
import type { IssuerBehaviour } from './oauth-issuer.ts'
import { closeAfterEach, fails, host, movableClock, type Signing, serveResource } from './sign-in-support.ts'

closeAfterEach()

const ada = { sub: 'u1', email: 'ada@work.example' }
const bob = { sub: 'u2', email: 'bob@home.example' }

const accountOf = (servers: Pick<Signing, 'view'>, name = 'raw'): Account | undefined => {
  const { signIn } = servers.view(name) ?? {}
  return signIn?.kind === 'signed-in' ? signIn.account : undefined
}

async function signedInWith(behave: Partial<IssuerBehaviour>, scope = 'openid') {
  const resource = await serveResource()
  resource.behave.scope = scope
  Object.assign(resource.issuer.behave, behave)
  const servers = host(resource)
  await servers.start('raw')
  return { resource, servers, account: accountOf(servers) }
}

test.each<[string, Partial<IssuerBehaviour>, Partial<Account> | undefined]>([
  ['of an ID token that the issuer signed', { idToken: ada }, { name: 'ada@work.example', signed: true }],
  ['of an ID token, as the person is called', { idToken: { sub: 'u1', preferred_username: 'ada' } }, { name: 'ada', signed: true }],
  ['of an ID token with a subject alone', { idToken: { sub: 'u1' } }, { name: 'u1', signed: true }],
  ['whose address nobody checked', { idToken: { ...ada, email_verified: false, name: 'Ada' } }, { name: 'Ada', signed: true }],
  ['of an ID token signed with a shared secret, as told', { idToken: ada, signature: 'shared-secret' }, { name: 'ada@work.example' }],
  [
    'of an ID token whose keys are not published, as told',
    { idToken: ada, metadata: { jwks_uri: undefined } },
    { name: 'ada@work.example' },
  ],
  ['of UserInfo, as told', { userinfo: ada }, { name: 'ada@work.example' }],
  ['of UserInfo where the ID token has no name', { idToken: { sub: 'u1' }, userinfo: ada }, { name: 'ada@work.example', signed: true }],
  ['of another subject’s UserInfo is not used', { idToken: { sub: 'u1' }, userinfo: bob }, { name: 'u1', signed: true }],
  ['of an ID token that another key signed is none', { idToken: ada, signature: 'other-key', userinfo: ada }, undefined],
  ['of an ID token that nobody signed is none', { idToken: ada, signature: 'none' }, undefined],
  ['of another issuer’s ID token is none', { idToken: { ...ada, iss: 'https://mallory.example' } }, undefined],
  ['of another client’s ID token is none', { idToken: { ...ada, aud: 'another' } }, undefined],
  ['of an ID token for two clients, made for the other, is none', { idToken: { ...ada, aud: ['another'], azp: 'another' } }, undefined],
  ['of an expired ID token is none', { idToken: { ...ada, exp: 1000 } }, undefined],
  ['of an ID token without a subject is none', { idToken: { email: 'ada@work.example' } }, undefined],
  ['of nobody’s word is none', {}, undefined],
])('the account %s', async (_title, behave, expected) => {
  const { account } = await signedInWith(behave)
  expect(account && { ...account, id: undefined }).toEqual(expected && { id: undefined, ...expected })
})

it('asks UserInfo only for what `openid` was granted, and `openid` is not asked for by itself', async () => {
  // Issuers that list it refuse it to registered clients (alpic-ai/skybridge issue 694, cline/cline issue 9218).
  const { resource, account } = await signedInWith({ userinfo: ada, metadata: { scopes_supported: ['openid', 'email'] } }, 'read')
  expect([resource.issuer.at('/userinfo'), resource.issuer.at('/authorize')[0]?.query.get('scope'), account]).toEqual([
    [],
    'read',
    undefined,
  ])
})

it('has a name that is bounded, without what cannot be seen and without tokens', async () => {
  const { resource, servers, account } = await signedInWith({
    accessToken: 'an-access-token-of-some-length',
    idToken: { sub: 'u1', email: `\u202Eada\u200B<b>\n${'x'.repeat(20_000)}` },
  })
  expect(account?.name).toMatch(/^\uFFFDada\uFFFD<b>\uFFFDx{80,100}…$/)
  await servers.signOut('raw')
  resource.issuer.behave.idToken = { sub: 'u1', email: 'an-access-token-of-some-length' }
  await servers.signIn('raw')
  expect(servers.shown()).not.toContain('an-access-token-of-some-length')
})

it('is in each row of its calls and sign-ins', async () => {
  const { servers } = await signedInWith({ idToken: ada })
  await servers.signOut('raw')
  expect(
    servers.audit.entries.filter(({ kind }) => kind === 'sign-in').map(({ decision, detail }) => [decision, detail?.['account']]),
  ).toEqual([
    ['signed-in', 'ada@work.example'],
    ['signed-out', 'ada@work.example'],
  ])
})

/** What the broker was told, by name, with what changed. */
function watchedBroker() {
  const told: [name: string | undefined, change: string | undefined][] = []
  const broker = fakeBroker()
  broker.signedInAs = (_server, account, change) => void told.push([account?.name ?? account?.id, change?.kind])
  return { broker, told }
}

it('tells the broker of the first account, of the same one again, and of another', async () => {
  const resource = await serveResource()
  resource.issuer.behave.idToken = ada
  const { broker, told } = watchedBroker()
  const servers = host(resource, { broker })
  await servers.start('raw')
  await servers.signOut('raw')
  await servers.signIn('raw')
  await servers.signOut('raw')
  resource.issuer.behave.idToken = bob
  await servers.signIn('raw')
  expect(told).toEqual([
    [undefined, undefined],
    ['ada@work.example', 'told'],
    [undefined, undefined],
    ['ada@work.example', undefined],
    [undefined, undefined],
    ['bob@home.example', 'changed'],
  ])
})

it('takes an account that nobody tells for another’s once the person signed out, and not when the sign-in only ended', async () => {
  const resource = await serveResource()
  const { broker, told } = watchedBroker()
  const servers = host(resource, { broker })
  await servers.start('raw')
  resource.issuer.forgetAll()
  await servers.run('echo')
  expect(told.map(([, change]) => change)).not.toContain('changed')
  await servers.signOut('raw')
  await servers.signIn('raw')
  expect(told.at(-1)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), 'changed'])
})

it.each([
  ['another subject', { idToken: bob }],
  ['an ID token of another key', { signature: 'other-key' as const }],
])('is not renewed for %s: the person signs in again', async (_title, swapped) => {
  const resource = await serveResource()
  resource.issuer.behave.idToken = ada
  const clock = movableClock()
  const servers = host(resource, { clock })
  await servers.start('raw')
  Object.assign(resource.issuer.behave, swapped)
  clock.forward(3590_000)
  // What was approved as ada is not sent as whoever signs in then.
  await expect(servers.run('echo')).rejects.toEqual(fails('consent.gone'))
  expect([servers.audit.entries.map(({ decision }) => decision), resource.presented('tools/call')]).toEqual([
    ['signed-in', 'sent', 'refresh-failed', 'signed-in', 'failed'],
    [undefined],
  ])
})

it('is kept when a renewal does not name it, and renewed when it is named again', async () => {
  const resource = await serveResource()
  resource.issuer.behave.idToken = ada
  const clock = movableClock()
  const servers = host(resource, { clock })
  await servers.start('raw')
  resource.issuer.behave.idToken = undefined
  clock.forward(3590_000)
  await servers.run('echo')
  expect(accountOf(servers)).toMatchObject({ name: 'ada@work.example', signed: true })
  resource.issuer.behave.idToken = { ...ada, email: 'ada.l@work.example' }
  clock.forward(3590_000)
  await servers.run('echo')
  expect(accountOf(servers)).toMatchObject({ name: 'ada.l@work.example', signed: true })
})

it('of a sign-in that was stored before accounts were kept is learnt at its renewal, without another sign-in', async () => {
  const resource = await serveResource()
  const secrets = memorySecrets()
  await host(resource, { secrets }).start('raw')
  // The shape of before: no account in it, and none beside it.
  for (const [name, text] of secrets.values) {
    if (name.startsWith('oauth/account/')) secrets.values.delete(name)
    if (name.startsWith('oauth/tokens/')) secrets.values.set(name, JSON.stringify({ ...JSON.parse(text), account: undefined }))
  }
  resource.issuer.behave.idToken = ada
  const clock = movableClock()
  const { broker, told } = watchedBroker()
  const later = host(resource, { secrets, clock, broker })
  await later.start('raw')
  clock.forward(3590_000)
  await later.run('echo')
  expect([told, broker.signIns]).toEqual([
    [
      [undefined, undefined],
      ['ada@work.example', 'told'],
    ],
    [],
  ])
})

it('of a grant without a browser is the client, and of an assertion whom it is about', async () => {
  const resource = await serveResource()
  const servers = host(resource, { oauth: { grant: 'client-credentials', clientId: 'robot', clientSecret: 's3cret-of-robot' } })
  await servers.start('raw')
  expect(accountOf(servers)).toMatchObject({ name: 'robot' })
})

it('of two entries with one address stands on each, work and personal side by side', async () => {
  const resource = await serveResource()
  const audit = memoryAudit()
  const servers = makeServers({ work: http(resource.url), personal: http(resource.url) }, { audit })
  resource.issuer.behave.idToken = ada
  await servers.start('work')
  resource.issuer.behave.idToken = bob
  await servers.start('personal')
  await eventually(() => expect([accountOf(servers, 'work')?.name, accountOf(servers, 'personal')?.name]).toEqual([ada.email, bob.email]))
})
