// Requests of the Responses API, their corrections after a refusal, and ends of answers that no recording has. Refusals and events stand
// with their source.
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { systemClock } from '#main/base/clock.ts'
import { createEndpointProvider, createOpenAiResponses } from '../endpoints/endpoint-provider.ts'
import { createOpenAiCompatible } from '../openai-chat/openai-provider.ts'
import type { ModelAssistantBlock, ModelEvent, ModelMessage, ModelRequest } from '../provider.ts'
import { chatWith } from '../vendor-tests/chat-with.testing.ts'

interface Sent {
  readonly url: string
  readonly headers: Headers
  readonly body: JsonObject
}

const json = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const refusal = (error: object): Response => json(400, { error: { type: 'invalid_request_error', code: null, ...error } })
const message = (text: string): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
})
const whole = (change: object = {}): Response =>
  json(200, { object: 'response', status: 'completed', output: [message('Fine.')], ...change })

function lab(replies: readonly Response[], { info = {}, host = 'lab.example' }: { info?: Partial<ModelInfo>; host?: string } = {}) {
  const sent: Sent[] = []
  const reply = async (url: unknown, init?: { headers?: Record<string, string>; body?: unknown }): Promise<Response> => {
    sent.push({ url: String(url), headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) as JsonObject })
    return replies[sent.length - 1] ?? whole()
  }
  const provider = createOpenAiResponses({
    ...{ id: 'lab', name: 'Lab', baseUrl: `https://${host}/v1`, key: 'sk-x-0123456789', chance: () => 0 },
    find: (id) => ({ id, provider: 'lab', name: id, ai: true, ...info }),
    clock: { now: () => Date.now(), after: (_: number, run: () => void) => systemClock.after(0, run) },
    fetch: reply as typeof fetch,
  })
  const ask = async (change: Partial<ModelRequest> = {}): Promise<ModelEvent[]> => {
    const events: ModelEvent[] = []
    const request = { model: 'gpt-5.5', system: '', messages: [user('Hello')], tools: [], ...change }
    for await (const event of provider.stream(request, new AbortController().signal)) events.push(event)
    return events
  }
  return { ask, sent, last: (): JsonObject => sent.at(-1)?.body ?? {} }
}

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const tool = { name: 'read', description: 'Reads', inputSchema: { type: 'object' } }
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }
const answered = (content: readonly ModelAssistantBlock[], model = 'lab/gpt-5.5'): ModelMessage => ({ role: 'assistant', model, content })
const thought = (...details: JsonObject[]): ModelAssistantBlock => ({ type: 'thinking', text: '', details })
const call: ModelAssistantBlock = { type: 'tool-call', providerId: 'c1', name: 'read', input: { p: 1 }, providerData: { id: 'fc_1' } }

