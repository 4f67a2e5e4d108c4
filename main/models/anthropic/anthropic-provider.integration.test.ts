// The provider against a real HTTP server that speaks Anthropic's format, through the real SDK.
import { afterEach, describe, expect, test } from 'vitest'
import type { HostError } from '#app/errors.ts'
import { systemClock } from '#main/base/clock.ts'
import type { ModelEvent, ModelMessage, ModelRequest } from '#main/models/provider.ts'
import { call, fail, type Reply, say } from '../../../e2e/model-server/reply.ts'
import { keyOf, type ModelServer, type ModelServerOptions, startModelServer } from '../../../e2e/model-server/server.ts'
import { createAnthropic } from './anthropic-provider.ts'

const KEY = 'sk-ant-test-0123456789-q7Rw'
const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** Answers in this order; the last one again for what comes after. */
async function serve(replies: readonly Reply[], options: Partial<ModelServerOptions> = {}): Promise<ModelServer> {
  const server = await startModelServer({ script: (_, index) => replies[index] ?? replies.at(-1) ?? say(''), ...options })
  servers.push(server)
  return server
}

/** Waits of ours take no time; how long they would have been is told by the `retrying` events. */
const quickClock = { now: () => Date.now(), after: (_: number, callback: () => void) => systemClock.after(0, callback) }

const providerOf = (baseUrl: string, contextTokens?: number) =>
  createAnthropic({
    key: KEY,
    baseUrl,
    clock: quickClock,
    chance: () => 0,
    find: (id) => ({ id, provider: 'anthropic', name: id, ai: true, maxOutputTokens: 5000, ...(contextTokens ? { contextTokens } : {}) }),
  })

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'claude-large-1',
  system: 'Be brief.',
  messages: [user('Hello')],
  tools: [{ name: 'files__read', description: 'Reads', inputSchema: { type: 'object' } }],
  ...change,
})

async function collect(
  server: ModelServer,
  change: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  return all(providerOf(server.url).stream(request(change), signal))
}
const sentMessage = (server: ModelServer, request: number, message: number): unknown => {
  const messages = server.requests[request]?.body['messages']
  return Array.isArray(messages) ? messages[message] : undefined
}
const errorOf = (work: Promise<unknown>): Promise<HostError> =>
  work.then(
    () => expect.unreachable(),
    (error: HostError) => error,
  )

test('a streamed answer comes as text, with its usage and its end', async () => {
  const server = await serve([{ ...say('One two three'), usage: { input: 7, output: 9, cacheRead: 5, cacheWrite: 3 } } as Reply])
  const events = await collect(server)
  expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe('One two three')
  expect(events.at(-2)).toEqual({ type: 'usage', usage: { inputTokens: 7, outputTokens: 9, cacheReadTokens: 5, cacheWriteTokens: 3 } })
  expect(events.at(-1)).toEqual({ type: 'done', reason: 'end' })
})

test('tools that are called in parallel come with the whole text of their arguments, broken or not', async () => {
  const blocks = [
    { type: 'tool_use', id: 'toolu_1', name: 'files__read', input: { path: '/a/long/path/to/a/file' } },
    { type: 'tool_use', id: 'toolu_2', name: 'files__read', inputText: '{"path": "/un' },
  ] as const
  const events = await collect(await serve([{ kind: 'message', blocks }]))
  expect(events.filter((event) => event.type === 'tool-call' || event.type === 'done')).toEqual([
    { type: 'tool-call', index: 0, providerId: 'toolu_1', name: 'files__read', inputText: '{"path":"/a/long/path/to/a/file"}' },
    { type: 'tool-call', index: 1, providerId: 'toolu_2', name: 'files__read', inputText: '{"path": "/un' },
    { type: 'done', reason: 'tool-calls' },
  ])
})

test('system prompt, tools and the last blocks of the person are marked for the cache, and the limit is that of the model', async () => {
  const server = await serve([say('ok')])
  await collect(server, {
    messages: [user('One'), { role: 'assistant', model: 'x/y', content: [{ type: 'text', text: 'Two' }] }, user('Three')],
  })
  expect(server.requests[0]?.body).toEqual({
    model: 'claude-large-1',
    max_tokens: 5000,
    stream: true,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    tools: [{ name: 'files__read', description: 'Reads', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'One', cache_control: { type: 'ephemeral' } }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Two' }] },
      { role: 'user', content: [{ type: 'text', text: 'Three', cache_control: { type: 'ephemeral' } }] },
    ],
  })
  expect(keyOf(server.requests[0]?.headers ?? {})).toBe(KEY)
})

