import { createServer } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { askSystemForProxy, createDispatchers, type Proxies } from '#main/servers/transport/http/dispatchers.ts'
import { FakeSession } from '../../../e2e/electron-fake/session.ts'
import { followSystemProxy, proxiesOf } from './window/follow-settings.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))
afterEach(() => askSystemForProxy(undefined))

async function passage(url: string, proxies: Proxies = {}): Promise<string | undefined> {
  const dispatchers = createDispatchers(proxies)
  const { proxy } = await dispatchers.for(url)
  await dispatchers.close()
  return proxy
}

/** Where a request for `url` goes through, when the system answers so. */
async function through(url: string, answer: string | Error, proxies: Proxies = {}): Promise<string | undefined> {
  const session = new FakeSession()
  session.proxy = answer
  followSystemProxy(session, manualClock(), async () => true)
  return passage(url, proxies)
}

// What `FindProxyForURL` returns (MDN, “Proxy Auto-Configuration (PAC) file”).
it.each([
  ['PROXY corp.example:8080; DIRECT', ['http://corp.example:8080', undefined]],
  ['HTTPS corp.example:8443', ['https://corp.example:8443']],
  ['PROXY a.example:1; HTTPS b.example:2;', ['http://a.example:1', 'https://b.example:2']],
  ['SOCKS5 corp.example:1080; PROXY next.example:3128', ['http://next.example:3128']],
  ['PROXY a.example:1; SOCKS b.example:2; DIRECT', ['http://a.example:1', undefined]],
  ['DIRECT; PROXY corp.example:8080', [undefined]],
  ['SOCKS corp.example:1080', ['socks5://corp.example:1080']],
  ['SOCKS5 corp.example:1080; DIRECT', ['socks5://corp.example:1080']],
  ['', [undefined]],
])('of %s it takes %j', (answer, proxies) => {
  expect(proxiesOf(answer)).toEqual(proxies)
})

it('is what a remote server is reached through, where the environment names none', async () => {
  const corp = 'PROXY corp.example:8080'
  expect(await through('https://web.example/mcp', corp)).toBe('corp.example:8080')
  expect(await through('https://web.example/mcp', corp, { https: 'http://mine.example:1' })).toBe('mine.example:1')
  expect(await through('https://web.example/mcp', corp, { none: 'web.example' })).toBeUndefined()
  expect(await through('http://127.0.0.1:3000/mcp', corp)).toBeUndefined()
  expect(await through('https://web.example/mcp', 'DIRECT')).toBeUndefined()
  expect(await through('https://web.example/mcp', 'SOCKS5 corp.example:1080')).toBeUndefined()
  expect(await through('https://web.example/mcp', new Error('no answer'))).toBeUndefined()
})

// A laptop out of the office still has its script, whose proxy nobody reaches (TooTallNate/node-pac-proxy-agent issue 34).
it.each([
  ['PROXY up:1; PROXY other:2', 'up:1', ['up:1']],
  ['PROXY down:1; PROXY up:2', 'up:2', ['down:1', 'up:2']],
  ['PROXY down:1; DIRECT', undefined, ['down:1']],
  ['HTTPS down; PROXY up', 'up', ['down:443', 'up:80']],
  ['PROXY down:1; PROXY down:2', 'down:1', ['down:1', 'down:2']],
  ['PROXY down:1', 'down:1', []],
  ['PROXY [::1]:9; DIRECT', undefined, ['::1:9']],
])('of %s takes %s, the first that answers, having asked %j once a minute', async (answer, proxy, asked) => {
  const session = new FakeSession()
  session.proxy = answer
  const clock = manualClock()
  const tried: string[] = []
  followSystemProxy(session, clock, async (host, port) => {
    tried.push(`${host}:${port}`)
    return host === 'up'
  })
  const found = [await passage('https://web.example/'), await passage('https://other.example/')]
  expect([found, tried]).toEqual([[proxy, proxy], asked])
  clock.advance(60_001)
  await passage('https://web.example/')
  expect(tried).toEqual([...asked, ...asked])
})

it('knows a port that listens from one that does not', async () => {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { readonly port: number }
  const session = new FakeSession()
  session.proxy = `PROXY 127.0.0.1:${port}; DIRECT`
  followSystemProxy(session, manualClock())
  const open = await passage('https://web.example/')
  await new Promise((closed) => server.close(closed))
  followSystemProxy(session, manualClock())
  expect([open, await passage('https://web.example/')]).toEqual([`127.0.0.1:${port}`, undefined])
})