describe('a request', () => {
  test('is stateless, asks for encrypted reasoning and summaries, and offers tools as they are', async () => {
    const { ask, sent, last } = lab([])
    await ask({ system: 'Be brief.', tools: [tool], toolChoice: 'required', maxTokens: 9, effort: 'high', temperature: 0.5 })
    expect(last()).toEqual({
      model: 'gpt-5.5',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      instructions: 'Be brief.',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
      reasoning: { effort: 'high', summary: 'auto' },
      max_output_tokens: 16,
      tools: [{ type: 'function', name: 'read', description: 'Reads', parameters: { type: 'object', properties: {} }, strict: false }],
      tool_choice: 'required',
    })
    expect([sent[0]?.url, sent[0]?.headers.get('authorization')]).toEqual(['https://lab.example/v1/responses', 'Bearer sk-x-0123456789'])
  })

  test('has no reasoning for models that do not reason, by name or by the list', async () => {
    const byName = lab([])
    await byName.ask({ model: 'gpt-4.1-mini', effort: 'high', temperature: 0.5 })
    const byList = lab([], { info: { efforts: [] } })
    await byList.ask({ model: 'grok-3', effort: 'high' })
    expect([byName.last()['reasoning'], byName.last()['include'], byName.last()['temperature'], byList.last()['reasoning']]).toEqual([
      undefined,
      undefined,
      0.5,
      undefined,
    ])
  })

  test('takes the nearest effort that the model has', async () => {
    const { ask, last } = lab([], { info: { efforts: ['medium', 'high', 'xhigh'] } })
    await ask({ model: 'gpt-5.5-pro', effort: 'max' })
    const most = last()['reasoning']
    await ask({ model: 'gpt-5.5-pro', effort: 'low' })
    expect([most, last()['reasoning']]).toEqual([
      { effort: 'xhigh', summary: 'auto' },
      { effort: 'medium', summary: 'auto' },
    ])
  })

  test('carries images and PDFs, of the person and of a tool', async () => {
    const { ask, last } = lab([])
    const media = [
      { type: 'image' as const, mimeType: 'image/png', data: 'AAAA' },
      { type: 'document' as const, mimeType: 'application/pdf' as const, data: 'JVBE', name: 'a.pdf' },
    ]
    const result = { type: 'tool-result' as const, providerId: 'c1', isError: true, content: media }
    await ask({ messages: [{ role: 'user', content: media }, answered([call], 'lab/other'), { role: 'user', content: [result] }] })
    const parts = [
      { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' },
    ]
    expect(last()['input']).toEqual([
      { type: 'message', role: 'user', content: parts },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"p":1}' },
      { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: '[The tool reports an error.]' }, ...parts] },
    ])
  })

  test.each([
    ['api.openai.com', 'web_search'],
    ['res.openai.azure.com', 'web_search_preview'],
  ])('searches the web only when asked to: %s', async (host, type) => {
    const { ask, last } = lab([], { host })
    await ask()
    const without = last()['tools']
    await ask({ webSearch: true })
    expect([without, last()['tools']]).toEqual([undefined, [{ type }]])
  })
})

test('a model behind OpenAI, Azure, xAI and OpenRouter is offered with a search of the web; one elsewhere is not', async () => {
  const offered = async (baseUrl: string): Promise<unknown> => {
    const list = async (): Promise<Response> => json(200, { data: [{ id: 'm' }] })
    const common = { id: 'lab', name: 'Lab', key: '', clock: systemClock, find: () => undefined, fetch: list as typeof fetch }
    const [model] = await createOpenAiResponses({ ...common, baseUrl }).listModels(new AbortController().signal)
    return model?.webSearch
  }
  const hosts = ['api.openai.com', 'res.openai.azure.com', 'api.x.ai', 'openrouter.ai', 'localhost:1234']
  expect(await Promise.all(hosts.map((host) => offered(`https://${host}/v1`)))).toEqual([true, true, true, true, undefined])
})

test('Azure gets its key in `api-key`, and its version in the query, with every request', async () => {
  // vercel/ai, packages/azure/src/azure-openai-provider.test.ts: header `api-key`, query `api-version`.
  const sent: { readonly url: string; readonly headers: Headers }[] = []
  const answers = [
    whole({
      output: [
        { ...reasoning },
        { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'read', arguments: '{"p":1}', status: 'completed' },
      ],
    }),
    whole(),
    whole({ output: [message('Still fine.')] }),
  ]
  const reply = async (url: unknown, init?: { headers?: Record<string, string> }): Promise<Response> => {
    sent.push({ url: String(url), headers: new Headers(init?.headers) })
    return answers[sent.length - 1] ?? whole()
  }
  const endpoint = {
    id: 'lab',
    name: 'Azure',
    baseUrl: 'https://res.openai.azure.com/openai/v1',
    key: '',
    format: 'openai-responses',
  } as const
  const pairs = { headers: { 'api-key': 'azure-key-1' }, query: { 'api-version': 'preview' } }
  const provider = createEndpointProvider(
    { ...endpoint, ...pairs },
    { clock: systemClock, find: () => undefined, fetch: reply as typeof fetch },
  )
  const chat = chatWith(provider, 'gpt-5.1-codex-max')
  expect([await chat.turn('Read'), await chat.turn('And now?')]).toEqual(['Fine.', 'Still fine.'])
  expect(sent.map(({ url, headers }) => [url, headers.get('api-key'), headers.get('authorization')])).toEqual(
    Array.from({ length: 3 }, () => ['https://res.openai.azure.com/openai/v1/responses?api-version=preview', 'azure-key-1', null]),
  )
})

