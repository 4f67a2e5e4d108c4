// Cases that the trackers of other clients tell: issuers and servers as they are in the world. Each was written with what is to
// happen before it was run; the address of the issue stands at each.
import { describe, expect, it } from 'vitest'
import type { OAuthSettings } from '#app/server/auth-status.ts'
import { memorySecrets } from '#main/servers/lifecycle/servers.testing.ts'
import type { RawResource } from './oauth.ts'
import { closeAfterEach, fails, host, movableClock, type Signing, serveIssuer, serveResource } from './sign-in-support.ts'

closeAfterEach()

const failed = (reason: string) => fails('server.sign-in-failed', { reason })

/** Starts the server, signs in once, and calls a tool. */
async function used(resource: RawResource, oauth?: OAuthSettings): Promise<Signing> {
  const servers = host(resource, oauth ? { oauth } : {})
  await servers.start('raw')
  expect(await servers.run('echo')).toBe('echo ran')
  expect(resource.issuer.at(new URL(`${resource.issuer.issuer}/authorize`).pathname)).toHaveLength(1)
  return servers
}

const withPath = async (place?: (path: string) => string) => {
  const issuer = await serveIssuer({ path: '/tenant' })
  if (place) {
    issuer.behave.place = place('/tenant')
    issuer.behave.metadata = {
      jwks_uri: `${issuer.issuer}/keys`,
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
    }
  }
  return serveResource({ issuer })
}

describe('an issuer is found', () => {
  it.each([
    ['at the place of RFC 8414', 'anthropics/claude-code#95270', undefined],
    ['by OpenID Connect with the path inserted', 'microsoft/vscode#256492', (path: string) => `/.well-known/openid-configuration${path}`],
    ['by OpenID Connect with the path before', 'microsoft/vscode#316145', (path: string) => `${path}/.well-known/openid-configuration`],
  ])('that has a path: %s (%s)', async (_what, _source, place) => {
    await used(await withPath(place))
  })

  it('at its own address and never at that of the server (microsoft/vscode#261120)', async () => {
    const resource = await serveResource()
    await used(resource)
    expect(resource.raw.verbs().filter((verb) => /authorize|token|register/.test(verb))).toEqual([])
  })

  it('that ends with a slash in one place and not in the other (anthropics/claude-code#95270)', async () => {
    const resource = await serveResource()
    resource.behave.issuers = [`${resource.issuer.issuer}/`]
    await used(resource)
  })

  it('that is the server itself, by the path of the server (anthropics/claude-ai-mcp#367)', async () => {
    const resource = await serveResource()
    const { issuer } = resource.issuer
    const own = (await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json()) as Record<string, unknown>
    const metadata = { ...own, issuer: resource.url, authorization_response_iss_parameter_supported: false }
    resource.issuer.behave.iss = 'none'
    resource.behave.metadata = 'none'
    resource.behave.serves = (path) => (path === '/.well-known/oauth-authorization-server/mcp' ? metadata : undefined)
    await used(resource)
  })

  it('nowhere, and says so (taylorwilsdon/google_workspace_mcp#382)', async () => {
    const resource = await serveResource()
    resource.behave.metadata = 'none'
    await expect(host(resource).start('raw')).rejects.toMatchObject({ code: expect.stringMatching(/^server\.sign-in/) })
  })
})

describe('an issuer is refused', () => {
  it('whose issuer is a template for all tenants (microsoft/vscode#248775)', async () => {
    const resource = await withPath()
    resource.issuer.behave.metadata = { issuer: resource.issuer.issuer.replace('tenant', '{tenantid}') }
    await expect(host(resource).start('raw')).rejects.toEqual(failed('issuer-mismatch'))
  })

  it('whose OpenID metadata does not speak of PKCE (microsoft/vscode#248775)', async () => {
    const resource = await withPath((path) => `${path}/.well-known/openid-configuration`)
    Object.assign(resource.issuer.behave.metadata, { code_challenge_methods_supported: undefined })
    await expect(host(resource).start('raw')).rejects.toEqual(failed('pkce-unsupported'))
  })

  it('for a resource that is named by an application and not by an address (anthropics/claude-code#76096)', async () => {
    const resource = await serveResource()
    resource.behave.resource = 'api://7d92dca7-f3cc-41b9-a2e0-6c32631a6caf'
    await expect(host(resource).start('raw')).rejects.toEqual(failed('resource-mismatch'))
  })

  it('by its own code, where its page refuses the resource (anthropics/claude-code#73460)', async () => {
    const resource = await serveResource()
    resource.issuer.behave.pageError = 'invalid_target'
    await expect(host(resource).start('raw')).rejects.toEqual(failed('invalid_target'))
  })

  it('that neither registers clients nor takes their documents, with what is missing (render-oss/render-mcp-server#25)', async () => {
    const resource = await serveResource()
    resource.issuer.behave.metadata = { registration_endpoint: undefined, client_id_metadata_document_supported: undefined }
    await expect(host(resource).start('raw')).rejects.toEqual(failed('client-unknown'))
    await used(resource, { clientId: 'mine' })
  })

  it('that answers a bad code with HTTP 200 and an error in it, as GitHub does', async () => {
    const resource = await serveResource()
    resource.issuer.behave.redeems = { status: 200, body: { error: 'bad_verification_code', error_description: 'The code is incorrect.' } }
    await expect(host(resource).start('raw')).rejects.toMatchObject({ code: 'server.sign-in-failed' })
  })
})

