import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { blobSecurityPolicy, contentSecurityPolicy, mcpAppSecurityPolicy } from '#app/contract/csp.ts'
import { noDomains } from '#app/mcp-apps/csp-domains.ts'
import { callsOf } from '../../../e2e/electron-fake/record.ts'
import { protocolHandlers } from '../../../e2e/electron-fake/system.ts'
import { diagramDocument } from '../node/page-content.ts'
import { createAnswer, registerScheme, servePage } from './protocol.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

const png = 'a'.repeat(64)
const html = 'b'.repeat(64)
const blobs = new Map([
  [png, { bytes: new Uint8Array([1, 2, 3]), mimeType: 'image/png' }],
  [html, { bytes: new TextEncoder().encode('<script>alert(1)</script>'), mimeType: 'text/html' }],
])
const diagram = diagramDocument('draw()')
const blob = (sha256: string): { bytes: Uint8Array; mimeType: string } | undefined => blobs.get(sha256)

let base: string
let folder: string
let answer: ReturnType<typeof createAnswer>
const viewId = 'v'.repeat(32)
const view = (id: string) =>
  id === viewId ? { bytes: Buffer.from('<p>view</p>'), policy: mcpAppSecurityPolicy(noDomains), connections: '()' } : undefined

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'assent-page-'))
  folder = join(base, 'renderer')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(base, 'secrets.json'), 'SECRET')
  writeFileSync(join(base, 'secrets.js'), 'SECRET')
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(join(folder, 'assets', 'index.js'), 'export {}')
  writeFileSync(join(folder, 'assets', 'index.js.map'), '{}')
  symlinkSync(join(base, 'secrets.json'), join(folder, 'linked.json'))
  answer = createAnswer({ folder, diagramFrame: () => diagram, blob, view })
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** Paths that lead, or look as if they led, out of the folder. */
const hostilePaths = [
  '/../secrets.json',
  '/../../secrets.json',
  '/..%2fsecrets.json',
  '/..%2Fsecrets.json',
  '/%2e%2e/secrets.json',
  '/%2e%2e%2fsecrets.json',
  '/%2E%2E%2Fsecrets.json',
  '/.%2e/secrets.json',
  '/%252e%252e%252fsecrets.json',
  '/..%252fsecrets.json',
  '/..%5csecrets.json',
  '/..\\secrets.json',
  '/..\\..\\secrets.json',
  '/%5c..%5csecrets.json',
  '/%2e%2e%5csecrets.json',
  '/assets/../../secrets.json',
  '/assets/..%2f..%2fsecrets.json',
  '/assets/%2e%2e/%2e%2e/secrets.json',
  '/assets/..\\..\\secrets.json',
  '/assets/....//....//secrets.json',
  '/....//secrets.json',
  '/...../secrets.json',
  '/..;/secrets.json',
  '/..%00/secrets.json',
  '/..%c0%afsecrets.json',
  '/%c0%ae%c0%ae/secrets.json',
  '/%uff0e%uff0e/secrets.json',
  '/．．/secrets.json',
  '/..／secrets.json',
  '//secrets.json',
  '///etc/passwd',
  '/etc/passwd',
  '/%2fetc%2fpasswd',
  '/C:/Windows/win.ini',
  '/C:%5cWindows%5cwin.ini',
  '/file:///etc/passwd',
  '/index.html%00.js',
  '/index.html/',
  '/index.html',
  '/assets',
  '/assets/',
  '/assets/index.js/',
  '/assets/index.js.map',
  '/assets//index.js',
  '/./assets//index.js',
  '/assets/index.js::$DATA',
  '/assets/index.js.',
  '/ASSETS/INDEX.JS',
  '/linked.json',
  '/secrets.json',
  '/secrets.js',
  '/constructor',
  '/__proto__',
  '/%E0%A4%A',
  '/blob/',
  `/blob/${'c'.repeat(64)}`,
  `/blob/${png}/`,
  `/blob/${png.toUpperCase()}`,
  `/blob/../blob/${png}x`,
  `/blob/${png}%00`,
  `/blob/..%2f..%2fsecrets.json`,
]

test.each(hostilePaths)('nothing is served on %s, and the refusal carries a policy', async (path) => {
  const response = await answer('GET', `app://assent${path}`)
  expect([response.status, await response.text(), response.headers.get('content-security-policy')]).toEqual([404, '', blobSecurityPolicy])
})

