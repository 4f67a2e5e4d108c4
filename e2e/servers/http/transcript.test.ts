// Every request of a whole conversation over Streamable HTTP, held to the transport's rules: with sessions (2025-03-26 to
// 2025-11-25), and without (2026-07-28).
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import {
  approve,
  closeServers,
  eventually,
  http,
  makeServers,
  noHandlers,
  type TestServers,
} from '#main/servers/lifecycle/servers.testing.ts'
import { type Answer, handshake, json, type Message, type RawHttp, rawHttp, result, type Seen, stream } from './raw-http.ts'

const { signal } = new AbortController()
const event = (message: object): string => `data: ${JSON.stringify(message)}\n\n`
const ping = (id: string): object => ({ jsonrpc: '2.0', id, method: 'ping' })
const odd = 'naïve tool'

interface Conversation {
  readonly raw: RawHttp
  readonly posts: readonly Seen[]
  /** The answers to calls that the client let go of. */
  readonly dropped: ServerResponse[]
}

const metaOf = ({ params }: Message): JsonObject => (params?.['_meta'] ?? {}) as JsonObject
const listed = (header: string | string[] | undefined): string[] =>
  String(header)
    .split(',')
    .map((type) => type.trim())
const call = (servers: TestServers, tool: string, more: AbortSignal = signal): Promise<unknown> =>
  servers.call(approve(servers, 'raw', tool), { signal: more, onProgress: () => {} })

/** Calls that are answered as JSON, as a stream, and never. */
async function converse(answer: (dropped: ServerResponse[]) => Answer): Promise<Conversation> {
  const dropped: ServerResponse[] = []
  const raw = await rawHttp(answer(dropped))
  const elicitation = async () => ({ action: 'accept' as const, content: { name: 'Ada' } })
  const servers = makeServers({ raw: http(raw.url) }, { handlers: { ...noHandlers, elicitation } })
  await servers.start('raw')
  await servers.readResource('raw', 'raw://one', { signal })
  for (const tool of ['echo', 'streams', 'asks', odd])
    if (servers.catalogue('raw').tools.some(({ name }) => name === tool)) await call(servers, tool)
  const control = new AbortController()
  const hanging = call(servers, 'hangs', control.signal)
  await eventually(() => expect(dropped).toHaveLength(1))
  control.abort()
  await expect(hanging).rejects.toMatchObject({ code: 'cancelled' })
  await call(servers, 'echo')
  await servers.stop('raw')
  return { raw, posts: raw.seen.filter(({ verb }) => verb === 'POST'), dropped }
}

const open: RawHttp[] = []
afterAll(async () => {
  expect(await closeServers()).toEqual([])
  await Promise.all(open.map((raw) => raw.close()))
})

const toolNames = ['echo', 'streams', 'hangs']
const tools = (names: readonly string[]): JsonObject => ({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) })

function onCall(message: Message, response: ServerResponse, dropped: ServerResponse[], wrap: (value: JsonObject) => JsonObject): void {
  const answer = result(message, wrap({ content: [{ type: 'text', text: 'ok' }] }))
  switch (message.params?.['name']) {
    case 'streams':
      // Comments keep a connection alive, and say nothing.
      stream(response).write(': still here\r\n\r\n:\n')
      response.write(
        event({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: metaOf(message)['progressToken'], progress: 1 },
        }),
      )
      response.end(event(answer))
      break
    case 'hangs':
      dropped.push(stream(response))
      break
    default:
      json(response, answer)
  }
}

describe.each(['2025-03-26', '2025-06-18', '2025-11-25'])('a conversation in a session of %s', (version) => {
  let talk: Conversation
  /** All but the question for the era and the handshake, which come before there is a session. */
  let within: readonly Seen[]

  const sessions =
    (dropped: ServerResponse[]): Answer =>
    ({ verb, message }, response) => {
      const { method } = message
      if (verb === 'DELETE') response.writeHead(200).end()
      else if (verb === 'GET') stream(response).write(event(ping('from the stream')))
      else if (method === 'server/discover') response.writeHead(400).end()
      else if (message.id === undefined || method === undefined) response.writeHead(202).end()
      else if (method === 'tools/list') json(response, result(message, tools(toolNames)))
      else if (method === 'tools/call') onCall(message, response, dropped, (value) => value)
      else if (method === 'resources/read') json(response, result(message, { contents: [] }))
      else json(response, handshake(message, version), method === 'initialize' ? { 'mcp-session-id': 'session-1~!' } : {})
      return true
    }

  beforeAll(async () => {
    talk = await converse(sessions)
    open.push(talk.raw)
    const begun = talk.raw.seen.findIndex(({ message }) => message.method === 'initialize')
    within = talk.raw.seen.slice(begun + 1)
  })

  it('posts each message by itself to the one address', () => {
    expect(talk.raw.seen.every(({ path }) => path === '/mcp')).toBe(true)
    for (const { message, headers } of talk.posts) {
      expect(message).toMatchObject({ jsonrpc: '2.0' })
      expect(headers['content-type']).toBe('application/json')
    }
  })

  it('takes JSON and an event stream for what is posted, and says so each time', async () => {
    for (const { headers } of talk.posts)
      expect(listed(headers.accept)).toEqual(expect.arrayContaining(['application/json', 'text/event-stream']))
    const gets = talk.raw.seen.filter(({ verb }) => verb === 'GET')
    expect(gets.length).toBeGreaterThan(0)
    for (const { headers } of gets) expect(listed(headers.accept)).toContain('text/event-stream')
  })

  it('carries the session from the answer to initialize on, to the letter', () => {
    const before = talk.raw.seen.slice(0, talk.raw.seen.length - within.length)
    expect(before.map(({ headers }) => headers['mcp-session-id'])).toEqual([undefined, undefined])
    expect(within.length).toBeGreaterThan(8)
    for (const { headers } of within) expect(headers['mcp-session-id']).toBe('session-1~!')
  })

  it('carries the revision that was agreed on', () => {
    for (const { headers } of within) expect(headers['mcp-protocol-version']).toBe(version)
  })

  it('answers what the server asks in a stream with a post of its own', () => {
    expect(talk.posts.map(({ message }) => message)).toContainEqual({ jsonrpc: '2.0', id: 'from the stream', result: {} })
  })

  it('calls off by a message, not by hanging up alone', () => {
    const hanging = talk.posts.find(({ message }) => message.params?.['name'] === 'hangs')
    const cancelled = talk.posts.filter(({ message }) => message.method === 'notifications/cancelled')
    expect(cancelled.map(({ message }) => message.params?.['requestId'])).toEqual([hanging?.message.id])
  })

  it('ends with DELETE', () => {
    expect(talk.raw.verbs().at(-1)).toBe('DELETE /mcp')
  })
})

