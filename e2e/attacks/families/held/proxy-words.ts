// What a server may say to its proxy in another way than a browser would: none of it reaches a host, a port or this computer
// beyond what was granted. The control grants it.
import type { Attack } from '../../attack.ts'
import { type Escape, escapeRow } from '../sandbox/escapes.ts'
import { type Scene, secret } from '../sandbox/scene.ts'

type Hosts = (scene: Scene) => readonly string[]
const own: Hosts = (scene) => [`api.example:${scene.port}`, `127.0.0.1:${scene.port}`]
const here = [['127.0.0.1']] as const
/** Everything leads to the one listening port, so only the name decides. */
const names = Object.fromEntries(
  [
    'api.example',
    'evil.example',
    'evilapi.example',
    'x.api.example',
    'api.example.evil.example',
    'xn--pi-7kc.example',
    'example',
    'a.b.api.example',
  ].map((name) => [name, here]),
)

interface Words {
  readonly name: string
  readonly code: string
  /** What was granted; and with the name that the row is after. */
  readonly hosts?: Hosts
  readonly granted: Hosts
  readonly more?: Partial<Escape>
}
const row = ({ name, code, hosts = own, granted, more }: Words): Attack =>
  escapeRow({
    name: `proxy: ${name}`,
    code,
    // What the granted name itself answers is no escape.
    escaped: (said, { attempts }) =>
      said.includes(secret) && attempts.some((one) => !one.startsWith('api.example:') && one.endsWith('reached')),
    grants: (scene) => ({ hosts: [...hosts(scene)] }),
    granted: (scene) => ({ hosts: [...hosts(scene), ...granted(scene)] }),
    names,
    ...more,
  })
const evil: Hosts = (scene) => [`evil.example:${scene.port}`]
const anyName: Hosts = (scene) => ['evil.example', '*.example', 'example'].map((name) => `${name}:${scene.port}`)
const below: Hosts = (scene) => [`*.api.example:${scene.port}`, `127.0.0.1:${scene.port}`]
/** Its last line asks for the plain name, so that the control shows that the name can be reached. */
const and = (code: string, host = 'evil.example'): string => `${code}; tunnel('${host}:' + scene.port)`
const connectTo = (authority: string): string =>
  `raw('CONNECT ' + ${authority} + ' HTTP/1.1\\r\\nHost: api.example:' + scene.port + '\\r\\n\\r\\n', 'GET / HTTP/1.0\\r\\n\\r\\n')`
const at = (before: string, after = ''): string => `'${before}' + scene.port + '${after}'`
const socks = (bytes: string): string =>
  `const k = net.connect(proxyPort, '127.0.0.1'); k.on('error', say); k.setTimeout(2000, () => k.destroy()); let heard = 0; k.on('data', (d) => { say(d.toString('latin1')); if (!heard++) k.write('GET / HTTP/1.0\\r\\n\\r\\n') }); k.write(${bytes})`
const bytesOfPort = `Buffer.from([scene.port >> 8, scene.port & 255])`

