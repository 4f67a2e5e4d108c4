// Further doors of the page and of its link: hosts that a rebound name brings, cookies of other programs on this computer, ranges and conditions,
// methods that say they are others, paths in other spellings, slow and huge requests, what a stranger's tab keeps. Written from the promise.
import { once } from 'node:events'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { type Attack, same, unless } from '../../attack.ts'
import { openWelcome } from '../../link-client.ts'
import { type RawAnswer, type RawRequest, send } from '../../raw-client.ts'
import {
  blobSha,
  type Fixture,
  goodRequest,
  isRefused,
  type Place,
  placeNames,
  runPath,
  startFixture,
  tokenOf,
  withHeader,
} from '../../web-shell-fixture.ts'

const family = 'shell doors'
const attack = (name: string, play: (fixture: Fixture) => Promise<readonly string[]>): Attack => ({
  family,
  name,
  async run() {
    const fixture = await startFixture()
    try {
      const wrong = await play(fixture)
      const page = await send(fixture.port, goodRequest('page', fixture))
      return [
        ...wrong,
        ...same('reached the host', fixture.reached, []),
        ...same('control: the page is given to its person', page.status, 200),
      ]
    } finally {
      await fixture.close()
    }
  },
})
/** The same fault at each place: all are refused. */
const everywhere = (
  name: string,
  spoil: (good: RawRequest, fixture: Fixture, place: Place) => RawRequest,
  except: readonly Place[] = [],
): Attack =>
  attack(name, async (fixture) => {
    const wrong: string[] = []
    for (const place of placeNames.filter((one) => !except.includes(one))) {
      const answer = await send(fixture.port, spoil(goodRequest(place, fixture), fixture, place))
      wrong.push(...unless(isRefused(answer) && answer.status !== 101, `${place}: ${answer.status}`))
    }
    return wrong
  })
const head =
  (name: string, value: (fixture: Fixture) => string) =>
  (good: RawRequest, fixture: Fixture): RawRequest =>
    withHeader(good, name, value(fixture))
/** Whether it is refused or not, it holds nothing that is another's. */
const given = (
  name: string,
  change: (good: RawRequest, fixture: Fixture) => RawRequest,
  check: (answer: RawAnswer, fixture: Fixture) => readonly string[],
  place: Place = 'page',
): Attack => attack(name, async (fixture) => check(await send(fixture.port, change(goodRequest(place, fixture), fixture)), fixture))
const path = (name: string, target: (fixture: Fixture) => string): Attack =>
  given(
    `a path with ${name} is refused`,
    (good, fixture) => ({ ...good, target: target(fixture) }),
    (answer) => unless(isRefused(answer), `status ${answer.status}`),
    'asset',
  )
const token = (
  name: string,
  target: (fresh: string) => string,
  more: (request: RawRequest, fixture: Fixture) => RawRequest = (one) => one,
): Attack =>
  attack(`a link ${name} gives no cookie, and is good afterwards`, async (fixture) => {
    const fresh = tokenOf(fixture.shell.newLink())
    const good = withHeader({ ...goodRequest('page', fixture), target: `/?token=${fresh}` }, 'Cookie')
    const bad = await send(fixture.port, more({ ...good, target: target(fresh) }, fixture))
    const then = await send(fixture.port, good)
    return [
      ...unless(!bad.headers.has('set-cookie'), `it gave one (${bad.status})`),
      ...unless(then.headers.has('set-cookie'), 'control: the link is dead'),
    ]
  })
const bytes = async (port: number, text: string, ms = 1500): Promise<string> => {
  const socket = connect({ host: '127.0.0.1', port })
  let heard = ''
  socket.on('data', (chunk) => (heard += chunk.toString('latin1')))
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  await Promise.race([once(socket, 'close'), new Promise((done) => setTimeout(done, ms))])
  socket.destroy()
  return heard
}
const text = ({ method, target, headers }: RawRequest): string =>
  `${[`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`
const smuggled = (name: string, spoil: (good: string) => string): Attack =>
  attack(`a request smuggled ${name} is none`, async (fixture) => {
    const inner = text(goodRequest('asset', fixture))
    const heard = await bytes(fixture.port, spoil(text(goodRequest('page', fixture)).slice(0, -2)) + inner)
    const statuses = [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, one]) => Number(one))
    return unless(!(statuses[0] !== undefined && statuses[0] < 400 && heard.includes('export {}')), `answered: ${statuses.join()}`)
  })
/** A WebSocket as a browser's page elsewhere would open it. */
const crossSite = (
  name: string,
  headers: (fixture: Fixture) => Record<string, string>,
  url = (port: number) => `ws://127.0.0.1:${port}/link`,
): Attack =>
  attack(`a socket ${name} is not opened`, async (fixture) => {
    const socket = new WebSocket(url(fixture.port), { headers: headers(fixture) })
    socket.on('error', () => {})
    const opened = await Promise.race([
      once(socket, 'open').then(
        () => true,
        () => false,
      ),
      once(socket, 'close').then(
        () => false,
        () => false,
      ),
      new Promise<boolean>((done) => setTimeout(done, 2000, false)),
    ])
    socket.terminate()
    const mine = await openWelcome(fixture)
    const open = mine.readyState === WebSocket.OPEN
    mine.terminate()
    return [...unless(!opened, 'it was opened'), ...unless(open, 'control: the right one is not')]
  })
