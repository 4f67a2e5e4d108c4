import { describe, expect, it } from 'vitest'
import { spend } from '#main/consent/approved.ts'
import { eventually, fakeBroker, memorySecrets } from '#main/servers/lifecycle/servers.testing.ts'
import { closeAfterEach, fails, host, person, redirectOf, serveIssuer, serveResource } from './sign-in-support.ts'

closeAfterEach()

describe('a server that wants a sign-in', () => {
  it.each(['challenge', 'path', 'root'] as const)('is signed in to, when its metadata lies at the %s', async (metadata) => {
    const resource = await serveResource()
    resource.behave.metadata = metadata
    const servers = host(resource)
    await servers.start('raw')
    expect(await servers.run('echo')).toBe('echo ran')

    const { issuer } = resource
    const [asked] = issuer.at('/authorize')
    const [token] = issuer.at('/token')
    const redirectUri = asked?.query.get('redirect_uri') ?? ''
    expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({
      response_type: 'code',
      client_id: expect.stringMatching(/^client-/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      redirect_uri: redirectUri,
      state: expect.stringMatching(/^[\w-]{43}$/),
      resource: resource.url,
    })
    expect(issuer.at('/register').map(({ json }) => json)).toEqual([
      expect.objectContaining({ redirect_uris: [redirectUri], application_type: 'native', token_endpoint_auth_method: 'none' }),
    ])
    expect(token?.form.get('resource')).toBe(resource.url)
    expect(servers.broker.signIns).toMatchObject([
      {
        server: 'raw',
        issuer: issuer.issuer,
        resource: resource.url,
        client: 'registered',
        why: 'sign-in-needed',
        scopes: [],
        granted: [],
      },
    ])
    const [presented] = resource.presented('tools/call')
    expect(issuer.scopesOf(presented?.slice('Bearer '.length) ?? '')).toBeDefined()
    expect(servers.view('raw')?.signIn).toMatchObject({
      kind: 'signed-in',
      issuer: issuer.issuer,
      grant: 'authorization-code',
      refreshable: true,
      dpop: false,
    })
    expect(servers.audit.entries).toContainEqual({
      kind: 'sign-in',
      server: 'raw',
      decision: 'signed-in',
      by: 'person',
      detail: { issuer: issuer.issuer, resource: resource.url, scopes: [], grant: 'authorization-code' },
    })
  })

  it('gives away nothing of what it gave: not to a page, not to the record, not to the log', async () => {
    const resource = await serveResource()
    const servers = host(resource, { oauth: { clientId: 'mine', clientSecret: 'my-own-secret' } })
    await servers.start('raw')
    await servers.run('echo')
    const [token] = resource.issuer.at('/token')
    const held = JSON.parse([...servers.secrets.values.values()].find((text) => text.includes('accessToken')) ?? '{}') as Record<
      string,
      string
    >
    const secrets = [held['accessToken'], held['refreshToken'], token?.form.get('code'), token?.form.get('code_verifier'), 'my-own-secret']
    expect(secrets.map((secret) => typeof secret)).toEqual(Array(5).fill('string'))
    expect(secrets.filter((secret) => servers.shown().includes(String(secret)))).toEqual([])
  })

  it('says in its state that a person is asked, and shows where their browser is', async () => {
    const resource = await serveResource()
    resource.issuer.behave.person = 'leaves'
    const servers = host(resource)
    const starting = servers.start('raw').catch((error: unknown) => error)
    await eventually(() => expect(servers.view('raw')?.signIn).toMatchObject({ kind: 'waiting', issuer: resource.issuer.issuer }))
    expect(servers.state('raw')).toMatchObject({ kind: 'starting', step: 'signing-in' })
    await servers.cancelSignIn('raw')
    expect(await starting).toEqual(fails('server.sign-in-refused'))
    expect(servers.view('raw')?.signIn).toEqual({ kind: 'signed-out' })
  })

  it('is not signed in to unless the person agrees: no browser, no code, no second question until they come back to it', async () => {
    const resource = await serveResource()
    const opened: string[] = []
    const servers = host(resource, {
      broker: person('deny'),
      openUrl: async (url) => {
        opened.push(spend(url).url)
        return 'host'
      },
    })
    await expect(servers.start('raw')).rejects.toEqual(fails('server.sign-in-refused'))
    await expect(servers.readResource('raw', 'raw://one', { signal: new AbortController().signal })).rejects.toEqual(
      fails('server.sign-in-refused'),
    )
    expect(servers.broker.signIns).toHaveLength(1)
    await expect(servers.start('raw')).rejects.toEqual(fails('server.sign-in-refused'))
    expect([servers.broker.signIns.length, opened, resource.issuer.at('/authorize'), resource.issuer.at('/token')]).toEqual([2, [], [], []])
  })

  it('opens the very address that was shown', async () => {
    const resource = await serveResource()
    const opened: string[] = []
    const servers = host(resource, {
      async openUrl(approval) {
        const { url } = spend(approval)
        opened.push(url)
        fetch(url).catch(() => undefined)
        return 'host'
      },
    })
    await servers.start('raw')
    expect(opened).toEqual(servers.broker.signIns.map(({ url }) => url))
  })

  it('is signed in to with the address that the person copied, where the browser cannot come back', async () => {
    const resource = await serveResource()
    const addresses: string[] = []
    const servers = host(resource, {
      async openUrl(approval) {
        addresses.push(await redirectOf(spend(approval).url))
        return 'page'
      },
    })
    const starting = servers.start('raw')
    await eventually(() => expect(addresses).toHaveLength(1))
    const [address = ''] = addresses
    const other = new URL(address)
    other.searchParams.set('state', 'another')
    for (const wrong of ['nonsense', 'https://example.com/callback', other.href, `${address}&state=x`])
      await expect(servers.finishSignIn('raw', wrong)).rejects.toEqual(fails('contract.invalid'))
    await servers.finishSignIn('raw', ` ${address}\n`)
    await starting
    expect(servers.state('raw').kind).toBe('ready')
    await expect(servers.finishSignIn('raw', address)).rejects.toEqual(fails('contract.invalid'))
  })

  it('lets go of the question when it is stopped meanwhile', async () => {
    const resource = await serveResource()
    const servers = host(resource, { broker: person('wait') })
    const starting = servers.start('raw').catch((error: unknown) => error)
    await eventually(() => expect(servers.broker.signIns).toHaveLength(1))
    await servers.stop('raw')
    expect(await starting).toEqual(fails('server.stopped'))
    await eventually(() => expect(servers.broker.signIns[0]?.signal.aborted).toBe(true))
    expect(servers.state('raw').kind).toBe('stopped')
  })

  it('is known by the sign-in of the last run', async () => {
    const resource = await serveResource()
    const secrets = memorySecrets()
    await host(resource, { secrets }).start('raw')
    const servers = host(resource, { secrets })
    await eventually(() => expect(servers.view('raw')?.signIn).toMatchObject({ kind: 'signed-in' }))
    await servers.start('raw')
    expect([servers.broker.signIns, resource.issuer.at('/authorize').length]).toEqual([[], 1])
  })

  it('with a header that says who they are is left alone', async () => {
    const resource = await serveResource()
    const servers = host(resource, { headers: { Authorization: 'Bearer typed' } })
    await expect(servers.start('raw')).rejects.toEqual(fails('server.sign-in-needed', { status: 401 }))
    expect([servers.broker.signIns, resource.issuer.asked, new Set(resource.presented('initialize'))]).toEqual([[], [], new Set()])
    expect(resource.presented('server/discover')).toContain('Bearer typed')
  })

  it('of the older transport is signed in to as well', async () => {
    const resource = await serveResource()
    resource.behave.stream = true
    const servers = host(resource, { transport: 'sse' })
    await servers.start('raw')
    expect(await servers.run('echo')).toBe('echo ran')
    expect([servers.broker.signIns.length, resource.issuer.at('/token').length]).toEqual([1, 1])
    expect(servers.view('raw')?.session).toMatchObject({ transport: 'sse' })
  })

  it('of the older transport ends with why the sign-in failed, and is not asked for again and again', async () => {
    const resource = await serveResource()
    resource.behave.stream = true
    const servers = host(resource, { transport: 'sse', broker: person('deny') })
    await expect(servers.start('raw')).rejects.toEqual(fails('server.sign-in-refused'))
    expect(resource.raw.verbs()).toEqual(['GET /mcp', 'GET /told/here'])
  })
})

describe('how Assent is known', () => {
  it('is what the person set: a client of their own, with its secret, and nobody registers', async () => {
    const resource = await serveResource()
    const servers = host(resource, { oauth: { clientId: 'mine', clientSecret: 'my-own-secret' } })
    await servers.start('raw')
    const { issuer } = resource
    expect([issuer.at('/register'), servers.broker.signIns[0]?.client]).toEqual([[], 'pre-registered'])
    expect(issuer.at('/authorize')[0]?.query.get('client_id')).toBe('mine')
    const [token] = issuer.at('/token')
    expect(token?.headers.authorization).toBe(`Basic ${Buffer.from('mine:my-own-secret').toString('base64')}`)
    expect(token?.form.has('client_secret')).toBe(false)
  })

  it('is a metadata document, where the issuer takes them', async () => {
    const clientMetadataUrl = 'https://assent.example/client.json'
    const resource = await serveResource()
    resource.issuer.behave.metadata = { client_id_metadata_document_supported: true }
    const servers = host(resource, { oauth: { clientMetadataUrl } })
    await servers.start('raw')
    expect([
      resource.issuer.at('/register'),
      resource.issuer.at('/authorize')[0]?.query.get('client_id'),
      servers.broker.signIns[0]?.client,
    ]).toEqual([[], clientMetadataUrl, 'metadata-document'])
  })

  it('is a registration, made once and used with the same port from then on', async () => {
    const resource = await serveResource()
    const servers = host(resource)
    await servers.start('raw')
    await servers.signIn('raw')
    const { issuer } = resource
    const asked = issuer.at('/authorize').map(({ query }) => [query.get('client_id'), query.get('redirect_uri')])
    expect([issuer.at('/register').length, asked.length, asked[0]]).toEqual([1, 2, asked[1]])
  })

  it('is still a registration after the person said no, and another one after the page led nowhere', async () => {
    const resource = await serveResource()
    const secrets = memorySecrets()
    const servers = host(resource, { secrets })
    await servers.start('raw')
    await servers.signOut('raw')
    await expect(host(resource, { secrets, broker: person('deny') }).start('raw')).rejects.toEqual(fails('server.sign-in-refused'))
    expect(resource.issuer.at('/register')).toHaveLength(1)
    resource.issuer.behave.person = 'leaves'
    const leading = servers.signIn('raw').catch((error: unknown) => error)
    await eventually(() => expect(servers.view('raw')?.signIn).toMatchObject({ kind: 'waiting' }))
    await servers.cancelSignIn('raw')
    expect([await leading, resource.issuer.at('/register').length]).toEqual([fails('server.sign-in-refused'), 1])
    resource.issuer.behave.person = 'agrees'
    await servers.signIn('raw')
    expect(resource.issuer.at('/register')).toHaveLength(2)
  })

  it('is told to be missing where neither is possible', async () => {
    const resource = await serveResource()
    resource.issuer.behave.metadata = { registration_endpoint: undefined }
    const servers = host(resource)
    await expect(servers.start('raw')).rejects.toEqual(fails('server.sign-in-failed', { reason: 'client-unknown' }))
    expect(servers.broker.signIns).toEqual([])
  })

  it('keeps to the port that the person set', async () => {
    const resource = await serveResource()
    const taken = new URL((await serveIssuer()).issuer).port
    const servers = host(resource, { oauth: { clientId: 'mine', callbackPort: Number(taken) } })
    await expect(servers.start('raw')).rejects.toEqual(fails('port.in-use', { port: Number(taken) }))
  })
})

describe('what is asked for', () => {
  it('is what the challenge names, before all that the server has', async () => {
    const resource = await serveResource()
    resource.behave.scope = 'read'
    resource.behave.more = { scopes_supported: ['read', 'write', 'admin'] }
    const servers = host(resource)
    await servers.start('raw')
    expect(resource.issuer.at('/authorize')[0]?.query.get('scope')).toBe('read')
    expect(servers.view('raw')?.signIn).toMatchObject({ scopes: ['read'] })
  })

  it('is all that the server has, where it names none, and a refresh token where there is one to be had', async () => {
    const resource = await serveResource()
    resource.behave.more = { scopes_supported: ['read', 'write'] }
    resource.issuer.behave.metadata = { scopes_supported: ['read', 'write', 'offline_access'] }
    const servers = host(resource)
    await servers.start('raw')
    expect(servers.broker.signIns[0]?.scopes).toEqual(['read', 'write', 'offline_access'])
    expect(resource.issuer.at('/authorize')[0]?.query.get('scope')).toBe('read write offline_access')
  })
})

describe('another account', () => {
  it('is signed in to from a server that is up, which then begins anew in its name', async () => {
    const resource = await serveResource()
    const servers = host(resource)
    await servers.start('raw')
    const before = resource.presented('initialize').at(-1)
    await servers.signIn('raw')
    expect(servers.broker.signIns.map(({ why }) => why)).toEqual(['sign-in-needed', 'person-asks'])
    expect(servers.state('raw').kind).toBe('ready')
    expect(resource.presented('initialize').at(-1)).not.toBe(before)
  })

  it('leaves what there was when the person thinks better of it', async () => {
    const resource = await serveResource()
    const secrets = memorySecrets()
    await host(resource, { secrets }).start('raw')
    const servers = host(resource, { secrets, broker: fakeBroker('allow', 'deny') })
    await servers.start('raw')
    await expect(servers.signIn('raw')).rejects.toEqual(fails('server.sign-in-refused'))
    expect(servers.state('raw').kind).toBe('ready')
    expect(await servers.run('echo')).toBe('echo ran')
  })
})
