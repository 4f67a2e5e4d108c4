// "Malformed protocol" and the faults of servers that concern the wire: a clear error for that server, and for that request
// where it can be told, nothing for the others.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#app/json.ts'
import { approve, makeServers, raw } from '#main/servers/lifecycle/servers.testing.ts'
import { error, result } from '../http/raw-http.ts'
import { call, closeAfterEach, fails, signal, started } from './raw-stdio.ts'
import { type Message, older, type Wire } from './relayed.ts'

closeAfterEach()

const version = '2025-06-18'
const complete = (message: Message, more: JsonObject): JsonObject =>
  result(message, { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...more })
const tools = ['echo', 'other'].map((name) => ({ name, inputSchema: { type: 'object' } }))

/** A server of 2026-07-28. */
const modern = (onCall: (message: Message, wire: Wire) => void) => (message: Message, wire: Wire) => {
  if (message.method === 'server/discover') wire.send(complete(message, { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }))
  else if (message.method === 'tools/list') wire.send(complete(message, { tools }))
  else if (message.method === 'tools/call') onCall(message, wire)
}

describe('a result', () => {
  it.each<[string, Json]>([
    ['unknown', 'mystery'],
    ['empty', ''],
    ['a number', 1],
    ['a list', ['complete']],
    ['the name of a prototype', '__proto__'],
  ])('whose type is %s is an error of its call alone', async (_, resultType) => {
    const { servers } = await started(
      modern((message, wire) => {
        const content = [{ type: 'text', text: 'fine' }]
        wire.send(result(message, { resultType: message.params?.['name'] === 'echo' ? resultType : 'complete', content }))
      }),
    )
    await expect(call(servers, 'echo')).rejects.toEqual(fails('server.protocol'))
    expect([await call(servers, 'other'), servers.state('raw').kind]).toEqual(['fine', 'ready'])
  })

  it('that asks for input again and again is an error of its call alone, after a few rounds', async () => {
    let rounds = 0
    const { servers } = await started(
      modern((message, wire) => {
        if (message.params?.['name'] === 'other') return wire.send(complete(message, { content: [{ type: 'text', text: 'fine' }] }))
        rounds += 1
        wire.send(
          result(message, {
            resultType: 'input_required',
            inputRequests: { [`q${rounds}`]: { method: 'roots/list' } },
            requestState: `s${rounds}`,
          }),
        )
      }),
    )
    await expect(call(servers, 'echo')).rejects.toEqual(fails('server.protocol'))
    expect(rounds).toBeLessThan(50)
    expect([await call(servers, 'other'), servers.state('raw').kind]).toEqual(['fine', 'ready'])
  })
})

it('a schema that points into the network is not fetched, neither for what is asked nor for what is answered', async () => {
  let hits = 0
  const lure = createServer((_, response) => {
    hits += 1
    response.end('{}')
  })
  await new Promise<void>((resolve) => lure.listen(0, '127.0.0.1', resolve))
  const $ref = `http://127.0.0.1:${(lure.address() as AddressInfo).port}/schema.json`
  const schema = { type: 'object', properties: { a: { $ref } }, allOf: [{ $ref }] }
  const { servers } = await started(
    older(version, (message, wire) => {
      if (message.method === 'tools/list')
        wire.send(result(message, { tools: [{ name: 'echo', inputSchema: schema, outputSchema: schema }] }))
      else if (message.method === 'tools/call')
        wire.send(result(message, { content: [{ type: 'text', text: 'done' }], structuredContent: { a: 1 } }))
      else return false
      return true
    }),
  )
  expect([await call(servers, 'echo', { a: 1 }), hits]).toEqual(['done', 0])
  await new Promise((resolve) => lure.close(resolve))
})

const lists = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
} as const
const entry = (n: number) => ({
  name: `n${n}`,
  uri: `raw://${n}`,
  uriTemplate: `raw://{${'x'.repeat(n + 1)}}`,
  inputSchema: { type: 'object' },
})

describe.each(Object.entries(lists))('pages of %s', (method, key) => {
  /** A server whose list is made of such pages, and how many were asked for. */
  async function paged(page: (asked: number) => JsonObject) {
    let asked = 0
    const made = await started(
      older(version, (message, wire) => {
        if (message.method === 'initialize')
          wire.send(
            result(message, {
              protocolVersion: version,
              capabilities: { tools: {}, resources: {}, prompts: {} },
              serverInfo: { name: 'raw', version: '1' },
            }),
          )
        else if (message.method === method) {
          asked += 1
          wire.send(result(message, { [key]: [entry(asked)], ...page(asked) }))
        } else if (message.method === 'prompts/list') wire.send(result(message, { prompts: [] }))
        else return false
        return true
      }),
    )
    return { ...made, asked: () => asked, entries: made.servers.catalogue('raw')[key] }
  }

  it.each<[string, (asked: number) => JsonObject, number]>([
    ['go round in circles', (asked) => ({ nextCursor: asked % 3 === 0 ? 'a' : `b${asked % 3}` }), 4],
    ['always point to themselves', () => ({ nextCursor: 'same' }), 2],
    ['have a cursor that is no text', () => ({ nextCursor: 7 }), 1],
    // Resources may be many, so more of their pages are read.
    ['never end', (asked) => ({ nextCursor: `c${asked}` }), key === 'resources' ? 1000 : 200],
  ])('that %s are given up, and what was read is there', async (_, page, expected) => {
    const { servers, asked, entries } = await paged(page)
    expect([asked(), entries.length, servers.state('raw').kind]).toEqual([expected, expected, 'ready'])
    expect(servers.catalogue('raw').stale).toEqual(expect.any(String))
    expect(servers.view('raw')?.warnings).toHaveLength(1)
  })
})

it('a line without an end, over the cap, is told of in the log at once, and costs no call but its own', async () => {
  const servers = makeServers({ raw: raw('sizes') })
  await servers.start('raw')
  const endless = servers.call(approve(servers, 'raw', 'endless', { size: 17 * 1024 * 1024 }), { signal })
  await expect(endless).rejects.toEqual(fails('server.too-large'))
  expect(servers.log('raw').lines.map(({ source }) => source)).toEqual(['host'])
  expect(servers.state('raw').kind).toBe('ready')
})

it('an error’s long words are cut, and its code and data are kept', async () => {
  const { servers } = await started(
    older(version, (message, wire) => {
      if (message.method === 'tools/call') wire.send(error(message, { code: -32050, message: 'x'.repeat(1_000_000), data: { why: ['a'] } }))
      return message.method === 'tools/call'
    }),
  )
  const refusal = (await call(servers, 'echo').catch((thrown: unknown) => thrown)) as { message: string }
  expect(refusal).toMatchObject({ code: -32050, data: { why: ['a'] } })
  expect(refusal.message.length).toBeLessThan(5000)
})
