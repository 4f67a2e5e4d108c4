// What 2026-07-28 has beside calls: hints on how long a result holds, one stream for all that changes, a log level with
// each request, suggestions; and a stream that is closed in place of a notification when a request is cancelled.
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { EventName, EventPayload } from '#app/contract/events.ts'
import type { JsonObject } from '#app/json.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import { approve, eventually, http, makeServers, memoryServerStore, type TestServers } from '#main/servers/lifecycle/servers.testing.ts'
import type { ServersContext } from '#main/servers/lifecycle/servers-context.ts'
import { complete } from './eras.ts'
import { called, json, type Message, type RawHttp, stream } from './raw-http.ts'
import { call, closeAfterEach, serve, signal } from './support.ts'

closeAfterEach()

interface Hints {
  readonly ttlMs?: number
  readonly cacheScope?: string
}
interface Modern {
  readonly raw: RawHttp
  readonly servers: TestServers
  /** Streams of `subscriptions/listen`, in the order they were opened. */
  readonly streams: { readonly message: Message; readonly response: ServerResponse }[]
  readonly updates: string[]
  /** Methods that were asked for, in order, but for discovery. */
  methods(): string[]
  params(method: string): JsonObject[]
  tell(method: string, params?: JsonObject): void
  pass(ms: number): void
}

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: {},
  logging: {},
  completions: {},
}

