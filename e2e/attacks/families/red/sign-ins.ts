// Issuers and servers that mix up who they are, where codes and tokens go, and for whom they are: nothing of a sign-in reaches anybody but the
// issuer that was named, in the form that was promised. Written from the promise alone.
import type { ResourceBehaviour } from '../../../servers/http/oauth.ts'
import { rawResource } from '../../../servers/http/oauth.ts'
import { type IssuerBehaviour, rawIssuer } from '../../../servers/http/oauth-issuer.ts'
import { type Attack, same, unless } from '../../attack.ts'
import { onStage } from '../../stage.ts'
import { signInAt } from '../sign-in.ts'

const family = 'sign-ins'

interface Lie {
  readonly issuer?: Partial<IssuerBehaviour> | ((base: string) => Partial<IssuerBehaviour>)
  readonly server?: (url: string, other: string) => Partial<ResourceBehaviour>
  /** Whether it may become ready; default: no. */
  readonly mayWork?: true
  /** An issuer may name its own token endpoint at another host, as Google’s does: its own metadata says so. */
  readonly redeemsElsewhere?: true
  /** What holds in either case. */
  readonly check?: (seen: Seen) => readonly string[]
}
interface Seen {
  readonly opened: readonly string[]
  readonly issuer: Awaited<ReturnType<typeof rawIssuer>>
  /** Another issuer, the attacker's. */
  readonly other: Awaited<ReturnType<typeof rawIssuer>>
  readonly resource: Awaited<ReturnType<typeof rawResource>>
  /** What was shown when it was asked. */
  readonly cards: string
}
const paths = (one: Awaited<ReturnType<typeof rawIssuer>>): string[] =>
  [...new Set(one.asked.map(({ path }) => path))].filter((path) => !path.startsWith('/.well-known/'))