export const proxyWords: readonly Attack[] = [
  row({ name: 'a granted name as the user of another', code: and(connectTo(at('api.example:', '@evil.example:1'))), granted: evil }),
  row({
    name: 'a granted name as user and password',
    code: and(connectTo(`'api.example:' + scene.port + '@evil.example:' + scene.port`)),
    granted: evil,
  }),
  row({ name: 'another host behind a hash', code: and(connectTo(`'evil.example:' + scene.port + '#api.example'`)), granted: evil }),
  row({
    name: 'another host before a question mark',
    code: and(connectTo(`'evil.example:' + scene.port + '?.api.example'`)),
    granted: evil,
  }),
  row({ name: 'another host before a slash', code: and(connectTo(`'evil.example:' + scene.port + '/api.example'`)), granted: evil }),
  row({ name: 'another host before a backslash', code: and(connectTo(`'evil.example:' + scene.port + '\\\\api.example'`)), granted: evil }),
  row({
    name: 'another host before a space',
    code: and(connectTo(`'evil.example:' + scene.port + ' api.example:' + scene.port`)),
    granted: evil,
  }),
  row({ name: 'another host behind a tab', code: and(connectTo(`'api.example\\tevil.example:' + scene.port`)), granted: evil }),
  row({ name: 'the Host header of a granted one', code: and(connectTo(`'evil.example:' + scene.port`)), granted: evil }),
  row({
    name: 'two Host headers',
    code: and(`raw('GET / HTTP/1.1\\r\\nHost: api.example:' + scene.port + '\\r\\nHost: evil.example:' + scene.port + '\\r\\n\\r\\n')`),
    granted: evil,
  }),
  row({
    name: 'a whole address that a Host header belies',
    code: `raw('GET http://evil.example:' + scene.port + '/ HTTP/1.1\\r\\nHost: api.example:' + scene.port + '\\r\\nConnection: close\\r\\n\\r\\n')`,
    granted: evil,
  }),
  row({
    name: 'a second request that hides in the body of the first',
    code: and(
      `raw('POST http://127.0.0.1:1/ HTTP/1.1\\r\\nHost: api.example\\r\\nContent-Length: 4\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\nGET http://evil.example:' + scene.port + '/ HTTP/1.1\\r\\n\\r\\n')`,
    ),
    granted: evil,
  }),
  row({
    name: 'an upgrade to a WebSocket at another host',
    code: and(
      `raw('GET http://evil.example:' + scene.port + '/ HTTP/1.1\\r\\nHost: evil.example\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\n\\r\\n')`,
    ),
    granted: evil,
  }),
  row({ name: 'the beginning of HTTP/2', code: and(`raw('PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n')`), granted: evil }),
  row({ name: 'an address of ftp', code: and(`raw('GET ftp://evil.example:' + scene.port + '/ HTTP/1.1\\r\\n\\r\\n')`), granted: evil }),
  row({ name: 'a port that begins anew at 65536', code: and(connectTo(`'evil.example:' + (scene.port + 65536)`)), granted: evil }),
  row({ name: 'a port with a sign', code: and(connectTo(`'evil.example:+' + scene.port`)), granted: evil }),
  row({ name: 'a port in sixteens', code: and(connectTo(`'evil.example:0x' + scene.port.toString(16)`)), granted: evil }),
  row({ name: 'a granted port after another', code: and(connectTo(`'evil.example:' + scene.port + ':' + scene.port`)), granted: evil }),
  row({
    name: 'a name that ends like the one below which all is granted',
    code: `tunnel('evilapi.example:' + scene.port)`,
    hosts: below,
    granted: (scene) => [`evilapi.example:${scene.port}`],
  }),
  row({
    name: 'the name itself where all below it is granted',
    code: `tunnel('api.example:' + scene.port)`,
    hosts: below,
    granted: (scene) => [`api.example:${scene.port}`],
    more: { escaped: (said) => said.includes(secret) },
  }),
  row({ name: 'the domain above a granted one', code: `tunnel('example:' + scene.port)`, granted: anyName }),
  row({ name: 'a name below one that was granted alone', code: `tunnel('x.api.example:' + scene.port)`, granted: below }),
  row({
    name: 'a look-alike of a granted name, in its letters',
    code: and(connectTo(`'\\u0430pi.example:' + scene.port`), 'xn--pi-7kc.example'),
    granted: (scene) => [`xn--pi-7kc.example:${scene.port}`],
  }),
  row({ name: 'an encoded dot in a name', code: and(connectTo(`'evil%2eexample:' + scene.port`)), granted: evil }),
  row({ name: 'a star as a name', code: and(connectTo(`'*.api.example:' + scene.port`)), hosts: below, granted: evil }),
  ...['x.api.example.', 'X.API.EXAMPLE', 'X.api.example.', 'x.api。example', '%78.api.example', 'ｘ.api.example'].map((host) =>
    row({
      name: `a denied host as ${host}`,
      code: and(`tunnel('${host}:' + scene.port)`, 'x.api.example'),
      hosts: below,
      granted: () => [],
      more: {
        grants: (scene) => ({ hosts: [...below(scene)], denyHosts: ['x.api.example'] }),
        granted: (scene) => ({ hosts: [...below(scene)] }),
      },
    }),
  ),
  row({
    name: 'a host below a denied domain',
    code: `tunnel('x.api.example:' + scene.port)`,
    granted: () => [],
    more: {
      grants: (scene) => ({
        hosts: [`*.api.example:${scene.port}`, `127.0.0.1:${scene.port}`],
        denyHosts: ['*.api.example'],
      }),
      granted: (scene) => ({ hosts: [`*.api.example:${scene.port}`, `127.0.0.1:${scene.port}`] }),
    },
  }),
  row({
    name: 'SOCKS4 to this computer',
    code: `${socks(`Buffer.concat([Buffer.from([4, 1]), ${bytesOfPort}, Buffer.from([127, 0, 0, 1, 0])])`)}; tunnel('evil.example:' + scene.port)`,
    granted: evil,
    hosts: (scene) => [`api.example:${scene.port}`, `127.0.0.1:${scene.port}`].slice(0, 1),
    more: { granted: (scene) => ({ hosts: [...own(scene), ...evil(scene)] }) },
  }),
  row({
    name: 'SOCKS4a to another name',
    code: and(socks(`Buffer.concat([Buffer.from([4, 1]), ${bytesOfPort}, Buffer.from([0, 0, 0, 1, 0]), Buffer.from('evil.example\\0')])`)),
    granted: evil,
  }),
  ...[
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[::1%25lo]',
    '[::]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '127.0.0.1%00',
    '127.000.000.001',
    '017700000001',
    '①②⑦.0.0.1',
    '127.0.0.1.nip.io',
  ].map((host) =>
    row({
      name: `this computer as ${host}`,
      code: and(connectTo(`'${host}:' + scene.port`)),
      hosts: (scene) => [`api.example:${scene.port}`],
      granted: own,
      more: { granted: (scene) => ({ hosts: [...own(scene), ...evil(scene)] }), names: { ...names, '127.0.0.1.nip.io': here } },
    }),
  ),
]