/** `hints`: of its lists and resources; a call that is named `slow` is not answered. */
async function modern(
  hints: Hints,
  more: Partial<ServersContext> & { readonly capabilities?: JsonObject; readonly honors?: (wanted: JsonObject) => JsonObject } = {},
): Promise<Modern> {
  const { honors = (wanted) => wanted } = more
  let late = 0
  let version = 0
  const streams: Modern['streams'] = []
  const updates: string[] = []
  const lists: Readonly<Record<string, () => JsonObject>> = {
    'tools/list': () => ({ tools: ['echo', 'slow'].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
    'resources/list': () => ({ resources: [{ uri: 'raw://one', name: 'one' }] }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'prompts/list': () => ({ prompts: [{ name: 'greet' }] }),
    'resources/read': () => {
      version += 1
      return { contents: [{ uri: 'raw://one', text: `reading ${version}` }] }
    },
  }
  const raw = await serve(({ verb, message }, response) => {
    if (verb !== 'POST') return false
    const { method = '', params } = message
    const list = lists[method]
    if (method === 'server/discover')
      json(response, complete(message, { supportedVersions: ['2026-07-28'], capabilities: more.capabilities ?? capabilities }))
    else if (list) json(response, complete(message, { ...list(), ...hints }))
    else if (method === 'completion/complete') json(response, complete(message, { completion: { values: ['ab'] } }))
    else if (method === 'subscriptions/listen') {
      streams.push({ message, response: stream(response) })
      const acknowledged = { _meta: meta(message), notifications: honors((params?.['notifications'] ?? {}) as JsonObject) }
      event(response, 'notifications/subscriptions/acknowledged', acknowledged)
    } else if (method === 'tools/call') {
      if (params?.['name'] === 'echo') json(response, called(message, JSON.stringify(params['_meta'])))
      else stream(response)
    } else response.writeHead(202).end()
    return true
  })
  const clock: Clock = { now: () => Date.now() + late, after: (ms, callback) => systemClock.after(ms === 1000 ? 20 : ms, callback) }
  const emit = <N extends EventName>(name: N, payload: EventPayload<N>): void => {
    if (name === 'server.resourceUpdated') updates.push((payload as EventPayload<'server.resourceUpdated'>).uri)
  }
  const servers = makeServers({ raw: http(raw.url) }, { clock, emit, ...more })
  return {
    raw,
    servers,
    streams,
    updates,
    methods: () => raw.seen.flatMap(({ message }) => (message.method && message.method !== 'server/discover' ? [message.method] : [])),
    params: (method) => raw.seen.flatMap(({ message }) => (message.method === method ? [message.params ?? {}] : [])),
    tell(method, params = {}) {
      const open = streams.at(-1)
      if (open) event(open.response, method, { ...params, _meta: meta(open.message) })
    },
    pass(ms) {
      late += ms
    },
  }
}

const meta = ({ id }: Message): JsonObject => ({ 'io.modelcontextprotocol/subscriptionId': id ?? null })
const event = (response: ServerResponse, method: string, params: JsonObject): void =>
  void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method, params })}\n\n`)
const count = (kit: Modern, method: string): number => kit.methods().filter((one) => one === method).length
const reading = async (kit: Modern): Promise<string> => {
  const { contents } = (await kit.servers.readResource('raw', 'raw://one', { signal })) as { contents: { text: string }[] }
  return contents[0]?.text ?? ''
}

describe('lists', () => {
  it('are fetched again once their time is over and somebody uses them, and not before', async () => {
    const kit = await modern({ ttlMs: 60_000 })
    await kit.servers.start('raw')
    const revision = kit.servers.view('raw')?.catalogueRevision
    kit.pass(59_000)
    kit.servers.catalogue('raw')
    kit.servers.tools()
    expect(await call(kit.servers, 'echo')).toContain('protocolVersion')
    expect(count(kit, 'tools/list')).toBe(1)
    kit.pass(1000)
    expect(count(kit, 'tools/list')).toBe(1)
    kit.servers.tools()
    await eventually(() => expect(count(kit, 'prompts/list')).toBe(2))
    kit.servers.catalogue('raw')
    await call(kit.servers, 'echo')
    expect(count(kit, 'tools/list')).toBe(2)
    // They say the same as before: no page need fetch them.
    expect(kit.servers.view('raw')?.catalogueRevision).toBe(revision)
  })

  it('that hold for no time are not fetched at each use', async () => {
    const kit = await modern({ ttlMs: 0 })
    await kit.servers.start('raw')
    for (let i = 0; i < 50; i += 1) kit.servers.tools()
    await call(kit.servers, 'echo')
    expect(count(kit, 'tools/list')).toBe(1)
  })

  it.each([
    ['public', 1],
    ['private', 2],
  ])('that are %s and still hold are fetched %d times in two runs', async (cacheScope, times) => {
    const store = memoryServerStore()
    const kit = await modern({ ttlMs: 60_000, cacheScope }, { store })
    await kit.servers.start('raw')
    await kit.servers.stop('raw')
    await kit.servers.start('raw')
    expect(kit.servers.catalogue('raw').tools).toHaveLength(2)
    expect(count(kit, 'tools/list')).toBe(times)
    // By hand means: everything anew.
    await kit.servers.restart('raw')
    expect(count(kit, 'tools/list')).toBe(times + 1)
  })
})

describe('lists that are', () => {
  it.each([
    ['private', 0],
    ['public', 2],
  ])('%s leave %d tools behind when the person signs out', async (cacheScope, left) => {
    const kit = await modern({ ttlMs: 60_000, cacheScope })
    await kit.servers.start('raw')
    await kit.servers.signOut('raw')
    expect(kit.servers.tools()).toHaveLength(left)
    expect(kit.servers.store.catalogue('raw')?.tools).toHaveLength(left)
  })
})

describe('a resource', () => {
  it('is read once within its time, and again after it', async () => {
    const kit = await modern({ ttlMs: 60_000 })
    expect([await reading(kit), await reading(kit)]).toEqual(['reading 1', 'reading 1'])
    kit.pass(60_000)
    expect(await reading(kit)).toBe('reading 2')
  })

  it.each([
    ['an update of it', (kit: Modern) => kit.tell('notifications/resources/updated', { uri: 'raw://one' })],
    ['a change of the list', (kit: Modern) => kit.tell('notifications/resources/list_changed')],
  ])('is read again after %s', async (_, change) => {
    const kit = await modern({ ttlMs: 60_000 })
    await kit.servers.start('raw')
    await eventually(() => expect(kit.streams).toHaveLength(1))
    expect(await reading(kit)).toBe('reading 1')
    change(kit)
    await eventually(async () => expect(await reading(kit)).toBe('reading 2'))
  })

  it('is read again by whoever is there after a restart', async () => {
    const kit = await modern({ ttlMs: 60_000, cacheScope: 'private' })
    expect(await reading(kit)).toBe('reading 1')
    await kit.servers.restart('raw')
    expect(await reading(kit)).toBe('reading 2')
  })
})

describe('one stream', () => {
  it('carries all that is listened to, and is opened anew when that changes', async () => {
    const kit = await modern({ ttlMs: 60_000 })
    await kit.servers.start('raw')
    await kit.servers.subscribe('raw', 'raw://one', { signal })
    const lists = { toolsListChanged: true, resourcesListChanged: true }
    expect(kit.params('subscriptions/listen').map(({ notifications }) => notifications)).toEqual([
      lists,
      { ...lists, resourceSubscriptions: ['raw://one'] },
    ])
    await eventually(() => expect(kit.streams[0]?.response.closed).toBe(true))
    expect(kit.streams[1]?.response.closed).toBe(false)
    for (let i = 0; i < 100; i += 1) kit.tell('notifications/resources/updated', { uri: 'raw://one' })
    await eventually(() => expect(kit.updates).toEqual(['raw://one']))
    await kit.servers.unsubscribe('raw', 'raw://one', { signal })
    expect(kit.params('subscriptions/listen').at(-1)?.['notifications']).toEqual(lists)
    expect(kit.methods().filter((method) => method.startsWith('resources/') && method.endsWith('subscribe'))).toEqual([])
  })

  it('that the server ends is opened again with what was subscribed to, and the lists are fetched', async () => {
    const kit = await modern({ ttlMs: 60_000 })
    await kit.servers.subscribe('raw', 'raw://one', { signal })
    const listed = count(kit, 'tools/list')
    kit.streams.at(-1)?.response.end()
    await eventually(() => expect(count(kit, 'tools/list')).toBe(listed + 1))
    expect(kit.params('subscriptions/listen').at(-1)?.['notifications']).toMatchObject({ resourceSubscriptions: ['raw://one'] })
    kit.tell('notifications/resources/updated', { uri: 'raw://one' })
    await eventually(() => expect(kit.updates).toEqual(['raw://one']))
  })

  it('that leaves a resource out, although it was wanted, makes no subscription', async () => {
    const kit = await modern({}, { honors: ({ resourceSubscriptions: _, ...rest }) => rest })
    await expect(kit.servers.subscribe('raw', 'raw://one', { signal })).rejects.toMatchObject({ code: 'server.not-offered' })
    expect(kit.servers.view('raw')?.subscriptions).toEqual([])
  })

  it('of a server that takes no subscriptions is asked for none', async () => {
    const kit = await modern({}, { capabilities: { tools: {}, resources: {} } })
    await expect(kit.servers.subscribe('raw', 'raw://one', { signal })).rejects.toMatchObject({ code: 'server.not-offered' })
    expect(kit.streams).toEqual([])
  })
})

describe('a request', () => {
  const level = (params: JsonObject | undefined): unknown =>
    (params?.['_meta'] as JsonObject | undefined)?.['io.modelcontextprotocol/logLevel']

  it('carries the log level that the person chose, at once', async () => {
    const kit = await modern({})
    await kit.servers.start('raw')
    await call(kit.servers, 'echo')
    await kit.servers.setLogLevel('raw', 'error', { signal })
    await call(kit.servers, 'echo')
    await reading(kit)
    expect(kit.params('tools/list').map(level)).toEqual(['info'])
    expect(kit.params('tools/call').map(level)).toEqual(['info', 'error'])
    expect(kit.params('resources/read').map(level)).toEqual(['error'])
    expect(kit.methods()).not.toContain('logging/setLevel')
  })

  it('carries none where the server does not log this way', async () => {
    const kit = await modern({}, { capabilities: { tools: {} } })
    await kit.servers.start('raw')
    await call(kit.servers, 'echo')
    expect(kit.params('tools/call').map(level)).toEqual([undefined])
  })

  it('for suggestions is answered', async () => {
    const kit = await modern({})
    const query = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'a' } } as const
    expect(await kit.servers.complete('raw', query, { signal })).toEqual({ values: ['ab'] })
    expect(kit.params('completion/complete')).toEqual([expect.objectContaining(query)])
  })

  it('that is cancelled has its stream closed, and no notification is sent', async () => {
    const kit = await modern({})
    await kit.servers.start('raw')
    const control = new AbortController()
    const calling = kit.servers.call(approve(kit.servers, 'raw', 'slow'), { signal: control.signal })
    await eventually(() => expect(count(kit, 'tools/call')).toBe(1))
    control.abort()
    await expect(calling).rejects.toMatchObject({ code: 'cancelled' })
    await call(kit.servers, 'echo')
    expect(kit.methods()).not.toContain('notifications/cancelled')
    expect(kit.servers.state('raw').kind).toBe('ready')
  })
})