test('thinking goes back to its model with its signature, and to no other', async () => {
  const blocks = [
    { type: 'thinking', thinking: 'Let me see', signature: 'signed' },
    { type: 'redacted_thinking', data: 'opaque' },
    ...(call({ name: 'files__read', id: 'toolu_1' }) as Extract<Reply, { kind: 'message' }>).blocks,
  ] as const
  const server = await serve([{ kind: 'message', blocks }, say('done')])
  const ends = (await collect(server)).filter((event) => event.type === 'thinking-end')
  expect(ends).toEqual([
    { type: 'thinking-end', index: 0, signature: 'signed' },
    { type: 'thinking-end', index: 1, redacted: 'opaque' },
  ])
  const history: ModelMessage[] = [
    user('Hello'),
    {
      role: 'assistant',
      model: 'anthropic/claude-large-1',
      content: [
        { type: 'thinking', text: 'Let me see', signature: 'signed' },
        { type: 'thinking', text: '', redacted: 'opaque' },
        { type: 'tool-call', providerId: 'toolu_1', name: 'files__read', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool-result', providerId: 'toolu_1', content: [{ type: 'text', text: 'no' }], isError: true }] },
  ]
  const toolUse = { type: 'tool_use', id: 'toolu_1', name: 'files__read', input: {} }
  await collect(server, { messages: history })
  expect(sentMessage(server, 1, 1)).toEqual({
    role: 'assistant',
    content: [{ type: 'thinking', thinking: 'Let me see', signature: 'signed' }, { type: 'redacted_thinking', data: 'opaque' }, toolUse],
  })
  await collect(server, { messages: history, model: 'claude-small-1' })
  expect(sentMessage(server, 2, 1)).toEqual({ role: 'assistant', content: [toolUse] })
})

describe('an error is known by its status and type', () => {
  test.each<[string, Reply, string, object]>([
    ['401', fail(401, 'authentication_error'), 'model.key-refused', { status: 401 }],
    ['403', fail(403, 'permission_error'), 'model.key-refused', { status: 403 }],
    ['404', fail(404, 'not_found_error'), 'model.unknown', { status: 404, model: 'claude-large-1' }],
    ['413', fail(413, 'request_too_large'), 'model.too-long', { status: 413 }],
    ['400', fail(400, 'invalid_request_error'), 'model.request-refused', { status: 400, type: 'invalid_request_error' }],
    [
      '429 that lasts too long',
      fail(429, 'rate_limit_error', { 'retry-after': '3600' }),
      'model.rate-limited',
      { retryAfterMs: 3_600_000 },
    ],
    ['a stream that ends early', { ...say('Half'), kind: 'cut', how: 'end' } as Reply, 'model.bad-answer', {}],
    ['a stream whose socket breaks', { ...say('Half'), kind: 'cut', how: 'reset' } as Reply, 'model.bad-answer', {}],
    ['an overload in the stream', { ...say('Half'), kind: 'error-event', type: 'overloaded_error' } as Reply, 'model.overloaded', {}],
    [
      'a page instead of a stream',
      { kind: 'raw', status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Hi</h1>' },
      'model.bad-answer',
      {},
    ],
  ])('%s', async (_, reply, code, data) => {
    const server = await serve([reply])
    const error = await errorOf(collect(server))
    expect({ code: error.code, data: error.data }).toMatchObject({ code, data })
    expect(server.requests).toHaveLength(1)
  })

  test('the tokens of a request are counted without asking the model', async () => {
    const server = await serve([say('never')], { countTokens: 1001 })
    expect(await providerOf(server.url).countTokens?.(request(), new AbortController().signal)).toBe(1001)
    expect(server.requests).toEqual([])
    const refusing = await serve([say('never')], { key: 'another' })
    const counting = providerOf(refusing.url).countTokens?.(request(), new AbortController().signal) ?? Promise.resolve()
    expect((await errorOf(counting)).code).toBe('model.key-refused')
  })

  test('a 400 is called too long only when the tokens, counted, are too many', async () => {
    const server = await serve([fail(400, 'invalid_request_error')], { countTokens: 1001 })
    const run = (contextTokens: number): Promise<HostError> =>
      errorOf(all(providerOf(server.url, contextTokens).stream(request(), new AbortController().signal)))
    expect([(await run(1000)).code, (await run(1001)).code]).toEqual(['model.too-long', 'model.request-refused'])
  })

  test('a redirect is not followed: it would take the key along', async () => {
    const elsewhere = await serve([say('hi')])
    const server = await serve([{ kind: 'raw', status: 307, headers: { location: `${elsewhere.url}/v1/messages` }, body: '' }])
    expect(await errorOf(collect(server))).toMatchObject({ code: 'model.request-refused', data: { status: 307 } })
    expect(elsewhere.requests).toEqual([])
  })

  test('the key is in no error, not even when a proxy repeats it', async () => {
    const server = await serve([{ kind: 'error', status: 401, type: 'authentication_error', message: `bad key ${KEY}` }])
    const error = await errorOf(collect(server))
    expect(JSON.stringify([error.toValue(), error.stack, String(error.cause)])).not.toContain('0123456789')
    expect(error.data['detail']).toBe('bad key •••')
  })
})

describe('what may pass is tried three times', () => {
  test.each<[string, Reply, string, number[]]>([
    ['429 with retry-after', fail(429, 'rate_limit_error', { 'retry-after': '2' }), 'model.rate-limited', [2000, 2000]],
    ['529', fail(529, 'overloaded_error'), 'model.overloaded', [1000, 2000]],
    ['500', fail(500, 'api_error'), 'model.server-error', [1000, 2000]],
    ['a connection that drops', { kind: 'drop' }, 'model.offline', [1000, 2000]],
  ])('%s', async (_, reply, code, waits) => {
    const server = await serve([reply])
    const events: ModelEvent[] = []
    const run = async (): Promise<void> => {
      for await (const event of providerOf(server.url).stream(request(), new AbortController().signal)) events.push(event)
    }
    expect((await errorOf(run())).code).toBe(code)
    expect(events).toEqual(waits.map((afterMs) => ({ type: 'retrying', afterMs, reason: code })))
    expect(server.requests).toHaveLength(3)
  })

  test('and goes on as if nothing had been when it passes', async () => {
    const events = await collect(await serve([fail(529, 'overloaded_error'), say('Here')]))
    expect(events.map(({ type }) => type)).toEqual(['retrying', 'usage', 'text', 'usage', 'done'])
  })
})

test.each([
  ['refusal', 'refusal'],
  ['max_tokens', 'max-tokens'],
  ['model_context_window_exceeded', 'max-tokens'],
] as const)('stop reason %s', async (stopReason, reason) => {
  const events = await collect(await serve([{ ...say('I'), stopReason } as Reply]))
  expect(events.at(-1)).toEqual({ type: 'done', reason })
})

test('cancelling in mid-stream hangs up', async () => {
  const never = new Promise<void>(() => {})
  const blocks = [
    { type: 'text', text: 'Begun' },
    { type: 'gate', until: never },
  ] as const
  const server = await serve([{ kind: 'message', blocks }])
  const stop = new AbortController()
  const seen: string[] = []
  const run = async (): Promise<void> => {
    for await (const event of providerOf(server.url).stream(request(), stop.signal)) {
      if (event.type === 'text') seen.push(event.text)
      if (event.type === 'text') stop.abort()
    }
  }
  expect((await errorOf(run())).code).toBe('cancelled')
  expect(seen).toEqual(['Begun'])
  await expect.poll(() => server.requests[0]?.gone.aborted).toBe(true)
})

test('cancelling while it waits to try again ends the wait', async () => {
  const server = await serve([fail(529, 'overloaded_error')])
  const stop = new AbortController()
  const provider = createAnthropic({
    key: KEY,
    baseUrl: server.url,
    clock: { now: Date.now, after: () => () => {} },
    find: () => undefined,
  })
  const run = async (): Promise<void> => {
    for await (const event of provider.stream(request(), stop.signal)) if (event.type === 'retrying') queueMicrotask(() => stop.abort())
  }
  expect((await errorOf(run())).code).toBe('cancelled')
})

test('an address that nothing answers is offline', async () => {
  const server = await serve([say('')])
  await server.close()
  const error = await errorOf(providerOf(server.url).listModels(new AbortController().signal))
  expect({ code: error.code, data: error.data }).toEqual({ code: 'model.offline', data: { cause: 'ECONNREFUSED' } })
})

test('the model list carries names and limits, leaves retired ones out, and knows who thinks unasked', async () => {
  const disabled = { supported: true, types: { disabled: { supported: true } } }
  const server = await serve([say('')], {
    models: [
      {
        id: 'new',
        display_name: 'New',
        max_input_tokens: 9,
        max_tokens: 4,
        capabilities: { thinking: disabled, image_input: { supported: true } },
      },
      { id: 'plain', display_name: 'Plain' },
      { id: 'old', display_name: 'Old', lifecycle: 'retired' },
    ],
  })
  expect(await providerOf(server.url).listModels(new AbortController().signal)).toEqual([
    {
      id: 'anthropic/new',
      provider: 'anthropic',
      name: 'New',
      contextTokens: 9,
      maxOutputTokens: 4,
      images: true,
      thinkingOff: true,
      ai: true,
    },
    { id: 'anthropic/plain', provider: 'anthropic', name: 'Plain', ai: true },
  ])
})

test.each([
  ['auto', undefined],
  ['required', { type: 'any' }],
  ['none', { type: 'none' }],
] as const)('whether tools are used is %s, as the API says it', async (toolChoice, expected) => {
  const server = await serve([say('Fine')])
  await collect(server, { toolChoice })
  expect(server.requests[0]?.body['tool_choice']).toEqual(expected)
})

test('without tools there is no word of them', async () => {
  const server = await serve([say('Fine')])
  await collect(server, { tools: [], toolChoice: 'required' })
  expect(server.requests[0]?.body).not.toHaveProperty('tool_choice')
})

test('what an answer is to stop at is sent but for what cannot be seen, and so told; a temperature is not the API’s', async () => {
  const stopped: Reply = { kind: 'message', blocks: [{ type: 'text', text: 'One' }], stopReason: 'stop_sequence' }
  const server = await serve([stopped])
  const events = await collect(server, { stopSequences: ['END', '\n', ' '], temperature: 0.5 })
  expect(server.requests[0]?.body).toMatchObject({ stop_sequences: ['END'] })
  expect(server.requests[0]?.body).not.toHaveProperty('temperature')
  expect(events.at(-1)).toEqual({ type: 'done', reason: 'stop-sequence' })
})
