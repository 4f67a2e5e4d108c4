// Signing in to a server that lies, or whose issuer does: no code, no token and no request of ours reaches anyone but the
// issuer that the server named, at an address that it may name.
import { type ResourceBehaviour, rawResource } from '../../servers/http/oauth.ts'
import type { IssuerBehaviour } from '../../servers/http/oauth-issuer.ts'
import { type Attack, same, unless } from '../attack.ts'
import { onStage, type Stage } from '../stage.ts'

const family = 'sign-in'

interface Lie {
  readonly issuer?: Partial<IssuerBehaviour>
  readonly server?: (url: string, lure: string) => Partial<ResourceBehaviour>
  /** Requests that may reach the issuer: paths. */
  readonly reaches: readonly string[]
}

/** The person allows it, and goes where they are sent. */
export async function signInAt(stage: Stage): Promise<void> {
  stage.setPerson((request) => (request.kind === 'sign-in' ? { kind: 'allow', scope: 'once' } : undefined))
  const gone = new Set<string>()
  const browser = setInterval(() => {
    for (const url of stage.test.platform.opened.filter((one) => !gone.has(one))) {
      gone.add(url)
      fetch(url).catch(() => undefined)
    }
  }, 5)
  await stage.host.request('server.start', { name: 'remote' }).catch(() => undefined)
  clearInterval(browser)
}

const lie = (name: string, { issuer = {}, server = () => ({}), reaches }: Lie): Attack => ({
  family,
  name,
  async run() {
    const honest = await rawResource()
    try {
      const [held, control] = [{ ...honest.behave }, { ...honest.issuer.behave }]
      return await onStage(
        () => ({}),
        async (stage) => {
          Object.assign(honest.issuer.behave, issuer, 'tokenRedirect' in issuer ? { tokenRedirect: `${stage.lure}token` } : {})
          Object.assign(honest.behave, server(honest.url, stage.lure))
          await signInAt(stage)
          const reached = [...new Set(honest.issuer.asked.map(({ path }) => path))].filter((path) => !path.startsWith('/.well-known/'))
          const state = stage.host.snapshot().servers[0]?.state.kind
          const attack = [
            ...same('reached at the issuer', reached, reaches),
            ...same('tokens presented', honest.presented('tools/list').filter((header) => header !== undefined).length, 0),
            ...unless(state !== 'ready', 'it is signed in to'),
          ]
          Object.assign(honest.behave, held)
          Object.assign(honest.issuer.behave, control)
          await signInAt(stage)
          return [...attack, ...same('control: signed in', stage.host.snapshot().servers[0]?.state.kind, 'ready')]
        },
        { others: { remote: { url: honest.url } }, starts: [] },
      )
    } finally {
      await honest.close()
    }
  },
})
const registered = ['/register', '/authorize']

export const signIn: readonly Attack[] = [
  lie('an issuer that answers in another’s name gets no code redeemed', { issuer: { iss: 'wrong' }, reaches: registered }),
  lie('an issuer that leaves out the name it promised gets no code redeemed', { issuer: { iss: 'none' }, reaches: registered }),
  lie('an issuer whose metadata is in another’s name is not used', {
    issuer: { metadata: { issuer: 'https://mallory.example' } },
    reaches: [],
  }),
  lie('an issuer without PKCE is not used', { issuer: { metadata: { code_challenge_methods_supported: ['plain'] } }, reaches: [] }),
  lie('a page that is a program is not opened', { issuer: { metadata: { authorization_endpoint: 'javascript:alert(1)' } }, reaches: [] }),
  lie('codes are not sent into the private network', {
    issuer: { metadata: { token_endpoint: 'http://169.254.169.254/token' } },
    reaches: [],
  }),
  lie('a code is not sent on to where the issuer redirects', { issuer: { tokenRedirect: 'lure' }, reaches: [...registered, '/token'] }),
  lie('a server in another’s name is not signed in to', { server: () => ({ resource: 'https://another.example/mcp' }), reaches: [] }),
  ...['http://10.0.0.1', 'http://169.254.169.254', 'file:///etc'].map((address) =>
    lie(`an issuer at ${address} is not asked`, { server: () => ({ issuers: [address] }), reaches: [] }),
  ),
]
