// What only endpoints of OpenAI's format do: streams and lists as they are found in the wild.
import { afterEach, describe, expect, test } from 'vitest'
import type { HostError } from '#app/errors.ts'
import type { Json } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { systemClock } from '#main/base/clock.ts'
import type { ModelEvent, ModelMessage, ModelProvider, ModelRequest } from '#main/models/provider.ts'
import { type Reply, say } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, type ScriptedModel, startModelServer } from '../../../e2e/model-server/server.ts'
import { createOpenAiCompatible } from './openai-provider.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(reply: Reply, models?: readonly ScriptedModel[]): Promise<ModelServer> {
  const server = await startModelServer({ script: () => reply, ...(models ? { models } : {}) })
  servers.push(server)
  return server
}
const providerOf = (url: string, info: Partial<ModelInfo> = {}, key = ''): ModelProvider =>
  createOpenAiCompatible({
    id: 'local',
    name: 'Local',
    baseUrl: `${url}/v1`,
    key,
    clock: systemClock,
    find: (id) => ({ id, provider: 'local', name: id, ai: true, ...info }),
  })
const user = (words: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text: words }] })
async function stream(provider: ModelProvider, change: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const request = { model: 'm', system: 'Be brief.', messages: [user('Hello')], tools: [], ...change }
  const events: ModelEvent[] = []
  for await (const event of provider.stream(request, new AbortController().signal)) events.push(event)
  return events
}
const chunks = (...deltas: readonly object[]): Reply => ({
  kind: 'raw',
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: `${deltas.map((delta) => `data: ${JSON.stringify({ choices: [delta] })}\n\n`).join('')}data: [DONE]\n\n`,
})
const raw = (status: number, type: string, body: string): Reply => ({ kind: 'raw', status, headers: { 'content-type': type }, body })
const said = (events: readonly ModelEvent[], type: 'text' | 'thinking'): string =>
  events.flatMap((event) => (event.type === type ? [event.text] : [])).join('')
const errorOf = (work: Promise<unknown>): Promise<HostError> =>
  work.then(
    () => expect.unreachable(),
    (error: HostError) => error,
  )

// OpenRouter's docs, features/web-search: `"plugins": [{ "id": "web" }]`.
test('OpenRouter searches the web only when it is asked to', async () => {
  const server = await serve(say('Hi'))
  await stream(providerOf(server.url))
  await stream(providerOf(server.url), { webSearch: true })
  expect(server.requests.map(({ body }) => body['plugins'])).toEqual([undefined, [{ id: 'web' }]])
})

