// Suggestions, log levels and folders with an older server (MCP, "Completion", "Logging", "Roots").
import { describe, expect, it } from 'vitest'
import { eventually, memoryServerStore } from '#main/servers/lifecycle/servers.testing.ts'
import { call, closeAfterEach, host, signal } from './support.ts'

closeAfterEach()

const query = (value: string) => ({ ref: { type: 'ref/resource', uri: 'raw://{name}' }, argument: { name: 'name', value } }) as const

describe('suggestions', () => {
  it('are asked for with the reference and what was typed, and are texts', async () => {
    const { servers, seenParams } = host()
    const context = { arguments: { shelf: 'a' } }
    expect(await servers.complete('raw', { ...query('o'), context }, { signal })).toEqual({ values: ['o!'], total: 2, hasMore: false })
    expect(seenParams('completion/complete')).toEqual([{ ...query('o'), context }])
  })

  it('are a hundred at most, and an answer without any is an error', async () => {
    const { servers } = host()
    expect((await servers.complete('raw', query('many'), { signal })).values).toHaveLength(100)
    await expect(servers.complete('raw', query('odd'), { signal })).rejects.toMatchObject({ code: 'server.protocol' })
  })

  it('that a key press overtakes are cancelled', async () => {
    const { servers, seen, seenParams } = host()
    await servers.start('raw')
    const first = servers.complete('raw', query('never'), { signal }).catch((error: unknown) => error)
    await eventually(() => expect(seenParams('completion/complete')).toHaveLength(1))
    expect((await servers.complete('raw', query('o'), { signal })).values).toEqual(['o!'])
    expect(await first).toMatchObject({ code: 'cancelled' })
    const sent = seen().find(({ method }) => method === 'completion/complete')
    await eventually(() => expect(seenParams('notifications/cancelled')).toMatchObject([{ requestId: sent?.id }]))
  })
})

describe('the log level', () => {
  it('is `info` unless the person chose another, which is told at each start', async () => {
    const store = memoryServerStore()
    const first = host('', { store })
    await first.servers.start('raw')
    await eventually(() => expect(first.seenParams('logging/setLevel')).toEqual([{ level: 'info' }]))
    await first.servers.setLogLevel('raw', 'debug', { signal })
    await first.servers.setLogLevel('raw', 'debug', { signal })
    expect(first.seenParams('logging/setLevel')).toEqual([{ level: 'info' }, { level: 'debug' }])
    const next = host('', { store })
    expect(next.servers.view('raw')?.logLevel).toBe('debug')
    await next.servers.start('raw')
    await eventually(() => expect(next.seenParams('logging/setLevel')).toEqual([{ level: 'debug' }]))
  })

  it('hides nothing that comes all the same, and a flood is heard in part', async () => {
    const { servers } = host()
    await servers.start('raw')
    await servers.setLogLevel('raw', 'error', { signal })
    await call(servers, 'shout', { level: 'debug' })
    await eventually(() =>
      expect(servers.log('raw').lines).toContainEqual(expect.objectContaining({ level: 'debug', text: 'raw: word 0' })),
    )
    await call(servers, 'shout', { times: 20_000 })
    expect(servers.log('raw').lines.length).toBeLessThanOrEqual(2000)
    // What was left out is told with the next word that is heard.
    await eventually(async () => {
      await call(servers, 'shout', {})
      expect(servers.log('raw').dropped).toBeGreaterThan(0)
    })
  })
})

describe('folders', () => {
  it('that changed are told of, and only to a server that runs', async () => {
    const { servers, seenParams } = host()
    servers.rootsChanged()
    await servers.start('raw')
    expect(seenParams('notifications/roots/list_changed')).toEqual([])
    servers.rootsChanged()
    await eventually(() => expect(seenParams('notifications/roots/list_changed')).toHaveLength(1))
    expect(JSON.parse(await call(servers, 'roots'))).toEqual([{ roots: [] }])
  })
})

describe('a resource of an older server', () => {
  it('is read each time: hints on how long it holds belong to a later revision', async () => {
    const { servers, seenParams } = host()
    for (let i = 0; i < 2; i += 1) await servers.readResource('raw', 'raw://one', { signal })
    expect(seenParams('resources/read')).toHaveLength(2)
  })
})
