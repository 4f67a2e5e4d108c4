// The matrix of refusals: each fault at each place. A case is a good request with one thing wrong.
import type { RawRequest } from './raw-client.ts'
import { type Fixture, goodRequest, type Place, placeNames, runPath, withHeader } from './web-shell-fixture.ts'

interface Case {
  readonly name: string
  readonly place: Place
  readonly request: (fixture: Fixture) => RawRequest
}

type Fault = readonly [name: string, spoil: (good: RawRequest, fixture: Fixture, place: Place) => RawRequest, except?: readonly Place[]]

const host =
  (...values: ((port: number) => string)[]): Fault[1] =>
  (good, { port }) =>
    withHeader(good, 'Host', ...values.map((value) => value(port)))
const origin =
  (...values: ((port: number) => string)[]): Fault[1] =>
  (good, { port }) =>
    withHeader(good, 'Origin', ...values.map((value) => value(port)))
const header =
  (name: string, ...values: string[]): Fault[1] =>
  (good) =>
    withHeader(good, name, ...values)
const cookie =
  (...change: ((pair: string, name: string, value: string, fixture: Fixture) => string)[]): Fault[1] =>
  (good, fixture) => {
    const [name = '', value = ''] = fixture.cookie.split('=')
    return withHeader(good, 'Cookie', ...change.map((one) => one(fixture.cookie, name, value, fixture)))
  }

const hosts: Fault[] = [
  ['no Host', host()],
  ['an empty Host', host(() => '')],
  ['another Host', host(() => 'evil.example')],
  ['another Host with our port (rebinding)', host((port) => `evil.example:${port}`)],
  ['our address without port', host(() => '127.0.0.1')],
  ['our address with another port', host((port) => `127.0.0.1:${port + 1}`)],
  ['localhost without port', host(() => 'localhost')],
  ['0.0.0.0', host((port) => `0.0.0.0:${port}`)],
  ['the IPv6 loopback', host((port) => `[::1]:${port}`)],
  ['a short form of the address', host((port) => `127.1:${port}`)],
  ['the address as one number', host((port) => `2130706433:${port}`)],
  ['our address as a prefix', host((port) => `127.0.0.1.evil.example:${port}`)],
  ['a name under localhost', host((port) => `evil.localhost:${port}`)],
  ['a Host with user info', host((port) => `127.0.0.1:${port}@evil.example`)],
  [
    'two Hosts, ours first',
    host(
      (port) => `127.0.0.1:${port}`,
      () => 'evil.example',
    ),
  ],
  [
    'two Hosts, ours last',
    host(
      () => 'evil.example',
      (port) => `127.0.0.1:${port}`,
    ),
  ],
]

const origins: Fault[] = [
  ['Origin null', origin(() => 'null')],
  ['an empty Origin', origin(() => '')],
  ['another Origin', origin(() => 'http://evil.example')],
  ['another port as Origin', origin((port) => `http://127.0.0.1:${port + 1}`)],
  ['Origin without port', origin(() => 'http://127.0.0.1')],
  ['our Origin over https', origin((port) => `https://127.0.0.1:${port}`)],
  ['our other name as Origin', origin((port) => `http://localhost:${port}`)],
  ['our Origin as a prefix', origin((port) => `http://127.0.0.1:${port}.evil.example`)],
  ['a file as Origin', origin(() => 'file://')],
  ['an extension as Origin', origin(() => 'chrome-extension://abcdefghijklmnop')],
  [
    'two Origins',
    origin(
      (port) => `http://127.0.0.1:${port}`,
      () => 'http://evil.example',
    ),
  ],
  ['no Origin', origin(), ['page', 'asset', 'api', 'blob', 'diagram', 'view', 'backup']],
]

