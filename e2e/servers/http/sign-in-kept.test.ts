// What a sign-in gives, from then on: used until it is too old, renewed, extended, taken back.
import { describe, expect, it } from 'vitest'
import { approve, eventually, memorySecrets } from '#main/servers/lifecycle/servers.testing.ts'
import { closeAfterEach, fails, host, movableClock, person, serveIssuer, serveResource, signal } from './sign-in-support.ts'

closeAfterEach()

const grants = (issuer: { at(path: string): readonly { readonly form: URLSearchParams }[] }): (string | null)[] =>
  issuer.at('/token').map(({ form }) => form.get('grant_type'))

describe('what is held', () => {
  it('is renewed before it is too old, once for five calls, and the server never has to say so', async () => {
    const resource = await serveResource()
    const clock = movableClock()
    const servers = host(resource, { clock })
    await servers.start('raw')
    const [before] = resource.presented('tools/list')
    const refused = resource.raw.seen.length
    clock.forward(3_599_000 - 59_000)
    const answers = await Promise.all(Array.from({ length: 5 }, () => servers.run('echo')))
    expect(answers).toEqual(Array(5).fill('echo ran'))
    expect(grants(resource.issuer)).toEqual(['authorization_code', 'refresh_token'])
    expect(servers.audit.entries.filter(({ kind }) => kind === 'sign-in').map(({ decision }) => decision)).toEqual([
      'signed-in',
      'refreshed',
    ])
    const presented = new Set(resource.presented('tools/call'))
    expect([presented.size, presented.has(before)]).toEqual([1, false])
    // Five calls and nothing else: none of them was refused first.
    expect(resource.raw.seen.slice(refused).map(({ message }) => message.method)).toEqual(Array(5).fill('tools/call'))
    expect(servers.broker.signIns).toHaveLength(1)
  })

  it('is renewed when the server refuses it, without a question, and each call runs once', async () => {
    const resource = await serveResource()
    const servers = host(resource)
    await servers.start('raw')
    resource.issuer.forgetAccessTokens()
    const ran: string[] = []
    resource.behave.onCall = async (tool) => void ran.push(tool)
    const answers = await Promise.all(['echo', 'other', 'echo', 'other', 'echo'].map((tool) => servers.run(tool)))
    expect([answers.length, ran.toSorted((a, b) => (a < b ? -1 : 1))]).toEqual([5, ['echo', 'echo', 'echo', 'other', 'other']])
    expect([grants(resource.issuer), servers.broker.signIns.length]).toEqual([['authorization_code', 'refresh_token'], 1])
  })

  it('is asked for once by five calls after it was revoked whole: one question, one browser, no second registration', async () => {
    const resource = await serveResource()
    const servers = host(resource)
    await servers.start('raw')
    resource.issuer.forgetAll()
    const answers = await Promise.all(Array.from({ length: 5 }, () => servers.run('echo')))
    expect(answers).toEqual(Array(5).fill('echo ran'))
    const { issuer } = resource
    expect([issuer.at('/authorize').length, issuer.at('/register').length, servers.broker.signIns.map(({ why }) => why)]).toEqual([
      2,
      1,
      ['sign-in-needed', 'sign-in-expired'],
    ])
    expect(servers.audit.entries.filter(({ kind }) => kind === 'sign-in').map(({ decision }) => decision)).toEqual([
      'signed-in',
      'refresh-failed',
      'signed-in',
    ])
  })

  it('is used on while it is good, when the issuer cannot renew it just now', async () => {
    const resource = await serveResource()
    const clock = movableClock()
    const servers = host(resource, { clock })
    await servers.start('raw')
    resource.issuer.behave.refresh = 'broken'
    clock.forward(3_599_000 - 59_000)
    expect(await servers.run('echo')).toBe('echo ran')
    expect([servers.broker.signIns.length, servers.view('raw')?.signIn?.kind]).toEqual([1, 'signed-in'])
  })

  it('goes to the server that it is for, and with a redirect to no other', async () => {
    const resource = await serveResource()
    const mallory = await serveResource()
    const servers = host(resource)
    await servers.start('raw')
    resource.behave.redirect = mallory.url
    await expect(servers.run('echo')).rejects.toMatchObject({ code: expect.stringMatching(/^server\./) })
    expect(mallory.raw.seen).toEqual([])
  })

  it('is kept in the secret store alone, by issuer and resource', async () => {
    const resource = await serveResource()
    const servers = host(resource)
    await servers.start('raw')
    const names = [...servers.secrets.values.keys()].map((name) => name.replace(/[0-9a-f]{32}$/, '#'))
    expect(new Set(names)).toEqual(new Set(['oauth/account/#', 'oauth/client/#', 'oauth/server/#', 'oauth/tokens/#']))
    const other = await serveResource({ issuer: resource.issuer })
    const second = host(other, { secrets: servers.secrets })
    await second.start('raw')
    // Another server of the same issuer has tokens of its own; how Assent is known there it shares.
    expect(second.broker.signIns).toHaveLength(1)
    expect(resource.issuer.at('/register')).toHaveLength(1)
    expect([...servers.secrets.values.keys()].filter((name) => name.startsWith('oauth/tokens/'))).toHaveLength(2)
  })

  it('is not shown to another issuer that the server names later: neither tokens nor who the client was', async () => {
    const resource = await serveResource()
    const servers = host(resource)
    await servers.start('raw')
    const held = JSON.stringify([...servers.secrets.values.values()])
    const old = resource.issuer.at('/authorize')[0]?.query.get('client_id') ?? ''
    const next = await serveIssuer()
    resource.others.push(next)
    resource.behave.issuers = [next.issuer]
    resource.issuer.forgetAll()
    expect(await servers.run('echo')).toBe('echo ran')
    const said = JSON.stringify(next.asked.map(({ query, form, json, headers }) => [query.toString(), form.toString(), json, headers]))
    const given = [...held.matchAll(/(?:accessToken|refreshToken)\\":\\"([0-9a-f]+)/g)].map(([, token]) => token ?? '')
    expect(given).toHaveLength(2)
    expect([...given, old].filter((secret) => said.includes(secret))).toEqual([])
    expect([grants(next), next.at('/register').length, grants(resource.issuer)]).toEqual([
      ['authorization_code'],
      1,
      ['authorization_code'],
    ])
    expect(servers.view('raw')?.signIn).toMatchObject({ issuer: next.issuer })
  })

  it('never takes a client of the person’s own to another issuer', async () => {
    const resource = await serveResource()
    const servers = host(resource, { oauth: { clientId: 'mine', clientSecret: 'my-own-secret' } })
    await servers.start('raw')
    const next = await serveIssuer()
    resource.behave.issuers = [next.issuer]
    resource.issuer.forgetAll()
    await expect(servers.run('echo')).rejects.toEqual(fails('server.sign-in-failed', { reason: 'issuer-changed' }))
    expect(next.asked.map(({ path }) => path)).toEqual(['/.well-known/oauth-authorization-server'])
    const pinned = host(resource, { oauth: { clientId: 'mine', clientSecret: 'my-own-secret', issuer: resource.issuer.issuer } })
    await expect(pinned.start('raw')).rejects.toEqual(fails('server.sign-in-failed', { reason: 'issuer-changed' }))
  })
})

