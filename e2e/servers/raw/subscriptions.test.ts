// Subscriptions to resources of an older server (MCP, "Resources: Subscriptions").
import { describe, expect, it } from 'vitest'
import type { EventName, EventPayload } from '#app/contract/events.ts'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { call, closeAfterEach, host, type Recorded, signal } from './support.ts'

closeAfterEach()

interface Subscribing extends Recorded {
  /** URIs that pages were told of, in order. */
  readonly updates: string[]
}

async function subscribed(...uris: readonly string[]): Promise<Subscribing> {
  const updates: string[] = []
  const emit = <N extends EventName>(name: N, payload: EventPayload<N>): void => {
    if (name === 'server.resourceUpdated') updates.push((payload as EventPayload<'server.resourceUpdated'>).uri)
  }
  const recorded = host('', { emit })
  await recorded.servers.start('raw')
  for (const uri of uris) await recorded.servers.subscribe('raw', uri, { signal })
  return { ...recorded, updates }
}

describe('a subscription', () => {
  it('is asked for once, and a flood of its updates reaches pages a few times', async () => {
    const { servers, seenParams, updates } = await subscribed('raw://one', 'raw://one')
    expect(seenParams('resources/subscribe')).toEqual([{ uri: 'raw://one' }])
    expect(servers.view('raw')?.subscriptions).toEqual(['raw://one'])
    await call(servers, 'touch', { uri: 'raw://one', times: 5000 })
    await eventually(() => expect(updates.length).toBeGreaterThan(0))
    await call(servers, 'touch', { uri: 'raw://one' })
    expect(updates.length).toBeLessThan(100)
    expect(new Set(updates)).toEqual(new Set(['raw://one']))
  })

  it('hears of its parts, and of nothing else', async () => {
    const { servers, updates } = await subscribed('raw://one')
    await call(servers, 'touch', { uri: 'other://two' })
    await call(servers, 'touch', { uri: 'raw://one/chapter' })
    await eventually(() => expect(updates).toEqual(['raw://one']))
  })

  it('is asked for again after the server was lost, and dropped when it is stopped', async () => {
    const { servers, seenParams } = await subscribed('raw://one', 'raw://two')
    await call(servers, 'exit').catch(() => undefined)
    await servers.start('raw')
    await eventually(() => expect(seenParams('resources/subscribe')).toHaveLength(4))
    expect(servers.view('raw')?.subscriptions).toEqual(['raw://one', 'raw://two'])
    await servers.stop('raw')
    expect(servers.view('raw')?.subscriptions).toEqual([])
    await servers.start('raw')
    await call(servers, 'shout')
    expect(seenParams('resources/subscribe')).toHaveLength(4)
  })

  it('survives a restart by hand', async () => {
    const { servers, seenParams } = await subscribed('raw://one')
    await servers.restart('raw')
    await eventually(() => expect(seenParams('resources/subscribe')).toHaveLength(2))
  })

  it('that ends is taken back, and is heard of no more', async () => {
    const { servers, seenParams, updates } = await subscribed('raw://one', 'raw://two')
    await servers.unsubscribe('raw', 'raw://one', { signal })
    await servers.unsubscribe('raw', 'raw://one', { signal })
    expect(seenParams('resources/unsubscribe')).toEqual([{ uri: 'raw://one' }])
    await call(servers, 'touch', { uri: 'raw://one' })
    await call(servers, 'touch', { uri: 'raw://two' })
    await eventually(() => expect(updates).toEqual(['raw://two']))
  })

  it('is one of two hundred at most', async () => {
    const { servers, seenParams } = await subscribed(...Array.from({ length: 200 }, (_, i) => `raw://${i}`))
    await expect(servers.subscribe('raw', 'raw://one-more', { signal })).rejects.toMatchObject({ data: { limit: 200 } })
    expect(seenParams('resources/subscribe')).toHaveLength(200)
  })

  it('that the server refuses is none', async () => {
    const { servers } = host('refuses')
    await expect(servers.subscribe('raw', 'raw://one', { signal })).rejects.toMatchObject({ code: -32002 })
    expect(servers.view('raw')?.subscriptions).toEqual([])
  })
})
