// Network: without the proxy, past the proxy, and by what the proxy could be talked into.
import type { Attack } from '../../attack.ts'
import { type Escape, escapeRow, ofRoot } from './escapes.ts'
import { lanAddress, type Scene, secret } from './scene.ts'

const got = (said: string): boolean => said.includes(secret)
const row = (name: string, code: string, more: Partial<Escape> = {}): Attack => escapeRow({ name, code, escaped: got, ...more })

/** A request to the proxy. The control has the grant. */
const proxied = (
  name: string,
  code: string,
  granted: (scene: Scene) => readonly string[],
  hosts: (scene: Scene) => readonly string[] = () => [],
  more: Partial<Escape> = {},
): Attack =>
  row(name, code, { grants: (scene) => ({ hosts: [...hosts(scene)] }), granted: (scene) => ({ hosts: [...granted(scene)] }), ...more })

const loopback = (scene: Scene): string[] => [`127.0.0.1:${scene.port}`]

// biome-ignore format: a list reads better in rows
/** Spellings of this computer that a proxy may take for something else. */
const spellings = [
  '127.0.0.1', 'localhost', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '127.0.0.1.', 'LOCALHOST', 'a.localhost',
  '0.0.0.0', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]',
]

const names = (answers: Readonly<Record<string, readonly (readonly string[])[]>>) => ({ names: answers })
const leads = (address: string): Partial<Escape> => names({ 'api.example': [[address]] })
const toName = (scene: Scene): string[] => [`api.example:${scene.port}`]
/** The person granted the address that the name leads to as well. */
const toNameAndAddress = (scene: Scene): string[] => [`api.example:${scene.port}`, `127.0.0.1:${scene.port}`]
const tunnelName = `tunnel('api.example:' + scene.port)`