describe('a tool that needs more', () => {
  it('is run after the person allowed it, with what they had allowed before, and once', async () => {
    const resource = await serveResource()
    resource.behave.scope = 'read'
    resource.behave.needs = { other: 'write' }
    const ran: string[] = []
    resource.behave.onCall = async (tool) => void ran.push(tool)
    const servers = host(resource)
    await servers.start('raw')
    expect(await servers.run('other')).toBe('other ran')
    expect(servers.broker.signIns.map(({ why, scopes, granted }) => ({ why, scopes, granted }))).toEqual([
      { why: 'sign-in-needed', scopes: ['read'], granted: [] },
      { why: 'more-scopes', scopes: ['read', 'write'], granted: ['read'] },
    ])
    expect([ran, resource.issuer.at('/authorize')[1]?.query.get('scope'), grants(resource.issuer)]).toEqual([
      ['other'],
      'read write',
      ['authorization_code', 'authorization_code'],
    ])
  })

  it('is not asked for twice when its scopes were given and it still says no', async () => {
    const resource = await serveResource()
    resource.issuer.behave.grants = 'read'
    resource.behave.scope = 'read'
    resource.behave.needs = { other: 'write' }
    const servers = host(resource)
    await servers.start('raw')
    await expect(servers.run('other')).rejects.toEqual(fails('server.sign-in-failed', { reason: 'scope-refused' }))
    expect(resource.issuer.at('/authorize')).toHaveLength(2)
  })

  it('that wants another scope each time is given three and no more', async () => {
    const resource = await serveResource()
    let asked = 0
    resource.behave.needs = {
      get other() {
        asked += 1
        return `scope-${asked}`
      },
    }
    const servers = host(resource)
    await servers.start('raw')
    await expect(servers.run('other')).rejects.toEqual(fails('server.sign-in-failed', { reason: 'too-many-rounds' }))
    expect(servers.broker.signIns.filter(({ why }) => why === 'more-scopes')).toHaveLength(3)
  })

  it('is refused at once when the person said no to its scopes, and leaves the rest as it was', async () => {
    const resource = await serveResource()
    resource.behave.needs = { other: 'write' }
    const secrets = memorySecrets()
    await host(resource, { secrets }).start('raw')
    const servers = host(resource, { secrets, broker: person('deny') })
    await servers.start('raw')
    for (let tries = 0; tries < 2; tries += 1) await expect(servers.run('other')).rejects.toEqual(fails('server.sign-in-refused'))
    expect([servers.broker.signIns.length, await servers.run('echo')]).toEqual([1, 'echo ran'])
  })
})