const sites: Fault[] = [
  ['Sec-Fetch-Site cross-site', header('Sec-Fetch-Site', 'cross-site')],
  ['Sec-Fetch-Site same-site', header('Sec-Fetch-Site', 'same-site')],
  ['Sec-Fetch-Site of nonsense', header('Sec-Fetch-Site', 'same-origin, none')],
  ['two Sec-Fetch-Sites', header('Sec-Fetch-Site', 'same-origin', 'cross-site')],
  ['Sec-Fetch-Site none', header('Sec-Fetch-Site', 'none'), ['page']],
  ['no Sec-Fetch-Site', header('Sec-Fetch-Site'), ['page', 'upgrade']],
  ['a frame', header('Sec-Fetch-Dest', 'iframe'), ['diagram', 'view']],
  ['a window', header('Sec-Fetch-Dest', 'document'), ['page', 'asset', 'api', 'blob', 'backup', 'upgrade']],
  ['a prefetch', header('Sec-Purpose', 'prefetch;prerender')],
]

const methods: Fault[] = ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'].map(
  (method): Fault => [method, (good) => ({ ...good, method })],
)
methods.push(
  ['a body', (good) => ({ ...withHeader(good, 'Content-Length', '5'), body: 'hello' })],
  ['a chunked body', (good) => ({ ...withHeader(good, 'Transfer-Encoding', 'chunked'), body: '5\r\nhello\r\n0\r\n\r\n' })],
)

const cookies: Fault[] = [
  ['no cookie', cookie()],
  ['an empty cookie', cookie(() => '')],
  ['a cookie without value', cookie((_pair, name) => `${name}=`)],
  ['a wrong cookie of the right length', cookie((_pair, name, value) => `${name}=${'A'.repeat(value.length)}`)],
  ['the cookie cut short', cookie((pair) => pair.slice(0, -1))],
  ['the cookie with one letter more', cookie((pair) => `${pair}A`)],
  ['the cookie in capitals', cookie((_pair, name, value) => `${name}=${value.toUpperCase()}`)],
  ['the cookie in quotes', cookie((_pair, name, value) => `${name}="${value}"`)],
  ['the cookie under another port’s name', cookie((_pair, _name, value, { port }) => `assent-${port + 1}=${value}`)],
  ['the cookie under a longer name', cookie((pair) => `x${pair}`)],
  ['the cookie twice', cookie((pair) => `${pair}; ${pair}`)],
  ['a wrong cookie and the right one', cookie((pair, name) => `${name}=wrong; ${pair}`)],
  ['a token as the cookie', cookie((_pair, name, _value, { shell }) => `${name}=${new URL(shell.newLink()).searchParams.get('token')}`)],
]

const forged: Fault[] = [
  ['Forwarded', header('Forwarded', 'for=127.0.0.1;host=127.0.0.1')],
  ['X-Forwarded-For', header('X-Forwarded-For', '127.0.0.1')],
  ['X-Forwarded-Host', header('X-Forwarded-Host', '127.0.0.1')],
  [
    'X-Forwarded-Host for a wrong Host',
    (good, { port }) => withHeader(withHeader(good, 'Host', 'evil.example'), 'X-Forwarded-Host', `127.0.0.1:${port}`),
  ],
  ['X-Forwarded-Proto', header('X-Forwarded-Proto', 'https')],
  ['X-Real-IP', header('X-Real-IP', '127.0.0.1')],
  ['X-Original-URL', header('X-Original-URL', '/')],
  ['X-Rewrite-URL', header('X-Rewrite-URL', '/')],
  ['X-HTTP-Method-Override', header('X-HTTP-Method-Override', 'POST')],
  ['Via', header('Via', '1.1 proxy')],
]

const targets: Fault[] = [
  ['an absolute target', (good, { port }) => ({ ...good, target: `http://127.0.0.1:${port}${good.target}` })],
  ['an absolute target elsewhere', (good) => ({ ...good, target: `http://evil.example${good.target}` })],
  ['a doubled slash', (good) => ({ ...good, target: `/${good.target}` })],
  ['an unknown query', (good) => ({ ...good, target: `${good.target}?x=1` })],
  [
    'a token where no page is',
    (good, { shell }) => ({ ...good, target: `${good.target}?token=${new URL(shell.newLink()).searchParams.get('token')}` }),
    ['page'],
  ],
]

export const matrix: readonly Case[] = placeNames.flatMap((place) =>
  [...hosts, ...origins, ...sites, ...methods, ...cookies, ...forged, ...targets]
    .filter(([, , except]) => !except?.includes(place))
    .map(([name, spoil]): Case => ({ name, place, request: (fixture) => spoil(goodRequest(place, fixture), fixture, place) })),
)

