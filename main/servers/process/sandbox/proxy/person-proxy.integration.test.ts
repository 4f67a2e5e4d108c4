// The person's own proxy behind the one of the sandbox, each with real connections. The proxy here asks for a password, knows names that this
// computer does not, and writes down what it was asked for.
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { wayTo } from '#main/servers/transport/http/dispatchers.ts'
import { type HostAttempt, type HostProxy, openHostProxy } from './host-proxy.ts'

const asked: string[] = []
const upstream = createServer((_request, response) => void response.end('hello'))
const parent = createServer((_request, response) => void response.writeHead(501).end())
parent.on('connect', (request, client, head) => {
  asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? '-'}`)
  const answer = (status: string): void => void client.end(`HTTP/1.1 ${status}\r\n\r\nabout me:pass word`)
  if (!request.headers['proxy-authorization']) return answer('407 Proxy Authentication Required')
  if (request.url?.startsWith('barred.')) return answer('403 Forbidden')
  const to = connect((upstream.address() as AddressInfo).port, '127.0.0.1', () => {
    client.write('HTTP/1.1 200 OK\r\nVia: 1.1 office\r\n\r\n')
    to.write(head)
    client.pipe(to).pipe(client)
  })
  to.on('error', () => client.destroy())
  client.on('error', () => to.destroy())
})

const hosts = ['*.office.example', 'barred.example', 'inside.example', 'localhost:1']
let proxies: HostProxy[] = []
let attempts: HostAttempt[] = []
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port
const credentials = `Basic ${Buffer.from('me:pass word').toString('base64')}`

beforeAll(async () => {
  for (const server of [upstream, parent]) await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  for (const proxy of proxies) proxy.close()
  proxies = []
  attempts = []
  asked.length = 0
})
afterAll(() => {
  for (const server of [upstream, parent]) server.close()
})

async function open(
  variables: Readonly<Record<string, string>>,
  addresses: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
) {
  const proxy = await openHostProxy({
    listen: { secret: 's' },
    grants: {
      hosts: [...hosts, ...more, `barred.example:${portOf(upstream)}`, `127.0.0.1:${portOf(upstream)}`],
      denyHosts: ['denied.office.example'],
    },
    onAttempt: (attempt) => void attempts.push(attempt),
    resolve: async (host) => {
      const address = addresses[host]
      if (address === undefined) throw new Error('not found')
      return [address]
    },
    findParent: async (address) =>
      (await wayTo(address, { http: variables['HTTP_PROXY'], https: variables['HTTPS_PROXY'], none: variables['NO_PROXY'] })).uri,
  })
  proxies.push(proxy)
  return proxy
}

async function get(url: string, ...settings: Parameters<typeof open>) {
  const proxy = await open(...settings)
  const headers = { 'Proxy-Authorization': `Basic ${Buffer.from('assent:s').toString('base64')}` }
  const [response] = await once(send({ host: '127.0.0.1', port: proxy.port, path: url, headers }).end(), 'response')
  return `${response.statusCode} ${(await response.toArray()).join('').trim()}`
}

const office = (user = 'me:pass%20word@'): string => `http://${user}127.0.0.1:${portOf(parent)}`

it('reaches what is granted by the person’s proxy, with its password, also a name that is unknown here', async () => {
  expect(await get('http://api.office.example/', { HTTP_PROXY: office() })).toBe('200 hello')
  expect(asked).toEqual([`api.office.example:80 ${credentials}`])
  expect(attempts).toEqual([{ host: 'api.office.example', port: 80 }])
})

it.each([
  ['what is not granted', 'http://evil.example/', '403', 'not-granted'],
  ['what is denied', 'http://denied.office.example/', '403', 'denied'],
  ['a name that leads into this network', 'http://inside.example/', '403', 'private-address'],
])('asks it nothing about %s', async (_what, url, status, refused) => {
  expect(await get(url, { HTTP_PROXY: office() }, { 'inside.example': '10.0.0.5' })).toMatch(new RegExp(`^${status} `))
  expect([asked, attempts.map((one) => one.refused)]).toEqual([[], [refused]])
})

it.each([
  ['refuses', 'http://barred.example/', 'whole'],
  ['asks for a password that is not there', 'http://api.office.example/', 'open'],
  ['is not there', 'http://api.office.example/', 'http://127.0.0.1:9'],
  ['is none that can be used', 'http://api.office.example/', 'ftp://127.0.0.1:9'],
])('says nothing of a proxy that %s, but that the host is not reached', async (_what, url, proxy) => {
  const text = await get(url, { HTTP_PROXY: proxy === 'whole' ? office() : proxy === 'open' ? office('') : proxy })
  expect(text).toMatch(/^502 Assent's proxy could not connect to \S+ \(unreachable\)$/)
  expect(attempts.map((one) => one.refused)).toEqual(['unreachable'])
})

it.each([
  ['NO_PROXY names it', { NO_PROXY: '.office.example' }],
  ['it is for other addresses', { HTTP_PROXY: '', HTTPS_PROXY: 'http://127.0.0.1:9' }],
])('goes without it where %s', async (_what, more) => {
  expect(await get('http://api.office.example/', { HTTP_PROXY: office(), ...more })).toMatch(/\(not-found\)$/)
  expect(asked).toEqual([])
})

it('asks it for no name of the network’s own because any website is granted, but for one that is granted itself', async () => {
  for (const host of ['wiki', 'wiki.corp', 'printer.local'])
    expect(await get(`http://${host}/`, { HTTP_PROXY: office() }, {}, ['*'])).toMatch(/not-found/)
  expect(asked).toEqual([])
  expect(await get('http://site.example/', { HTTP_PROXY: office() }, {}, ['*'])).toBe('200 hello')
  expect(await get('http://wiki.corp/', { HTTP_PROXY: office() }, {}, ['*', '*.corp'])).toMatch(/not-found/)
  expect(await get('http://wiki.corp/', { HTTP_PROXY: office() }, {}, ['*', 'wiki.corp'])).toBe('200 hello')
})

it('is asked for one host alone, whatever follows a plain request', async () => {
  const proxy = await open({ HTTP_PROXY: office() })
  const socket = connect(proxy.port, '127.0.0.1')
  const shown = `Proxy-Authorization: Basic ${Buffer.from('assent:s').toString('base64')}\r\n`
  socket.write(`GET http://api.office.example/ HTTP/1.1\r\n${shown}\r\nGET http://evil.example/ HTTP/1.1\r\n${shown}\r\n`)
  const text = Buffer.concat(await socket.toArray()).toString()
  expect([text.match(/hello/g)?.length, asked.map((one) => one.split(' ')[0])]).toEqual([1, ['api.office.example:80']])
})

it('connects to another port than those of the web directly, where that proxy refuses it', async () => {
  const at = `barred.example:${portOf(upstream)}`
  expect(await get(`http://${at}/`, { HTTPS_PROXY: office() }, { 'barred.example': '127.0.0.1' })).toBe('200 hello')
  expect(asked).toEqual([`${at} ${credentials}`])
})

it('reaches this computer’s own, where it is granted, without it', async () => {
  expect(await get('http://localhost:1/', { HTTP_PROXY: office(), HTTPS_PROXY: office() })).toMatch(/^502 .*unreachable/)
  expect(asked).toEqual([])
})
