// The proxy on a port of this computer, which any program could connect to: only who shows the secret gets on.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { sandboxEnvironment } from '#main/servers/process/sandbox/confined-launch.ts'
import { type HostAttempt, type HostProxy, openHostProxy } from './host-proxy.ts'

const secret = 'a1b2c3'
const seen: IncomingHttpHeaders[] = []
const upstream = createServer((request, response) => {
  seen.push(request.headers)
  response.end('hello')
})
let to: string
let proxy: HostProxy
let attempts: HostAttempt[] = []

beforeAll(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  to = `localhost:${(upstream.address() as AddressInfo).port}`
  const grants = { hosts: [to], denyHosts: [] }
  proxy = await openHostProxy({ listen: { secret }, grants, onAttempt: (attempt) => attempts.push(attempt) })
})
afterEach(() => {
  attempts = []
  seen.length = 0
})
afterAll(() => {
  proxy.close()
  upstream.close()
})

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

async function get(authorization: string | undefined, url = `http://${to}/`): Promise<string> {
  const headers = authorization === undefined ? {} : { 'Proxy-Authorization': authorization }
  const asked = send({ host: '127.0.0.1', port: proxy.port, path: url, headers }).end()
  const [response] = await once(asked, 'response')
  const text = (await response.toArray()).join('')
  return `${response.statusCode} ${text}`
}

/** What comes back for these bytes, in hex, until the proxy ends it. */
async function raw(bytes: Uint8Array | string): Promise<string> {
  const socket = connect(proxy.port, '127.0.0.1')
  socket.write(bytes)
  const parts = await socket.toArray()
  return Buffer.concat(parts).toString('latin1')
}

it('passes on a request with the secret, and keeps the secret to itself', async () => {
  expect(await get(basic(`assent:${secret}`))).toBe('200 hello')
  expect(Object.keys(seen[0] ?? {}).filter((name) => name.startsWith('proxy-'))).toEqual([])
  expect(attempts).toEqual([{ host: 'localhost', port: proxyPortOf(to) }])
})

const proxyPortOf = (authority: string): number => Number(authority.split(':')[1])

it.each([
  ['none', undefined],
  ['another', basic('assent:a1b2c4')],
  ['a part of it', basic('assent:a1b2')],
  ['another user', basic(`root:${secret}`)],
  ['another scheme', `Bearer ${secret}`],
])('asks for the secret, connects nothing and lists nothing: %s', async (_, authorization) => {
  expect(await get(authorization)).toBe('407 ')
  expect(await get(authorization, 'http://elsewhere.example/')).toBe('407 ')
  const header = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`
  expect(await raw(`CONNECT ${to} HTTP/1.1\r\nHost: x\r\n${header}\r\n`)).toMatch(/^HTTP\/1\.1 407 .*\r\nProxy-Authenticate: Basic /)
  expect([seen, attempts]).toEqual([[], []])
})

it('refuses a host that is not granted, with the secret, too', async () => {
  expect(await get(basic(`assent:${secret}`), 'http://elsewhere.example/')).toMatch(/^403 /)
  expect(attempts).toEqual([{ host: 'elsewhere.example', port: 80, refused: 'not-granted' }])
})

it('takes no SOCKS, which shows no secret', async () => {
  expect(await raw(Buffer.from([5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1, 0, 80]))).toBe('\x05\xff')
  expect(attempts).toEqual([])
})

it('is used by Node’s own fetch from the variables of a sandbox', async () => {
  const address = `http://assent:${secret}@127.0.0.1:${proxy.port}`
  const env = sandboxEnvironment({}, { home: '/', tmp: '/tmp', proxy: address, hosts: [to] })
  const code = `fetch('http://${to}/').then((answer) => answer.text()).then(console.log)`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], { env })
  expect([stdout.trim(), attempts.length]).toEqual(['hello', 1])
})
