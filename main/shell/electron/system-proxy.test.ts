import { afterEach, expect, it, vi } from 'vitest'
import { askSystemForProxy, createDispatchers, type Proxies } from '#main/servers/transport/http/dispatchers.ts'
import { FakeSession } from '../../../e2e/electron-fake/session.ts'
import { firstProxy, followSystemProxy } from './window/follow-settings.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))
afterEach(() => askSystemForProxy(undefined))

/** Where a request for `url` goes through, when the system answers so. */
async function through(url: string, answer: string | Error, proxies: Proxies = {}): Promise<string | undefined> {
  const session = new FakeSession()
  session.proxy = answer
  followSystemProxy(session)
  const dispatchers = createDispatchers(proxies)
  const { proxy } = await dispatchers.for(url)
  await dispatchers.close()
  return proxy
}

it.each([
  ['PROXY corp.example:8080; DIRECT', 'http://corp.example:8080'],
  ['HTTPS corp.example:8443', 'https://corp.example:8443'],
  ['SOCKS5 corp.example:1080; PROXY next.example:3128', 'http://next.example:3128'],
  ['DIRECT; PROXY corp.example:8080', undefined],
  ['SOCKS corp.example:1080', 'socks5://corp.example:1080'],
  ['SOCKS5 corp.example:1080; DIRECT', 'socks5://corp.example:1080'],
  ['', undefined],
])('of %s it takes %s', (answer, proxy) => {
  expect(firstProxy(answer)).toBe(proxy)
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
