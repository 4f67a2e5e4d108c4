// An authorization server written from the RFCs, without any SDK: metadata (8414), registration (7591), codes with PKCE
// (7636) and `iss` (9207), refresh tokens that are used once, revocation (7009), ID tokens and UserInfo (OpenID Connect). It keeps what
// was asked of it, and can be told to do each of these wrongly.
import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'

interface AskedOfIssuer {
  readonly verb: string
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly json: Record<string, unknown>
  readonly headers: IncomingHttpHeaders
}

export interface IssuerBehaviour {
  /** More or other metadata; undefined takes a field out. */
  metadata: Record<string, unknown>
  /** Where its metadata is said to have gone. */
  moved: string | undefined
  /** Where its metadata lies, in place of the place of RFC 8414. */
  place: string | undefined
  /** More or other members of a registration and of a token response; undefined takes one out. */
  registers: Record<string, unknown>
  gives: Record<string, unknown>
  /** In place of the answer to a refresh, or to a code. */
  renews: Reply | undefined
  redeems: Reply | undefined
  /** What the page says in place of a code. */
  pageError: string | undefined
  /** What the person does at the page. */
  person: 'agrees' | 'refuses' | 'leaves'
  iss: 'right' | 'wrong' | 'none'
  state: 'right' | 'wrong'
  /** Seconds; undefined: it does not say. */
  expiresIn: number | undefined
  refresh: 'once' | 'refused' | 'broken' | 'none'
  tokenType: string
  /** In place of one that is good. */
  accessToken: string | undefined
  /** In place of what was asked for. */
  grants: string | undefined
  /** A redirect in place of the answer to a token request. */
  tokenRedirect: string | undefined
  /** In place of the answer to a token request. */
  tokenError: string | undefined
  /** How a registration is refused whose redirect URI has this host: by RFC 7591, 3.2.2, or by a firewall. */
  refusesCallback: { readonly host: string; readonly by: 'issuer' | 'firewall' } | undefined
  /** Claims of the ID token of each token response, beyond those of the protocol; undefined: there is none. */
  idToken: Record<string, unknown> | undefined
  /** Members of its header, beyond `alg` and `kid`. */
  idTokenHeader: Record<string, unknown>
  signature: 'right' | 'other-key' | 'none' | 'shared-secret'
  /** What UserInfo answers to a token that is good; undefined: there is no such endpoint. */
  userinfo: Record<string, unknown> | undefined
  /** A redirect in place of UserInfo's answer. */
  userinfoRedirect: string | undefined
}

export interface RawIssuer {
  readonly issuer: string
  readonly port: number
  readonly asked: readonly AskedOfIssuer[]
  readonly behave: IssuerBehaviour
  /** Requests to a path, in order. */
  at(path: string): AskedOfIssuer[]
  /** The scopes of a token that is good now; undefined: it is not. */
  scopesOf(accessToken: string): string[] | undefined
  /** As though somebody had revoked every access token; refresh tokens stay good. */
  forgetAccessTokens(): void
  forgetAll(): void
  close(): Promise<void>
}

interface Reply {
  readonly status: number
  readonly location?: string
  readonly body?: unknown
}

interface Code {
  readonly challenge: string
  readonly redirectUri: string
  readonly client: string
  readonly scope: string
  readonly resource: string | null
}

