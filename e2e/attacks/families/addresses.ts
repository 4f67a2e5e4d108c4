// Where a name leads is for its owner to say, and to say differently each time: whatever a server in the internet names for
// signing in, the host connects to nothing within this computer or its network, and to nothing that it has not checked.
import { type RawResource, rawResource } from '../../servers/http/oauth.ts'
import { rawIssuer } from '../../servers/http/oauth-issuer.ts'
import { type Attack, same, unless } from '../attack.ts'
import { createInternet, type Internet, publicAddress } from '../internet.ts'
import { onStage } from '../stage.ts'
import { signInAt } from './sign-in.ts'

const family = 'addresses'
const honest = [publicAddress]

interface Scene {
  readonly internet: Internet
  readonly server: RawResource
  /** A name of the attack, as the address of what it is for. */
  url(word: string, path?: string): string
}

/** `lays` sets the trap, and returns what takes it away again; then the person signs in. */
const attack = (name: string, lays: (scene: Scene) => () => void): Attack => ({
  family,
  name,
  async run() {
    const internet = await createInternet()
    const url = (word: string, path = ''): string => `https://${internet.name(word)}${path}`
    const issuer = await rawIssuer({ at: url('issuer') })
    const server = await rawResource({ issuer, at: url('server', '/mcp') })
    try {
      for (const word of ['issuer', 'other']) internet.serve(internet.name(word), issuer.port)
      internet.serve(internet.name('server'), Number(new URL(server.raw.url).port))
      return await onStage(
        () => ({}),
        async (stage) => {
          const ready = (): boolean => stage.host.snapshot().servers[0]?.state.kind === 'ready'
          const undo = lays({ internet, server, url })
          await signInAt(stage)
          const held = [...same('connected to', internet.reached, []), ...unless(!ready(), 'it is signed in to')]
          undo()
          await signInAt(stage)
          return [...held, ...unless(ready(), 'control: nobody can sign in')]
        },
        { others: { remote: { url: server.url } }, starts: [] },
      )
    } finally {
      await server.close()
      await internet.close()
    }
  },
})

/** The name of `word` leads there, each time it is asked for; then to the internet, as it should. */
const leading = (word: string, ...answers: readonly (readonly string[])[]): ((scene: Scene) => () => void) => {
  return ({ internet }) => {
    internet.leads(internet.name(word), ...answers)
    return () => internet.leads(internet.name(word), honest)
  }
}
/** The issuer names `other` for it. */
const endpoint = (field: string, path: string): Attack =>
  attack(`a ${field.replaceAll('_', ' ')} whose name leads inside is not connected to`, (scene) => {
    const undo = leading('other', ['10.0.0.7'])(scene)
    scene.server.issuer.behave.metadata = { [field]: scene.url('other', path) }
    return undo
  })

const inside = [
  ['a neighbour', '192.168.1.1'],
  ['a cloud’s secrets', '169.254.169.254'],
  ['this computer', '127.0.0.1'],
  ['this computer, in IPv6', '::1'],
  ['a neighbour in a mapped address', '::ffff:10.0.0.7'],
  ['a neighbour behind NAT64', '64:ff9b::a00:7'],
  ['a neighbour behind 6to4', '2002:a00:7::1'],
  ['a neighbour of one link', 'fe80::1%lo'],
  ['every address of this computer', '0.0.0.0'],
] as const

/** As a URL may spell addresses of this computer and its network; the last leads elsewhere than it seems. */
const spellings = [
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  'localhost.',
  'a.localhost',
  '[::ffff:169.254.169.254]',
  '①②⑦.⓪.⓪.①',
  '2852039166',
  'ada@mallory.example',
]

export const addresses: readonly Attack[] = [
  ...inside.map(([what, address]) => attack(`an issuer whose name leads to ${what} is not connected to`, leading('issuer', [address]))),
  attack('an issuer whose name leads both outside and inside is not connected to', leading('issuer', [publicAddress, '10.0.0.7'])),
  attack('an issuer whose name leads inside the second time is not connected to again', leading('issuer', honest, ['127.0.0.1'])),
  ...spellings.map((host) =>
    attack(`an issuer at ${host} is not connected to`, ({ server }) => {
      const { issuers } = server.behave
      server.behave.issuers = [`https://${host}`]
      return () => (server.behave.issuers = issuers)
    }),
  ),
  endpoint('token_endpoint', '/token'),
  endpoint('registration_endpoint', '/register'),
  attack('metadata of a server whose name leads inside is not asked for', (scene) => {
    const undo = leading('other', ['10.0.0.7'])(scene)
    scene.server.behave.told = scene.url('other', '/told/here')
    return () => {
      scene.server.behave.told = undefined
      undo()
    }
  }),
  // The server's own name leads outside while it is connected to, and inside when it is asked how far in it lies.
  ...(['127.0.0.1', '10.0.0.7'] as const).map((address) =>
    attack(`a server that is suddenly at ${address} itself may not send anyone there`, (scene) => {
      const { internet, server } = scene
      const { issuers } = server.behave
      const undo = leading('issuer', [address])(scene)
      internet.leads(internet.name('server'), honest, [address])
      return () => {
        undo()
        server.behave.issuers = issuers
        internet.leads(internet.name('server'), honest)
      }
    }),
  ),
  attack('metadata is not followed to a name that leads inside', (scene) => {
    const undo = leading('other', ['10.0.0.7'])(scene)
    scene.server.issuer.behave.moved = scene.url('other')
    return () => {
      scene.server.issuer.behave.moved = undefined
      undo()
    }
  }),
]