describe('metadata', () => {
  it('with null for what there is not is read as without it', async () => {
    const resource = await serveResource()
    resource.issuer.behave.metadata = { registration_endpoint: null, revocation_endpoint: null, jwks_uri: null, scopes_supported: null }
    await used(resource, { clientId: 'mine' })
  })

  it('of a client is asked with a method that the issuer has (anthropics/claude-code#4540)', async () => {
    const resource = await serveResource()
    const { behave } = resource.issuer
    behave.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
    behave.registers = { client_secret: 'given', client_secret_expires_at: 0, token_endpoint_auth_method: 'client_secret_post' }
    await used(resource)
    expect(resource.issuer.at('/register')[0]?.json['token_endpoint_auth_method']).toBe('client_secret_post')
    const [token] = resource.issuer.at('/token')
    expect([token?.form.get('client_secret'), token?.headers.authorization]).toEqual(['given', undefined])
  })

  it('that names a method first which needs a key of its own has a client with a secret, as Keycloak does', async () => {
    const resource = await serveResource()
    const { behave } = resource.issuer
    behave.metadata = {
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic', 'client_secret_post', 'tls_client_auth'],
    }
    behave.registers = { client_secret: 'given' }
    await used(resource)
    expect(resource.issuer.at('/register')[0]?.json['token_endpoint_auth_method']).toBe('client_secret_basic')
    expect(resource.issuer.at('/token')[0]?.headers.authorization).toMatch(/^Basic /)
  })

  it('with scopes has them in the request for a code (anthropics/claude-code#4540)', async () => {
    const resource = await serveResource()
    resource.behave.more = { scopes_supported: ['mcp:read', 'mcp:write'] }
    await used(resource)
    expect(resource.issuer.at('/authorize')[0]?.query.get('scope')?.split(' ')).toEqual(['mcp:read', 'mcp:write'])
  })

  it('names the server in every request of the sign-in (anthropics/claude-code#73460)', async () => {
    const resource = await serveResource()
    await used(resource)
    const [page] = resource.issuer.at('/authorize')
    const [token] = resource.issuer.at('/token')
    expect([page?.query.get('resource'), token?.form.get('resource')]).toEqual([resource.url, resource.url])
  })

  it('of tokens is asked for in JSON, since GitHub answers with a form otherwise', async () => {
    const resource = await serveResource()
    await used(resource)
    expect(resource.issuer.at('/token')[0]?.headers.accept).toContain('application/json')
  })
})

describe('a challenge', () => {
  const at = (resource: RawResource) => `${new URL(resource.url).origin}/told/here`
  it.each([
    ['with another scheme before it', (url: string) => ['Basic realm="old"', `Bearer resource_metadata="${url}"`]],
    ['in one field with another scheme', (url: string) => [`Negotiate, Bearer realm="mcp", resource_metadata="${url}"`]],
    ['without quotation marks and in lower case', (url: string) => [`bearer resource_metadata=${url}`]],
    [
      'with a comma in its description',
      (url: string) => [`Bearer error="invalid_token", error_description="expired, sign in", resource_metadata="${url}"`],
    ],
  ])('%s is read', async (_what, headers) => {
    const resource = await serveResource()
    resource.behave.challenges = headers(at(resource))
    await used(resource)
  })

  it('for more scopes that names none is told to who called, and asks nobody', async () => {
    const resource = await serveResource()
    resource.behave.needs = { echo: 'admin' }
    const servers = host(resource)
    await servers.start('raw')
    resource.behave.challenges = ['Bearer error="insufficient_scope"']
    await expect(servers.run('echo')).rejects.toBeDefined()
    expect(servers.broker.signIns.length).toBeLessThanOrEqual(2)
    expect(resource.raw.verbs().length).toBeLessThan(30)
  })
})

