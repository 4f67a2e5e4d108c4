// Bodies and streams that others published, collected without a look at what is accepted here: what the first draw broke, and shapes
// that no other test has. Each stands with its source; through the real providers.
import { afterEach, describe, expect, test } from 'vitest'
import { describeError, HostError } from '#app/errors.ts'
import { systemClock } from '#main/base/clock.ts'
import type { ModelEvent, ModelMessage, ModelRequest } from '#main/models/provider.ts'
import type { Reply } from '../../e2e/model-server/reply.ts'
import { type ModelServer, type Script, startModelServer } from '../../e2e/model-server/server.ts'
import { createAnthropic } from './anthropic/anthropic-provider.ts'
import { createOpenAiCompatible } from './openai-chat/openai-provider.ts'

let server: ModelServer
afterEach(() => server.close())

/** Waits take no time. */
const clock = { now: () => Date.now(), after: (_: number, run: () => void) => systemClock.after(0, run) }
type Format = 'openai' | 'anthropic'
type Ask = (change?: Partial<ModelRequest>) => Promise<{ readonly events: readonly ModelEvent[]; readonly error?: HostError }>

async function lab(format: Format, script: Script): Promise<Ask> {
  server = await startModelServer({ script })
  const find = (id: string) => ({ id, provider: 'lab', name: id, ai: true, maxOutputTokens: 4096 })
  const shared = { key: 'sk-x-0123456789', clock, find, chance: () => 0 }
  const provider =
    format === 'openai'
      ? createOpenAiCompatible({ ...shared, id: 'lab', name: 'Lab', baseUrl: `${server.url}/v1` })
      : createAnthropic({ ...shared, baseUrl: server.url })
  return async (change = {}) => {
    const events: ModelEvent[] = []
    const request = { model: 'm', system: '', messages: [], tools: [], ...change }
    try {
      for await (const event of provider.stream(request, new AbortController().signal)) events.push(event)
    } catch (error) {
      if (error instanceof HostError) return { events, error }
      throw error
    }
    return { events }
  }
}
const refusal = (status: number, body: object | string): Reply => ({
  kind: 'raw',
  status,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const stream = (...lines: readonly (object | string)[]): Reply => ({
  kind: 'raw',
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: lines.map((line) => (typeof line === 'string' ? `${line}\n\n` : `data: ${JSON.stringify(line)}\n\n`)).join(''),
})
const chunk = (delta: object, finish_reason: string | null = null): object => ({ choices: [{ index: 0, delta, finish_reason }] })
const fine = stream(chunk({ content: 'Fine.' }, 'stop'), 'data: [DONE]')
const invalid = (message: string, more: object = {}): object => ({ error: { message, type: 'invalid_request_error', ...more } })

type Row = readonly [source: string, format: Format, status: number, body: object | string]

describe('too long', () => {
  const minimax = 'invalid params, context window exceeds limit (2013)'
  const nvidia = `{"error":{"message":"This model's maximum context length is 262144 tokens. However, your messages resulted in 262897 tokens."}}`
  test.each<Row>([
    ['MiniMax in Anthropic format, agentscope-ai/QwenPaw#1273', 'anthropic', 400, { type: 'error', ...invalid(minimax) }],
    ['MiniMax, MiniMax-AI/MiniMax-M2#119', 'openai', 400, invalid(minimax)],
    ['LM Studio, anomalyco/opencode#11141', 'openai', 400, { error: 'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)' }],
    ['Zhipu, zeroclaw-labs/zeroclaw#4124', 'openai', 400, { error: { code: '1261', message: 'Prompt exceeds max length' } }],
    ['Zhipu, farion1231/cc-switch#6982, without its code', 'openai', 400, { error: { message: 'Prompt exceeds max length' } }],
    ['Zhipu in Chinese, of its list of codes', 'openai', 400, { error: { code: '1261', message: 'Prompt 超长' } }],
    [
      'Qwen, agentscope-ai/QwenPaw#6255',
      'openai',
      400,
      invalid('<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]', {
        code: 'invalid_parameter_error',
      }),
    ],
    [
      'SiliconFlow, bytedance/deer-flow#125',
      'openai',
      400,
      { code: 20015, message: 'length of prompt_tokens (143644) must be less than max_seq_len (65536).', data: null },
    ],
    ['GitHub, badlogic/pi-mono', 'openai', 400, { error: { message: 'prompt token count of 139182 exceeds the limit of 128000' } }],
    ['NVIDIA, run-llama/llama_index#15180', 'openai', 400, { message: 'Input length 1024 exceeds maximum allowed token size 512' }],
    [
      'OpenRouter, of the vendor behind it, cline/cline#13194',
      'openai',
      400,
      { error: { message: 'Provider returned error', code: 400, metadata: { raw: nvidia, provider_name: 'Nvidia' } } },
    ],
    ['llama-cpp-python, rllm-team/rllm#55', 'openai', 500, { error: { message: 'Requested tokens (516) exceed context window of 512' } }],
  ])('%s', async (_source, format, status, body) => {
    const { error } = await (await lab(format, () => refusal(status, body)))()
    expect([error?.code, server.requests.length]).toEqual(['model.too-long', 1])
  })

  const long = 'Extra usage is required for long context requests.'
  const above = 'integer above maximum value, expected a value <= 12288, but got 32000 instead.'
  test.each<readonly [...Row, code: string]>([
    [
      'Claude’s tier, anthropics/claude-code#42616',
      'anthropic',
      429,
      { error: { type: 'rate_limit_error', message: long } },
      'model.rate-limited',
    ],
    ['Volcengine’s `max_completion_tokens`, Gitlawb/openclaude#331', 'openai', 400, invalid(above), 'model.request-refused'],
    [
      'Zhipu’s `max_tokens`, lobehub/lobehub#1398',
      'openai',
      400,
      invalid('max_tokens参数非法。请检查文档。', { code: '1214' }),
      'model.request-refused',
    ],
    [
      'DeepSeek’s, we0-dev/we0#56',
      'openai',
      400,
      invalid('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'),
      'model.request-refused',
    ],
    [
      'Bedrock’s, charmbracelet/crush#946',
      'anthropic',
      400,
      { message: 'The maximum tokens you requested exceeds the model limit of 32768' },
      'model.request-refused',
    ],
  ])('is not said of %s', async (_source, format, status, body, code) => {
    expect((await (await lab(format, () => refusal(status, body)))()).error?.code).toBe(code)
  })
})

describe('the vendor’s words reach the person', () => {
  const groq = 'Tool call validation failed: parameters for tool look did not match schema'
  const mimo = {
    error: {
      code: '400',
      message: 'Param Incorrect',
      param: 'max_tokens is too large: 1048576. This model supports at most 131072.',
      type: '',
    },
  }
  const memory = 'model requires more system memory (5.0 GiB) than is available (3.9 GiB)'
  test.each<[source: string, format: Format, reply: Reply, words: string]>([
    [
      'Groq, in the stream, pydantic-ai test_tool_use_failed_error_streaming',
      'openai',
      stream(chunk({ reasoning: 'We call.' }), `event: error\ndata: ${JSON.stringify(invalid(groq, { status_code: 400 }))}`),
      groq,
    ],
    ['Xiaomi, AQBot-Desktop/AQBot#93', 'openai', refusal(400, mimo), 'Param Incorrect: max_tokens is too large: 1048576.'],
    ['Xiaomi, as an event, Tencent/WeKnora#1302', 'openai', refusal(400, `data:${JSON.stringify(mimo)}`), 'Param Incorrect: max_tokens'],
    [
      'Bedrock, without `error`, charmbracelet/crush#946',
      'anthropic',
      refusal(400, { message: 'The maximum tokens' }),
      'The maximum tokens',
    ],
    ['Ollama, continuedev/continue#11715', 'openai', refusal(500, { error: { message: memory, type: 'api_error' } }), memory],
  ])('%s', async (_source, format, reply, words) => {
    const { error } = await (await lab(format, () => reply))()
    expect(error && describeError(error).quote).toContain(words)
  })
})

test('an effort that is refused twice beside tools is "none", and that is remembered', async () => {
  // charmbracelet/crush#2913: this model thinks by default, and its refusal names no way out but another API.
  const message =
    'Function tools with reasoning_effort are not supported for gpt-5.5 in /v1/chat/completions. Please use /v1/responses instead.'
  const ask = await lab('openai', ({ body }) =>
    body['reasoning_effort'] === 'none' ? fine : refusal(400, invalid(message, { param: 'reasoning_effort' })),
  )
  const request = { effort: 'high', tools: [{ name: 'look', description: '', inputSchema: { type: 'object' } }] } as const
  for (const _ of [1, 2]) expect((await ask(request)).error).toBeUndefined()
  expect(server.requests.map(({ body }) => body['reasoning_effort'])).toEqual(['high', undefined, 'none', 'none'])
})

describe('what was thought in turns with tools', () => {
  const asked: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'And now?' }] }
  const turn = (model: string, signature: string): ModelMessage[] => [
    asked,
    {
      role: 'assistant',
      model: `lab/${model}`,
      content: [
        { type: 'thinking', text: 'I look.', signature },
        { type: 'tool-call', providerId: 'c1', name: 'look', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool-result', providerId: 'c1', content: [], isError: false }] },
    { role: 'assistant', model: `lab/${model}`, content: [{ type: 'text', text: 'Seen.' }] },
    asked,
  ]
  const thoughts = (at: number): unknown[] => {
    const messages = server.requests[at]?.body['messages'] as { role: string; reasoning_content?: string }[]
    return messages.filter(({ role }) => role === 'assistant').map((message) => message.reasoning_content)
  }

  // vercel/ai packages/moonshotai/src/__fixtures__/moonshotai-stream.chunks.txt; chatboxai/chatbox#3716 (Xiaomi's own notice)
  test.each(['moonshotai/kimi-k3', 'mimo-v2.5-pro'])('goes back to %s in later turns', async (model) => {
    await (await lab('openai', () => fine))({ model, messages: turn(model, 'reasoning_content') })
    expect(thoughts(0)[0]).toBe('I look.')
  })

  test('goes back where a refusal in the form of an event names it', async () => {
    // tailcallhq/forgecode#3347
    const words = 'The reasoning_content in the thinking mode must be passed back to the API.'
    const body = `data:{"error":{"code":"400","message":"Param Incorrect","param":"${words}","type":""}}`
    const ask = await lab('openai', () => (server.requests.length === 1 ? refusal(400, body) : fine))
    expect((await ask({ messages: turn('m', 'reasoning') })).error).toBeUndefined()
    expect(thoughts(1)).toEqual(['I look.', ''])
  })
})

test('a call is whole whose later pieces have an empty name', async () => {
  // vercel/ai packages/mistral/src/__fixtures__/mistral-incremental-tool-call.chunks.txt (GLM at Mistral)
  const piece = (id: string, name: string, args: string): object =>
    chunk({ content: '', tool_calls: [{ index: 0, type: 'function', ...(id === '' ? {} : { id }), function: { name, arguments: args } }] })
  const reply = stream(piece('c1', 'webSearchTool', ''), piece('', '', '{"query": "weather"}'), chunk({ content: '' }, 'tool_calls'))
  const { events } = await (await lab('openai', () => reply))()
  expect(events.slice(-2)).toMatchObject([
    { type: 'tool-call', name: 'webSearchTool', inputText: '{"query":"weather"}' },
    { type: 'done', reason: 'tool-calls' },
  ])
})

test('a block of Anthropic’s that nobody knows here is passed over', async () => {
  // vercel/ai packages/anthropic/src/__fixtures__/anthropic-fallback.chunks.txt
  const from = { type: 'fallback', from: { model: 'claude-fable-5' }, to: { model: 'claude-opus-4-8' } }
  const events = [
    {
      type: 'message_start',
      message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 408, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: from },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'By Gutenberg.' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { input_tokens: 412, output_tokens: 264 } },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}`)
  const played = await (await lab('anthropic', () => stream(...events)))()
  expect(played.events.filter(({ type }) => type !== 'usage')).toEqual([
    { type: 'text', index: 1, text: 'By Gutenberg.' },
    { type: 'done', reason: 'end' },
  ])
  expect(played.events.findLast(({ type }) => type === 'usage')).toMatchObject({ usage: { inputTokens: 412, outputTokens: 264 } })
})