describe('answers in the wild', () => {
  test.each<[string, Reply]>([
    ['reasoning', chunks({ delta: { reasoning: 'Hm' } }, { delta: { content: 'Hi' }, finish_reason: 'stop' })],
    ['reasoning_content', chunks({ delta: { reasoning_content: 'Hm' } }, { delta: { content: 'Hi' }, finish_reason: 'stop' })],
    ['tags', chunks({ delta: { content: '<thi' } }, { delta: { content: 'nk>Hm</think>\n\nHi' } }, { delta: {}, finish_reason: 'stop' })],
    [
      'parts',
      chunks(
        {
          delta: {
            content: [
              { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
              { type: 'text', text: 'Hi' },
            ],
          },
        },
        { delta: { content: '' }, finish_reason: 'stop' },
      ),
    ],
    [
      'an answer that is not streamed',
      raw(
        200,
        'application/json',
        JSON.stringify({ choices: [{ message: { role: 'assistant', reasoning: 'Hm', content: 'Hi' }, finish_reason: 'stop' }] }),
      ),
    ],
  ])('reasoning as %s', async (_title, reply) => {
    const events = await stream(providerOf((await serve(reply)).url))
    expect([said(events, 'thinking'), said(events, 'text'), events.at(-1)]).toEqual(['Hm', 'Hi', { type: 'done', reason: 'end' }])
    expect(events.filter(({ type }) => type === 'thinking-end')).toHaveLength(1)
  })

  const piece = (fields: object, name: string, args: Json) => ({ ...fields, function: { name, arguments: args } })
  const two = [
    ['a', 'read', '{"p":1}'],
    ['b', 'read', '{"p":2}'],
  ]
  test.each<[string, Reply, string[][]]>([
    [
      'all at once, without index, and "stop" at the end',
      chunks(
        { delta: { tool_calls: [piece({ id: 'a' }, 'read', '{"p":1}'), piece({ id: 'b' }, 'read', '{"p":2}')] } },
        { delta: {}, finish_reason: 'stop' },
      ),
      two,
    ],
    [
      'each with index 0, arguments as objects',
      chunks(
        { delta: { tool_calls: [piece({ index: 0, id: 'a' }, 'read', { p: 1 })] } },
        { delta: { tool_calls: [piece({ index: 0, id: 'b' }, 'read', { p: 2 })] }, finish_reason: 'tool_calls' },
      ),
      two,
    ],
    [
      'JSON that can be mended',
      chunks({
        delta: { tool_calls: [piece({ id: 'a' }, 'read', "{'p': 1,}"), piece({ id: 'b' }, 'read', '```json\n{"p": 2}\n```')] },
        finish_reason: 'stop',
      }),
      two,
    ],
    [
      'JSON that cannot',
      chunks({ delta: { tool_calls: [piece({ id: 'a' }, 'read', '{"p": "/un')] }, finish_reason: 'tool_calls' }),
      [['a', 'read', '{"p": "/un']],
    ],
  ])('tool calls: %s', async (_title, reply, expected) => {
    const events = await stream(providerOf((await serve(reply)).url))
    expect(events.flatMap((event) => (event.type === 'tool-call' ? [[event.providerId, event.name, event.inputText]] : []))).toEqual(
      expected,
    )
    expect(events.at(-1)).toEqual({ type: 'done', reason: 'tool-calls' })
  })

  test('a call without an id, or with one that the conversation has already, gets its own', async () => {
    const calls = [piece({}, 'read', '{}'), piece({ id: 'call_0' }, 'read', '{}')]
    const server = await serve(chunks({ delta: { tool_calls: calls }, finish_reason: 'stop' }))
    const before: ModelMessage = {
      role: 'assistant',
      model: 'local/m',
      content: [{ type: 'tool-call', providerId: 'call_0', name: 'read', input: {} }],
    }
    const events = await stream(providerOf(server.url), { messages: [user('a'), before] })
    const ids = events.flatMap((event) => (event.type === 'tool-call' ? [event.providerId] : []))
    expect([ids.length, new Set([...ids, 'call_0', '']).size]).toEqual([2, 4])
  })

  test.each<[string, Reply, string]>([
    ['a body of another format', raw(404, 'text/plain', '404 page not found'), 'model.endpoint-wrong'],
    ['a web page', raw(200, 'text/html', '<h1>Hi</h1>'), 'model.endpoint-wrong'],
    ['a spent quota', raw(429, 'application/json', '{"error":{"code":"insufficient_quota","message":"Pay"}}'), 'model.no-credit'],
    ['a conversation that is too long', raw(400, 'application/json', '{"error":{"code":"context_length_exceeded"}}'), 'model.too-long'],
    ['a key that is wanted', raw(401, 'application/json', '{"error":{"message":"no key"}}'), 'model.key-missing'],
    [
      'an error with a number in the stream',
      chunks({ delta: { content: 'Hi' } }, { delta: {}, finish_reason: 'error' }),
      'model.server-error',
    ],
  ])('%s', async (_title, reply, code) => {
    expect((await errorOf(stream(providerOf((await serve(reply)).url)))).code).toBe(code)
  })
})

test('what a router says that an answer cost is told, and what went into the cache', async () => {
  const usage = {
    prompt_tokens: 300,
    completion_tokens: 5,
    cost: 0.95,
    prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 150 },
  }
  const lines = [{ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }, { choices: [], usage }]
  const body = `${lines.map((line) => `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...line })}\n\n`).join('')}data: [DONE]\n\n`
  const events = await stream(providerOf((await serve(raw(200, 'text/event-stream', body))).url))
  expect(events.filter(({ type }) => type === 'usage')).toEqual([
    { type: 'usage', usage: { inputTokens: 50, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 150, cost: 0.95 } },
  ])
})

