// The web shell before those who speak HTTP and WebSocket by hand, beyond the matrix of web-shell-cases.ts: requests that hide
// in others, keys of an earlier run, races for one link, frames before the hello. What a good client is given is the control.
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { WebSocket } from 'ws'
import { type Attack, same, unless } from '../../attack.ts'
import { fateOf, openSilent, openWelcome } from '../../link-client.ts'
import { type RawRequest, send } from '../../raw-client.ts'
import { type Fixture, goodRequest, isRefused, nextOf, startFixture, tokenOf, withHeader } from '../../web-shell-fixture.ts'

const family = 'page doors'

const attack = (name: string, play: (fixture: Fixture) => Promise<readonly string[]>): Attack => ({
  family,
  name,
  async run() {
    const fixture = await startFixture()
    try {
      const wrong = await play(fixture)
      const reached = fixture.reached.filter((one) => one !== 'control')
      const page = await send(fixture.port, goodRequest('page', fixture))
      return [...wrong, ...same('reached the host', reached, []), ...same('control: the page is given to its person', page.status, 200)]
    } finally {
      await fixture.close()
    }
  },
})

/** Bytes as they are on one connection; what came back until it closed or nothing came for a while. */
async function raw(port: number, bytes: string | Buffer, ms = 1500): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port })
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  await Promise.race([new Promise((resolve) => socket.on('close', resolve)), new Promise((resolve) => setTimeout(resolve, ms))])
  socket.destroy()
  return text
}
const statuses = (text: string): number[] => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
const written = ({ method, target, headers }: RawRequest, more = ''): string =>
  `${[`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), more].filter(Boolean).join('\r\n')}\r\n\r\n`

/** One request whose only fault is what `spoil` makes of its bytes. */
const mangled = (name: string, spoil: (good: string, fixture: Fixture) => string): Attack =>
  attack(name, async (fixture) => {
    const text = await raw(fixture.port, spoil(written(goodRequest('page', fixture)), fixture))
    return unless(
      !statuses(text).some((status) => status < 400 && status !== 100) && !text.includes('the page'),
      `it was answered: ${text.slice(0, 200)}`,
    )
  })
/** Something is right about the answer to a good request. */
const asked = (name: string, change: (fixture: Fixture) => RawRequest, refused = true): Attack =>
  attack(name, async (fixture) => {
    const answer = await send(fixture.port, change(fixture))
    return unless(isRefused(answer) === refused, `status ${answer.status}`)
  })

const hello = (key: string): string => JSON.stringify({ kind: 'hello', key })
const request = (id: number): string => JSON.stringify({ kind: 'request', id, name: 'settings.set', params: {} })
/** A frame as a client sends it, masked with nothing. */
function frame(opcode: number, payload: Buffer, { fin = true, masked = true, length = payload.length } = {}): Buffer {
  const head = [(fin ? 0x80 : 0) | opcode]
  const bit = masked ? 0x80 : 0
  if (length < 126) head.push(bit | length)
  else if (length < 65_536) head.push(bit | 126, length >> 8, length & 255)
  else {
    const big = Buffer.alloc(8)
    big.writeBigUInt64BE(BigInt(length))
    head.push(bit | 127, ...big)
  }
  return Buffer.concat([Buffer.from(head), ...(masked ? [Buffer.alloc(4)] : []), payload])
}
/** Upgraded by hand, then these bytes; what the server said after the upgrade, and whether it hung up. */
async function upgraded(
  fixture: Fixture,
  bytes: Buffer,
  ms = 1500,
  more = '',
  later: Buffer = Buffer.alloc(0),
): Promise<{ text: string; closed: boolean }> {
  const socket = connect({ host: '127.0.0.1', port: fixture.port })
  let text = ''
  let closed = false
  socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  socket.on('error', () => {})
  socket.on('close', () => (closed = true))
  await once(socket, 'connect')
  socket.write(Buffer.concat([Buffer.from(written(goodRequest('upgrade', fixture), more)), bytes]))
  if (later.length > 0) setTimeout(() => socket.write(later), 700)
  for (let waited = 0; waited < ms && !closed; waited += 25) await new Promise((resolve) => setTimeout(resolve, 25))
  socket.destroy()
  return { text, closed }
}
/** The frames reach nothing and tell nothing; the socket is closed, or waits for its hello. */
const before = (name: string, bytes: (fixture: Fixture) => Buffer, more = ''): Attack =>
  attack(`before the hello: ${name}`, async (fixture) => {
    const { text } = await upgraded(fixture, bytes(fixture), 1500, more)
    const welcome = await openWelcome(fixture)
    const open = welcome.readyState === WebSocket.OPEN
    welcome.terminate()
    return [
      ...unless(!/welcome|"response"|"event"/.test(text), `it was told ${text.slice(-200)}`),
      ...unless(text.includes('101'), 'control: it was not upgraded'),
      ...unless(open, 'control: the right hello is not welcomed'),
    ]
  })

/** A program at `::1` and this port, as another account could start it once it sees the port. */
async function atSixth(port: number): Promise<Server | undefined> {
  const server = createServer()
  server.on('error', () => {})
  const open = await new Promise<boolean>((done) => {
    server.once('error', () => done(false))
    server.listen({ host: '::1', port, exclusive: true }, () => done(true))
  })
  return open ? server : undefined
}
const hostOf = ({ shell }: Fixture): string => new URL(shell.newLink(undefined, true)).hostname

export const pageDoors: readonly Attack[] = [
  attack('no other program gets the port of the page at ::1, where browsers look first for a name under localhost', async (fixture) => {
    const other = await atSixth(fixture.port)
    other?.close()
    return [
      ...unless(other === undefined, 'another program listens there'),
      ...unless(/^[0-9a-f]+\.localhost$/.test(hostOf(fixture)), `control: the browser is led to ${hostOf(fixture)}`),
    ]
  }),
  attack('where another program was first at ::1, the browser is led to 127.0.0.1', async (fixture) => {
    const { port } = fixture
    await fixture.shell.close()
    const other = await atSixth(port)
    const next = await startFixture(port)
    try {
      const led = hostOf(next)
      const named = await send(port, withHeader(goodRequest('page', next), 'Host', `5e.localhost:${port}`))
      return [
        ...same('led to', led, '127.0.0.1'),
        ...same('that name', named.status, 421),
        ...unless(other !== undefined, 'control: nobody was there'),
      ]
    } finally {
      other?.close()
      await next.close()
      Object.assign(fixture, await startFixture())
    }
  }),
  asked('the host of another run', ({ port, ...fixture }) =>
    withHeader(goodRequest('page', { port, ...fixture }), 'Host', `${'0'.repeat(32)}.localhost:${port}`),
  ),
  asked('a host below that of this run', ({ port, ...fixture }) =>
    withHeader(goodRequest('page', { port, ...fixture }), 'Host', `a.5e.localhost:${port}`),
  ),
  asked('what a service worker loads ahead of a navigation', (fixture) =>
    withHeader(goodRequest('page', fixture), 'Service-Worker-Navigation-Preload', 'true'),
  ),
  attack('the page names its files below a path of the run, each with its digest, and no file is served elsewhere', async (fixture) => {
    const { body, headers } = await send(fixture.port, goodRequest('page', fixture))
    const at = (target: string) => send(fixture.port, { ...goodRequest('asset', fixture), target })
    const tags = [...body.matchAll(/<(?:script|link)[^>]*(?:src|href)="[^"]+\.(?:js|css)"[^>]*>/g)].map(([tag]) => tag)
    return [
      ...unless(
        tags.length > 0 && tags.every((tag) => /"\/5e\/assets\/[^"]+" integrity="sha(?:256|384|512)-[^"]+"/.test(tag)),
        `tags: ${tags.join()}`,
      ),
      ...unless(!/\s'unsafe-inline'/.test(headers.get('content-security-policy')?.split('style-src')[0] ?? ''), 'inline scripts run'),
      ...unless(isRefused(await at('/assets/app.js')), 'the path of the build is served'),
      ...same('control: the path of the run', (await at('/5e/assets/app.js')).status, 200),
    ]
  }),
  attack('of a chosen port, the exchange clears what was there before, and not what a page of this run keeps', async (fixture) => {
    const { port } = fixture
    await fixture.shell.close()
    const next = await startFixture(port)
    const exchange = (cookie: boolean) => {
      const request = { ...goodRequest('page', next), target: `/?token=${tokenOf(next.shell.newLink())}` }
      return send(port, cookie ? request : withHeader(request, 'Cookie'))
    }
    try {
      return [
        ...unless(/"cache".*"storage"/.test((await exchange(false)).headers.get('clear-site-data') ?? ''), 'nothing is cleared'),
        ...unless(!(await exchange(true)).headers.has('clear-site-data'), 'a page of this run loses its key'),
      ]
    } finally {
      await next.close()
      Object.assign(fixture, await startFixture())
    }
  }),
  attack('a second request behind a good one is judged by itself', async (fixture) => {
    const good = written(goodRequest('page', fixture))
    const text = await raw(fixture.port, good + written(withHeader(goodRequest('asset', fixture), 'Host', 'evil.example')))
    const control = await raw(fixture.port, good + written(goodRequest('asset', fixture)))
    return [
      ...unless(!text.includes('export {}'), 'it rode along'),
      ...unless(control.includes('export {}'), 'control: no second request is answered'),
    ]
  }),
  attack('a request in the body of another is none', async (fixture) => {
    const inner = written(goodRequest('asset', fixture))
    const outer = written(goodRequest('page', fixture), `Content-Length: ${inner.length}`)
    return unless(!(await raw(fixture.port, outer + inner)).includes('export {}'), 'it was answered')
  }),
  mangled('a length and chunks at once', (good) =>
    good.replace('\r\n\r\n', '\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  ),
  mangled('HTTP/1.0 without a Host', (good) => good.replace('HTTP/1.1', 'HTTP/1.0').replace(/Host: .*\r\n/, '')),
  mangled('HTTP/0.9', () => 'GET /\r\n\r\n'),
  mangled('a Host on a folded line', (good, { port }) => good.replace(/Host: .*\r\n/, `Host:\r\n evil.example:${port}\r\n`)),
  mangled('a Host with a trailing dot', (good, { port }) => good.replace(/Host: .*\r\n/, `Host: localhost.:${port}\r\n`)),
  mangled('a Host in another alphabet', (good, { port }) => good.replace(/Host: .*\r\n/, `Host: l\u00f3calhost:${port}\r\n`)),
  mangled('a Host with a leading zero in the port', (good, { port }) => good.replace(/Host: .*\r\n/, `Host: 127.0.0.1:0${port}\r\n`)),
  mangled('a Host of the mapped address', (good, { port }) => good.replace(/Host: .*\r\n/, `Host: [::ffff:127.0.0.1]:${port}\r\n`)),
  mangled('a Host of another loopback address', (good, { port }) => good.replace(/Host: .*\r\n/, `Host: 127.0.0.2:${port}\r\n`)),
  mangled('a header with a space before its colon', (good) => good.replace('Cookie:', 'Cookie :')),
  mangled('CONNECT', (good, { port }) => good.replace('GET / ', `CONNECT 127.0.0.1:${port} `)),
  mangled('HTTP/2 with prior knowledge', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  mangled('a header of 1 MB', (good) => good.replace('\r\n\r\n', `\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n`)),
  mangled('100,000 headers', (good) => good.replace('\r\n\r\n', `\r\n${'X: y\r\n'.repeat(100_000)}\r\n\r\n`)),
  mangled('an upgrade to something else', (good) =>
    good.replace('\r\n\r\n', '\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n'),
  ),
  asked('a service worker of our page’s script is not given', (fixture) =>
    withHeader(withHeader(goodRequest('asset', fixture), 'Sec-Fetch-Dest', 'serviceworker'), 'Service-Worker', 'script'),
  ),
  asked('a shared worker of a stranger’s', (fixture) =>
    withHeader(withHeader(goodRequest('asset', fixture), 'Sec-Fetch-Dest', 'sharedworker'), 'Sec-Fetch-Site', 'cross-site'),
  ),
  asked('the header of a service worker alone', (fixture) => withHeader(goodRequest('asset', fixture), 'Service-Worker', 'script')),
  asked('a preflight for a private network', ({ port, ...fixture }) => ({
    ...withHeader(
      withHeader(
        withHeader(goodRequest('api', { port, ...fixture }), 'Origin', 'http://evil.example'),
        'Access-Control-Request-Private-Network',
        'true',
      ),
      'Access-Control-Request-Method',
      'GET',
    ),
    method: 'OPTIONS',
  })),
  attack('no answer allows another origin, a service worker or a frame', async (fixture) => {
    const wrong: string[] = []
    for (const place of ['page', 'asset', 'api', 'blob', 'backup'] as const) {
      const { headers } = await send(fixture.port, goodRequest(place, fixture))
      wrong.push(
        ...[
          'access-control-allow-origin',
          'access-control-allow-credentials',
          'access-control-allow-private-network',
          'service-worker-allowed',
        ]
          .filter((name) => headers.has(name))
          .map((name) => `${place}: ${name}`),
      )
      wrong.push(...unless(headers.get('x-content-type-options') === 'nosniff', `${place}: types are guessed`))
    }
    const policy = (await send(fixture.port, goodRequest('page', fixture))).headers.get('content-security-policy') ?? ''
    const rule = (name: string): string =>
      policy
        .split(';')
        .map((one) => one.trim())
        .find((one) => one.startsWith(`${name} `)) ?? ''
    return [
      ...wrong,
      ...same('frame-ancestors', rule('frame-ancestors'), "frame-ancestors 'none'"),
      ...same(
        'object-src or default',
        rule('object-src') || rule('default-src'),
        rule('object-src') ? "object-src 'none'" : "default-src 'none'",
      ),
      ...unless(!/unsafe-eval/.test(policy) && !/script-src[^;]*unsafe-inline/.test(policy), 'scripts of the page’s text run'),
      ...unless(rule('base-uri') === "base-uri 'none'", `base-uri: ${rule('base-uri')}`),
      ...unless(rule('form-action') === "form-action 'none'", `form-action: ${rule('form-action')}`),
    ]
  }),
  attack('of twenty who bring one link at once, one gets in', async (fixture) => {
    const target = `/?token=${tokenOf(fixture.shell.newLink())}`
    const one = withHeader({ ...goodRequest('page', fixture), target }, 'Cookie')
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(fixture.port, one)))
    return same('let in', answers.filter(({ headers }) => headers.has('set-cookie')).length, 1)
  }),
  attack('an older link is dead once a newer was used, or opens nothing twice', async (fixture) => {
    const links = [fixture.shell.newLink(), fixture.shell.newLink()]
    const open = (link: string) =>
      send(fixture.port, withHeader({ ...goodRequest('page', fixture), target: `/?token=${tokenOf(link)}` }, 'Cookie'))
    const first = await open(links[1] ?? '')
    await open(links[0] ?? '')
    const again = [await open(links[0] ?? ''), await open(links[1] ?? '')]
    return [
      ...same('opened again', again.filter(({ headers }) => headers.has('set-cookie')).length, 0),
      ...same('control', first.status, 303),
    ]
  }),
  attack('a link that somebody guessed at 500 times still opens once, for its person', async (fixture) => {
    const link = fixture.shell.newLink()
    const open = (token: string) =>
      send(fixture.port, withHeader({ ...goodRequest('page', fixture), target: `/?token=${token}` }, 'Cookie'))
    const guesses = await Promise.all(Array.from({ length: 500 }, (_, at) => open(`${'A'.repeat(40)}${at}`)))
    const mine = await open(tokenOf(link))
    return [
      ...same('guessed', guesses.filter(({ headers }) => headers.has('set-cookie')).length, 0),
      ...unless(nextOf(mine).includes('key='), 'control: the link was lost'),
    ]
  }),
  attack('a cookie and a key of an earlier run open nothing on the same port', async (fixture) => {
    const old = { cookie: fixture.cookie, key: fixture.key, port: fixture.port }
    await fixture.shell.close()
    const next = await startFixture(old.port)
    try {
      const page = await send(next.port, goodRequest('page', old))
      const upgrade = await send(next.port, goodRequest('upgrade', old))
      const socket = await openSilent(next)
      const fate = fateOf(socket)
      socket.send(hello(old.key))
      const { frames } = await fate
      return [
        ...unless(isRefused(page), 'the cookie opens the page'),
        ...unless(isRefused(upgrade), 'the cookie opens the link'),
        ...same('told', frames, []),
        ...same('control', (await send(next.port, goodRequest('page', next))).status, 200),
      ]
    } finally {
      await next.close()
      Object.assign(fixture, await startFixture())
    }
  }),
  attack('the key of one cookie does not go with another', async (fixture) => {
    const answer = await send(
      fixture.port,
      withHeader({ ...goodRequest('page', fixture), target: `/?token=${tokenOf(fixture.shell.newLink())}` }, 'Cookie'),
    )
    const other = { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '', port: fixture.port }
    const socket = await openSilent(other)
    const fate = fateOf(socket)
    socket.send(hello(fixture.key))
    const timer = setTimeout(() => socket.terminate(), 3000)
    const { frames } = await fate
    clearTimeout(timer)
    return same('told', frames, [])
  }),
  before('a request in the same packet as the upgrade', () => frame(1, Buffer.from(request(1)))),
  before('a request, then the right hello', ({ key }) =>
    Buffer.concat([frame(1, Buffer.from(request(1))), frame(1, Buffer.from(hello(key)))]),
  ),
  before('a hello and a request in one frame', ({ key }) => frame(1, Buffer.from(`${hello(key)}${request(1)}`))),
  before('a hello in bytes', ({ key }) => frame(2, Buffer.from(hello(key)))),
  before('a hello without a mask', ({ key }) => frame(1, Buffer.from(hello(key)), { masked: false })),
  before('a frame that says it is 4 GB', () => frame(1, Buffer.from('{'), { length: 4 * 1024 ** 3 })),
  before('a frame that says it is longer than numbers go', () => frame(1, Buffer.from('{'), { length: Number.MAX_SAFE_INTEGER })),
  before('a thousand parts that never end', () =>
    Buffer.concat([
      frame(1, Buffer.from('{'), { fin: false }),
      ...Array.from({ length: 1000 }, () => frame(0, Buffer.from('x'.repeat(1000)), { fin: false })),
    ]),
  ),
  before('10,000 pings', () => Buffer.concat(Array.from({ length: 10_000 }, () => frame(9, Buffer.from('x'))))),
  before('an opcode that is none', () => frame(11, Buffer.from('x'))),
  before('text that is no UTF-8', () => frame(1, Buffer.from([0xff, 0xfe, 0xc0, 0x80]))),
  before('compressed, though nobody agreed', ({ key }) => {
    const bytes = frame(1, Buffer.from(hello(key)))
    bytes[0] = (bytes[0] ?? 0) | 0x40
    return bytes
  }),
  attack('after the hello: a frame of 300 MB closes that page and no other', async (fixture) => {
    const other = await openWelcome(fixture)
    const { text, closed } = await upgraded(
      fixture,
      frame(1, Buffer.from(hello(fixture.key))),
      3000,
      '',
      frame(1, Buffer.from('{'), { length: 300 * 1024 ** 2 }),
    )
    const open = other.readyState === WebSocket.OPEN
    other.terminate()
    return [
      ...unless(text.includes('welcome'), 'control: it was not welcomed'),
      ...unless(closed, 'it was not closed'),
      ...unless(open, 'the other page was closed'),
    ]
  }),
  attack('a connection that never ends its headers does not hold the page up', async (fixture) => {
    const sockets = Array.from({ length: 50 }, () => connect({ host: '127.0.0.1', port: fixture.port }))
    for (const socket of sockets) {
      socket.on('error', () => {})
      socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ')
    }
    const began = performance.now()
    const { status } = await send(fixture.port, goodRequest('page', fixture))
    for (const socket of sockets) socket.destroy()
    return [...same('status', status, 200), ...unless(performance.now() - began < 3000, 'it was held up')]
  }),
]
