// What vendors and gateways send beside the format, each over two turns of the person with a call of a tool between, as it was recorded:
// what is read of it, and that the next requests carry the call with its result. Sources stand beside the rows.
import { expect, onTestFinished, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import type { Reply } from '../../../e2e/model-server/reply.ts'
import { startModelServer } from '../../../e2e/model-server/server.ts'
import { createAnthropic } from '../anthropic/anthropic-provider.ts'
import { createOpenAiResponses } from '../endpoints/endpoint-provider.ts'
import { createOpenAiCompatible } from '../openai-chat/openai-provider.ts'
import type { ModelEvent } from '../provider.ts'
import { chatWith } from './chat-with.testing.ts'

const raw = (status: number, type: string, body: string): Reply => ({ kind: 'raw', status, headers: { 'content-type': type }, body })
const refuse = (status: number, body: object): Reply => raw(status, 'application/json', JSON.stringify(body))
const sse = (...lines: readonly (object | string)[]): Reply =>
  raw(
    200,
    'text/event-stream',
    lines.map((line) => (typeof line === 'string' ? `${line}\n\n` : `data: ${JSON.stringify(line)}\n\n`)).join(''),
  )
const done = 'data: [DONE]'
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}): object => ({
  id: 'gen-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
})
const called = (args: string, id = 'call_1'): object => ({
  tool_calls: [{ index: 0, id, type: 'function', function: { name: 'read', arguments: args } }],
})
const usage = (prompt_tokens: number, completion_tokens: number, more: object = {}): object => ({
  usage: { prompt_tokens, completion_tokens, ...more },
})
/** The usual answers of a turn: a call, and words. */
const calling = sse(chunk(called('{"p":1}'), 'tool_calls'), done)
const saying = sse(chunk({ role: 'assistant', content: 'Forty-two.' }, 'stop'), done)