describe('the time of a call', () => {
  it('stands still while the person signs in, and so does that of a start', async () => {
    const resource = await serveResource()
    const clock = movableClock()
    const timed: boolean[] = []
    const callMs = 12_345
    const handshakeMs = 60_000
    const servers = host(resource, { clock, timeoutMs: callMs })
    const ask = servers.broker.signIn
    const watching = host(resource, {
      clock,
      timeoutMs: callMs,
      broker: {
        ...servers.broker,
        signIn(question) {
          timed.push(clock.times(callMs), clock.times(handshakeMs))
          return ask(question)
        },
      },
    })
    await watching.start('raw')
    expect(timed).toEqual([false, false])
    resource.issuer.forgetAll()
    let ran = false
    resource.behave.onCall = async () => {
      timed.push(clock.times(callMs))
      ran = true
    }
    await watching.run('echo')
    // Not while they were asked; again once the call was sent anew.
    expect([ran, timed]).toEqual([true, [false, false, false, false, true]])
  })

  it('is over for one caller who leaves, and goes on for the others', async () => {
    const resource = await serveResource()
    const servers = host(resource)
    await servers.start('raw')
    resource.issuer.forgetAll()
    resource.issuer.behave.person = 'leaves'
    const control = new AbortController()
    const leaving = servers.call(approve(servers, 'raw', 'echo'), { signal: control.signal }).catch((error: unknown) => error)
    const staying = servers.call(approve(servers, 'raw', 'other'), { signal }).catch((error: unknown) => error)
    await eventually(() => expect(servers.view('raw')?.signIn).toMatchObject({ kind: 'waiting' }))
    control.abort()
    expect(await leaving).toEqual(fails('cancelled'))
    expect(servers.view('raw')?.signIn).toMatchObject({ kind: 'waiting' })
    await servers.cancelSignIn('raw')
    expect(await staying).toEqual(fails('server.sign-in-refused'))
  })

  it('of nobody leaves nothing behind: the question is taken back and the port closed', async () => {
    const resource = await serveResource()
    const servers = host(resource)
    await servers.start('raw')
    resource.issuer.forgetAll()
    resource.issuer.behave.person = 'leaves'
    const control = new AbortController()
    const leaving = servers.call(approve(servers, 'raw', 'echo'), { signal: control.signal }).catch((error: unknown) => error)
    await eventually(() => expect(servers.view('raw')?.signIn).toMatchObject({ kind: 'waiting' }))
    const redirectUri = new URL(servers.broker.signIns.at(-1)?.url ?? '').searchParams.get('redirect_uri') ?? ''
    control.abort()
    await leaving
    await eventually(() => expect(fetch(redirectUri)).rejects.toThrow())
    expect(servers.broker.signIns.at(-1)?.signal.aborted).toBe(true)
  })
})

