// What a sign-in is not gone through with: faults and attacks of servers, issuers, pages and programs beside.
import { request as httpRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import { browserMs } from '#main/servers/auth/authorization-request.ts'
import { eventually, http } from '#main/servers/lifecycle/servers.testing.ts'
import type { IssuerBehaviour } from './oauth-issuer.ts'
import { closeAfterEach, fails, host, movableClock, redirectOf, type Signing, serveResource } from './sign-in-support.ts'

closeAfterEach()

const failed = (reason: string) => fails('server.sign-in-failed', { reason })

describe('an issuer', () => {
  it.each([
    ['that says nothing of PKCE', { metadata: { code_challenge_methods_supported: undefined } }, 'pkce-unsupported'],
    ['that knows only plain PKCE', { metadata: { code_challenge_methods_supported: ['plain'] } }, 'pkce-unsupported'],
    ['whose metadata is in another’s name', { metadata: { issuer: 'https://mallory.example' } }, 'issuer-mismatch'],
    ['whose page is in the clear', { metadata: { authorization_endpoint: 'http://mallory.example/authorize' } }, 'address-refused'],
    ['that redeems codes in the clear', { metadata: { token_endpoint: 'http://10.0.0.1/token' } }, 'address-refused'],
    ['that redeems codes in a file', { metadata: { token_endpoint: 'file:///token' } }, 'address-refused'],
    ['whose page is a program', { metadata: { authorization_endpoint: 'javascript:alert(1)' } }, 'answer-invalid'],
    ['that registers elsewhere in the clear', { metadata: { registration_endpoint: 'http://10.0.0.1/register' } }, 'address-refused'],
  ] satisfies [string, Partial<IssuerBehaviour>, string][])('%s gets no sign-in', async (_what, behaviour, reason) => {
    const resource = await serveResource()
    Object.assign(resource.issuer.behave, behaviour)
    const servers = host(resource)
    await expect(servers.start('raw')).rejects.toEqual(failed(reason))
    expect([servers.broker.signIns, resource.issuer.at('/authorize'), resource.issuer.at('/token')]).toEqual([[], [], []])
    expect('retryAt' in servers.state('raw')).toBe(false)
  })

  it.each([
    ['answers in another’s name', { iss: 'wrong' }, 'issuer-mismatch'],
    ['leaves out its name after promising it', { iss: 'none' }, 'issuer-mismatch'],
    [
      'answers in another’s name without having promised',
      { iss: 'wrong', metadata: { authorization_response_iss_parameter_supported: undefined } },
      'issuer-mismatch',
    ],
    ['refuses in another’s name', { iss: 'wrong', person: 'refuses' }, 'issuer-mismatch'],
    ['says that the person refused', { person: 'refuses' }, 'access_denied'],
  ] satisfies [string, Partial<IssuerBehaviour>, string][])('that %s gets no code to redeem', async (_what, behaviour, reason) => {
    const resource = await serveResource()
    Object.assign(resource.issuer.behave, behaviour)
    const servers = host(resource)
    await expect(servers.start('raw')).rejects.toEqual(failed(reason))
    expect([resource.issuer.at('/authorize').length, resource.issuer.at('/token')]).toEqual([1, []])
    expect(servers.audit.entries.at(-1)).toMatchObject({ kind: 'sign-in', decision: 'failed', detail: { reason } })
  })

  it.each([
    ['refuses the code', { tokenError: 'invalid_client' }, 'invalid_client'],
    ['refuses in words that are no code', { tokenError: 'no "code" \u001b[31m at all' }, 'server_error'],
    ['gives a token that no header could hold', { accessToken: 'two\nlines' }, 'answer-invalid'],
    ['gives a token of an unknown kind', { tokenType: 'mac' }, 'answer-invalid'],
  ] satisfies [string, Partial<IssuerBehaviour>, string][])(
    'that %s is quoted with an error code and nothing else',
    async (_what, behaviour, reason) => {
      const resource = await serveResource()
      Object.assign(resource.issuer.behave, behaviour)
      const servers = host(resource)
      const error = (await servers.start('raw').catch((thrown: unknown) => thrown)) as Error
      expect(error).toEqual(failed(reason))
      const [token] = resource.issuer.at('/token')
      const secrets = ['code', 'code_verifier'].map((name) => token?.form.get(name) ?? '?')
      const everything = JSON.stringify([error, error.message, String(error.cause)]) + servers.shown()
      expect(secrets.filter((secret) => everything.includes(secret))).toEqual([])
    },
  )

  it('that sends the code on to another place is not followed', async () => {
    const resource = await serveResource()
    const mallory = await serveResource()
    resource.issuer.behave.tokenRedirect = `${mallory.issuer.issuer}/token`
    const servers = host(resource)
    await expect(servers.start('raw')).rejects.toMatchObject({ code: 'server.sign-in-failed' })
    expect(mallory.issuer.asked).toEqual([])
  })
})

describe('a server', () => {
  it.each([
    ['another server', () => 'https://another.example/mcp'],
    ['a part of it', (url: string) => `${url}#part`],
    ['somebody at it', (url: string) => url.replace('//', '//ada@')],
    ['no address', () => 'mcp'],
  ])('whose metadata speaks of %s is not signed in to', async (_what, named) => {
    const resource = await serveResource()
    resource.behave.resource = named(resource.url)
    const servers = host(resource)
    await expect(servers.start('raw')).rejects.toEqual(failed('resource-mismatch'))
    expect(resource.issuer.asked).toEqual([])
  })

  it.each(['http://10.0.0.1', 'http://169.254.169.254', 'http://metadata.example', 'file:///etc'])(
    'that names %s as its issuer sends nobody there',
    async (issuer) => {
      const resource = await serveResource()
      resource.behave.issuers = [issuer]
      const servers = host(resource)
      await expect(servers.start('raw')).rejects.toEqual(failed('address-refused'))
    },
  )

  it('that refuses the token it was given is asked once more and then no more', async () => {
    const resource = await serveResource()
    resource.behave.refusesAll = true
    const servers = host(resource)
    await expect(servers.start('raw')).rejects.toEqual(failed('token-refused'))
    expect([resource.issuer.at('/authorize').length, servers.broker.signIns.length]).toEqual([1, 1])
  })

  it('that names no sign-in is said to name none, however its sign-in is asked for', async () => {
    const resource = await serveResource()
    resource.behave.metadata = 'none'
    const servers = host(resource)
    await expect(servers.start('raw')).rejects.toEqual(fails('server.sign-in-needed', { status: 401 }))
    resource.behave.open = [
      'initialize',
      'tools/list',
      'resources/list',
      'resources/templates/list',
      'notifications/initialized',
      'server/discover',
    ]
    await expect(servers.signIn('raw')).rejects.toEqual(failed('not-offered'))
    expect(servers.broker.signIns).toEqual([])
  })
})

/** At the page, with the port of the answer open. */
async function atThePage(more: Parameters<typeof host>[1] = {}) {
  const resource = await serveResource()
  resource.issuer.behave.person = 'leaves'
  const servers = host(resource, more)
  const starting = servers.start('raw').catch((error: unknown) => error)
  await eventually(() => expect(servers.view('raw')?.signIn).toMatchObject({ kind: 'waiting' }))
  // The browser has left the page: from here on only the test comes back.
  await eventually(() => expect(resource.issuer.at('/authorize')).toHaveLength(1))
  const { url } = servers.broker.signIns[0] ?? { url: '' }
  const redirectUri = new URL(url).searchParams.get('redirect_uri') ?? ''
  resource.issuer.behave.person = 'agrees'
  return { resource, servers, starting, redirectUri, answer: await redirectOf(url) }
}

const isClosed = (redirectUri: string): Promise<void> => eventually(() => expect(fetch(redirectUri)).rejects.toThrow())

const knock = (address: string, options: { readonly method?: string; readonly host?: string } = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', host: named } = options
    const request = httpRequest(
      address,
      { method, agent: false, ...(named === undefined ? {} : { headers: { host: named } }) },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    request.once('error', reject).end()
  })

describe('the way back', () => {
  it('takes the one answer and turns everything else away', async () => {
    const { servers, starting, redirectUri, answer } = await atThePage()
    const other = new URL(answer)
    other.searchParams.set('state', 'another')
    const without = new URL(answer)
    without.searchParams.delete('state')
    const twice = new URL(answer)
    twice.searchParams.append('state', other.searchParams.get('state') ?? '')
    const { origin, search } = new URL(answer)
    expect(await Promise.all([other, without, twice].map(({ href }) => knock(href)))).toEqual([400, 400, 400])
    const elsewhere = ['/', '/callback/', '/callback/x', '/Callback', '//callback', '/callback%3F']
    expect(await Promise.all(elsewhere.map((path) => knock(`${origin}${path}${search}`)))).toEqual(elsewhere.map(() => 404))
    expect(await Promise.all(['POST', 'HEAD', 'PUT', 'OPTIONS'].map((method) => knock(answer, { method })))).toEqual(Array(4).fill(405))
    const port = new URL(answer).port
    const names = ['mallory.example', `localhost:${port}`, '127.0.0.1', `127.0.0.1:${port}.mallory.example`]
    expect(await Promise.all(names.map((name) => knock(answer, { host: name })))).toEqual(names.map(() => 421))
    expect(servers.view('raw')?.signIn).toMatchObject({ kind: 'waiting' })

    const page = await fetch(answer)
    expect([page.status, page.headers.get('content-security-policy'), page.headers.get('cache-control')]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
      'no-store',
    ])
    expect(await page.text()).not.toMatch(/<script|code=|state=/)
    expect(await starting).toBeUndefined()
    await isClosed(redirectUri)
  })

  it('closes when the person calls it off', async () => {
    const { servers, starting, redirectUri } = await atThePage()
    await servers.cancelSignIn('raw')
    expect(await starting).toEqual(fails('server.sign-in-refused'))
    await isClosed(redirectUri)
  })

  it('closes when the server is stopped', async () => {
    const { servers, starting, redirectUri } = await atThePage()
    await servers.stop('raw')
    expect(await starting).toEqual(fails('server.stopped'))
    await isClosed(redirectUri)
  })

  it('closes when the person changes how to sign in', async () => {
    const { resource, servers, starting, redirectUri } = await atThePage()
    const definition = { ...http(resource.url), oauth: { clientId: 'mine' } }
    servers.configure(new Map([['raw', definition]]))
    expect(await starting).toMatchObject({ code: expect.stringMatching(/^(server\.stopped|cancelled)$/) })
    await isClosed(redirectUri)
    await eventually(() => expect(servers.state('raw').kind).toBe('ready'))
    expect(resource.issuer.at('/authorize').at(-1)?.query.get('client_id')).toBe('mine')
  })

  it('closes when the browser never comes', async () => {
    const clock = movableClock()
    const { servers, starting, redirectUri } = await atThePage({ clock })
    clock.lapse(browserMs)
    expect(await starting).toEqual(fails('server.sign-in-timeout'))
    expect('retryAt' in servers.state('raw')).toBe(false)
    await isClosed(redirectUri)
  })

  it('closes when the host does', async () => {
    const { servers, starting, redirectUri } = await atThePage()
    await (servers as Signing).dispose()
    expect(await starting).toMatchObject({ code: expect.stringMatching(/^(server\.stopped|cancelled)$/) })
    await isClosed(redirectUri)
  })
})