const event = (type: string, more: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}`
const anthropic = (
  stop_reason: string,
  blocks: readonly (readonly [start: object, delta?: object])[],
  { start = {}, end = {} } = {},
): Reply =>
  sse(
    event('message_start', { message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm', ...start } }),
    ...blocks.flatMap(([content_block, delta], index) => [
      event('content_block_start', { index, content_block }),
      ...(delta ? [event('content_block_delta', { index, delta })] : []),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', { delta: { stop_reason, stop_sequence: null, ...end } }),
    event('message_stop', {}),
  )
const anthropicWords = anthropic('end_turn', [
  [
    { type: 'text', text: '' },
    { type: 'text_delta', text: 'Forty-two.' },
  ],
])

const response = (...output: readonly object[]): Reply =>
  sse({ type: 'response.completed', response: { object: 'response', status: 'completed', output } })
const reasoned = response(
  { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'I read.' }], encrypted_content: 'gAAAA' },
  { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read', arguments: '{"p":1}', status: 'completed' },
)
const message = (text: string, annotations: readonly object[] = []): object => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations }],
})
const page = { type: 'url_citation', start_index: 0, end_index: 5, url: 'https://kettles.example/forty', title: 'Forty' }

const png = 'iVBORw0KGgo='
type Format = 'openai' | 'openai-responses' | 'anthropic'
interface Row {
  readonly format?: Format
  readonly replies: readonly Reply[]
  /** What of the events counts. */
  readonly of: ModelEvent['type'] | 'texts'
  readonly is: readonly unknown[]
}
const inputs = (text: string) => [{ type: 'tool-call', name: 'read', inputText: text }]
const counts = (inputTokens: number, outputTokens: number, more: object = {}) => ({
  type: 'usage',
  usage: { inputTokens, outputTokens, ...more },
})

const rows: Readonly<Record<string, Row>> = {
  // OpenRouter over Novita: pydantic-ai and the recordings `openrouter-*`.
  'an end by [DONE] alone, without a finish_reason': {
    replies: [sse(chunk(called('{"p":1}')), done), saying, saying],
    of: 'tool-call',
    is: inputs('{"p":1}'),
  },
  'counts without choices in place of an end': {
    replies: [sse(chunk(called('{"p":1}')), { choices: [], ...usage(9, 3) }), saying, saying],
    of: 'tool-call',
    is: inputs('{"p":1}'),
  },
  // ruby_llm, xai cassettes (`xai-01` to `xai-11`)
  'xAI: reasoning beside the tokens of the answer': {
    replies: [
      sse(
        chunk(called('{"p":1}'), 'tool_calls'),
        { choices: [], ...usage(9, 3, { total_tokens: 20, completion_tokens_details: { reasoning_tokens: 8 } }) },
        done,
      ),
      saying,
      saying,
    ],
    of: 'usage',
    is: [counts(9, 11)],
  },
  // ruby_llm, cassettes of Grok at Azure (`azure-08`, `azure-09`)
  'Azure Grok: more cached than sent': {
    replies: [
      sse(chunk(called('{"p":1}'), 'tool_calls'), { choices: [], ...usage(7, 3, { prompt_tokens_details: { cached_tokens: 161 } }) }, done),
      saying,
      saying,
    ],
    of: 'usage',
    is: [counts(7, 3, { cacheReadTokens: 161 })],
  },
  // pydantic-ai, cassettes of Bedrock's gpt-oss
  'Bedrock gpt-oss: reasoning in tags within the text': {
    replies: [
      sse(chunk({ content: '<reasoning>I read a.</reasoning>' }), chunk(called('{"p":1}'), 'tool_calls'), done),
      saying,
      sse(chunk({ content: '<reasoning>Still so.</reasoning>Forty-two.' }, 'stop'), done),
    ],
    of: 'texts',
    is: ['Forty-two.', 'Forty-two.'],
  },
  // ruby_llm, chat_citations_with_perplexity; pydantic-ai, test_openrouter_web_search_annotations
  'Perplexity: citations beside the choices': {
    replies: [calling, sse({ ...chunk({ content: 'Forty-two.' }, 'stop'), citations: [page.url] }, done), saying],
    of: 'citation',
    is: [{ type: 'citation', citation: { url: page.url } }],
  },
  'OpenRouter: annotations of the delta': {
    replies: [
      calling,
      sse(chunk({ content: 'Forty-two.', annotations: [{ type: 'url_citation', url_citation: page }] }, 'stop'), done),
      saying,
    ],
    of: 'citation',
    is: [{ type: 'citation', citation: { url: page.url, title: 'Forty' } }],
  },
  // Mistral's OpenAPI document: ReferenceChunk
  'Mistral: references of a tool’s documents': {
    replies: [
      calling,
      sse(
        chunk(
          {
            content: [
              { type: 'text', text: 'Forty-two.' },
              { type: 'reference', reference_ids: [3] },
            ],
          },
          'stop',
        ),
        done,
      ),
      saying,
    ],
    of: 'citation',
    is: [{ type: 'citation', citation: { title: 'Document 3 of a tool’s result' } }],
  },
  // OpenRouter's guide to image generation; the last chunk repeats the image
  'OpenRouter: images of the delta': {
    replies: [
      calling,
      sse(
        chunk({ content: '', images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }] }),
        chunk({ content: '', images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }] }, 'stop'),
        done,
      ),
      saying,
    ],
    of: 'image',
    is: [{ type: 'image', index: 0, data: png }],
  },
  // vercel/ai, "should use non-empty input from content_block_start for deferred tool calls"
  'Anthropic: input at the start of the block': {
    format: 'anthropic',
    replies: [
      anthropic('tool_use', [[{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { p: 1 } }]]),
      anthropicWords,
      anthropicWords,
    ],
    of: 'tool-call',
    is: inputs('{"p":1}'),
  },
  'Anthropic: no counts at all': {
    format: 'anthropic',
    replies: [anthropic('tool_use', [[{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }]]), anthropicWords, anthropicWords],
    of: 'usage',
    is: [],
  },
  // vercel/ai, anthropic-refusal.chunks.txt
  'Anthropic: details of a refusal': {
    format: 'anthropic',
    replies: [
      anthropic('tool_use', [[{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }]]),
      anthropicWords,
      anthropic('refusal', [], { end: { stop_details: { type: 'refusal', category: 'cyber', explanation: 'Not that.' } } }),
    ],
    of: 'done',
    is: [{ reason: 'tool-calls' }, { reason: 'end' }, { reason: 'refusal', detail: 'cyber: Not that.' }],
  },
  // vercel/ai and pydantic-ai, recordings of the Responses API
  'Responses: thoughts with a call': {
    format: 'openai-responses',
    replies: [reasoned, response(message('Forty-two.')), response(message('Still.'))],
    of: 'tool-call',
    is: inputs('{"p":1}'),
  },
  'Responses: a search of the web and its pages': {
    format: 'openai-responses',
    replies: [
      reasoned,
      response(
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'forty' } },
        message('Forty-two.', [page]),
      ),
      response(message('Still.')),
    ],
    of: 'citation',
    is: [{ type: 'citation', citation: { start: 0, end: 5, url: page.url, title: 'Forty' } }],
  },
  'Responses: an image': {
    format: 'openai-responses',
    replies: [
      reasoned,
      response({ type: 'image_generation_call', id: 'ig_1', status: 'completed', result: png }, message('Here.')),
      response(message('Still.')),
    ],
    of: 'image',
    is: [{ type: 'image', data: png }],
  },
}

const clock = { now: () => Date.now(), after: (_: number, run: () => void) => systemClock.after(0, run) }
async function labOf(format: Format, replies: readonly Reply[]) {
  const server = await startModelServer({ script: (_, index) => replies[index] ?? saying })
  onTestFinished(() => server.close())
  const shared = { id: 'lab', name: 'Lab', key: 'sk-test-0123456789', clock, find: () => undefined, chance: () => 0 }
  if (format === 'anthropic') return { server, provider: createAnthropic({ ...shared, baseUrl: server.url }) }
  const create = format === 'openai' ? createOpenAiCompatible : createOpenAiResponses
  return { server, provider: create({ ...shared, baseUrl: `${server.url}/v1` }) }
}
const carriesCall = (body: JsonObject | undefined): boolean => {
  const text = JSON.stringify(body ?? {})
  const [, id] = /"(?:tool_call_id|tool_use_id|call_id)":"([^"]+)"/.exec(text) ?? []
  return id !== undefined && text.split(`"${id}"`).length === 3 && text.includes('42')
}

test.each(Object.keys(rows))('%s', async (title) => {
  const { format = 'openai', replies, of, is } = rows[title] as Row
  const { server, provider } = await labOf(format, replies)
  const chat = chatWith(provider, 'm')
  const texts = [await chat.turn('Read a.'), await chat.turn('And now?')]
  const found = of === 'texts' ? texts : chat.events.filter(({ type }) => type === of)
  expect(found).toMatchObject(is)
  expect(found).toHaveLength(is.length)
  expect([server.requests.length, ...server.requests.slice(1).map(({ body }) => carriesCall(body))]).toEqual([3, true, true])
})

// Bodies: `refusals.integration.test.ts`, `recorded-errors.jsonl`.
test.each<[who: string, status: number, body: object, code: string, detail: string]>([
  [
    'Gemini, in an array',
    400,
    [{ error: { code: 400, message: 'Cannot find field.', status: 'INVALID_ARGUMENT' } }],
    'model.request-refused',
    'Cannot find field.',
  ],
  [
    'Gemini’s bad key',
    400,
    [{ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } }],
    'model.key-refused',
    'API key not valid.',
  ],
  [
    'Mistral 422, a message that is an object',
    422,
    { object: 'error', message: { detail: [{ loc: ['body', 'tools'], msg: 'Extra inputs' }] } },
    'model.request-refused',
    'body.tools: Extra inputs',
  ],
  [
    'NVIDIA, as detail',
    403,
    { status: 403, title: 'Forbidden', detail: 'Authorization failed' },
    'model.key-refused',
    'Authorization failed',
  ],
  [
    'DeepSeek, without balance',
    402,
    { error: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' } },
    'model.no-credit',
    'Insufficient Balance',
  ],
  [
    'llama.cpp, still loading',
    503,
    { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } },
    'model.loading',
    'Loading model',
  ],
  [
    'Groq, a call that does not fit',
    400,
    { error: { message: 'Failed to call a function.', type: 'invalid_request_error', code: 'tool_use_failed' } },
    'model.tool-use-failed',
    'Failed to call a function.',
  ],
  [
    'OpenAI, a model of Responses alone',
    404,
    { error: { message: 'This model is only supported in v1/responses and not in v1/chat/completions.', type: 'invalid_request_error' } },
    'model.other-api',
    'This model is only supported in v1/responses and not in v1/chat/completions.',
  ],
])('a refusal of the second turn is told, and the third goes on: %s', async (_who, status, body, code, detail) => {
  const refused = refuse(status, body)
  const again = code === 'model.loading' ? [refused, refused] : [] // It passes, so it is tried three times.
  const { server, provider } = await labOf('openai', [calling, saying, refused, ...again])
  const chat = chatWith(provider, 'm')
  await chat.turn('Read a.')
  const error = await chat.turn('And now?').catch((thrown: unknown) => thrown)
  expect(error instanceof HostError && [error.code, error.data['detail']]).toEqual([code, detail])
  expect([await chat.turn('And then?'), carriesCall(server.requests.at(-1)?.body)]).toEqual(['Forty-two.', true])
})
