// Accounts: what was allowed as ada is not done as anybody else, whatever a sign-in server says of itself, and what it says stays text.
import { type RawResource, rawResource } from '../../../servers/http/oauth.ts'
import { type IssuerBehaviour, rawIssuer } from '../../../servers/http/oauth-issuer.ts'
import { type Attack, always, no, once, same, unless } from '../../attack.ts'
import { order } from '../../obey.ts'
import { onStage, type Stage, trust } from '../../stage.ts'
import { signInAt } from '../sign-in.ts'

const family = 'accounts'
const ada = { sub: 'u1', email: 'ada@work.example' }
const bob = { sub: 'u2', email: 'bob@home.example' }
const deed = order('remote__other', {})

interface Scene {
  readonly stage: Stage
  readonly remote: RawResource
  /** Calls that ran, in whosever name. */
  readonly ran: () => number
  /** Signs out, and in at an issuer that does this. */
  readonly signInWith: (behave: Partial<IssuerBehaviour>) => Promise<void>
}

const scene = (name: string, play: (scene: Scene) => Promise<readonly string[]>, more: readonly string[] = []): Attack => ({
  family,
  name,
  async run() {
    const remote = await rawResource()
    remote.behave.scope = 'openid'
    let ran = 0
    remote.behave.onCall = async () => void ran++
    const honest = { ...remote.issuer.behave, idToken: ada }
    try {
      return await onStage(
        () => ({}),
        async (stage) => {
          const signInWith = async (behave: Partial<IssuerBehaviour>): Promise<void> => {
            Object.assign(remote.issuer.behave, honest, behave)
            await stage.host.request('server.signOut', { name: 'remote' }).catch(() => undefined)
            await signInAt(stage)
          }
          await signInWith({})
          return await play({ stage, remote, ran: () => ran, signInWith })
        },
        { others: Object.fromEntries(['remote', ...more].map((entry) => [entry, { url: remote.url }])), starts: [] },
      )
    } finally {
      await remote.close()
    }
  },
})

/** Whether a call runs that nobody is asked about again. */
async function runs({ stage, ran }: Scene): Promise<boolean> {
  const before = ran()
  stage.setPerson(no)
  await stage.turn(deed)
  return ran() > before
}

/** The person allows the call always, as ada; then `lie` is who the sign-in server says they are. */
const impostor = (name: string, lie: (scene: Scene) => Promise<void>): Attack =>
  scene(name, async (on) => {
    on.stage.setPerson(always)
    await on.stage.turn(deed)
    const allowed = await runs(on)
    await lie(on)
    const asked = on.stage.asked.length
    const attack = [
      ...unless(!(await runs(on)), 'it ran by the rule of ada'),
      ...unless(
        on.stage.asked.slice(asked).some(({ kind }) => kind === 'tool-call'),
        'nobody was asked',
      ),
    ]
    on.remote.behave.issuers = [on.remote.issuer.issuer]
    await on.signInWith({})
    return [
      ...attack,
      ...unless(allowed, 'control: the rule did nothing'),
      ...unless(await runs(on), 'control: as ada it does not run again'),
    ]
  })

const says = (name: string, behave: Partial<IssuerBehaviour>): Attack => impostor(name, ({ signInWith }) => signInWith(behave))
const signedBy = (claims: Record<string, unknown>): Partial<IssuerBehaviour> => ({ idToken: { ...ada, ...claims } })
const otherKeys = { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }, jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/cert' }

const impostors: readonly Attack[] = [
  says('bob is not ada', { idToken: bob }),
  says('another subject with ada’s address is not ada', { idToken: { sub: 'u2', email: ada.email } }),
  says('an ID token that another key signed does not make ada', { signature: 'other-key' }),
  says('an ID token that brings its own keys does not make ada', { signature: 'other-key', idTokenHeader: otherKeys }),
  says('an ID token that nobody signed does not make ada', { signature: 'none' }),
  says('an ID token that a shared secret signed does not make the signed ada', { signature: 'shared-secret' }),
  says('an ID token of another issuer does not make ada', signedBy({ iss: 'https://mallory.example' })),
  says('an ID token for another client does not make ada', signedBy({ aud: 'another' })),
  says('an ID token that is over does not make ada', signedBy({ exp: 1000 })),
  says('an ID token without its keys does not make the signed ada', { metadata: { jwks_uri: undefined } }),
  says('what only UserInfo says does not make the signed ada', { idToken: undefined, userinfo: ada }),
  says('who is not told is not ada', { idToken: undefined }),
  impostor('ada of another issuer is not this ada', async ({ remote, signInWith, stage }) => {
    const other = await rawIssuer()
    remote.others.push(other)
    Object.assign(other.behave, { idToken: ada })
    remote.behave.issuers = [other.issuer]
    await stage.host.request('server.signOut', { name: 'remote' })
    await signInWith({})
  }),
]

/** Meanwhile-attacks: `swap` makes the issuer another's between the question and the call. */
const swapped = (name: string, first: Partial<IssuerBehaviour>, swap: (remote: RawResource) => void): Attack =>
  scene(name, async (on) => {
    const { stage, remote, ran } = on
    await on.signInWith(first)
    const before = ran()
    stage.setPerson((request) => {
      if (request.kind === 'tool-call') swap(remote)
      return once(request)
    })
    const browser = setInterval(() => {
      for (const url of stage.test.platform.opened.splice(0)) fetch(url).catch(() => undefined)
    }, 5)
    await stage.turn(deed)
    clearInterval(browser)
    const attack = same('calls that ran as bob', ran() - before, 0)
    await on.signInWith(first)
    stage.setPerson(once)
    await stage.turn(deed)
    return [...attack, ...same('control: calls that ran as ada', ran() - before, 1)]
  })

