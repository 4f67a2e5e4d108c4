import { afterEach, describe, expect, it } from 'vitest'
import type { ServerDefinition } from '#app/server/definition.ts'
import { approve, closeServers, eventually, makeServers, memoryServerStore, raw } from '../test-support.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const signal = new AbortController().signal
const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''

/** Its lists differ between runs, what is started does not. */
const lists = (kind: string): ServerDefinition => ({ ...raw('lists'), env: { LISTS: kind } })

describe('the lists of a server', () => {
  it.each([
    ['loop', ['t1', 't2', 't3']],
    ['again', ['t1', 't2']],
    ['broken', []],
    ['fails', []],
  ])('that misbehave (%s) are an error that keeps what there was', async (kind, names) => {
    const servers = makeServers({ a: raw('lists', kind) })
    await servers.start('a')
    expect(servers.state('a').kind).toBe('ready')
    const { tools, stale } = servers.catalogue('a')
    expect([tools.map(({ name }) => name), typeof stale]).toEqual([names, 'string'])
    expect(servers.view('a')?.warnings).toHaveLength(1)
  })

  it.each([
    ['long', 80],
    ['empty', 2],
  ])('are read to their end, however many pages and whatever the cursor (%s)', async (kind, tools) => {
    const servers = makeServers({ a: raw('lists', kind) })
    await servers.start('a')
    expect([servers.catalogue('a').tools.length, servers.catalogue('a').stale]).toEqual([tools, undefined])
  })

  it('that never end are cut, and the rest is there', async () => {
    const servers = makeServers({ a: raw('lists', 'endless') })
    await servers.start('a')
    expect([servers.catalogue('a').tools.length, servers.catalogue('a').stale !== undefined]).toEqual([200, true])
  })

  it('lose only the definitions that nobody could use', async () => {
    const servers = makeServers({ a: raw('lists', 'mixed') })
    await servers.start('a')
    const { tools, stale } = servers.catalogue('a')
    expect(stale).toBeUndefined()
    expect(tools.map(({ name, description, modelName, enabled }) => ({ name, description, modelName, enabled }))).toEqual([
      { name: 'apple', description: undefined, modelName: 'a__apple', enabled: true },
      { name: 'zebra', description: 'good', modelName: 'a__zebra', enabled: true },
    ])
    expect(servers.view('a')?.warnings).toHaveLength(6)
  })

  it('stay from the last run when a fetch fails', async () => {
    const store = memoryServerStore()
    const first = makeServers({ a: lists('mixed') }, { store })
    await first.start('a')
    const second = makeServers({ a: lists('fails') }, { store })
    expect(second.tools().map(({ tool }) => tool.modelName)).toEqual(['a__apple', 'a__zebra'])
    await second.start('a')
    expect(second.catalogue('a')).toMatchObject({ tools: [{ name: 'apple' }, { name: 'zebra' }], stale: expect.any(String) })
  })

  it('of another program are not those of the one before, though its own cannot be fetched', async () => {
    const store = memoryServerStore()
    const first = makeServers({ a: raw('lists', 'mixed') }, { store })
    await first.start('a')
    expect(first.tools()).toHaveLength(2)
    first.configure(new Map([['a', raw('lists', 'fails')]]))
    expect(first.tools()).toEqual([])
    await eventually(() => expect(first.state('a').kind).toBe('ready'))
    expect(first.catalogue('a')).toMatchObject({ tools: [], stale: expect.any(String) })

    await makeServers({ a: raw('lists', 'mixed') }, { store }).start('a')
    const next = makeServers({ a: raw('lists', 'fails') }, { store })
    expect([next.tools(), next.instructions(), next.view('a')?.session]).toEqual([[], [], undefined])
    await next.start('a')
    expect(next.tools()).toEqual([])
  })

  it('are fetched a few times in a storm of changes', async () => {
    const servers = makeServers({ a: raw('storm') })
    await servers.start('a')
    await servers.call(approve(servers, 'a', 'storm'), { signal })
    await eventually(() => expect(servers.catalogue('a').tools[0]?.description).not.toBe('fetched 1'))
    const fetched = await servers.call(approve(servers, 'a', 'fetched'), { signal })
    expect(Number(text(fetched.result))).toBeLessThan(10)
  })

  it('are listened to in the modern era', async () => {
    const servers = makeServers({ a: raw('modern') })
    await servers.start('a')
    const revision = servers.view('a')?.catalogueRevision ?? 0
    await servers.call(approve(servers, 'a', 'grow'), { signal })
    await eventually(() => expect(servers.catalogue('a').tools.map(({ name }) => name)).toContain('grown'))
    expect(servers.view('a')?.catalogueRevision).toBeGreaterThan(revision)
  })

  it('leave out what the person switched off, also in the next run', async () => {
    const store = memoryServerStore()
    const servers = makeServers({ a: raw('lists', 'mixed') }, { store })
    await servers.start('a')
    servers.setToolEnabled('a', 'apple', false)
    expect(servers.tools().map(({ tool }) => tool.name)).toEqual(['zebra'])
    expect(servers.view('a')?.counts).toMatchObject({ tools: 2, enabledTools: 1 })
    const next = makeServers({ a: raw('lists', 'mixed') }, { store })
    await next.start('a')
    expect(next.tools().map(({ tool }) => tool.name)).toEqual(['zebra'])
  })
})
