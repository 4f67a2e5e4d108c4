// What a person reads of an endpoint's refusal, and what the host makes of it: bodies as they were recorded, through the real SDK.
// "ruby_llm": the cassettes chat_real_error_scenarios_* and chat_error_handling_* of crmne/ruby_llm.
import { afterEach, describe, expect, test } from 'vitest'
import type { HostError } from '#app/errors.ts'
import { systemClock } from '#main/base/clock.ts'
import type { ModelRequest } from '#main/models/provider.ts'
import type { Reply } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { createOpenAiCompatible } from './openai-provider.ts'

let server: ModelServer
afterEach(() => server.close())

const KEY = 'sk-test-0123456789-q7Rw'
const quick = { now: () => Date.now(), after: (_: number, run: () => void) => systemClock.after(0, run) }

async function refusalOf(reply: Reply, change: Partial<ModelRequest> = {}): Promise<HostError> {
  server = await startModelServer({ script: () => reply })
  const find = (id: string) => ({ id, provider: 'lab', name: id, ai: true })
  const provider = createOpenAiCompatible({
    id: 'lab',
    name: 'Lab',
    baseUrl: `${server.url}/v1`,
    key: KEY,
    clock: quick,
    find,
    chance: () => 0,
  })
  const request = { model: 'm', system: '', messages: [], tools: [], ...change }
  try {
    for await (const _ of provider.stream(request, new AbortController().signal));
  } catch (error) {
    return error as HostError
  }
  return expect.unreachable()
}
const raw = (status: number, body: string): Reply => ({ kind: 'raw', status, headers: { 'content-type': 'application/json' }, body })
const answer = (status: number, body: object): Reply => raw(status, JSON.stringify(body))
const inStream = (body: object): Reply => ({
  kind: 'raw',
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: `data: ${JSON.stringify(body)}\n\n`,
})

describe('the vendor’s words reach the person', () => {
  test.each<[string, Reply, string, string]>([
    [
      'Gemini, in an array', // SuzumiyaAkizuki/ComfyUI-NewBie-LLM-Formatter#3
      answer(400, [{ error: { code: 400, message: 'Unknown name "reasoning": Cannot find field.', status: 'INVALID_ARGUMENT' } }]),
      'model.request-refused',
      'Unknown name "reasoning": Cannot find field.',
    ],
    [
      'NVIDIA, as detail', // HKUDS/OpenHarness#233
      answer(403, { status: 403, title: 'Forbidden', detail: 'Authorization failed' }),
      'model.key-refused',
      'Authorization failed',
    ],
    [
      'FastAPI, as a list of details', // Gitlawb/openclaude#739
      answer(422, {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'store'], msg: 'Extra inputs are not permitted', input: false },
          { type: 'missing', loc: ['body', 'model'], msg: 'Field required' },
        ],
      }),
      'model.request-refused',
      'body.store: Extra inputs are not permitted; body.model: Field required',
    ],
    [
      'Mistral, with an object for a message', // Gage-Technologies/mistral-go#3
      answer(422, {
        object: 'error',
        message: {
          detail: [{ type: 'extra_forbidden', loc: ['body', 'messages', 0, 'user', 'name'], msg: 'Extra inputs are not permitted' }],
        },
        type: 'invalid_request_error',
        param: null,
        code: null,
      }),
      'model.request-refused',
      'body.messages.0.user.name: Extra inputs are not permitted',
    ],
    [
      'Mistral, with a number for a code', // partITech/php-mistral#76
      answer(400, {
        object: 'Error',
        detail: [{ type: 'extra_forbidden', loc: ['body', 'tools'], msg: 'Extra inputs are not permitted', input: [] }],
        type: 'invalid_request_error',
        code: 3001,
      }),
      'model.request-refused',
      'body.tools: Extra inputs are not permitted',
    ],
    [
      'OpenRouter, of the vendor behind it', // pydantic-ai, cassette test_openrouter_errors_raised
      answer(400, {
        error: { code: 400, message: 'Provider returned error', metadata: { provider_name: 'Google', raw: 'No such voice.' } },
      }),
      'model.request-refused',
      'No such voice.',
    ],
    [
      'OpenRouter, of a vendor that answers JSON', // charmbracelet/crush#279
      answer(400, {
        error: {
          code: 400,
          message: 'Provider returned error',
          metadata: { raw: '{"object":"error","message":"No system here","code":"3230"}' },
        },
      }),
      'model.request-refused',
      'No system here',
    ],
    ['a body without JSON', raw(400, 'Nope'), 'model.request-refused', 'Nope'],
  ])('%s', async (_who, reply, code, detail) => {
    const error = await refusalOf(reply)
    expect([error.code, error.data['detail']]).toEqual([code, detail])
  })

  test('without the key, which a proxy may echo', async () => {
    expect((await refusalOf(answer(400, { detail: `Bad ${KEY}` }))).data['detail']).toBe('Bad •••')
  })
})