const cookieNames = ['assent', 'session', '__Host-assent', 'token', '__Secure-assent', 'assent-', '$Version']

export const shellDoors: readonly Attack[] = [
  ...[
    'rebind.evil.example',
    '127.0.0.1.nip.io',
    'localtest.me',
    'localhost.evil.example',
    '0',
    '0x7f.1',
    '[::]',
    '017700000001',
    'LOCALHOST.',
  ].map((host) =>
    everywhere(
      `the name ${host} with our port is refused everywhere`,
      head('Host', ({ port }) => `${host}:${port}`),
    ),
  ),
  everywhere(
    'our Host with a tab, a comma and another is refused everywhere',
    head('Host', ({ port }) => `127.0.0.1:${port},evil.example`),
  ),
  everywhere(
    'our Host with a path is refused everywhere',
    head('Host', ({ port }) => `127.0.0.1:${port}/evil.example`),
  ),
  everywhere(
    'our Host with a query is refused everywhere',
    head('Host', ({ port }) => `127.0.0.1:${port}?evil.example`),
  ),
  everywhere(
    'our Host with an exponent in its port is refused everywhere',
    head('Host', ({ port }) => `127.0.0.1:${port}e0`),
  ),
  ...cookieNames.map((name) =>
    everywhere(
      `our value under the cookie’s name ${name} is refused everywhere`,
      head('Cookie', ({ cookie }) => `${name}=${cookie.split('=')[1]}`),
      ['upgrade'],
    ),
  ),
  everywhere(
    'our cookie between those of another port, of the same name, is refused everywhere',
    head('Cookie', ({ cookie }) => `a=b; ${cookie.split('=')[0]}=other; ${cookie}; ${cookie.split('=')[0]}=last`),
  ),
  everywhere(
    'our cookie with a NUL-like escape is refused everywhere',
    head('Cookie', ({ cookie }) => `${cookie}%00`),
  ),
  everywhere(
    'our cookie in another alphabet’s equals sign is refused everywhere',
    head('Cookie', ({ cookie }) => cookie.replace('=', '\uff1d')),
  ),
  ...['X-HTTP-Method', 'X-Method-Override', '_method'].map((name) =>
    given(
      `a method said by ${name} changes nothing`,
      (good) => withHeader(good, name, 'DELETE'),
      ({ status, body }) => unless(status >= 400 || (status === 200 && body.includes('the page')), `status ${status}`),
    ),
  ),
  given(
    'a range of a blob is no more than the blob',
    (good) => withHeader(good, 'Range', 'bytes=0-99999999'),
    ({ status, body }) => unless([200, 206, 416, 400].includes(status) && !body.includes('outside'), `${status}`),
    'blob',
  ),
  given(
    'many ranges of a blob do not grow its answer',
    (good) => withHeader(good, 'Range', `bytes=${Array.from({ length: 500 }, () => '0-12').join(',')}`),
    ({ body }) => unless(body.length < 4000, `${body.length} bytes`),
    'blob',
  ),
  given(
    'a range below zero is no other’s bytes',
    (good) => withHeader(good, 'Range', 'bytes=-99999999999999999999'),
    ({ status, body }) => unless(status !== 500 && !body.includes('outside'), `${status}`),
    'blob',
  ),
  given(
    'a condition on a tag tells nobody without the cookie',
    (good) => withHeader(withHeader(good, 'If-None-Match', `"${blobSha}"`), 'Cookie'),
    (answer) => unless(isRefused(answer) && answer.status !== 304, `${answer.status}`),
    'blob',
  ),
  given(
    'a condition on a time tells nobody without the cookie',
    (good) => withHeader(withHeader(good, 'If-Modified-Since', 'Mon, 01 Jan 2035 00:00:00 GMT'), 'Cookie'),
    (answer) => unless(isRefused(answer) && answer.status !== 304, `${answer.status}`),
    'asset',
  ),
  given(
    'the page is kept by no cache',
    (good) => good,
    ({ headers }) => unless(/no-store/.test(headers.get('cache-control') ?? ''), `cache-control: ${headers.get('cache-control')}`),
  ),
  given(
    'a blob is kept by no shared cache',
    (good) => good,
    ({ headers }) => unless(/no-store|private/.test(headers.get('cache-control') ?? ''), `cache-control: ${headers.get('cache-control')}`),
    'blob',
  ),
  given(
    'a backup is kept by no cache',
    (good) => good,
    ({ headers }) => unless(/no-store/.test(headers.get('cache-control') ?? ''), `cache-control: ${headers.get('cache-control')}`),
    'backup',
  ),
  given(
    'no opener and no embedder stays with the page',
    (good) => good,
    ({ headers }) => [
      ...same('opener', headers.get('cross-origin-opener-policy'), 'same-origin'),
      ...same('resource', headers.get('cross-origin-resource-policy'), 'same-origin'),
    ],
  ),
  given(
    'no other site may load a blob as a picture',
    (good) => good,
    ({ headers }) => [
      ...same('resource', headers.get('cross-origin-resource-policy'), 'same-origin'),
      ...same('sniff', headers.get('x-content-type-options'), 'nosniff'),
    ],
    'blob',
  ),
  given(
    'no address of ours goes to others',
    (good) => good,
    ({ headers }) => same('referrer', headers.get('referrer-policy'), 'no-referrer'),
  ),
  given(
    'an error names no version, path or header of the request',
    (good) => withHeader({ ...good, target: '/nowhere/<script>x' }, 'X-Mine', 'mine-1234'),
    ({ status, body, headers }) =>
      unless(
        status >= 400 &&
          !/mine-1234|<script>|node_modules|\/work\/|at .*\.js/i.test(body) &&
          !headers.has('x-powered-by') &&
          !headers.has('server'),
        body.slice(0, 200),
      ),
    'asset',
  ),
  path('a semicolon', () => `${runPath};x/assets/app.js`),
  path('a matrix parameter', () => `${runPath}/assets/app.js;jsessionid=1`),
  path('letters of full width', () => `${runPath}/assets/\uff0e\uff0e/secret.js`),
  path('an overlong UTF-8 slash', () => `${runPath}/assets/..%c0%afsecret.js`),
  path('two encodings', () => `${runPath}/assets/%25252e%25252e/secret.js`),
  path('a capital of the run', () => `${runPath.toUpperCase()}/assets/app.js`),
  path('an escaped letter of the run', () => '/%35e/assets/app.js'),
  path('a fragment', () => `${runPath}/assets/app.js#x`),
  path('a backslash', () => `${runPath}\\assets\\app.js`),
  path('an address of a file', () => 'file:///etc/passwd'),
  path('a host of another', ({ port }) => `//127.0.0.1:${port}${runPath}/assets/app.js`),
  path('a wildcard', () => `${runPath}/assets/*`),
  path('16,000 letters', () => `${runPath}/assets/${'a'.repeat(7000)}/app.js`),
  path('its digests', () => `${runPath}/digests.json`),
  path('the run of another', () => '/00/assets/app.js'),
  path('a tab', () => `${runPath}/assets/app.js%09`),
  path('a trailing dot, as Windows drops it', () => `${runPath}/assets/app.js.`),
  path('a stream, as NTFS has', () => `${runPath}/assets/app.js::$DATA`),
  path('a short name, as FAT has', () => `${runPath}/ASSETS~1/app.js`),
  token(
    'with POST',
    (fresh) => `/?token=${fresh}`,
    (one) => ({ ...withHeader(one, 'Content-Length', '0'), method: 'POST' }),
  ),
  token(
    'with HEAD',
    (fresh) => `/?token=${fresh}`,
    (one) => ({ ...one, method: 'HEAD' }),
  ),
  token(
    'in the body',
    () => '/',
    (one) => withHeader(one, 'Content-Length', '0'),
  ),
  token(
    'ahead of time',
    (fresh) => `/?token=${fresh}`,
    (one) => withHeader(one, 'Purpose', 'prefetch'),
  ),
  token(
    'ahead of time, as browsers say by now',
    (fresh) => `/?token=${fresh}`,
    (one) => withHeader(one, 'Sec-Purpose', 'prefetch;anonymous-client-ip'),
  ),
  token(
    'as a preview of mail programs',
    (fresh) => `/?token=${fresh}`,
    (one) => withHeader(one, 'Sec-Fetch-Dest', 'image'),
  ),
  token(
    'at a rebound name',
    (fresh) => `/?token=${fresh}`,
    (one, { port }) => withHeader(one, 'Host', `evil.example:${port}`),
  ),
  token('with a second query', (fresh) => `/?x=1&token=${fresh}`),
  token('with a fragment', (fresh) => `/?token=${fresh}#x`),
  token('behind a semicolon', (fresh) => `/?x;token=${fresh}`),
  token('with a plus', (fresh) => `/?token=${fresh}+`),
  token('at another path', (fresh) => `${runPath}/?token=${fresh}`),
  token(
    'through a socket',
    (fresh) => `/link?token=${fresh}`,
    (one) => withHeader(withHeader(one, 'Connection', 'Upgrade'), 'Upgrade', 'websocket'),
  ),
  smuggled('by two lengths', (good) => `${good}Content-Length: 0\r\nContent-Length: 5\r\n\r\n`),
  smuggled('by a length with a plus', (good) => `${good}Content-Length: +0\r\n\r\n`),
  smuggled('by a length in hexadecimal', (good) => `${good}Content-Length: 0x0\r\n\r\n`),
  smuggled('by chunks in another case', (good) => `${good}Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n`),
  smuggled('by chunks with a tab', (good) => `${good}Transfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n`),
  smuggled('by a coding that is none', (good) => `${good}Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n`),
  smuggled('by an extension of a chunk', (good) => `${good}Transfer-Encoding: chunked\r\n\r\n0;x="\r\n\r\n`),
  smuggled('by a bare line feed', (good) => `${good.replaceAll('\r\n', '\n')}Content-Length: 0\n\n`),
  smuggled('by a bare return', (good) => `${good}X: a\rContent-Length: 0\r\n\r\n`),
  smuggled('by Expect', (good) => `${good}Expect: 100-continue\r\nContent-Length: 10\r\n\r\n`),
  crossSite('of a page elsewhere', ({ cookie }) => ({ Cookie: cookie, Origin: 'https://evil.example' })),
  crossSite('of a page at another port', ({ cookie, port }) => ({ Cookie: cookie, Origin: `http://127.0.0.1:${port + 1}` })),
  crossSite('of a page without an origin', ({ cookie }) => ({ Cookie: cookie })),
  crossSite('of a sandboxed frame', ({ cookie }) => ({ Cookie: cookie, Origin: 'null' })),
  crossSite('with our Origin in capitals', ({ cookie, port }) => ({ Cookie: cookie, Origin: `HTTP://127.0.0.1:${port}` })),
  crossSite('with our Origin and a slash', ({ cookie, port }) => ({ Cookie: cookie, Origin: `http://127.0.0.1:${port}/` })),
  crossSite('of a page below the host of another run', ({ cookie, port }) => ({
    Cookie: cookie,
    Origin: `http://ab.localhost:${port}`,
    Host: `ab.localhost:${port}`,
  })),
  crossSite('at our host, from our other host', ({ cookie, port }) => ({
    Cookie: cookie,
    Origin: `http://5e.localhost:${port}`,
    Host: `127.0.0.1:${port}`,
  })),
  crossSite('without a cookie', ({ port }) => ({ Origin: `http://127.0.0.1:${port}` })),
  crossSite('with fetch metadata of another site', ({ cookie, port }) => ({
    Cookie: cookie,
    Origin: `http://127.0.0.1:${port}`,
    'Sec-Fetch-Site': 'cross-site',
  })),
  attack('200 slow requests, one letter each, keep nobody out', async (fixture) => {
    const sockets = Array.from({ length: 200 }, () => connect({ host: '127.0.0.1', port: fixture.port }).on('error', () => {}))
    for (const socket of sockets) socket.write('G')
    const drip = setInterval(() => {
      for (const socket of sockets) socket.write('E')
    }, 200)
    const began = performance.now()
    const { status } = await send(fixture.port, goodRequest('page', fixture))
    const welcome = await openWelcome(fixture)
    const open = welcome.readyState === WebSocket.OPEN
    welcome.terminate()
    clearInterval(drip)
    for (const socket of sockets) socket.destroy()
    return [...same('status', status, 200), ...unless(open, 'no socket'), ...unless(performance.now() - began < 5000, 'it was held up')]
  }),
  attack('an answer that nobody reads keeps nobody out', async (fixture) => {
    const sockets = Array.from({ length: 30 }, () =>
      connect({ host: '127.0.0.1', port: fixture.port })
        .on('error', () => {})
        .pause(),
    )
    for (const socket of sockets) socket.write(text(goodRequest('asset', fixture)).repeat(200))
    const began = performance.now()
    const { status } = await send(fixture.port, goodRequest('page', fixture))
    for (const socket of sockets) socket.destroy()
    return [...same('status', status, 200), ...unless(performance.now() - began < 5000, 'it was held up')]
  }),
]