test.each(['app://evil/', 'app://assent:1/', 'app://user@assent/', 'https://assent/', 'file:///etc/passwd', 'nonsense', ''])(
  'nothing is served on another origin: %s',
  async (url) => {
    expect((await answer('GET', url)).status).toBe(404)
  },
)

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'get'])('the method %s is refused', async (method) => {
  const response = await answer(method, 'app://assent/')
  expect([response.status, response.headers.get('content-security-policy')]).toEqual([405, blobSecurityPolicy])
})

describe('what is served', () => {
  test.each([
    ['/', 'text/html; charset=utf-8', contentSecurityPolicy, 15],
    ['/assets/index.js', 'text/javascript; charset=utf-8', contentSecurityPolicy, 9],
    ['/diagram', 'text/html; charset=utf-8', diagram.policy, diagram.bytes.length],
    [`/view/${viewId}`, 'text/html; charset=utf-8', mcpAppSecurityPolicy(noDomains), 11],
    [`/blob/${png}`, 'image/png', blobSecurityPolicy, 3],
    [`/blob/${html}`, 'application/octet-stream', blobSecurityPolicy, 25],
  ])('%s comes as %s with its policy', async (path, type, policy, size) => {
    const response = await answer('GET', `app://assent${path}`)
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-security-policy'),
      response.headers.get('x-content-type-options'),
      response.headers.get('referrer-policy'),
      (await response.arrayBuffer()).byteLength,
    ]).toEqual([200, type, policy, 'nosniff', 'no-referrer', size])
  })

  test.each([
    ['/diagram', 'SAMEORIGIN'],
    [`/view/${viewId}`, 'SAMEORIGIN'],
    ['/', 'DENY'],
    [`/blob/${png}`, 'DENY'],
  ])('says who may frame it: %s, %s', async (path, framing) => {
    expect((await answer('GET', `app://assent${path}`)).headers.get('x-frame-options')).toBe(framing)
  })

  test('comes without a body for HEAD', async () => {
    const response = await answer('HEAD', 'app://assent/')
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

test('the scheme is a standard, secure one that may not get around the policy', () => {
  registerScheme()
  const [schemes] = callsOf('protocol.registerSchemesAsPrivileged').at(-1) ?? []
  expect(schemes).toEqual([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
  ])
})

test('serves through Electron until it is undone', async () => {
  const stop = servePage({ folder, diagramFrame: () => undefined, blob, view })
  const response = await protocolHandlers.get('app')?.(new Request('app://assent/') as Parameters<typeof fetch>[0] & Request)
  expect(response?.status).toBe(200)
  stop()
  expect(protocolHandlers.size).toBe(0)
})

// RFC 9110, 14.1.2; its examples are of 10,000 bytes. Chromium asks for "bytes=0-" first, and for a part when somebody seeks.
describe('a part of a stored blob', () => {
  test.each<[string | null, number, number[], string | null]>([
    [null, 200, [1, 2, 3], null],
    ['bytes=0-', 206, [1, 2, 3], 'bytes 0-2/3'],
    ['bytes=1-', 206, [2, 3], 'bytes 1-2/3'],
    ['bytes=1-1', 206, [2], 'bytes 1-1/3'],
    ['bytes=1-900', 206, [2, 3], 'bytes 1-2/3'],
    ['bytes=-2', 206, [2, 3], 'bytes 1-2/3'],
    ['bytes=-900', 206, [1, 2, 3], 'bytes 0-2/3'],
    ['bytes=3-', 416, [], 'bytes */3'],
    ['bytes=-0', 416, [], 'bytes */3'],
    ['bytes=2-1', 200, [1, 2, 3], null],
    ['bytes=0-0,2-2', 200, [1, 2, 3], null],
    ['bytes=-', 200, [1, 2, 3], null],
    ['items=0-1', 200, [1, 2, 3], null],
    ['bytes=99999999999999999999-', 200, [1, 2, 3], null],
  ])('asked for by %s', async (range, status, bytes, contentRange) => {
    const response = await answer('GET', `app://assent/blob/${png}`, range)
    expect([response.status, [...new Uint8Array(await response.arrayBuffer())], response.headers.get('Content-Range')]).toEqual([
      status,
      bytes,
      contentRange,
    ])
    expect([response.headers.get('Accept-Ranges'), response.headers.get('Content-Length')]).toEqual(['bytes', String(bytes.length)])
  })

  test('is asked for by the header of the request', async () => {
    servePage({ folder, diagramFrame: () => diagram, blob, view })
    const response = await protocolHandlers.get('app')?.(new Request(`app://assent/blob/${png}`, { headers: { Range: 'bytes=2-' } }))
    expect([response?.status, response?.headers.get('Content-Security-Policy')]).toEqual([206, blobSecurityPolicy])
  })
})