/** Targets that try to leave the folder of the page, or to name what is not for a browser. */
export const traversal: readonly string[] = [
  '/../secret.js',
  `${runPath}/assets/../../secret.js`,
  `${runPath}/assets/..%2f..%2fsecret.js`,
  '/%2e%2e/secret.js',
  '/%2e%2e%2fsecret.js',
  '/..%5csecret.js',
  '/..\\secret.js',
  `${runPath}/assets/....//secret.js`,
  '/.%00./secret.js',
  `${runPath}/assets/app.js%00.png`,
  '/%252e%252e%252fsecret.js',
  '/%c0%ae%c0%ae/secret.js',
  '/..;/secret.js',
  '//secret.js',
  `${runPath}/./assets/app.js`,
  `${runPath}/assets//app.js`,
  `${runPath}/assets/app.js/`,
  `${runPath}/assets/app.js.map`,
  `${runPath}/assets/`,
  '/assets',
  '/index.html',
  '/.env',
  '/C:/secret.js',
  '/file:///etc/passwd',
  '/etc/passwd',
  '/blob/../assets/app.js',
  '/blob/',
  `/blob/${'A'.repeat(64)}`,
  `/blob/${'0'.repeat(64)}`,
  `/blob/${'a'.repeat(63)}`,
  '/__proto__',
  '/constructor',
  '/link',
  '*',
  '',
]

/** Tokens that open nothing, without a cookie. `used`: one that was exchanged before. */
export const badTokens: readonly (readonly [name: string, target: (used: string, fresh: string) => string])[] = [
  ['no token', () => '/'],
  ['an empty token', () => '/?token='],
  ['a wrong token', () => `/?token=${'A'.repeat(43)}`],
  ['a used token', (used) => `/?token=${used}`],
  ['a token cut short', (_used, fresh) => `/?token=${fresh.slice(0, -1)}`],
  ['a token with more behind it', (_used, fresh) => `/?token=${fresh}A`],
  ['a token in another case', (_used, fresh) => `/?token=${fresh.toUpperCase()}${fresh.toLowerCase()}`],
  ['a token with escapes', (_used, fresh) => `/?token=%41${fresh}`],
  ['two tokens', (_used, fresh) => `/?token=wrong&token=${fresh}`],
  ['a token under another name', (_used, fresh) => `/?Token=${fresh}`],
  ['a token in the path', (_used, fresh) => `/${fresh}`],
  ['a token of 10,000 letters', () => `/?token=${'A'.repeat(10_000)}`],
]

/**
 * Links that another site leads to. What a browser sends for the page of a file (seen in Chromium) but with one thing wrong:
 * only the whole of it, with a token that is still good, opens anything.
 */
export const linksFromElsewhere: readonly (readonly [name: string, change: Readonly<Record<string, string | undefined>>])[] = [
  ['in a frame', { 'Sec-Fetch-Dest': 'iframe' }],
  ['in an object', { 'Sec-Fetch-Dest': 'object' }],
  ['as a script', { 'Sec-Fetch-Dest': 'script', 'Sec-Fetch-Mode': 'no-cors' }],
  ['as a picture', { 'Sec-Fetch-Dest': 'image', 'Sec-Fetch-Mode': 'no-cors' }],
  ['by fetch', { 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'cors', Origin: 'http://evil.example' }],
  ['by fetch without an Origin', { 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'no-cors' }],
  ['with another mode', { 'Sec-Fetch-Mode': 'cors' }],
  ['without a mode', { 'Sec-Fetch-Mode': undefined }],
  ['without a destination', { 'Sec-Fetch-Dest': undefined }],
  ['with two modes', { 'Sec-Fetch-Mode': 'navigate, navigate' }],
  ['with Origin null', { Origin: 'null' }],
  ['with the Origin of a file', { Origin: 'file://' }],
  ['from another port', { 'Sec-Fetch-Site': 'same-site' }],
  ['ahead of time', { 'Sec-Purpose': 'prefetch;prerender' }],
  ['through a proxy', { 'X-Forwarded-For': '127.0.0.1' }],
]
