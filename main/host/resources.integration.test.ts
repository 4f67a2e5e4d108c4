// What a page may ask of a server beside calls, through the whole host.
import { afterEach, expect, it } from 'vitest'
import { raw } from '#main/servers/lifecycle/servers.testing.ts'
import type { Host } from '../host.ts'
import { makeTestHost, type TestHost } from './host.testing.ts'

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
  expect(await host.request('library.read', { fetch: 'f1', server: name, uri })).toMatchObject({ contents: [{ uri, text: 'one' }] })
  await host.request('server.subscribeResource', { name, uri })
  expect(view(host)).toMatchObject({ subscriptions: [uri], session: { offers: ['resource-subscriptions', 'logging', 'completions'] } })
  const query = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'o' } } as const
  expect(await host.request('server.complete', { name, query })).toEqual({ values: ['o!'], total: 2, hasMore: false })
  await host.request('server.unsubscribeResource', { name, uri })
  expect(view(host)?.subscriptions).toEqual([])
})

it('a page sees what a server offers without starting it, in parts, and reads one to look at it', async () => {
  const { host } = make()
  expect(await host.request('library.listing', { server: name })).toEqual({ templates: [], prompts: [], resources: 0 })
  expect(view(host)?.state.kind).toBe('stopped')
  await host.request('server.start', { name })
  const { resources, fetchedAt } = await host.request('library.listing', { server: name })
  expect([resources, fetchedAt !== undefined]).toEqual([1, true])
  const part = { resources: [{ uri, name: 'one' }], revision: view(host)?.catalogueRevision }
  expect(await host.request('library.resources', { server: name, from: 0 })).toEqual(part)
  expect(await host.request('library.resources', { server: name, from: 1 })).toMatchObject({ resources: [] })
  expect(await host.request('library.resource', { server: name, uri })).toMatchObject({ resource: { uri } })
  expect(await host.request('library.resource', { server: name, uri: 'raw://none' })).toEqual({ resource: null })
  const read = await host.request('library.read', { fetch: 'f1', server: name, uri })
  const blob = { bytes: 3, mimeType: 'text/plain', sha256: expect.any(String) }
  expect(read).toMatchObject({ contents: [{ uri, text: 'one', blob, tokens: expect.any(Number) }], left: 0 })
  expect(Buffer.from(host.blob(read.contents[0]?.blob.sha256 ?? '')?.bytes ?? []).toString()).toBe('one')
  expect(host.context.store.blobs.get(read.contents[0]?.blob.sha256 ?? '')).toBeUndefined()
  const rows = await host.request('audit.list', { limit: 20, filter: { kinds: ['exchange'] } })
  expect(rows.rows.map(({ decision, by }) => [decision, by])).toContainEqual(['sent', 'person'])
})

it('what a server answers with an error reaches a page as the server’s words', async () => {
  const { host } = make()
  await expect(host.request('mention.prompt', { fetch: 'f1', server: name, name: 'greet', arguments: {} })).rejects.toMatchObject({
    code: 'server.said-no',
    data: { server: name, detail: 'Method not found', protocolCode: -32601 },
  })
})

it('of a long text a page is given the beginning, and all of it by its hash', async () => {
  const { host } = make()
  const { contents } = await host.request('library.read', { fetch: 'f1', server: name, uri: 'raw://large' })
  expect([contents[0]?.text?.length, contents[0]?.cut, contents[0]?.blob.bytes, contents[0]?.tokens]).toEqual([
    1_000_000,
    true,
    9_000_000,
    undefined,
  ])
})

it('a page that shows a server is given its tools, and not its long lists', async () => {
  const { host } = make()
  await host.request('server.start', { name })
  const listed = await host.request('server.catalogue', { name })
  expect([listed.tools.length > 0, listed.resources, listed.prompts]).toEqual([true, undefined, undefined])
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
