// What a page may ask of a server beside calls, through the whole host.
import { afterEach, expect, it } from 'vitest'
import { raw } from '#main/servers/test-support.ts'
import type { Host } from '../host.ts'
import { makeTestHost, type TestHost } from './testing.ts'

const { command, args } = raw('manners')
const servers = JSON.stringify({ mcpServers: { raw: { command, args } } })
const name = 'raw'
const uri = 'raw://one'
const open: TestHost[] = []
const make = (options: Parameters<typeof makeTestHost>[0] = {}): TestHost => {
  const made = makeTestHost({ servers, policy: () => ({ kind: 'allow', scope: 'once' }), ...options })
  open.push(made)
  return made
}
const view = (host: Host) => host.snapshot().servers[0]
afterEach(async () => {
  await Promise.all(open.splice(0).map((test) => test.remove()))
})

it('a page reads a resource, subscribes to it, and is offered suggestions', async () => {
  const { host } = make()
  expect(await host.request('server.readResource', { name, uri })).toMatchObject({ contents: [{ uri, text: 'one' }] })
  await host.request('server.subscribeResource', { name, uri })
  expect(view(host)).toMatchObject({ subscriptions: [uri], session: { offers: ['resource-subscriptions', 'logging', 'completions'] } })
  const query = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'o' } } as const
  expect(await host.request('server.complete', { name, query })).toEqual({ values: ['o!'], total: 2, hasMore: false })
  await host.request('server.unsubscribeResource', { name, uri })
  expect(view(host)?.subscriptions).toEqual([])
})

it('a resource that is more than a page can show is an error, and only for the page', async () => {
  const { host } = make()
  await expect(host.request('server.readResource', { name, uri: 'raw://large' })).rejects.toMatchObject({ code: 'server.too-large' })
  const { signal } = new AbortController()
  expect(await host.parts.servers.readResource(name, 'raw://large', { signal })).toHaveProperty('contents')
})

it('the log level of a server is that of before in the next run, and goes with its name', async () => {
  const { host, dataDir } = make()
  await host.request('server.setLogLevel', { name, level: 'debug' })
  await host.dispose()
  const { host: next } = make({ dataDir })
  expect(view(next)?.logLevel).toBe('debug')
  const definition = view(next)?.definition
  if (definition) await next.request('server.save', { name: 'renamed', previousName: name, definition })
  expect(view(next)).toMatchObject({ name: 'renamed', logLevel: 'debug' })
})
