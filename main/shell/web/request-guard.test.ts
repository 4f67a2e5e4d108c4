// The rules of the gate, one by one; `e2e/attacks` tries them over real sockets.
import { expect, it } from 'vitest'
import { type GuardedRequest, judgeRequest } from './request-guard.ts'

const knock = (other: Partial<GuardedRequest> & { readonly headers?: Record<string, string> } = {}): GuardedRequest => {
  const headers = { Host: '127.0.0.1:80', 'Sec-Fetch-Site': 'same-origin', ...other.headers }
  return { upgrade: false, method: 'GET', target: '/assets/a.js', known: true, rawHeaders: Object.entries(headers).flat(), ...other }
}
const upgrade = (headers: Record<string, string>): GuardedRequest =>
  knock({ upgrade: true, target: '/link', rawHeaders: Object.entries({ Host: '127.0.0.1:80', ...headers }).flat() })
/** The page of a private file, or any other site, that leads a window to a link. */
const elsewhere = (change: Record<string, string | undefined>): GuardedRequest => {
  const headers = {
    Host: '127.0.0.1:80',
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
    ...change,
  }
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value]))
  return { upgrade: false, method: 'GET', target: '/?token=abc', known: false, rawHeaders }
}

it.each<[string, GuardedRequest, object]>([
  ['a good request enters', knock(), { kind: 'enter', place: '/assets/a.js' }],
  ['a token is taken to be exchanged', knock({ target: '/?token=abc', known: false }), { kind: 'exchange', token: 'abc' }],
  ['so is one of someone known, who may have lost the key', knock({ target: '/?token=abc' }), { kind: 'exchange', token: 'abc' }],
  ['an upgrade enters with its origin', upgrade({ Origin: 'http://127.0.0.1:80' }), { kind: 'enter', place: '/link' }],
  ['an upgrade without origin does not', upgrade({}), { kind: 'refuse', status: 403, why: 'origin' }],
  ['a link that another site opens in a window', elsewhere({}), { kind: 'exchange', token: 'abc', fromElsewhere: true }],
  ['…in a frame', elsewhere({ 'Sec-Fetch-Dest': 'iframe' }), { kind: 'refuse', status: 403, why: 'site' }],
  ['…as a picture', elsewhere({ 'Sec-Fetch-Dest': 'image', 'Sec-Fetch-Mode': 'no-cors' }), { kind: 'refuse', status: 403, why: 'site' }],
  ['…by fetch', elsewhere({ 'Sec-Fetch-Mode': 'cors' }), { kind: 'refuse', status: 403, why: 'site' }],
  ['…without a mode', elsewhere({ 'Sec-Fetch-Mode': undefined }), { kind: 'refuse', status: 403, why: 'site' }],
  ['…without a destination', elsewhere({ 'Sec-Fetch-Dest': undefined }), { kind: 'refuse', status: 403, why: 'site' }],
  ['…by a form, which names its origin', elsewhere({ Origin: 'null' }), { kind: 'refuse', status: 403, why: 'origin' }],
  ['…with our own origin', elsewhere({ Origin: 'http://127.0.0.1:80' }), { kind: 'refuse', status: 403, why: 'site' }],
  ['…ahead of time', elsewhere({ 'Sec-Purpose': 'prefetch;prerender' }), { kind: 'refuse', status: 403, why: 'prefetch' }],
  ['…from another port', elsewhere({ 'Sec-Fetch-Site': 'same-site' }), { kind: 'refuse', status: 403, why: 'site' }],
  ['…for an upgrade', { ...elsewhere({ Origin: 'http://127.0.0.1:80' }), upgrade: true }, { kind: 'refuse', status: 403, why: 'site' }],
  ['…without a token', { ...elsewhere({}), target: '/' }, { kind: 'refuse', status: 403, why: 'site' }],
  ['…with more than a token', { ...elsewhere({}), target: '/?token=abc&x=1' }, { kind: 'refuse', status: 403, why: 'site' }],
  ['…for a file, with the cookie', { ...elsewhere({}), target: '/assets/a.js', known: true }, { kind: 'refuse', status: 403, why: 'site' }],
  ['the host of this run', knock({ headers: { Host: '0f.localhost:80' } }), { kind: 'enter', place: '/assets/a.js' }],
  ['the host of another run', knock({ headers: { Host: '0e.localhost:80' } }), { kind: 'refuse', status: 421, why: 'host' }],
  ['a host below that of this run', knock({ headers: { Host: 'x.0f.localhost:80' } }), { kind: 'refuse', status: 421, why: 'host' }],
  [
    'what a service worker loads ahead of a navigation',
    knock({ target: '/', headers: { 'Service-Worker-Navigation-Preload': 'true' } }),
    { kind: 'refuse', status: 403, why: 'worker' },
  ],
  ['another host', knock({ headers: { Host: 'evil.example' } }), { kind: 'refuse', status: 421, why: 'host' }],
  ['forwarded', knock({ headers: { 'X-Forwarded-For': '::1' } }), { kind: 'refuse', status: 403, why: 'forwarded' }],
  ['another method', knock({ method: 'POST' }), { kind: 'refuse', status: 405, why: 'method' }],
  ['a body', knock({ headers: { 'Content-Length': '1' } }), { kind: 'refuse', status: 413, why: 'body' }],
  ['another site', knock({ headers: { 'Sec-Fetch-Site': 'same-site' } }), { kind: 'refuse', status: 403, why: 'site' }],
  ['escapes in the path', knock({ target: '/%2e%2e/x' }), { kind: 'refuse', status: 400, why: 'target' }],
  ['dots in the path', knock({ target: '/a/../x' }), { kind: 'refuse', status: 400, why: 'target' }],
  [
    'the frame of diagrams enters',
    knock({ target: '/diagram', headers: { 'Sec-Fetch-Dest': 'iframe' } }),
    { kind: 'enter', place: '/diagram' },
  ],
  ['any other frame', knock({ headers: { 'Sec-Fetch-Dest': 'iframe' } }), { kind: 'refuse', status: 403, why: 'framed' }],
  [
    'the frame of a view enters',
    knock({ target: `/view/${'v'.repeat(32)}`, headers: { 'Sec-Fetch-Dest': 'iframe' } }),
    { kind: 'enter', place: `/view/${'v'.repeat(32)}` },
  ],
  [
    'a view that fetches a view',
    knock({ target: `/view/${'v'.repeat(32)}`, headers: { 'Sec-Fetch-Dest': 'empty' } }),
    { kind: 'refuse', status: 403, why: 'framed' },
  ],
  [
    'a frame that another origin sends to a view',
    knock({ target: `/view/${'v'.repeat(32)}`, headers: { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Site': 'cross-site' } }),
    { kind: 'refuse', status: 403, why: 'site' },
  ],
  [
    'the frame of diagrams in a window',
    knock({ target: '/diagram', headers: { 'Sec-Fetch-Dest': 'document' } }),
    { kind: 'refuse', status: 403, why: 'framed' },
  ],
  ['no cookie', knock({ known: false }), { kind: 'refuse', status: 401, why: 'cookie' }],
])('%s', (_title, request, verdict) => {
  expect(judgeRequest(request, ['127.0.0.1:80', 'localhost:80', '0f.localhost:80'])).toEqual(verdict)
})