const meanwhile: readonly Attack[] = [
  swapped('a call that was allowed as ada is not sent as bob, who signed in meanwhile', {}, ({ issuer }) => {
    issuer.forgetAll()
    issuer.behave.idToken = bob
  }),
  swapped('a renewal that makes bob of ada is not used', {}, ({ issuer }) => {
    issuer.forgetAccessTokens()
    issuer.behave.idToken = bob
  }),
  swapped('a renewal whose UserInfo changed its subject is not used', { idToken: undefined, userinfo: ada }, ({ issuer }) => {
    issuer.forgetAccessTokens()
    issuer.behave.userinfo = bob
  }),
  swapped('a renewal with an ID token of another key is not used', {}, ({ issuer }) => {
    issuer.forgetAccessTokens()
    issuer.behave.signature = 'other-key'
    issuer.behave.idToken = bob
  }),
]

/** All that a page, the record or a question shows. */
const shown = ({ stage }: Scene): string =>
  JSON.stringify([stage.host.snapshot().servers, stage.asked, [...stage.host.context.store.audit.all()]])
const accountIn = ({ stage }: Scene): string | undefined => {
  const { signIn } = stage.host.snapshot().servers.find(({ name }) => name === 'remote') ?? {}
  return signIn?.kind === 'signed-in' ? signIn.account?.name : undefined
}

/** An account text that does harm; the control shows an honest one. */
const text = (name: string, behave: Partial<IssuerBehaviour>, wrong: (on: Scene) => readonly string[]): Attack =>
  scene(name, async (on) => {
    await on.signInWith(behave)
    on.stage.setPerson(once)
    await on.stage.turn(deed)
    const attack = [...wrong(on), ...same('signed in', on.stage.host.snapshot().servers[0]?.state.kind, 'ready')]
    await on.signInWith({})
    return [...attack, ...same('control: the account', accountIn(on), ada.email)]
  })

const texts: readonly Attack[] = [
  text('hidden characters of an account are nowhere raw', signedBy({ email: '\u202Eada\u200B\u0007\u001B]0;x\n@work' }), (on) =>
    same('raw', /[\u202e\u200b]|\\u0007|\\u001b\]0/.test(shown(on)), false),
  ),
  text('an account of 60 kB is cut', signedBy({ email: 'x'.repeat(40_000) }), (on) =>
    unless((accountIn(on)?.length ?? 0) <= 101, 'it is long'),
  ),
  text('an ID token of 900 kB names nobody', signedBy({ email: 'x'.repeat(700_000) }), (on) => same('account', accountIn(on), undefined)),
  text('UserInfo of 10 MB names nobody', { idToken: undefined, userinfo: { ...ada, more: 'x'.repeat(10_000_000) } }, (on) =>
    same('account', accountIn(on), undefined),
  ),
  text(
    'an account that says the token back is masked',
    { accessToken: 'an-access-token-1234567890', ...signedBy({ email: 'an-access-token-1234567890' }) },
    (on) => same('the token is shown', shown(on).includes('an-access-token-1234567890'), false),
  ),
]

/** Starts another entry; the person does not sign in. */
async function presentsNothing({ stage, remote }: Scene, name: string): Promise<readonly string[]> {
  const withToken = () => remote.raw.seen.filter(({ headers }) => headers.authorization !== undefined).length
  const before = withToken()
  stage.setPerson(no)
  await stage.host.request('server.start', { name }).catch(() => undefined)
  return [
    ...same('tokens presented', withToken() - before, 0),
    ...same('asked', stage.asked.at(-1)?.kind, 'sign-in'),
    ...unless(before > 0, 'control: the first entry is not signed in'),
  ]
}

export const accounts: readonly Attack[] = [
  ...impostors,
  ...meanwhile,
  ...texts,
  scene('trust in a server as ada is none as bob', async (on) => {
    const trusted = () => on.stage.host.snapshot().servers.find(({ name }) => name === 'remote')?.definition.trusted
    await trust(on.stage, 'remote')
    const before = trusted()
    await on.signInWith({ idToken: bob })
    return [...same('trusted as bob', trusted(), false), ...same('control: trusted as ada', before, true)]
  }),
  scene('UserInfo that redirects gets no token', async (on) => {
    await on.signInWith({ idToken: undefined, userinfo: ada, userinfoRedirect: `${on.stage.lure}userinfo` })
    const attack = same('account', accountIn(on), undefined)
    await on.signInWith({ idToken: undefined, userinfo: ada })
    return [...attack, ...same('control: the account', accountIn(on), ada.email)]
  }),
  scene('an entry of the same address is not used with the other’s token', (on) => presentsNothing(on, 'second'), ['second']),
  scene('an entry that is written in place of another of its address gets no token of it', async (on) => {
    await on.stage.host.request('config.save', { text: JSON.stringify({ mcpServers: { other: { url: on.remote.url } } }) })
    return presentsNothing(on, 'other')
  }),
]