describe('a request', () => {
  const body = async (change: Partial<ModelRequest>, info: Partial<ModelInfo> = {}): Promise<Record<string, unknown>> => {
    const server = await serve(say('ok'))
    await stream(providerOf(server.url, info), change)
    return server.requests[0]?.body ?? {}
  }
  const tool = { name: 'read', description: 'Reads', inputSchema: { type: 'object' } }

  test('is the plainest that says it all', async () => {
    expect(await body({ tools: [tool], toolChoice: 'required', maxTokens: 9, temperature: 0.5, stopSequences: ['END', ' '] })).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 9,
      temperature: 0.5,
      stop: ['END'],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
      tools: [{ type: 'function', function: { name: 'read', description: 'Reads', parameters: { type: 'object', properties: {} } } }],
      tool_choice: 'required',
    })
  })

  test('has no tools for a model that is known to take none', async () => {
    expect(await body({ tools: [tool] }, { tools: false })).not.toHaveProperty('tools')
  })

  const history = (model: string): ModelMessage[] => [
    user('Look'),
    {
      role: 'assistant',
      model,
      content: [
        { type: 'thinking', text: 'Hm', signature: 'reasoning_content' },
        { type: 'tool-call', providerId: 'c1', name: 'read', input: { p: 1 } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool-result',
          providerId: 'c1',
          isError: true,
          content: [
            { type: 'text', text: 'see' },
            { type: 'image', mimeType: 'image/png', data: 'AAAA' },
          ],
        },
      ],
    },
  ]

  test('gives a picture of a result after it, and the reasoning of this turn back to its own model', async () => {
    const { messages } = (await body({ system: '', messages: history('local/m') })) as { messages: unknown[] }
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"p":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '[The tool reports an error.]\nsee\n[1 image follows.]' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
    ])
  })

  test.each([
    ['of another model', history('local/other')],
    ['of an earlier turn', [...history('local/m'), user('And now?')]],
  ])('leaves out the reasoning %s', async (_title, messages) => {
    expect(JSON.stringify(await body({ messages }))).not.toContain('Hm')
  })
})

