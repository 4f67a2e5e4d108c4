// A bundle from where a registry says that it is: what comes whole and as listed is opened like a picked file, and of what
// does not nothing stays.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { EventPayload } from '#app/contract/events.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { bytes, endless, type FileServer, sendsTo, startFileServer, stuck } from '../../../e2e/servers/registry/file-server.ts'
import { makeBundle, makeManifest } from './bundles.testing.ts'
import { fetchBundle } from './running-downloads.ts'

let files: FileServer
let test_: TestHost
const told: EventPayload<'bundle.downloading'>[] = []
const bundle = makeBundle()
const hash = createHash('sha256').update(bundle).digest('hex')

beforeAll(async () => {
  files = await startFileServer()
  test_ = makeTestHost({ environment: createEnvironment({ isTerminal: true, env: {} }), startServers: false })
  test_.host.onEvent((event) => {
    if (event.name === 'bundle.downloading') told.push(event.payload)
  })
})
beforeEach(async () => {
  told.length = 0
  files.asked.length = 0
  // A registry on this computer: it may name what is here too.
  await test_.host.request('settings.set', { registryAddress: files.url })
})
afterAll(async () => {
  await test_.remove()
  await files.close()
})

const fetched = (path: string, sha256?: string) =>
  test_.host.request('bundle.download', {
    download: 'd1',
    url: path.includes(':') ? path : `${files.url}${path}`,
    ...(sha256 ? { sha256 } : {}),
  })
const onTheWay = (): string[] => {
  try {
    return readdirSync(join(test_.dataDir, 'bundles', 'incoming'))
  } catch {
    return [] // Nothing ever came in.
  }
}
const fails = (code: string, data: object = {}) => expect.objectContaining({ code, data: expect.objectContaining(data) })

it('is what the registry lists, also where its hash is in capitals and its address leads on to another host', async () => {
  const other = await startFileServer()
  other.files.set('/real', bytes(bundle))
  files.files.set('/releases/notes%20one.mcpb', sendsTo(`${other.url}/real`))
  const view = await fetched('/releases/notes%20one.mcpb', hash.toUpperCase())
  await other.close()
  expect(view).toMatchObject({
    file: 'notes one.mcpb',
    bytes: bundle.length,
    facts: { name: 'notes' },
    download: { url: `${files.url}/releases/notes%20one.mcpb`, sha256: hash, checked: true },
  })
  expect(told.at(-1)).toEqual({ download: 'd1', bytes: bundle.length, total: bundle.length })
  await test_.host.request('bundle.install', { id: view.id, server: 'notes', values: {} })
  const { bundle: installed } = await test_.host.request('bundle.installed', { server: 'notes' })
  expect([installed?.download, (test_.host.context.config.definitions().get('notes') as StdioDefinition).command]).toEqual([
    view.download,
    'node',
  ])
  expect(test_.host.context.store.audit.list({ limit: 9 }).map(({ detail }) => detail)).toContainEqual(
    expect.objectContaining({ sha256: hash, checked: true }),
  )
})

it('is opened without a hash too, and it is said that there was none', async () => {
  files.files.set('/a.mcpb', bytes(bundle))
  const view = await fetched('/a.mcpb')
  expect(view.download).toEqual({ url: `${files.url}/a.mcpb`, sha256: hash, checked: false })
  await test_.host.request('bundle.close', { id: view.id })
})

it.each<[string, () => string | Promise<string>, string, object]>([
  ['other bytes than listed', () => served(bytes(makeBundle(makeManifest({ version: '6.6.6' })))), 'bundle.wrong-hash', { wanted: hash }],
  ['a web page', () => served(bytes('<!doctype html><title>Sign in</title>', 'text/html')), 'bundle.unreadable', { why: 'no-archive' }],
  ['nothing', () => served(bytes('')), 'bundle.unreadable', { why: 'no-archive' }],
  ['no such file', () => '/none.mcpb', 'bundle.not-downloaded', { reason: 'http', status: 404 }],
  [
    'more than it may have, by its own word',
    () => served((r) => void r.writeHead(200, { 'content-length': 2 ** 40 }).write('PK')),
    'bundle.too-large',
    {},
  ],
  [
    'half of it',
    () => served((r) => void r.writeHead(200, { 'content-length': 10_000 }).write('PK', () => r.destroy())),
    'bundle.not-downloaded',
    {},
  ],
  ['a circle', () => served(sendsTo('/x.mcpb')), 'bundle.not-downloaded', { reason: 'redirect' }],
  ['the way to a host without https', () => served(sendsTo('http://10.0.0.1/x.mcpb')), 'bundle.not-downloaded', { reason: 'insecure' }],
  [
    'the way to the address of a cloud’s secrets',
    () => served(sendsTo('http://169.254.169.254/latest')),
    'bundle.not-downloaded',
    { reason: 'insecure' },
  ],
  ['the way to a file', () => served(sendsTo('file:///etc/passwd')), 'bundle.not-downloaded', { reason: 'not-an-address' }],
  [
    'nobody there',
    async () => {
      const gone = await startFileServer()
      await gone.close()
      return `${gone.url}/x.mcpb`
    },
    'bundle.not-downloaded',
    { reason: 'ECONNREFUSED' },
  ],
])('where there is %s instead, nothing is kept', async (_, path, code, data) => {
  await expect(fetched(await path(), hash)).rejects.toEqual(fails(code, data))
  expect(onTheWay()).toEqual([])
})

function served(serve: Parameters<FileServer['files']['set']>[1]): string {
  files.files.set('/x.mcpb', serve)
  return '/x.mcpb'
}

it('a registry outside leads nobody to this computer or its network', async () => {
  await test_.host.request('settings.set', { registryAddress: 'https://93.184.216.34' })
  files.files.set('/a.mcpb', bytes(bundle))
  await expect(fetched('/a.mcpb', hash)).rejects.toEqual(fails('bundle.not-downloaded', { reason: 'insecure' }))
  for (const host of [`127.0.0.1:${new URL(files.url).port}`, 'localhost', '10.0.0.1', '169.254.169.254', '[fd00::1]'])
    await expect(fetched(`https://${host}/a.mcpb`, hash)).rejects.toEqual(fails('bundle.not-downloaded', { reason: 'private' }))
  expect(files.asked).toEqual([])
})

it('is stopped when the person says so, and leaves nothing behind', async () => {
  files.files.set('/a.mcpb', stuck(bundle))
  const coming = fetched('/a.mcpb', hash)
  await expect.poll(() => told.length).toBe(1)
  await test_.host.request('bundle.stopDownload', { download: 'd1' })
  await expect(coming).rejects.toEqual(fails('cancelled'))
  expect(onTheWay()).toEqual([])
})

it('one that never ends is left at its limit, and one that falls silent too', async () => {
  let kept = 0
  const from = (path: string, limits: object) =>
    fetchBundle({
      ...{ url: `${files.url}${path}`, sha256: undefined, registry: files.url, proxies: {}, signal: new AbortController().signal },
      limits: { bytes: 3_000_000, silenceMs: 60_000, wholeMs: 60_000, ...limits },
      take: async (part) => {
        kept += part.byteLength
      },
      onProgress: () => undefined,
    })
  files.files.set('/endless', endless)
  files.files.set('/stuck', stuck(bundle))
  await expect(from('/endless', {})).rejects.toEqual(fails('bundle.too-large', { limit: 3_000_000 }))
  expect(kept).toBeLessThanOrEqual(3_000_000)
  await expect(from('/stuck', { silenceMs: 50 })).rejects.toEqual(fails('bundle.not-downloaded', { reason: 'timeout' }))
})