describe('a token', () => {
  it.each([
    ['of the type “bearer” in lower case', 'punkpeye/mcp-remote#181', { token_type: 'bearer' }],
    ['whose time is a text', 'microsoft/vscode#322126', { expires_in: '3600' }],
    ['without a time', 'truefoundry/trueforge#28', { expires_in: undefined }],
    ['whose time is zero', 'truefoundry/trueforge#28', { expires_in: 0 }],
    [
      'beside members that nobody knows',
      'microsoft/vscode#322126',
      { ext_expires_in: 3600, not_before: '0', refresh_token_expires_in: null },
    ],
  ])('%s is used as it is (%s)', async (_what, _source, gives) => {
    const resource = await serveResource()
    resource.issuer.behave.gives = gives
    const servers = await used(resource)
    expect(await servers.run('echo')).toBe('echo ran')
    expect(resource.presented('tools/call').every((one) => one?.startsWith('Bearer '))).toBe(true)
    expect(servers.broker.signIns).toHaveLength(1)
  })

  it('that the server calls expired is renewed once for five calls, and each runs (anomalyco/opencode#34074)', async () => {
    const resource = await serveResource()
    const servers = await used(resource)
    resource.behave.metadata = 'path'
    resource.behave.challenges = ['Bearer realm="OAuth", error="invalid_token", error_description="Missing or invalid access token"']
    resource.issuer.forgetAccessTokens()
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => servers.run('echo')))).toEqual(Array(5).fill('echo ran'))
    const renewals = resource.issuer.at('/token').filter(({ form }) => form.get('grant_type') === 'refresh_token')
    expect([renewals.length, servers.broker.signIns.length]).toEqual([1, 1])
  })

  it('is renewed again with the same refresh token, where no other was given (RFC 6749, 6)', async () => {
    const resource = await serveResource()
    const servers = await used(resource)
    resource.issuer.behave.renews = { status: 200, body: { access_token: 'second', token_type: 'Bearer', expires_in: 1 } }
    resource.issuer.forgetAccessTokens()
    await servers.run('echo').catch(() => undefined)
    const sent = resource.issuer.at('/token').filter(({ form }) => form.get('grant_type') === 'refresh_token')
    resource.issuer.behave.renews = undefined
    await servers.run('echo')
    const again = resource.issuer.at('/token').filter(({ form }) => form.get('grant_type') === 'refresh_token')
    expect([sent.length >= 1, new Set(again.map(({ form }) => form.get('refresh_token'))).size]).toEqual([true, 1])
  })

  it.each([
    [
      'invalid_grant',
      'can1357/oh-my-pi#1908',
      { status: 400, body: { error: 'invalid_grant', error_description: 'Refresh token has been revoked' } },
    ],
    [
      'invalid_request',
      'obot-platform/obot#7501',
      { status: 400, body: { error: 'invalid_request', error_description: 'refresh_token is invalid' } },
    ],
    ['401 invalid_client', 'zonlabs/mcp-ts#150', { status: 401, body: { error: 'invalid_client' } }],
    ['400 without an error code', 'punkpeye/mcp-remote#181', { status: 400, body: {} }],
  ])(
    'whose renewal is refused with %s is asked for anew, once, and not tried again after a restart (%s)',
    async (_what, _source, renews) => {
      const resource = await serveResource()
      const secrets = memorySecrets()
      const servers = host(resource, { secrets })
      await servers.start('raw')
      resource.issuer.behave.renews = renews
      resource.issuer.forgetAll()
      expect(await servers.run('echo')).toBe('echo ran')
      expect(servers.broker.signIns).toHaveLength(2)
      const asked = resource.issuer.at('/token').length
      const next = host(resource, { secrets })
      await next.start('raw')
      expect(await next.run('echo')).toBe('echo ran')
      expect([next.broker.signIns.length, resource.issuer.at('/token').length]).toEqual([0, asked])
    },
  )

  it('that is about to expire is renewed before a call, without a word from the server (openai/codex#17265)', async () => {
    const clock = movableClock()
    const resource = await serveResource()
    const servers = host(resource, { clock })
    await servers.start('raw')
    clock.forward(3600 * 1000)
    expect(await servers.run('echo')).toBe('echo ran')
    expect(resource.issuer.at('/token').map(({ form }) => form.get('grant_type'))).toEqual(['authorization_code', 'refresh_token'])
  })
})