describe('a list', () => {
  const list = async (models: readonly object[]): Promise<readonly ModelInfo[]> =>
    providerOf((await serve(say(''), models as readonly ScriptedModel[])).url).listModels(new AbortController().signal)

  test('carries what endpoints add to the format, and leaves out what does not chat', async () => {
    const found = await list([
      { id: 'a/b', context_length: 9, architecture: { input_modalities: ['text', 'image'] }, supported_parameters: ['tools'], name: 'B' },
      { id: 'c', max_model_len: 7, capabilities: { vision: false, function_calling: false } },
      { id: 'text-embedding-3-small' },
      { id: 'whisper-1' },
    ])
    expect(found).toEqual([
      { id: 'local/a/b', provider: 'local', name: 'B', contextTokens: 9, efforts: [], images: true, tools: true, ai: true },
      { id: 'local/c', provider: 'local', name: 'c', contextTokens: 7, images: false, tools: false, ai: true },
    ])
  })

  test('says what OpenRouter’s models cost, where the price is one', async () => {
    const found = await list([
      { id: 'a', pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003', request: '0' } },
      { id: 'auto', pricing: { prompt: '-1', completion: '-1' } },
      { id: 'odd', pricing: { prompt: 'free', completion: '' } },
    ])
    const [a, ...others] = found.map(({ price }) => price)
    expect([a?.input, a?.output, a?.cacheRead, a?.cacheWrite].map((dollars) => dollars?.toFixed(6))).toEqual([
      '3.000000',
      '15.000000',
      '0.300000',
      undefined,
    ])
    expect(others).toEqual([undefined, undefined])
  })

  test.each<[string, string, string]>([
    ['a wrong path', '/wrong', 'model.endpoint-wrong'],
    ['another API', '/__control', 'model.endpoint-wrong'],
  ])('%s is told', async (_title, path, code) => {
    const server = await startModelServer({
      script: () => say(''),
      control: async (request, response) => {
        if (!request.url?.startsWith('/__control')) return false
        response.end('<h1>Welcome</h1>')
        return true
      },
    })
    servers.push(server)
    const provider = createOpenAiCompatible({
      ...{ id: 'local', name: 'Local', key: '', clock: systemClock, find: () => undefined },
      baseUrl: `${server.url}${path}`,
    })
    expect((await errorOf(provider.listModels(new AbortController().signal))).code).toBe(code)
  })

  test('a name that the network does not know is told apart', async () => {
    const provider = createOpenAiCompatible({
      ...{ id: 'local', name: 'Local', key: '', clock: systemClock, find: () => undefined },
      baseUrl: 'http://nowhere.invalid/v1',
    })
    const error = await errorOf(provider.listModels(new AbortController().signal))
    expect([error.code, ['ENOTFOUND', 'EAI_AGAIN'].includes(String(error.data['cause']))]).toEqual(['model.offline', true])
  })
})

describe('what an endpoint refuses by its name', () => {
  const refusing = (field: string, how: 'param' | 'words' | 'detail'): Reply => {
    const message = how === 'words' ? `Unsupported parameter: '${field}' is not known here` : 'No.'
    const body =
      how === 'detail'
        ? { detail: [{ loc: ['body', field], msg: 'extra fields not permitted' }] }
        : { error: { message, type: 'invalid_request_error', ...(how === 'param' ? { param: field } : {}) } }
    return raw(how === 'detail' ? 422 : 400, 'application/json', JSON.stringify(body))
  }
  const wishes: Partial<ModelRequest> = { temperature: 1, maxTokens: 9, effort: 'high' }

  test.each<[string, 'param' | 'words' | 'detail', object]>([
    ['stream_options', 'words', { temperature: 1, max_tokens: 9, reasoning_effort: 'high' }],
    ['reasoning_effort', 'param', { temperature: 1, max_tokens: 9, stream_options: { include_usage: true } }],
    ['temperature', 'detail', { max_tokens: 9, reasoning_effort: 'high' }],
    ['max_tokens', 'words', { temperature: 1, max_completion_tokens: 9 }],
  ])('%s is left out, at once and from then on', async (field, how, expected) => {
    const server = await startModelServer({ script: ({ body }) => (field in body ? refusing(field, how) : say('Fine')) })
    servers.push(server)
    const provider = providerOf(server.url)
    expect(said(await stream(provider, wishes), 'text')).toBe('Fine')
    await stream(provider, wishes)
    expect(server.requests.map(({ body }) => field in body)).toEqual([true, false, false])
    expect(server.requests[2]?.body).toMatchObject(expected)
  })

  test('anything else that is refused stays refused', async () => {
    const server = await serve(refusing('messages', 'words'))
    expect((await errorOf(stream(providerOf(server.url), wishes))).code).toBe('model.request-refused')
    expect(server.requests).toHaveLength(1)
  })
})

test('what Gemini gives with a call goes back with it, to that model alone', async () => {
  const extra_content = { google: { thought_signature: 'sig' } }
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content }
  const server = await serve(chunks({ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }))
  const found = (await stream(providerOf(server.url))).find((event) => event.type === 'tool-call')
  expect(found).toMatchObject({ providerData: { extra_content } })
  const history = (model: string): ModelMessage[] => [
    user('Go'),
    { role: 'assistant', model, content: [{ type: 'tool-call', providerId: 'c1', name: 'f', input: {}, providerData: { extra_content } }] },
    { role: 'user', content: [{ type: 'tool-result', providerId: 'c1', content: [], isError: false }] },
  ]
  await stream(providerOf(server.url), { messages: history('local/m') })
  await stream(providerOf(server.url), { messages: history('local/other') })
  const sent = server.requests.map(({ body }) => JSON.stringify(body['messages']).includes('thought_signature'))
  expect(sent).toEqual([false, true, false])
})

test('a PDF goes as a file where the model takes files, else as a word about it', async () => {
  const server = await serve(say('Fine'))
  const pdf: ModelMessage = {
    role: 'user',
    content: [{ type: 'document', mimeType: 'application/pdf', data: 'JVBERi0=', name: 'Lease.pdf' }],
  }
  await stream(providerOf(server.url, { documents: true }), { messages: [pdf] })
  await stream(providerOf(server.url), { messages: [pdf] })
  expect(server.requests.map(({ body }) => (body['messages'] as Json[])[1])).toMatchObject([
    { content: [{ type: 'file', file: { filename: 'Lease.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }] },
    { content: expect.stringContaining('Lease.pdf') },
  ])
})
