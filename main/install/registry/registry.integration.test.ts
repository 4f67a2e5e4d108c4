import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLog } from '#main/base/host-log.ts'
import { type ManualClock, manualClock } from '#main/base/manual-clock.testing.ts'
import { createGetJson } from '#main/servers/transport/http/get-json.ts'
import { manyServers, type RegistryServer, startRegistryServer, wireServer } from '../../../e2e/servers/registry/registry-server.ts'
import { createRegistry, createRegistryCache, openRegistry, type Registry } from './registry.ts'

let server: RegistryServer
let folder: string
let clock: ManualClock
let registry: Registry

const opened: Registry[] = []
/** One more on the same folder, as after a restart. */
function open(limits?: { readonly maxBytes: number; readonly timeoutMs: number }): Registry {
  const cache = createRegistryCache(folder, silentLog)
  const made = createRegistry({ address: () => server.url, getJson: createGetJson(async () => ({}), limits), cache, clock })
  opened.push(made)
  return made
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-registry-'))
  server = await startRegistryServer(manyServers(120))
  clock = manualClock()
  registry = open()
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const names = ({ entries }: { readonly entries: readonly { readonly name: string }[] }): string[] => entries.map(({ name }) => name)
const fails = (code: string, data: object = {}) => expect.objectContaining({ code, data: expect.objectContaining(data) })

it('reads page by page, by cursor, each server once and with nothing of the person’s', async () => {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await registry.find('a', { text: '', cursor })
    seen.push(...names(page))
    cursor = page.next
  } while (cursor !== undefined)
  expect([seen.length, new Set(seen).size, server.asked.length]).toEqual([120, 120, 3])
  expect(server.asked[0]).toBe('/v0.1/servers?limit=50&version=latest')
  expect(Object.keys(server.headers()).filter((name) => /cookie|auth|referer|origin/.test(name))).toEqual([])
})

it('searches, and finds one server in the version that is wanted', async () => {
  server.entries.push(
    wireServer({ name: 'com.acme/notes', version: '2.0.0' }),
    wireServer({ name: 'com.acme/notes', version: '1.0.0+b/1' }, { isLatest: false }),
  )
  expect((await registry.find('a', { text: ' com.acme ' })).entries.map(({ version }) => version)).toEqual(['2.0.0'])
  expect((await registry.server('a', 'com.acme/notes')).entries.map(({ version }) => version)).toEqual(['2.0.0', '1.0.0+b/1'])
  expect(names(await registry.server('a', 'com.acme/notes', '1.0.0+b/1'))).toEqual(['com.acme/notes'])
  await expect(registry.server('a', 'com.acme/none', 'latest')).rejects.toEqual(fails('registry.refused', { status: 404 }))
})

it('speaks the older version of the API where there is no other, and asks once which', async () => {
  server.api = 'v0'
  await registry.find('a', { text: 'tool-0001' })
  await registry.find('a', { text: 'tool-0002' })
  expect(server.asked.map((path) => path.split('/')[1])).toEqual(['v0.1', 'v0', 'v0'])
})

it('does not ask twice in a short while, then asks whether anything changed', async () => {
  const first = await registry.find('a', { text: 'tool' })
  expect([first.source, (await registry.find('a', { text: 'tool' })).source, server.asked.length]).toEqual(['registry', 'kept', 1])
  clock.advance(6 * 60_000)
  const later = await registry.find('a', { text: 'tool' })
  expect(server.headers()['if-none-match']).toBeTruthy()
  expect([names(later), later.source, later.at - first.at]).toEqual([names(first), 'registry', 6 * 60_000])
  await registry.find('a', { text: 'tool', again: true })
  expect(server.asked.length).toBe(3)
})

it('shows what it kept, with its age and the reason, when there is no network, also after a restart', async () => {
  const before = await registry.find('a', { text: '' })
  clock.advance(60 * 60_000)
  await server.close()
  const again = open()
  const kept = await again.find('a', { text: '' })
  expect([names(kept), kept.at, kept.source, kept.error?.code]).toEqual([names(before), before.at, 'kept', 'registry.unreachable'])
  const found = await again.find('a', { text: 'number 17' })
  expect([names(found), found.source, found.error?.code]).toEqual([
    ['io.github.people-3/tool-0017'],
    'looked-through',
    'registry.unreachable',
  ])
  await expect(again.find('a', { text: 'nothing like it' })).rejects.toEqual(fails('registry.unreachable'))
})

it('says that a server is gone rather than showing what it was', async () => {
  const [name = ''] = names(await registry.find('a', { text: 'tool-0003' }))
  await registry.server('a', name, 'latest')
  clock.advance(60 * 60_000)
  server.entries = []
  await expect(registry.server('a', name, 'latest')).rejects.toEqual(fails('registry.refused', { status: 404 }))
})

it.each([
  ['broken', 'registry.bad-answer', {}],
  ['web-page', 'registry.bad-answer', {}],
  ['huge', 'registry.bad-answer', {}],
  ['bomb', 'registry.bad-answer', {}],
  ['too-many', 'registry.refused', { status: 429, retryAfterMs: 30_000 }],
  ['down', 'registry.refused', { status: 503 }],
] as const)('an answer that is %s fails as %s, and nothing of it is kept', async (manners, code, data) => {
  server.manners = manners
  await expect(registry.find('a', { text: '' })).rejects.toEqual(fails(code, data))
  expect(readdirSync(folder)).toEqual([])
})

it('follows nobody to another address, and goes in no circle within its own', async () => {
  const other = await startRegistryServer(manyServers(1))
  for (const sendsTo of [`${other.url}/v0.1/servers`, 'http://169.254.169.254/latest', 'file:///etc/passwd', '/v0.1/servers']) {
    server.manners = { sendsTo }
    await expect(registry.find('a', { text: '' })).rejects.toEqual(fails('registry.bad-answer', { status: 302 }))
  }
  expect(other.asked).toEqual([])
  await other.close()
})

it('waits for no silent registry, and lets go of a question when another comes', async () => {
  server.manners = 'silent'
  const first = registry.find('a', { text: 'a' })
  const second = registry.find('a', { text: 'b' })
  await expect(first).rejects.toEqual(fails('cancelled'))
  registry.cancel('a')
  await expect(second).rejects.toEqual(fails('cancelled'))
  await expect(open({ maxBytes: 1000, timeoutMs: 20 }).find('a', { text: 'c' })).rejects.toEqual(
    fails('registry.unreachable', { reason: 'timeout' }),
  )
})

it('goes through the proxy that the person’s own variables name, each time as they are then', async () => {
  const asked: string[] = []
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const named = { https_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
  let variables: Readonly<Record<string, string>> = named
  const environment = { variables: async () => variables }
  const outside = openRegistry({ dataDir: folder, address: () => 'https://registry.invalid', environment, clock, log: silentLog })
  opened.push(outside)
  await expect(outside.find('a', { text: '' })).rejects.toEqual(fails('registry.unreachable'))
  variables = { ...named, no_proxy: 'registry.invalid' }
  await expect(outside.find('a', { text: '' })).rejects.toEqual(fails('registry.unreachable'))
  proxy.close()
  expect(asked).toEqual(['registry.invalid:443'])
})

it('keeps so many answers and no more, the latest of them', () => {
  const cache = createRegistryCache(folder, silentLog, { files: 3, bytes: 1_000_000 })
  for (let at = 0; at < 6; at += 1)
    cache.set({ url: `https://r.example/${at}`, address: 'https://r.example', at, page: { entries: [], unread: 0 } })
  expect([readdirSync(folder).length, cache.get('https://r.example/5')?.at]).toEqual([3, 5])
})