export const sandboxNetwork: readonly Attack[] = [
  row('a port of this computer is not reached', `dial({ host: '127.0.0.1', port: scene.port })`),
  row('a port of this computer is not reached by IPv6', `dial({ host: '::1', port: scene.port6 })`),
  row('a port is not reached by the address in the local network', `dial({ host: scene.lan, port: scene.port })`),
  row('a port is not reached by another loopback address', `dial({ host: '127.0.0.9', port: scene.port })`),
  row(
    'no datagram leaves',
    `const s = require('dgram').createSocket('udp4'); s.on('message', (m) => { say(m); s.close() }); s.on('error', say); s.send('x', scene.udp, '127.0.0.1', (e) => e && say(e)); setTimeout(() => { try { s.close() } catch {} }, 800)`,
  ),
  row(
    'names are not asked of a name server',
    `const r = new (require('dns').Resolver)({ timeout: 500, tries: 1 }); r.setServers(['127.0.0.1:' + scene.udp]); const s = require('dgram').createSocket('udp4'); s.on('error', say); s.on('message', (m) => { say(m); s.close() }); s.send(Buffer.from('00010100000100000000000001780000010001', 'hex'), scene.udp, '127.0.0.1'); setTimeout(() => { try { s.close() } catch {} }, 800)`,
  ),
  row(
    'there is no network but its own loopback',
    `tell(() => Object.keys(os.networkInterfaces()).some((n) => n !== 'lo') ? '${secret}' : 'lo')`,
  ),
  ...ofRoot(
    row(
      'a raw socket is not made',
      `import socket\ntry:\n  socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)\n  say('${secret}')\nexcept OSError as e: say(e)`,
      { lang: 'python' },
    ),
  ),
  ...spellings.map((host) =>
    proxied(
      `${host} is not reached through the proxy`,
      `tunnel('${host}:' + scene.port)`,
      (scene) => [
        `127.0.0.1:${scene.port}`,
        `localhost:${scene.port}`,
        `a.localhost:${scene.port}`,
        `0.0.0.0:${scene.port}`,
        `[::ffff:127.0.0.1]:${scene.port}`,
      ],
      () => ['*.example.com', 'example.com'],
    ),
  ),
  proxied(
    'this computer is not reached by a plain request',
    `raw('GET http://127.0.0.1:' + scene.port + '/ HTTP/1.1\\r\\nHost: example.com\\r\\n\\r\\n')`,
    loopback,
    () => ['example.com'],
  ),
  proxied(
    'a Host header does not stand for the address',
    `raw('GET http://127.0.0.1:' + scene.port + '/ HTTP/1.1\\r\\nHost: api.example:' + scene.port + '\\r\\n\\r\\n')`,
    loopback,
    toName,
    leads('127.0.0.1'),
  ),
  proxied(
    'a user in the address does not stand for the host',
    `raw('GET http://example.com@127.0.0.1:' + scene.port + '/ HTTP/1.1\\r\\n\\r\\n'); tunnel('127.0.0.1:' + scene.port)`,
    loopback,
    () => ['example.com'],
  ),
  proxied(
    'this computer is not reached by SOCKS',
    `const s = net.connect(proxyPort, '127.0.0.1'); let n = 0; s.on('data', (d) => { n++; if (n === 1) { const b = Buffer.from([5,1,0,1,127,0,0,1,0,0]); b.writeUInt16BE(scene.port, 8); s.write(b) } else { say(d.toString('latin1')); s.write('GET / HTTP/1.0\\r\\n\\r\\n') } }); s.on('error', say); s.setTimeout(2000, () => s.destroy()); s.write(Buffer.from([5,1,0]))`,
    loopback,
    () => ['example.com'],
  ),
  proxied(
    'this computer is not reached by SOCKS and a name',
    `const s = net.connect(proxyPort, '127.0.0.1'); let n = 0; s.on('data', (d) => { n++; if (n === 1) { const h = Buffer.from('localhost'); const p = Buffer.alloc(2); p.writeUInt16BE(scene.port); s.write(Buffer.concat([Buffer.from([5,1,0,3,h.length]), h, p])) } else { say(d.toString('latin1')); s.write('GET / HTTP/1.0\\r\\n\\r\\n') } }); s.on('error', say); s.setTimeout(2000, () => s.destroy()); s.write(Buffer.from([5,1,0]))`,
    (scene) => [`localhost:${scene.port}`],
    () => ['example.com'],
  ),
  proxied('a granted name that leads to this computer is not followed', tunnelName, toNameAndAddress, toName, leads('127.0.0.1')),
  proxied(
    'a granted name that leads here the second time is not followed',
    tunnelName,
    toNameAndAddress,
    toName,
    names({ 'api.example': [['127.0.0.1'], ['127.0.0.1']] }),
  ),
  proxied(
    'a granted name that leads here in a mapped address is not followed',
    tunnelName,
    (scene) => [...toName(scene), `[::ffff:127.0.0.1]:${scene.port}`],
    toName,
    leads('::ffff:127.0.0.1'),
  ),
  proxied(
    'a granted name that leads to the local network is not followed',
    tunnelName,
    (scene) => [...toName(scene), `${scene.lan}:${scene.port}`],
    toName,
    leads(lanAddress),
  ),
  proxied(
    'a name below a granted one that leads here is not followed',
    `tunnel('x.api.example:' + scene.port)`,
    (scene) => [`*.api.example:${scene.port}`, ...loopback(scene)],
    (scene) => [`*.api.example:${scene.port}`],
    names({ 'x.api.example': [['127.0.0.1']] }),
  ),
  proxied(
    'another port of a granted host is not reached',
    tunnelName,
    toNameAndAddress,
    (scene) => ['api.example:1', 'api.example', ...loopback(scene)],
    leads('127.0.0.1'),
  ),
  proxied(
    'a name that only ends like a granted one is not reached',
    `tunnel('evilapi.example:' + scene.port)`,
    (scene) => [`evilapi.example:${scene.port}`, ...loopback(scene)],
    (scene) => [`*.api.example:${scene.port}`, `api.example:${scene.port}`, ...loopback(scene)],
    names({ 'evilapi.example': [['127.0.0.1']] }),
  ),
  proxied(
    'a name that only begins like a granted one is not reached',
    `tunnel('api.example.evil.test:' + scene.port)`,
    (scene) => [`api.example.evil.test:${scene.port}`, ...loopback(scene)],
    (scene) => [...toName(scene), ...loopback(scene)],
    names({ 'api.example.evil.test': [['127.0.0.1']] }),
  ),
  proxied(
    'a NUL does not end a name',
    `raw('CONNECT evil.test\\0.api.example:' + scene.port + ' HTTP/1.1\\r\\n\\r\\n', 'GET / HTTP/1.0\\r\\n\\r\\n'); tunnel('evil.test:' + scene.port)`,
    (scene) => [`evil.test:${scene.port}`, ...loopback(scene)],
    (scene) => [`*.api.example:${scene.port}`, ...loopback(scene)],
    names({ 'evil.test': [['127.0.0.1']] }),
  ),
  proxied(
    'a second request of a connection does not go to another host',
    `raw('GET http://127.0.0.1:' + scene.port + '/ HTTP/1.1\\r\\nConnection: keep-alive\\r\\n\\r\\nGET http://localhost:' + scene.port + '/ HTTP/1.1\\r\\n\\r\\n')`,
    loopback,
    () => ['example.com'],
  ),
  row('a denied host is not reached, whatever else is granted', `tunnel('localhost:' + scene.port)`, {
    grants: (scene) => ({ hosts: [`localhost:${scene.port}`], denyHosts: ['localhost'] }),
    granted: (scene) => ({ hosts: [`localhost:${scene.port}`] }),
  }),
]