test('a model that answers after minutes, or does not stream, is waited for (-pro, -codex)', async () => {
  // vercel/ai, packages/openai/src/responses/__fixtures__: the whole answer as one JSON object, and pings of OpenAI while it thinks.
  const events = [': ping', 'event: keepalive\ndata: {"type":"keepalive","sequence_number":3}']
  const last = `data: ${JSON.stringify({ type: 'response.completed', response: { status: 'completed', output: [message('Late.')] } })}`
  const streamed = new Response(`${[...events, last].join('\n\n')}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
  const { ask } = lab([whole(), streamed])
  const texts = [await ask({ model: 'gpt-5.5-pro' }), await ask({ model: 'gpt-5.3-codex' })].map((found) =>
    found.find(({ type }) => type === 'text'),
  )
  expect(texts).toMatchObject([{ text: 'Fine.' }, { text: 'Late.' }])
})

describe('reasoning goes back', () => {
  const result: ModelMessage = {
    role: 'user',
    content: [{ type: 'tool-result', providerId: 'c1', isError: false, content: [{ type: 'text', text: 'ok' }] }],
  }
  const types = (body: JsonObject): unknown => (body['input'] as JsonObject[]).map(({ type, id, phase }) => [type, id, phase])

  test('with ids, searches and phases, as pydantic-ai recorded it (test_openai_responses_phase_live)', async () => {
    const { ask, last } = lab([])
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
    const details = thought(reasoning, search, { type: 'message', id: 'msg_1', phase: 'commentary' })
    await ask({ messages: [user('Hello'), answered([details, { type: 'text', text: 'I look.' }, call]), result, user('And now?')] })
    expect(types(last())).toEqual([
      ['message', undefined, undefined],
      ['reasoning', 'rs_1', undefined],
      ['web_search_call', 'ws_1', undefined],
      ['message', 'msg_1', 'commentary'],
      ['function_call', 'fc_1', undefined],
      ['function_call_output', undefined, undefined],
      ['message', undefined, undefined],
    ])
  })

  test.each([
    ['of another model', answered([thought(reasoning), call], 'lab/other')],
    ['of chat completions', answered([{ type: 'thinking', text: 'Hm', signature: 'reasoning_content' }, call])],
    ['that nothing followed', answered([call, thought(reasoning)])],
  ])('not %s, nor the ids of its answer', async (_title, answer) => {
    const { ask, last } = lab([])
    await ask({ messages: [user('Hello'), answer, result] })
    expect(types(last())).toEqual(['message', 'function_call', 'function_call_output'].map((type) => [type, undefined, undefined]))
  })

  test.each([
    [
      'without its item (pydantic-ai, thinking_with_modified_history)',
      "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    ],
    ['of another account (openai/codex#8145)', 'The encrypted content gAAA...DQ== could not be verified.'],
  ])('not again after a refusal: %s', async (_title, words) => {
    const { ask, sent, last } = lab([refusal({ message: words, param: 'input' })])
    await ask({ messages: [user('Hello'), answered([thought(reasoning), call]), result] })
    expect([sent.length, types(last())]).toEqual([
      2,
      ['message', 'function_call', 'function_call_output'].map((type) => [type, undefined, undefined]),
    ])
  })
})

test('chat completions do not get items of the Responses API, after the endpoint’s format was changed', async () => {
  const sent: string[] = []
  const provider = createOpenAiCompatible({
    ...{ id: 'lab', name: 'Lab', baseUrl: 'https://lab.example/v1', key: '', clock: systemClock, find: () => undefined },
    fetch: (async (_url: unknown, init?: { body?: unknown }) => {
      sent.push(String(init?.body))
      return json(200, { choices: [{ message: { content: 'Fine.' }, finish_reason: 'stop' }] })
    }) as typeof fetch,
  })
  const result: ModelMessage = { role: 'user', content: [{ type: 'tool-result', providerId: 'c1', isError: false, content: [] }] }
  const request = { model: 'gpt-5.5', system: '', tools: [], messages: [user('Hello'), answered([thought(reasoning), call]), result] }
  for await (const event of provider.stream(request, new AbortController().signal)) expect(event.type).not.toBe('retrying')
  expect([sent.length, sent[0]?.includes('gAAAA'), sent[0]?.includes('fc_1')]).toEqual([1, false, false])
})

test('a field that a model refuses is left out, and again the next time (vercel/ai, reasoning-model-temperature-error)', async () => {
  const { ask, sent } = lab([
    refusal({ message: "Unsupported parameter: 'temperature' is not supported with this model.", param: 'temperature' }),
  ])
  await ask({ model: 'm', temperature: 0.5 })
  await ask({ model: 'm', temperature: 0.5 })
  expect(sent.map(({ body }) => body['temperature'])).toEqual([0.5, undefined, undefined])
})

test.each([
  [
    'summaries of an organisation that is not verified (OpenHands/software-agent-sdk#987)',
    {
      message: 'Your organization must be verified to generate reasoning summaries.',
      param: 'reasoning.summary',
      code: 'unsupported_value',
    },
    { reasoning: { effort: 'high' }, include: ['reasoning.encrypted_content'] },
  ],
  [
    'encrypted reasoning (NousResearch/hermes-agent#24234)',
    { message: 'Encrypted content is not supported with this model', param: 'include' },
    { reasoning: { effort: 'high', summary: 'auto' }, include: undefined },
  ],
])('a request without %s', async (_title, error, expected) => {
  const { ask, last } = lab([refusal(error)])
  await ask({ model: 'm', effort: 'high' })
  expect({ reasoning: last()['reasoning'], include: last()['include'] }).toEqual(expected)
})

test('a refusal of its value is told, with the words of the vendor (pydantic-ai, model_http_error)', async () => {
  const words = "Invalid 'temperature': decimal below minimum value. Expected a value >= 0, but got -1 instead."
  const body = { message: words, param: 'temperature', code: 'decimal_below_min_value' }
  const { ask, sent } = lab([refusal(body), refusal({ message: 'Still no.' })])
  await expect(ask({ model: 'm', temperature: -1 })).rejects.toMatchObject({ code: 'model.request-refused', data: { detail: 'Still no.' } })
  expect(sent).toHaveLength(2)
})

describe('the end of an answer, as the types of OpenAI’s SDK have it', () => {
  test.each<[string, object, object]>([
    ['the limit', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, { type: 'done', reason: 'max-tokens' }],
    ['a filter', { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, { type: 'done', reason: 'refusal' }],
    ['a refusal', { output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }] }, { type: 'done', reason: 'refusal' }],
  ])('%s', async (_title, change, done) => {
    expect((await lab([whole(change)]).ask()).at(-1)).toEqual(done)
  })

  test('a call that was cut at the limit is not completed', async () => {
    const output = [{ type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"p": "/un', status: 'incomplete' }]
    const events = await lab([whole({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output })]).ask({
      tools: [tool],
    })
    expect(events.filter(({ type }) => type === 'tool-call')).toEqual([
      { type: 'tool-call', index: 0, providerId: 'c1', name: 'read', inputText: '{"p": "/un' },
    ])
  })

  test('a failure, tried again as long as it may pass', async () => {
    const failed = (code: string): Response => {
      const event = { type: 'response.failed', response: { status: 'failed', output: [], error: { code, message: 'Sorry.' } } }
      return new Response(`data: ${JSON.stringify(event)}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
    }
    const passing = lab([failed('server_error')])
    expect((await passing.ask()).map(({ type }) => type)).toContain('retrying')
    await expect(lab([failed('invalid_prompt')]).ask()).rejects.toMatchObject({ code: 'model.request-refused', data: { detail: 'Sorry.' } })
  })
})