const defaultBehaviour: IssuerBehaviour = {
  metadata: {},
  moved: undefined,
  place: undefined,
  registers: {},
  gives: {},
  renews: undefined,
  redeems: undefined,
  pageError: undefined,
  person: 'agrees',
  iss: 'right',
  state: 'right',
  expiresIn: 3600,
  refresh: 'once',
  tokenType: 'Bearer',
  accessToken: undefined,
  grants: undefined,
  tokenRedirect: undefined,
  tokenError: undefined,
  refusesCallback: undefined,
  idToken: undefined,
  idTokenHeader: {},
  signature: 'right',
  userinfo: undefined,
  userinfoRedirect: undefined,
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Makes an ID token (OpenID Connect Core, 2) with ES256, or as one should not be made. */
function makeIdToken(
  keys: { readonly own: KeyObject; readonly other: KeyObject },
  { signature, idTokenHeader }: IssuerBehaviour,
  claims: Record<string, unknown>,
): string {
  const alg = { none: 'none', 'shared-secret': 'HS256' }[signature as string] ?? 'ES256'
  const said = `${base64({ alg, kid: 'own', ...idTokenHeader })}.${base64(claims)}`
  if (signature === 'none') return `${said}.`
  if (signature === 'shared-secret') return `${said}.${createHmac('sha256', String(claims['aud'])).update(said).digest('base64url')}`
  const key = signature === 'right' ? keys.own : keys.other
  return `${said}.${sign('sha256', Buffer.from(said), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

const token = (): string => randomBytes(16).toString('hex')

const metadataOf = (issuer: string, extra: Record<string, unknown>): Record<string, unknown> => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  revocation_endpoint: `${issuer}/revoke`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
  authorization_response_iss_parameter_supported: true,
  ...extra,
})

function fits(code: Code, form: URLSearchParams): boolean {
  const verifier = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  return code.challenge === verifier && code.redirectUri === form.get('redirect_uri') && code.resource === form.get('resource')
}

function registered({ json }: AskedOfIssuer, { refusesCallback: refused, registers }: IssuerBehaviour): Reply {
  const [redirect] = json['redirect_uris'] as string[]
  if (refused === undefined || new URL(redirect ?? '').hostname !== refused.host)
    return { status: 201, body: { ...json, client_id: `client-${token()}`, ...registers } }
  return refused.by === 'issuer'
    ? { status: 400, body: { error: 'invalid_redirect_uri' } }
    : { status: 403, body: { message: 'Forbidden' } }
}

/** Endpoints of OpenID Connect, named only where they answer. */
const openIdOf = (issuer: string, { idToken, userinfo }: IssuerBehaviour): Record<string, unknown> => ({
  ...(idToken ? { jwks_uri: `${issuer}/keys` } : {}),
  ...(userinfo ? { userinfo_endpoint: `${issuer}/userinfo` } : {}),
})

/** Names what is asked for, whatever path its issuer has. */
function endpointOf({ verb, path }: AskedOfIssuer, issuer: string, place: string | undefined): string {
  const { pathname } = new URL(issuer)
  const own = pathname === '/' ? '' : pathname
  return path === (place ?? `/.well-known/oauth-authorization-server${own}`) ? 'metadata' : `${verb} ${path.replace(own, '')}`
}

/** Makes the endpoints, with codes and tokens in memory. `issuer`: its own address, known once it listens. */
function createEndpoints(issuer: () => string) {
  const codes = new Map<string, Code>()
  const access = new Map<string, string>()
  const refresh = new Map<string, string>()
  const behave = { ...defaultBehaviour }
  const [pair, otherPair] = [generateKeyPairSync('ec', { namedCurve: 'P-256' }), generateKeyPairSync('ec', { namedCurve: 'P-256' })]
  const keys = { own: pair.privateKey, other: otherPair.privateKey }

  function userinfo({ headers }: AskedOfIssuer): Reply {
    if (behave.userinfoRedirect !== undefined) return { status: 307, location: behave.userinfoRedirect }
    const known = access.has((headers.authorization ?? '').replace('Bearer ', ''))
    return known ? { status: 200, body: behave.userinfo } : { status: 401, body: {} }
  }

  function authorize({ query }: AskedOfIssuer): Reply {
    if (behave.person === 'leaves') return { status: 200, body: {} }
    const redirectUri = query.get('redirect_uri') ?? ''
    const back = new URL(redirectUri)
    back.searchParams.set('state', behave.state === 'right' ? (query.get('state') ?? '') : 'another')
    if (behave.iss !== 'none') back.searchParams.set('iss', behave.iss === 'right' ? issuer() : 'https://mallory.example')
    if (behave.pageError !== undefined || behave.person === 'refuses') back.searchParams.set('error', behave.pageError ?? 'access_denied')
    else {
      const code = token()
      const [challenge, client, scope] = ['code_challenge', 'client_id', 'scope'].map((name) => query.get(name) ?? '') as [
        string,
        string,
        string,
      ]
      codes.set(code, { challenge, redirectUri, client, scope, resource: query.get('resource') })
      back.searchParams.set('code', code)
    }
    return { status: 302, location: back.href }
  }

  function grant(scope: string, client: string): Reply {
    const accessToken = behave.accessToken ?? token()
    const granted = behave.grants ?? scope
    access.set(accessToken, granted)
    const refreshToken = token()
    if (behave.refresh !== 'none') refresh.set(refreshToken, granted)
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer(), aud: client, iat: now, exp: now + 24 * 3600 }
    const body = {
      access_token: accessToken,
      token_type: behave.tokenType,
      ...(behave.expiresIn === undefined ? {} : { expires_in: behave.expiresIn }),
      ...(granted === '' ? {} : { scope: granted }),
      ...(behave.refresh === 'none' ? {} : { refresh_token: refreshToken }),
      ...(behave.idToken ? { id_token: makeIdToken(keys, behave, { ...claims, ...behave.idToken }) } : {}),
      ...behave.gives,
    }
    return { status: 200, body }
  }

  function tokens({ form, headers }: AskedOfIssuer): Reply {
    const basic =
      Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64')
        .toString()
        .split(':')[0] ?? ''
    const client = form.get('client_id') ?? basic
    const refuse = (error: string): Reply => ({ status: 400, body: { error, error_description: `not with ${form.toString()}` } })
    if (behave.tokenRedirect !== undefined) return { status: 307, location: behave.tokenRedirect }
    if (behave.tokenError !== undefined) return refuse(behave.tokenError)
    switch (form.get('grant_type')) {
      case 'authorization_code': {
        const code = codes.get(form.get('code') ?? '')
        if (behave.redeems) return behave.redeems
        codes.delete(form.get('code') ?? '')
        return code && fits(code, form) ? grant(code.scope, client) : refuse('invalid_grant')
      }
      case 'refresh_token': {
        const scope = refresh.get(form.get('refresh_token') ?? '')
        if (behave.renews) return behave.renews
        if (behave.refresh === 'broken') return { status: 503, body: {} }
        if (behave.refresh === 'refused' || scope === undefined) return refuse('invalid_grant')
        refresh.delete(form.get('refresh_token') ?? '')
        return grant(scope, client)
      }
      case 'client_credentials':
        return grant(form.get('scope') ?? '', client)
      default:
        return refuse('unsupported_grant_type')
    }
  }

  function answer(one: AskedOfIssuer): Reply {
    switch (endpointOf(one, issuer(), behave.place)) {
      case 'metadata':
        if (behave.moved !== undefined) return { status: 307, location: `${behave.moved}${one.path}` }
        return { status: 200, body: metadataOf(issuer(), { ...openIdOf(issuer(), behave), ...behave.metadata }) }
      case 'GET /keys':
        return { status: 200, body: { keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig' }] } }
      case 'GET /userinfo':
        return userinfo(one)
      case 'GET /authorize':
        return authorize(one)
      case 'POST /register':
        return registered(one, behave)
      case 'POST /token':
        return tokens(one)
      case 'POST /revoke':
        access.delete(one.form.get('token') ?? '')
        refresh.delete(one.form.get('token') ?? '')
        return { status: 200 }
      default:
        return { status: 404, body: {} }
    }
  }
  return { behave, access, refresh, answer }
}

/** `at`: its address as others know it, behind a proxy; then each connection is good for one request. `path`: of its issuer. */
export async function rawIssuer({ at, path = '' }: { readonly at?: string; readonly path?: string } = {}): Promise<RawIssuer> {
  const asked: AskedOfIssuer[] = []
  let issuer = ''
  const { behave, access, refresh, answer } = createEndpoints(() => issuer)
  const server = createServer((request, response) => void take(request, response))
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request)
    const url = new URL(request.url ?? '', issuer)
    const isJson = request.headers['content-type'] === 'application/json'
    const one = {
      verb: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      form: new URLSearchParams(isJson ? '' : text),
      json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
      headers: request.headers,
    }
    asked.push(one)
    const { status, location, body } = answer(one)
    response.writeHead(status, { 'content-type': 'application/json', ...(location === undefined ? {} : { location }) })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  issuer = at ?? `http://127.0.0.1:${port}${path}`
  if (at !== undefined) server.maxRequestsPerSocket = 1
  return {
    issuer,
    port,
    asked,
    behave,
    at: (path) => asked.filter((one) => one.path === path),
    scopesOf(accessToken) {
      const scope = access.get(accessToken)
      return scope === undefined ? undefined : scope.split(' ')
    },
    forgetAccessTokens: () => access.clear(),
    forgetAll() {
      access.clear()
      refresh.clear()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