const lie = (name: string, { issuer = {}, server = () => ({}), mayWork, redeemsElsewhere, check = () => [] }: Lie): Attack => ({
  family,
  name,
  long: true,
  async run() {
    const honest = await rawResource()
    const other = await rawIssuer()
    try {
      const [held, control] = [{ ...honest.behave }, { ...honest.issuer.behave }]
      return await onStage(
        () => ({}),
        async (stage) => {
          const { platform } = stage.test
          Object.assign(honest.issuer.behave, typeof issuer === 'function' ? issuer(other.issuer) : issuer)
          Object.assign(honest.behave, server(honest.url, other.issuer))
          const late = new Promise((done) => setTimeout(done, 12_000))
          await Promise.race([signInAt(stage), late])
          const state = stage.host.snapshot().servers[0]?.state.kind
          const cards = JSON.stringify(stage.asked)
          const wrong = [
            ...unless(mayWork || state !== 'ready', 'it is signed in to'),
            ...same('codes redeemed at the other issuer', other.at('/token').length, redeemsElsewhere ? 1 : 0),
            ...same(
              'pages that are none',
              platform.opened.filter((url) => !/^https?:\/\//.test(url)),
              [],
            ),
            ...check({ opened: platform.opened, issuer: honest.issuer, other, resource: honest, cards }),
          ]
          if (state === 'ready') return [...wrong, ...same('control: its tools', stage.host.snapshot().servers[0]?.state.kind, 'ready')]
          await stage.host.request('server.cancelSignIn', { name: 'remote' }).catch(() => undefined)
          await stage.host.request('server.stop', { name: 'remote' }).catch(() => undefined)
          Object.assign(honest.issuer.behave, control)
          Object.assign(honest.behave, held)
          await signInAt(stage)
          return [...wrong, ...same('control: signed in', stage.host.snapshot().servers[0]?.state.kind, 'ready')]
        },
        { others: { remote: { url: honest.url } }, starts: [] },
      )
    } finally {
      await honest.close()
      await other.close()
    }
  },
})
const presented = ({ resource }: Seen): string[] => resource.presented('tools/list').filter((one) => one !== undefined)
const endpoint = (name: string, value: (base: string) => unknown): Lie => ({ issuer: (base) => ({ metadata: { [name]: value(base) } }) })

export const signIns: readonly Attack[] = [
  lie('a token endpoint at another host gets the code by the word of the named issuer alone', {
    ...endpoint('token_endpoint', (base) => `${base}/token`),
    mayWork: true,
    redeemsElsewhere: true,
  }),
  lie('a page for the person at another issuer redeems no code there', {
    ...endpoint('authorization_endpoint', (base) => `${base}/authorize`),
  }),
  lie(
    'a page that is a file is not opened',
    endpoint('authorization_endpoint', () => 'file:///etc/passwd'),
  ),
  lie(
    'a page that is data is not opened',
    endpoint('authorization_endpoint', () => 'data:text/html,x'),
  ),
  lie(
    'a page with a password in its address is not opened',
    endpoint('authorization_endpoint', () => 'https://bank.example:pw@evil.example/authorize'),
  ),
  lie('a page with a line break in its address is not opened so', {
    ...endpoint('authorization_endpoint', (base) => `${base}/auth\norize\r\nX: y`),
    check: ({ opened }) => unless(!opened.some((url) => /[\n\r]/.test(url)), opened.join()),
  }),
  lie('a page whose query brings another redirect does not', {
    issuer: (base) => ({
      metadata: { authorization_endpoint: `${base}/authorize?redirect_uri=https://evil.example/&state=x&client_id=evil` },
    }),
    check: ({ opened }) =>
      unless(
        opened.every((url) => {
          const { searchParams } = new URL(url)
          return (
            searchParams.getAll('redirect_uri').length === 1 &&
            searchParams.getAll('state').length === 1 &&
            searchParams.getAll('client_id').length === 1
          )
        }),
        opened.join(),
      ),
  }),
  lie('a page with a fragment gets no words behind it', {
    ...endpoint('authorization_endpoint', (base) => `${base}/authorize#evil`),
    mayWork: true,
  }),
  lie(
    'an endpoint that is no text is none',
    endpoint('token_endpoint', () => ['x']),
  ),
  lie(
    'an endpoint of another scheme is none',
    endpoint('token_endpoint', () => 'ftp://127.0.0.1/token'),
  ),
  lie('an issuer with a slash more is not the one that was named', { issuer: {}, server: (_url, other) => ({ issuers: [`${other}/x`] }) }),
  lie('an issuer in capitals is not the one that was named', {
    server: (_url, other) => ({ issuers: [other.replace('http', 'HTTP')] }),
    mayWork: true,
  }),
  lie('an issuer that is null is not used', { issuer: { metadata: { issuer: null } }, mayWork: true }),
  lie('an issuer that is a list is not used', { issuer: { metadata: { issuer: ['https://mallory.example'] } } }),
  lie('metadata that says another issuer in another case is not used', { issuer: { metadata: { issuer: 'HTTP://127.0.0.1' } } }),
  lie('a resource on another port is not signed in to', { server: (url) => ({ resource: url.replace(/:\d+/, ':9') }) }),
  lie('a resource below another path is not signed in to', { server: (url) => ({ resource: `${url}/other` }) }),
  lie('a resource whose name begins alike is not signed in to', { server: (url) => ({ resource: url.replace(/mcp$/, 'm') }) }),
  lie('a resource with a query is not signed in to', { server: (url) => ({ resource: `${url}?tenant=other` }) }),
  lie('a resource with a user is not signed in to', { server: (url) => ({ resource: url.replace('//', '//mallory@') }) }),
  lie('a resource that is no text is not signed in to', { server: () => ({ resource: { url: 'x' } as never }) }),
  lie('metadata told at another host is not fetched into the network', {
    server: () => ({ told: 'http://169.254.169.254/latest/meta-data' }),
    mayWork: true,
    check: ({ cards }) => unless(!cards.includes('169.254'), 'it is on a card'),
  }),
  lie('metadata told as a file is not read', { server: () => ({ told: 'file:///etc/passwd' }), mayWork: true }),
  lie('a registration that changes where answers go is not used', {
    issuer: { registers: { redirect_uris: ['https://evil.example/'] } },
    mayWork: true,
    check: ({ opened }) =>
      unless(
        opened.every((url) => new URL(new URL(url).searchParams.get('redirect_uri') ?? '').hostname.match(/^(?:127\.0\.0\.1|localhost)$/)),
        opened.join(),
      ),
  }),
  lie('a registration with an id that breaks a line is not used so', {
    issuer: { registers: { client_id: 'a\r\nX-Evil: 1' } },
    mayWork: true,
    check: ({ issuer }) =>
      unless(
        issuer.asked.every(({ headers }) => !('x-evil' in headers)),
        'a header was smuggled',
      ),
  }),
  lie('a token with a line break is sent nowhere', {
    issuer: { accessToken: 'abc\r\nX-Evil: 1' },
    check: ({ resource }) =>
      unless(
        resource.raw.seen.every(({ headers }) => !('x-evil' in headers)),
        'a header was smuggled',
      ),
  }),
  lie('a token of 2 MB is sent nowhere', { issuer: { accessToken: 'a'.repeat(2_000_000) }, mayWork: true }),
  lie('a token that is no text is sent nowhere', {
    issuer: { gives: { access_token: { a: 1 } } },
    check: (seen) => same('presented', presented(seen), []),
  }),
  lie('a token of another type is not presented as ours', {
    issuer: { tokenType: 'mac' },
    check: (seen) => same('presented', presented(seen), []),
  }),
  lie('an answer with another state redeems no code', {
    issuer: { state: 'wrong' },
    check: ({ issuer }) => same('redeemed', issuer.at('/token').length, 0),
  }),
  lie('more scopes than were asked for are told', { issuer: { grants: 'admin everything' }, mayWork: true }),
  lie('a page that asks for an error in HTML shows none', {
    issuer: { pageError: '<script>alert(1)</script>' },
    check: ({ opened }) => unless(opened.length > 0, 'control: nothing was opened'),
  }),
  lie('every request for a code is bound to the server and by S256', {
    mayWork: true,
    check: ({ opened, resource }) => [
      ...unless(opened.length > 0, 'control: nothing was opened'),
      ...opened.flatMap((url) => {
        const { searchParams } = new URL(url)
        return [
          ...same('challenge', searchParams.get('code_challenge_method'), 'S256'),
          ...same('resource', searchParams.get('resource'), resource.url),
          ...unless((searchParams.get('state') ?? '').length >= 22, 'the state is short'),
        ]
      }),
    ],
  }),
  lie('every redemption is bound to the server, and none brings a secret in its address', {
    mayWork: true,
    check: ({ issuer, resource }) => [
      ...unless(issuer.at('/token').length > 0, 'control: nothing was redeemed'),
      ...issuer
        .at('/token')
        .flatMap(({ form, query }) => [...same('resource', form.get('resource'), resource.url), ...same('query', [...query.keys()], [])]),
    ],
  }),
  lie('a server that redirects calls with its token elsewhere gets it carried nowhere', {
    mayWork: true,
    server: (_url, other) => ({ redirect: `${other}/steal` }),
    check: ({ other }) => same('carried', other.asked.filter(({ headers }) => headers.authorization !== undefined).length, 0),
  }),
  lie('an issuer that moved its metadata to another is not believed', {
    issuer: (base) => ({ moved: `${base}/.well-known/oauth-authorization-server` }),
    check: (seen) => same('pages', paths(seen.other), []),
  }),
  lie('a challenge with two places of metadata does not mix them', {
    server: (url, other) => ({
      challenges: [`Bearer resource_metadata="${new URL(url).origin}/told/here", resource_metadata="${other}/x"`],
    }),
    mayWork: true,
  }),
  lie('a challenge with codes of a terminal in its scope is not asked for so', {
    server: () => ({ challenges: ['Bearer scope="read \\"evil"'] }),
    mayWork: true,
    check: ({ opened }) =>
      unless(
        opened.every((url) => !/["\\]/.test(new URL(url).searchParams.get('scope') ?? '')),
        opened.join(),
      ),
  }),
  lie('200 issuers are not all asked', {
    server: (_url, other) => ({ issuers: Array.from({ length: 200 }, (_, at) => `${other}/${at}`) }),
    mayWork: true,
    check: ({ other }) => unless(other.asked.length < 60, `${other.asked.length} requests`),
  }),
]
