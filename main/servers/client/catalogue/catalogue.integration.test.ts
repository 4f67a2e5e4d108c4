import { afterEach, describe, expect, it } from 'vitest'
import type { ServerDefinition } from '#app/server/definition.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import { pageMs } from '#main/servers/client/catalogue/catalogue.ts'
import { approve, closeServers, eventually, makeServers, memoryServerStore, raw } from '#main/servers/lifecycle/servers.testing.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const signal = new AbortController().signal
const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''

/** Its lists differ between runs, what is started does not. */
const lists = (kind: string): ServerDefinition => ({ ...raw('lists'), env: { LISTS: kind } })

describe('the lists of a server', () => {
  // `supabase` and `firebase` answer as those packages of npm do: see the program.
  it.each([
    ['supabase', 'fetch failed (-32603)'],
    ['firebase', 'Failed to fetch remote tools'],
    ['fails', 'the shelf is empty (-32000)'],
    ['broken', 'page 1 is not valid'],
  ])('of tools that cannot be read (%s) are a failed start, and its reason', async (kind, reason) => {
    const servers = makeServers({ a: raw('lists', kind) })
    await expect(servers.start('a')).rejects.toMatchObject({ code: 'server.list-failed', data: { server: 'a', method: 'tools/list' } })
    const state = servers.state('a')
    expect(state).toMatchObject({ kind: 'failed', error: { code: 'server.list-failed' }, diagnosis: { code: 'list-failed' } })
    expect([state.kind === 'failed' && state.error.message, servers.doctor('a').diagnosis?.why]).toEqual([
      expect.stringContaining(reason),
      expect.stringContaining(reason.replace(/ \(-\d+\)$/, '')),
    ])
    expect(servers.doctor('a')).toMatchObject({
      ok: false,
      steps: expect.arrayContaining([expect.objectContaining({ name: 'lists', ok: false })]),
    })
    // It was never known, so the next run asks again.
    expect([servers.tools(), servers.catalogue('a').fetchedAt]).toEqual([[], undefined])
  })

  it.each([
    ['loop', ['t1', 't2', 't3']],
    ['again', ['t1', 't2']],
  ])('that go round in circles (%s) are an error that keeps what there was', async (kind, names) => {
    const servers = makeServers({ a: raw('lists', kind) })
    await servers.start('a')
    expect(servers.state('a').kind).toBe('ready')
    const { tools, stale } = servers.catalogue('a')
    expect([tools.map(({ name }) => name), typeof stale]).toEqual([names, 'string'])
    expect(servers.view('a')?.warnings).toHaveLength(1)
  })

  it('of tools that never come are a failed start too', async () => {
    const clock: Clock = { now: systemClock.now, after: (ms, callback) => systemClock.after(ms === pageMs ? 300 : ms, callback) }
    const servers = makeServers({ a: { ...raw('lists', 'silent'), startTimeoutMs: 2 * pageMs } }, { clock })
    await expect(servers.start('a')).rejects.toMatchObject({ code: 'server.list-failed' })
    expect(servers.doctor('a').diagnosis).toMatchObject({ code: 'list-failed', why: expect.stringContaining('did not answer in time') })
  })

  it('of resources and prompts that fail are a warning: the tools are there', async () => {
    const servers = makeServers({ a: raw('lists', 'half') })
    await servers.start('a')
    expect([servers.state('a').kind, servers.tools().map(({ tool }) => tool.name), servers.view('a')?.warnings]).toEqual([
      'ready',
      ['t1'],
      [expect.stringMatching(/resources\/list: no shelf.*prompts\/list: no poems/)],
    ])
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
    await expect(second.start('a')).rejects.toMatchObject({ code: 'server.list-failed' })
    expect([second.state('a').kind, second.tools().map(({ tool }) => tool.modelName)]).toEqual(['failed', ['a__apple', 'a__zebra']])
  })

  it('of another program are not those of the one before, though its own cannot be fetched', async () => {
    const store = memoryServerStore()
    const first = makeServers({ a: raw('lists', 'mixed') }, { store })
    await first.start('a')
    expect(first.tools()).toHaveLength(2)
    first.configure(new Map([['a', raw('lists', 'fails')]]))
    expect(first.tools()).toEqual([])
    await eventually(() => expect(first.state('a').kind).toBe('failed'))
    expect(first.catalogue('a').tools).toEqual([])

    await makeServers({ a: raw('lists', 'mixed') }, { store }).start('a')
    const next = makeServers({ a: raw('lists', 'fails') }, { store })
    expect([next.tools(), next.instructions(), next.view('a')?.session]).toEqual([[], [], undefined])
    await expect(next.start('a')).rejects.toMatchObject({ code: 'server.list-failed' })
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