describe('signing out', () => {
  it('takes back both tokens at their issuer, forgets them, ends the session, and asks nobody until they sign in again', async () => {
    const resource = await serveResource()
    const servers = host(resource)
    await servers.start('raw')
    expect(await servers.signOut('raw')).toEqual({ revoked: true })
    const { issuer } = resource
    const hints = issuer.at('/revoke').map(({ form }) => [form.get('token_type_hint'), issuer.scopesOf(form.get('token') ?? '')])
    expect(hints).toEqual([
      ['refresh_token', undefined],
      ['access_token', undefined],
    ])
    expect([...servers.secrets.values.keys()].filter((name) => !/^oauth\/(?:client|account)\//.test(name))).toEqual([])
    expect([servers.state('raw'), servers.view('raw')?.signIn]).toEqual([{ kind: 'stopped', reason: 'user' }, { kind: 'signed-out' }])
    await expect(servers.run('echo')).rejects.toEqual(fails('server.sign-in-needed'))
    expect([issuer.at('/authorize').length, servers.broker.signIns.length]).toEqual([1, 1])
    await servers.signIn('raw')
    expect(await servers.run('echo')).toBe('echo ran')
    expect(servers.audit.entries.filter(({ kind }) => kind === 'sign-in').map(({ decision }) => decision)).toEqual([
      'signed-in',
      'signed-out',
      'signed-in',
    ])
  })

  it('forgets them all the same where the issuer cannot take them back', async () => {
    const resource = await serveResource()
    resource.issuer.behave.metadata = { revocation_endpoint: undefined }
    const servers = host(resource)
    await servers.start('raw')
    expect(await servers.signOut('raw')).toEqual({ revoked: false })
    expect([...servers.secrets.values.keys()].filter((name) => name.startsWith('oauth/tokens/'))).toEqual([])
  })
})

describe('a sign-in that the person asks for', () => {
  it('of a server that is down is a new one, whatever is held', async () => {
    const resource = await serveResource()
    const servers = host(resource)
    await servers.start('raw')
    await servers.stop('raw')
    await servers.signIn('raw')
    expect([servers.broker.signIns.map(({ why }) => why), grants(resource.issuer)]).toEqual([
      ['sign-in-needed', 'person-asks'],
      ['authorization_code', 'authorization_code'],
    ])
    expect(servers.state('raw').kind).toBe('ready')
  })

  it('of a server that lets anybody begin comes before what it does for them', async () => {
    const resource = await serveResource()
    resource.behave.metadata = 'path'
    resource.behave.open = [
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/list',
      'resources/list',
      'resources/templates/list',
    ]
    const servers = host(resource)
    await servers.start('raw')
    expect(servers.broker.signIns).toEqual([])
    await servers.signIn('raw')
    expect([servers.broker.signIns.map(({ why }) => why), servers.state('raw').kind]).toEqual([['person-asks'], 'ready'])
    expect(resource.presented('tools/list').at(-1)).toMatch(/^Bearer /)
  })
})

describe('a client without a person', () => {
  it('gets its token with its secret, asks nobody, and gets another when that one is revoked', async () => {
    const resource = await serveResource()
    const servers = host(resource, {
      oauth: { grant: 'client-credentials', clientId: 'robot', clientSecret: 'robot-secret', scopes: ['run'] },
    })
    await servers.start('raw')
    resource.issuer.forgetAll()
    expect(await servers.run('echo')).toBe('echo ran')
    const { issuer } = resource
    expect(
      issuer
        .at('/token')
        .map(({ form, headers }) => [form.get('grant_type'), form.get('scope'), form.get('resource'), headers.authorization]),
    ).toEqual(Array(2).fill(['client_credentials', 'run', resource.url, `Basic ${Buffer.from('robot:robot-secret').toString('base64')}`]))
    expect([servers.broker.signIns, issuer.at('/register'), servers.view('raw')?.signIn]).toMatchObject([
      [],
      [],
      { grant: 'client-credentials' },
    ])
  })

  it('is told what is missing', async () => {
    const resource = await serveResource()
    const servers = host(resource, { oauth: { grant: 'cross-app', clientId: 'robot', subjectToken: 'id-token' } })
    await expect(servers.start('raw')).rejects.toEqual(fails('server.sign-in-failed', { reason: 'settings-incomplete' }))
  })
})
