// What was not negotiated is not used, by neither side (MCP, "Capability negotiation"); and a ping is answered at any time.
import { describe, expect, it } from 'vitest'
import { eventually, makeServers, raw } from '#main/servers/lifecycle/servers.testing.ts'
import type { Servers } from '#main/servers/lifecycle/servers.ts'
import { closeAfterEach as closeWires, started } from './raw-stdio.ts'
import { older } from './relayed.ts'
import { call, closeAfterEach, host, signal } from './support.ts'

closeAfterEach()
closeWires()

const query = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'a' } } as const

describe('a server that declared tools alone', () => {
  it.each<[string, (servers: Servers) => Promise<unknown>]>([
    ['resources/read', (servers) => servers.readResource('raw', 'raw://one', { signal })],
    ['prompts/get', (servers) => servers.getPrompt('raw', 'greet', {}, { signal })],
    ['completion/complete', (servers) => servers.complete('raw', query, { signal })],
    ['resources/subscribe', (servers) => servers.subscribe('raw', 'raw://one', { signal })],
  ])('is not asked for %s, and the caller is told so', async (method, ask) => {
    const { servers, seenParams } = host('bare')
    await servers.start('raw')
    await expect(ask(servers)).rejects.toMatchObject({
      code: 'server.not-offered',
      data: { server: 'raw', method, reason: 'not-declared' },
    })
    expect(seenParams(method)).toEqual([])
  })

  it('is asked for its tools alone, and is told no log level', async () => {
    const { servers, seen } = host('bare')
    await servers.start('raw')
    await servers.setLogLevel('raw', 'error', { signal })
    expect(await call(servers, 'shout')).toBe('said')
    expect(new Set(seen().map(({ method }) => method))).toEqual(
      new Set(['server/discover', 'initialize', 'notifications/initialized', 'tools/list', 'tools/call']),
    )
    expect(servers.view('raw')?.session?.offers).toEqual([])
  })
})

describe('a server with resources', () => {
  it.each([
    ['2024-11-05', true],
    ['2025-03-26', false],
  ])('of %s may be asked for suggestions without having declared them: %s', async (version, asked) => {
    const { made, servers } = await started(
      older(version, (message, wire) => {
        if (message.method !== 'completion/complete') return false
        wire.send({ jsonrpc: '2.0', id: message.id, result: { completion: { values: ['ab'] } } })
        return true
      }),
    )
    const values = await servers.complete('raw', query, { signal }).then(
      (completion) => completion.values,
      (error: unknown) => error,
    )
    expect(values).toEqual(asked ? ['ab'] : expect.objectContaining({ code: 'server.not-offered' }))
    expect(made.wire.said().includes('completion/complete')).toBe(asked)
  })
})

describe('a server that asks for what the host did not declare', () => {
  it('is answered “Method not found”', async () => {
    const { servers } = host()
    await servers.start('raw')
    expect(JSON.parse(await call(servers, 'strange'))).toEqual([-32601, -32601, -32601, -32601])
  })

  it('was told what the host does declare, its folders’ changes among them', async () => {
    const { servers, seenParams } = host()
    await servers.start('raw')
    expect(seenParams('initialize')[0]?.['capabilities']).toMatchObject({
      roots: { listChanged: true },
      sampling: {},
      elicitation: { form: {}, url: {} },
    })
  })
})

describe('a ping', () => {
  it('of a server is answered, also before it has answered `initialize`', async () => {
    const { servers, seen } = host('pings')
    await servers.start('raw')
    const order = seen().map(({ method, id }) => method ?? id)
    expect(order.slice(0, 4)).toEqual(['server/discover', 'initialize', 'early', 'notifications/initialized'])
    expect(seen()[2]).toEqual({ jsonrpc: '2.0', id: 'early', result: {} })
    expect(JSON.parse(await call(servers, 'ping'))).toEqual([{}])
  })

  it('of the host says how long the answer took', async () => {
    const { servers, seenParams } = host()
    expect(await servers.ping('raw', { signal })).toBeGreaterThan(0)
    await eventually(() => expect(seenParams('ping')).toHaveLength(1))
  })

  it('is not sent to a server of 2026-07-28, which has none', async () => {
    const servers = makeServers({ a: raw('modern') })
    await expect(servers.ping('a', { signal })).rejects.toMatchObject({ code: 'server.not-offered', data: { reason: 'not-in-era' } })
  })
})