describe('a bad key reads as a bad key', () => {
  test.each<[string, Reply]>([
    ['Mistral', answer(401, { detail: 'Invalid API Key' })], // ruby_llm
    ['Cohere', answer(401, { id: '2d46', message: 'Incorrect API key provided: ***. You can find your API key at …' })], // ruby_llm
    ['xAI, with 400', answer(400, { code: 'invalid-argument', error: 'Incorrect API key provided. You can obtain an API key from …' })], // ruby_llm
    [
      'Gemini, with 400', // ruby_llm; in an array as its compatible endpoint does
      answer(400, [
        {
          error: {
            code: 400,
            message: 'API key not valid. Please pass a valid API key.',
            status: 'INVALID_ARGUMENT',
            details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' }],
          },
        },
      ]),
    ],
    ['Perplexity', answer(401, { error: { message: 'Invalid API key provided.', type: 'invalid_api_key', code: 401 } })], // ruby_llm
  ])('%s', async (_who, reply) => expect((await refusalOf(reply)).code).toBe('model.key-refused'))
})

test.each<[string, number, object, string]>([
  [
    'Gemini, in an array',
    400,
    [{ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } }],
    'API key not valid.',
  ],
  ['xAI', 400, { code: 'invalid-argument', error: 'Incorrect API key provided.' }, 'Incorrect API key provided.'],
  ['NVIDIA', 403, { status: 403, title: 'Forbidden', detail: 'Authorization failed' }, 'Authorization failed'],
])('a bad key reads as one also where the list of models is asked for: %s', async (_who, status, body, detail) => {
  server = await startModelServer({
    script: () => answer(status, body),
    control: async (request, response) => {
      if (request.method !== 'GET') return false
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      return true
    },
  })
  const provider = createOpenAiCompatible({
    ...{ id: 'lab', name: 'Lab', key: KEY, clock: quick, find: () => undefined },
    baseUrl: `${server.url}/v1`,
  })
  const error = await provider.listModels(new AbortController().signal).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'model.key-refused', data: { detail } })
})

