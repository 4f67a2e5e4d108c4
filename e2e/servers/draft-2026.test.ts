// A server that speaks DRAFT-2026-v1 and nothing else works like a modern one, over stdio and over HTTP.
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { approve, http, makeServers, noHandlers, type TestServers } from '#main/servers/lifecycle/servers.testing.ts'
import { draft, draftAnswer, headerFault } from './draft-2026.ts'
import { error, json, type Message, result, type Seen, stream } from './http/raw-http.ts'
import * as overHttp from './http/support.ts'
import * as overStdio from './raw/raw-stdio.ts'

overHttp.closeAfterEach()
overStdio.closeAfterEach()

const { signal } = new AbortController()
const versionOf = ({ params }: Message): unknown =>
  (params?.['_meta'] as JsonObject | undefined)?.['io.modelcontextprotocol/protocolVersion']
const event = (data: object | '', id?: string, retry?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${retry === undefined ? '' : `retry: ${retry}\n`}data: ${data === '' ? '' : JSON.stringify(data)}\n\n`

interface Started {
  readonly servers: TestServers
  /** All requests and notifications that came. */
  readonly seen: () => readonly Message[]
  readonly faults: readonly string[]
}
type Handlers = NonNullable<Parameters<typeof makeServers>[1]>
type Own = (message: Message, send: (...messages: object[]) => void) => boolean
type Start = (own?: Own, more?: Handlers) => Promise<Started>

const stdio: Start = async (own, more = {}) => {
  const { made, servers } = await overStdio.started((message, wire) => {
    if (own?.(message, (...all) => wire.send(...all))) return
    const answer = draftAnswer(message)
    if (answer) wire.send(answer)
  }, more)
  return { servers, seen: () => made.wire.seen, faults: [] }
}

/** Refuses what the transports page refuses; `answerAs`: how a result is written. */
const httpBy =
  (
    answerAs: (response: ServerResponse, answer: object, seen: Seen) => void,
    onGet: (seen: Seen, response: ServerResponse) => boolean = () => false,
  ): Start =>
  async (own, more = {}) => {
    const faults: string[] = []
    const raw = await overHttp.serve((seen, response) => {
      if (seen.verb !== 'POST') return onGet(seen, response)
      const { message } = seen
      const wrong = headerFault(seen)
      if (wrong !== undefined) {
        faults.push(wrong)
        json(response, error(message, { code: -32001, message: wrong }), {}, 400)
        return true
      }
      if (message.id === undefined) {
        response.writeHead(202).end()
        own?.(message, () => undefined)
        return true
      }
      const opened = { stream: undefined as ServerResponse | undefined }
      const handled = own?.(message, (...all) => {
        opened.stream ??= stream(response, { 'x-accel-buffering': 'no' })
        for (const each of all) opened.stream.write(event(each))
      })
      if (handled) return true
      const answer = draftAnswer(message)
      if (!answer) {
        stream(response).write(event('', 'open'))
        return true
      }
      if ('error' in answer) json(response, answer, {}, 400)
      else answerAs(response, answer, seen)
      return true
    })
    const servers = makeServers({ raw: http(raw.url) }, more)
    await servers.start('raw')
    return { servers, seen: () => raw.seen.map(({ message }) => message), faults }
  }

const asJson = httpBy((response, answer) => json(response, answer))
const asStream = httpBy((response, answer) => void stream(response, { 'x-accel-buffering': 'no' }).end(event('', '1') + event(answer, '2')))

const call = async (servers: TestServers, tool: string, args: JsonObject = {}): Promise<JsonObject> =>
  (await servers.call(approve(servers, 'raw', tool, args), { signal })).result
const textOf = (given: JsonObject): unknown => (given['content'] as readonly JsonObject[])[0]?.['text']

describe.each<[string, Start]>([
  ['stdio', stdio],
  ['HTTP, answering with JSON', asJson],
  ['HTTP, answering with a stream that is primed', asStream],
])('a server that speaks DRAFT-2026-v1 alone over %s', (how, start) => {
  it('is found, and every request of ours says the draft', async () => {
    const { servers, seen, faults } = await start()
    expect(servers.view('raw')?.session).toMatchObject({
      era: 'modern',
      protocolVersion: draft,
      foundBy: 'discover',
      instructions: 'Speak the draft.',
      serverInfo: { name: 'draft-alone', version: '1.0.0' },
    })
    const [first, ...rest] = seen()
    expect(first?.method).toBe('server/discover')
    expect(rest.filter((message) => message.id !== undefined).map(versionOf)).toEqual(
      rest.filter((message) => message.id !== undefined).map(() => draft),
    )
    expect(seen().some(({ method }) => method === 'initialize')).toBe(false)
    expect(faults).toEqual([])
  })

  it('is listed, page by page, over HTTP without the tools that mark headers wrongly', async () => {
    const { servers } = await start()
    const { tools, resources, resourceTemplates, prompts } = servers.catalogue('raw')
    expect({
      tools: tools.map(({ name }) => name).filter((name) => how !== 'stdio' || !name.startsWith('bad_')),
      resources: resources.map(({ uri }) => uri),
      templates: resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      prompts: prompts.map(({ name }) => name),
    }).toEqual({
      tools: ['execute_sql', 'fails', 'get_weather', 'slow', 'structured'],
      resources: ['file:///projects/myapp/config.json'],
      templates: ['file:///{path}'],
      prompts: ['code_review'],
    })
  })

  it.each<[string, JsonObject]>([
    ['texts, numbers and truth', { query: 'SELECT 1', region: 'us-west1', limit: 42, ratio: 3.14, dry: false }],
    ['other alphabets', { query: 'SELECT 1', region: 'Hello, 世界' }],
    ['spaces around', { query: 'SELECT 1', region: ' padded ' }],
    ['a line break', { query: 'SELECT 1', region: 'line1\nline2' }],
    ['nothing and null', { query: 'SELECT 1', region: null }],
  ])('is called with arguments that it wants in headers: %s', async (_what, args) => {
    const { servers, faults } = await start()
    expect([JSON.parse(String(textOf(await call(servers, 'execute_sql', args)))), faults]).toEqual([args, []])
  })

  it('asks in a result, and is asked again with the answer and its state', async () => {
    const elicit = () => Promise.resolve({ action: 'accept' as const, content: { name: 'octocat' } })
    const { servers, seen } = await start(undefined, { handlers: { ...noHandlers, elicitation: elicit } })
    expect(JSON.parse(String(textOf(await call(servers, 'get_weather'))))).toEqual({
      github_login: { action: 'accept', content: { name: 'octocat' } },
    })
    const ids = seen().flatMap(({ method, id }) => (method === 'tools/call' ? [id] : []))
    expect([ids.length, new Set(ids).size]).toEqual([2, 2])
  })

  it('gives results, errors of tools and errors of the protocol as any other', async () => {
    const { servers } = await start()
    expect(await call(servers, 'fails')).toMatchObject({ isError: true })
    expect(await call(servers, 'structured')).toMatchObject({ structuredContent: { celsius: 22.5 } })
    expect(await servers.readResource('raw', 'file:///größe', { signal })).toMatchObject({ contents: [{ uri: 'file:///größe' }] })
    expect(await servers.getPrompt('raw', 'code_review', { code: 'x' }, { signal })).toMatchObject({ messages: [{ role: 'user' }] })
    const ref = { type: 'ref/prompt', name: 'code_review' } as const
    expect(await servers.complete('raw', { ref, argument: { name: 'code', value: 'py' }, given: {} } as never, { signal })).toMatchObject({
      values: ['python', 'pytorch'],
    })
    const refused = start((message, send) => {
      if (message.method !== 'tools/call') return false
      send(error(message, { code: -32602, message: 'Unknown tool: execute_sql' }))
      return true
    })
    await expect(call((await refused).servers, 'execute_sql', { query: '' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool'),
    })
  })

  it('tells of changed lists on the stream that was opened for them', async () => {
    let listens: ((...messages: object[]) => void) | undefined
    let listener: Message = {}
    let renamed = false
    const { servers } = await start((message, send) => {
      if (message.method === 'tools/list' && renamed) {
        send(result(message, { tools: [{ name: 'renamed', inputSchema: { type: 'object' } }] }))
        return true
      }
      if (message.method !== 'subscriptions/listen') return false
      listens = send
      listener = message
      send({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: {
          notifications: listener.params?.['notifications'] ?? {},
          _meta: { 'io.modelcontextprotocol/subscriptionId': message.id },
        },
      })
      return true
    })
    await expect.poll(() => listens !== undefined).toBe(true)
    renamed = true
    listens?.({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    await expect.poll(() => servers.catalogue('raw').tools.map(({ name }) => name)).toEqual(['renamed'])
  })

  it('is told that a call was called off', async () => {
    const { servers, seen } = await start()
    const leave = new AbortController()
    const running = servers.call(approve(servers, 'raw', 'slow', {}), { signal: leave.signal })
    await expect.poll(() => seen().some(({ params }) => params?.['name'] === 'slow')).toBe(true)
    leave.abort()
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    const { id } = seen().find(({ params }) => params?.['name'] === 'slow') ?? {}
    await expect
      .poll(() => seen().filter(({ method, params }) => method === 'notifications/cancelled' && params?.['requestId'] === id))
      .toHaveLength(1)
  })
})

describe('a server that speaks DRAFT-2026-v1 alone over HTTP', () => {
  it('may end a stream that is not done, and is polled by the id of its last event', async () => {
    let waiting: object | undefined
    const polled: unknown[] = []
    const start = httpBy(
      (response, answer, { message }) => {
        if (message.method !== 'tools/call') return json(response, answer)
        waiting = answer
        stream(response).end(event('', 'e-1', 500))
      },
      ({ headers }, response) => {
        polled.push(headers['last-event-id'])
        stream(response).end(event(waiting ?? '', 'e-2'))
        return true
      },
    )
    const { servers } = await start()
    expect([await call(servers, 'fails'), polled]).toEqual([expect.objectContaining({ isError: true }), ['e-1']])
  })

  it('that gives ids to events and cannot be polled ends the call at once', async () => {
    const start = httpBy((response, answer, { message }) =>
      message.method === 'tools/call' ? void stream(response).end(event('', 'e-1')) : json(response, answer),
    )
    const { servers } = await start()
    await expect(call(servers, 'fails')).rejects.toMatchObject({ code: 'tool.outcome-unknown' })
  })

  it('that refuses a call for its headers is listed anew, and called once more with those', async () => {
    let header = 'Old'
    const raw = await overHttp.serve((seen, response) => {
      const { message, headers, verb } = seen
      if (verb !== 'POST' || message.id === undefined) return false
      if (message.method === 'tools/list')
        json(
          response,
          result(message, {
            tools: [{ name: 'one', inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': header } } } }],
          }),
        )
      else if (message.method === 'tools/call' && headers[`mcp-param-${header.toLowerCase()}`] !== 'x')
        json(response, error(message, { code: -32001, message: 'Header mismatch' }), {}, 400)
      else if (message.method === 'tools/call')
        json(response, result(message, { resultType: 'complete', content: [{ type: 'text', text: 'ok' }] }))
      else json(response, draftAnswer(message) ?? {}, {}, 'error' in (draftAnswer(message) ?? {}) ? 400 : 200)
      return true
    })
    const servers = makeServers({ raw: http(raw.url) })
    await servers.start('raw')
    header = 'New'
    expect(textOf(await call(servers, 'one', { a: 'x' }))).toBe('ok')
    expect(raw.seen.filter(({ message }) => message.method === 'tools/call')).toHaveLength(2)
  })
})

// What a server says of its revisions and what it then does are two things: it is left alone with a word on why, after a few requests.
describe('a server that lies about its revisions', () => {
  const refusal = (message: Message, supported: unknown): JsonObject =>
    error(message, {
      code: -32602,
      message: 'Unsupported protocol version',
      data: { supported, requested: String(versionOf(message)) } as JsonObject,
    })
  const found = (message: Message, supportedVersions: unknown): JsonObject =>
    result(message, { supportedVersions, capabilities: { tools: {} } } as JsonObject)

  it.each<[string, (message: Message) => JsonObject]>([
    [
      'lists the draft and refuses it',
      (message) => (message.method === 'server/discover' ? found(message, [draft]) : refusal(message, ['2026-07-28'])),
    ],
    ['refuses ours and names ours', (message) => refusal(message, ['2026-07-28', draft])],
    ['refuses each for the other', (message) => refusal(message, [versionOf(message) === draft ? '2026-07-28' : draft])],
    ['names no list of texts', (message) => refusal(message, [draft, 7, null])],
    [
      'names ten thousand',
      (message) =>
        refusal(
          message,
          Array.from({ length: 10_000 }, (_, index) => `${'x'.repeat(100)}${index}`),
        ),
    ],
    ['lists numbers', (message) => found(message, [20260728])],
    ['lists nothing', (message) => found(message, [])],
    ['answers with another thing', (message) => result(message, { tools: [] })],
  ])('and %s', async (_what, answer) => {
    const raw = await overHttp.serve((seen, response) => {
      if (seen.verb !== 'POST') return false
      json(response, answer(seen.message))
      return true
    })
    const wires = overStdio.serve((message, wire) => {
      if (message.id !== undefined) wire.send(answer(message))
    })
    for (const servers of [makeServers({ raw: http(raw.url) }), overStdio.host(wires)]) {
      const ended = await servers.start('raw').then(
        () => 'it started',
        (thrown: unknown) => thrown,
      )
      expect(ended).toMatchObject({
        code: expect.stringMatching(/^server\.(version-mismatch|not-mcp|protocol|connection-lost|http-status)$/),
      })
      expect(JSON.stringify(ended).length).toBeLessThan(10_000)
    }
    expect(raw.seen.length).toBeLessThan(8)
    expect(wires.wires.flatMap(({ seen }) => seen).length).toBeLessThan(12)
  })
})