describe('a conversation in 2026-07-28', () => {
  let talk: Conversation
  const answer =
    (dropped: ServerResponse[]): Answer =>
    ({ verb, message }, response) => {
      if (verb !== 'POST') return false
      const complete = (value: JsonObject): JsonObject => ({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...value })
      const { method, params } = message
      if (method === 'server/discover')
        json(response, result(message, complete({ supportedVersions: ['2026-07-28'], capabilities: { tools: {}, resources: {} } })))
      else if (method === 'tools/list') json(response, result(message, complete(tools([...toolNames, 'asks', odd]))))
      else if (method === 'resources/read') json(response, result(message, complete({ contents: [] })))
      else if (method === 'resources/list') json(response, result(message, complete({ resources: [] })))
      else if (method === 'resources/templates/list') json(response, result(message, complete({ resourceTemplates: [] })))
      else if (params?.['name'] === 'asks' && params['inputResponses'] === undefined) {
        const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
        const who = { method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema } }
        json(response, result(message, { resultType: 'input_required', inputRequests: { who }, requestState: 'as it "was" é' }))
      } else onCall(message, response, dropped, complete)
      return true
    }

  beforeAll(async () => {
    talk = await converse(answer)
    open.push(talk.raw)
  })

  it('is posts alone, each a request by itself, without a session', () => {
    expect(talk.raw.seen).toEqual(talk.posts)
    for (const { message, headers } of talk.posts) {
      expect(message).toMatchObject({ jsonrpc: '2.0', id: expect.anything(), method: expect.any(String) })
      expect(listed(headers.accept)).toEqual(expect.arrayContaining(['application/json', 'text/event-stream']))
      expect(headers).not.toHaveProperty('mcp-session-id')
    }
    const ids = talk.posts.map(({ message }) => message.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('says revision, client and capabilities in each request, and the revision in its header too', () => {
    for (const { message, headers } of talk.posts) {
      expect(headers['mcp-protocol-version']).toBe('2026-07-28')
      expect(metaOf(message)).toMatchObject({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'assent' },
        'io.modelcontextprotocol/clientCapabilities': { elicitation: expect.anything() },
      })
    }
  })

  it('mirrors method and name into headers, encoded where a header could not hold them', () => {
    for (const { message, headers } of talk.posts) expect(headers['mcp-method']).toBe(message.method)
    const names = Object.fromEntries(
      talk.posts.map(({ message, headers }) => [String(message.params?.['name'] ?? message.params?.['uri']), headers['mcp-name']]),
    )
    expect(names).toEqual({
      undefined: undefined,
      'raw://one': 'raw://one',
      echo: 'echo',
      streams: 'streams',
      asks: 'asks',
      hangs: 'hangs',
      [odd]: `=?base64?${Buffer.from(odd).toString('base64')}?=`,
    })
  })

  it('asks again under a new id with the state as it was', () => {
    const rounds = talk.posts.filter(({ message }) => message.params?.['name'] === 'asks').map(({ message }) => message)
    expect(rounds.map(({ params }) => [params?.['requestState'], params?.['inputResponses']])).toEqual([
      [undefined, undefined],
      ['as it "was" é', { who: { action: 'accept', content: { name: 'Ada' } } }],
    ])
    expect(rounds[0]?.id).not.toBe(rounds[1]?.id)
  })

  it('calls off by hanging up', async () => {
    await eventually(() => expect(talk.dropped[0]?.destroyed || talk.dropped[0]?.closed).toBe(true))
    expect(talk.posts.map(({ message }) => message.method)).not.toContain('notifications/cancelled')
  })
})