describe('too long', () => {
  const error = (message: string, more: object = {}): object => ({
    error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
  })
  test.each<[string, Reply]>([
    ['OpenAI', answer(400, error('Your input exceeds the context window of this model.', { code: 'context_length_exceeded' }))], // ruby_llm
    ['OpenAI, behind a proxy that drops its code', answer(400, error('Your input exceeds the context window of this model.'))],
    [
      'DeepSeek', // ruby_llm
      answer(
        400,
        error(
          "This model's maximum context length is 1048565 tokens. However, you requested 1250025 tokens (1250025 in the messages, 0 in the completion).",
          {
            code: 'invalid_request_error',
          },
        ),
      ),
    ],
    ['Ollama', answer(400, error('prompt too long; exceeded max context length by 1119046 tokens (ref: 9616)'))], // ruby_llm
    ['Ollama, as a sentence', answer(400, { error: 'prompt too long; exceeded max context length by 540451 tokens (ref: 00ad)' })], // dyad-sh/dyad#3498
    [
      'OpenRouter', // ruby_llm
      answer(400, {
        error: {
          message: "This endpoint's maximum context length is 200000 tokens. However, you requested about 2500021 tokens",
          code: 400,
        },
      }),
    ],
    [
      'Perplexity',
      answer(400, { error: { message: 'The total length of all messages is too long.', type: 'too_many_prompt_tokens', code: 400 } }),
    ], // ruby_llm
    [
      'Mistral', // jupyterlite/ai#291
      answer(400, {
        object: 'error',
        message: 'Prompt contains 160907 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
        type: 'invalid_request_invalid_args',
        param: null,
        code: '3051',
      }),
    ],
    [
      'Mistral, behind OpenRouter',
      answer(400, {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: {
            raw: '{"object":"error","message":"Prompt contains 9 tokens, too large for model with 8 maximum context length","code":"3051"}',
          },
        },
      }),
    ],
    [
      'xAI',
      answer(400, {
        code: 'invalid-argument',
        error: "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
      }),
    ], // cline/cline#3120
    [
      'vLLM', // meta-llama/llama-verifications#58
      answer(400, {
        object: 'error',
        message:
          "This model's maximum context length is 131072 tokens. However, you requested 156632 tokens (152536 in the messages, 4096 in the completion).",
        type: 'BadRequestError',
        param: null,
        code: 400,
      }),
    ],
    [
      'vLLM, newer', // AIDotNet/OpenCowork#82
      answer(
        400,
        error(
          "This model's maximum context length is 262144 tokens. However, you requested 128000 output tokens and your prompt contains at least 134145 input tokens, for a total of at least 262145 tokens. (parameter=input_tokens, value=134145)",
          { type: 'BadRequestError', param: 'input_tokens', code: 400 },
        ),
      ),
    ],
    [
      'LM Studio', // lmstudio-ai/lmstudio-bug-tracker#546
      answer(400, {
        error:
          'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.',
      }),
    ],
    [
      'LM Studio, within its stream', // lmstudio-ai/lmstudio-bug-tracker#2256, logancyang/obsidian-copilot#962
      inStream({ error: { message: 'The number of tokens to keep from the initial prompt is greater than the context length.' } }),
    ],
    [
      'Cohere', // ruby_llm
      answer(400, {
        error_type: 'TOO_MANY_TOKENS',
        id: 'c167',
        message:
          'too many tokens: size limit exceeded by 25836 tokens. Try using shorter or fewer inputs. The limit for this model is 288000 tokens.',
      }),
    ],
    [
      'Gemini', // ruby_llm (vertexai), in an array as its compatible endpoint does
      answer(400, [
        {
          error: {
            code: 400,
            message: 'The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).',
            status: 'INVALID_ARGUMENT',
          },
        },
      ]),
    ],
    [
      'Groq',
      answer(400, error('Please reduce the length of the messages or completion.', { param: 'messages', code: 'context_length_exceeded' })),
    ], // OpenHands#1902
    [
      'Cerebras',
      answer(400, error('Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000')),
    ], // cline/cline#5140
    [
      'Together',
      answer(
        422,
        error(
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens and 60 `max_new_tokens`',
        ),
      ),
    ], // huggingface/llm-vscode#94
    ['Anthropic, behind a proxy', answer(400, error('prompt is too long: 3333404 tokens > 200000 maximum'))], // ruby_llm
    [
      'llama.cpp',
      answer(400, { error: { code: 400, message: 'the request exceeds the available context size', type: 'exceed_context_size_error' } }),
    ],
    ['whoever says so by 413 alone', answer(413, {})],
  ])('%s', async (_who, reply) => {
    const refused = await refusalOf(reply, { maxTokens: 8192 })
    expect([refused.code, server.requests.length]).toEqual(['model.too-long', 1])
  })

  test.each<[string, Reply, string]>([
    [
      'Groq’s limit of a minute, with 413', // assafelovic/gpt-researcher#985
      answer(413, {
        error: {
          message:
            'Request too large for model `llama-3.1-70b-versatile` on tokens per minute (TPM): Limit 6000, Requested 14368, please reduce your message size and try again.',
          type: 'tokens',
          code: 'rate_limit_exceeded',
        },
      }),
      'model.rate-limited',
    ],
    [
      'OpenAI’s limit of a minute', // vanna-ai/vanna-flask#11
      answer(
        429,
        error(
          'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389. The input or output tokens must be reduced.',
        ),
      ),
      'model.rate-limited',
    ],
    [
      'Gemini’s limit of a minute', // ruby_llm
      answer(429, [
        {
          error: {
            code: 429,
            message:
              'You exceeded your current quota. * Quota exceeded for metric: generate_content_paid_tier_input_token_count, limit: 1000000',
            status: 'RESOURCE_EXHAUSTED',
          },
        },
      ]),
      'model.rate-limited',
    ],
    [
      'an answer that may not be so long', // optillm#4
      answer(
        400,
        error('max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.', {
          param: 'max_tokens',
        }),
      ),
      'model.request-refused',
    ],
    [
      'an answer that leaves no room', // UKGovernmentBEIS/inspect_ai#2634
      answer(
        400,
        error(
          "'max_tokens' or 'max_completion_tokens' is too large: 1000. This model's maximum context length is 1000 tokens and your request has 203 input tokens (1000 > 1000 - 203).",
        ),
      ),
      'model.request-refused',
    ],
    [
      'another argument that Mistral does not take', // its 3051 stands for those too
      answer(400, {
        object: 'error',
        message: 'Image input is not enabled for this model',
        type: 'invalid_request_invalid_args',
        code: '3051',
      }),
      'model.request-refused',
    ],
    [
      'a bill',
      answer(
        402,
        error('This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 9.'),
      ),
      'model.no-credit',
    ], // can1357/oh-my-pi#9569
  ])('is not said of %s', async (_what, reply, code) => expect((await refusalOf(reply, { maxTokens: 8192 })).code).toBe(code))
})
