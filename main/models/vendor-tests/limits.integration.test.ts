// The limit of a context from end to end, over several turns with a tool call, by the bodies that vendors refuse with: the size is unknown, a request is refused for its
// length, the size is learnt, the conversation is compacted, the request is sent once more and answered; and later turns are compacted
// before they reach the limit. Sources of the bodies: `refusals.integration.test.ts` and `recorded-errors.jsonl`, with sizes of our own.
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#main/base/clock.ts'
import { makeChat } from '#main/chat/chat.testing.ts'
import { call, type Reply, say } from '../../../e2e/model-server/reply.ts'
import { type RecordedRequest, startModelServer } from '../../../e2e/model-server/server.ts'
import { createModels } from '../host-models.ts'

const LIMIT = 12_000
const lengthOf = ({ body }: RecordedRequest): number => Math.round(JSON.stringify(body).length / 4)

const error = (message: string, more: object = {}): object => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
})
const quoted = (body: object): object => ({
  error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON.stringify(body) } },
})
const mistral = (sent: number): object => ({
  object: 'error',
  message: `Prompt contains ${sent} tokens and 0 draft tokens, too large for model with ${LIMIT} maximum context length`,
  type: 'invalid_request_invalid_args',
  param: null,
  code: '3051',
})
const openAiMessage = 'Your input exceeds the context window of this model. Please adjust your input and try again.'

type Format = 'openai' | 'openai-responses' | 'anthropic'
type Row = readonly [who: string, format: Format, learns: boolean, status: number, body: (sent: number) => object]

const rows: readonly Row[] = [
  [
    'DeepSeek',
    'openai',
    true,
    400,
    (sent) =>
      error(
        `This model's maximum context length is ${LIMIT} tokens. However, you requested ${sent} tokens (${sent} in the messages, 0 in the completion).`,
      ),
  ],
  [
    'OpenRouter',
    'openai',
    true,
    400,
    (sent) => ({
      error: {
        message: `This endpoint's maximum context length is ${LIMIT} tokens. However, you requested about ${sent} tokens`,
        code: 400,
      },
    }),
  ],
  ['Mistral', 'openai', true, 400, mistral],
  ['Mistral behind OpenRouter', 'openai', true, 400, (sent) => quoted(mistral(sent))],
  [
    'xAI',
    'openai',
    true,
    400,
    (sent) => ({
      code: 'invalid-argument',
      error: `This model's maximum prompt length is ${LIMIT} but the request contains ${sent} tokens.`,
    }),
  ],
  [
    'vLLM',
    'openai',
    true,
    400,
    (sent) => ({
      object: 'error',
      message: `This model's maximum context length is ${LIMIT} tokens. However, you requested ${sent} tokens.`,
      type: 'BadRequestError',
      param: null,
      code: 400,
    }),
  ],
  [
    'LM Studio',
    'openai',
    true,
    400,
    (sent) => ({
      error: `Trying to keep the first ${sent} tokens when context the overflows. However, the model is loaded with context length of only ${LIMIT} tokens, which is not enough.`,
    }),
  ],
  [
    'llama.cpp',
    'openai',
    true,
    400,
    (sent) => ({
      error: {
        code: 400,
        message: `request (${sent} tokens) exceeds the available context size (${LIMIT} tokens), try increasing it`,
        type: 'exceed_context_size_error',
      },
    }),
  ],
  [
    'Cohere',
    'openai',
    true,
    400,
    (sent) => ({
      error_type: 'TOO_MANY_TOKENS',
      id: 'c1',
      message: `too many tokens: size limit exceeded by ${sent - LIMIT} tokens. Try using shorter or fewer inputs. The limit for this model is ${LIMIT} tokens.`,
    }),
  ],
  [
    'Gemini',
    'openai',
    true,
    400,
    (sent) => [
      {
        error: {
          code: 400,
          message: `The input token count (${sent}) exceeds the maximum number of tokens allowed (${LIMIT}).`,
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
  ],
  [
    'Cerebras',
    'openai',
    true,
    400,
    (sent) => error(`Please reduce the length of the messages or completion. Current length is ${sent} while limit is ${LIMIT}`),
  ],
  [
    'Together',
    'openai',
    true,
    422,
    (sent) =>
      error(
        `Input validation error: \`inputs\` tokens + \`max_new_tokens\` must be <= ${LIMIT}. Given: ${sent} \`inputs\` tokens and 0 \`max_new_tokens\``,
      ),
  ],
  [
    'Anthropic',
    'anthropic',
    true,
    400,
    (sent) => ({
      type: 'error',
      error: { type: 'invalid_request_error', message: `prompt is too long: ${sent} tokens > ${LIMIT} maximum` },
    }),
  ],
  // These name no size: each turn that does not fit is refused first.
  ['OpenAI', 'openai', false, 400, () => error(openAiMessage, { code: 'context_length_exceeded' })],
  [
    'OpenAI over Responses',
    'openai-responses',
    false,
    400,
    () => error(openAiMessage, { code: 'context_length_exceeded', param: 'input' }),
  ],
  [
    'Groq',
    'openai',
    false,
    400,
    () => error('Please reduce the length of the messages or completion.', { param: 'messages', code: 'context_length_exceeded' }),
  ],
  [
    'Perplexity',
    'openai',
    false,
    400,
    () => ({ error: { message: 'The total length of all messages is too long.', type: 'too_many_prompt_tokens', code: 400 } }),
  ],
  ['Ollama', 'openai', false, 400, (sent) => error(`prompt too long; exceeded max context length by ${sent - LIMIT} tokens (ref: 9616)`)],
  ['a proxy with 413', 'openai', false, 413, () => ({})],
]

const raw = (status: number, type: string, body: string): Reply => ({ kind: 'raw', status, headers: { 'content-type': type }, body })
/** `text`: words of the answer; absent: it calls a tool. */
function answer(format: Format, sent: number, text?: string): Reply {
  if (format !== 'openai-responses') {
    const reply = text === undefined ? call({ name: 'files__read', id: 'call_1' }) : say(text)
    return { ...reply, usage: { input: sent, output: 9 } } as Reply
  }
  const output =
    text === undefined
      ? [{ type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'files__read', arguments: '{}', status: 'completed' }]
      : [{ type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] }]
  const event = {
    type: 'response.completed',
    response: { object: 'response', status: 'completed', output, usage: { input_tokens: sent, output_tokens: 9 } },
  }
  return raw(200, 'text/event-stream', `data: ${JSON.stringify(event)}\n\n`)
}

test.each(rows)('%s', async (_who, format, learns, status, refusal) => {
  const refused: boolean[] = []
  const summaries: number[] = []
  const server = await startModelServer({
    models: [{ id: 'm-1', display_name: 'M' }],
    script: (request, index) => {
      const sent = lengthOf(request)
      refused[index] = sent > LIMIT
      if (sent > LIMIT) return raw(status, 'application/json', JSON.stringify(refusal(sent)))
      const isSummary = JSON.stringify(request.body).includes('Write that summary now')
      if (isSummary) summaries.push(index)
      if (index === 0) return answer(format, sent)
      return answer(format, sent, isSummary ? 'They keep a list of kettles. Open: the last one.' : 'Noted.')
    },
  })
  onTestFinished(() => server.close())
  const secrets = new Map<string, string>()
  const silent = (): void => {}
  const kit = makeChat({
    script: [],
    policy: () => ({ kind: 'allow', scope: 'once' }),
    reached: (store) =>
      createModels({
        secrets: {
          kind: 'memory',
          get: async (name) => secrets.get(name),
          set: async (name, value) => void secrets.set(name, value),
          delete: async (name) => void secrets.delete(name),
        },
        settings: store.settings,
        emit: silent,
        clock: systemClock,
        log: { debug: silent, info: silent, warn: silent, error: silent },
        env: { ASSENT_LOCAL_MODEL_PORTS: '' },
      }),
  })
  onTestFinished(() => kit.dispose())
  await kit.models.load()
  const baseUrl = format === 'anthropic' ? server.url : `${server.url}/v1`
  const { id } = await kit.models.saveEndpoint({ name: 'Lab', baseUrl, key: 'sk-lab-abcdefgh', format })
  const model = `${id}/m-1`
  kit.settings = { ...kit.settings, defaultModel: model }
  expect(kit.models.find(model)?.contextTokens).toBeUndefined()

  const words = `A kettle of ${'iron and copper '.repeat(700)}` // About 2,800 tokens.
  let chat: string | undefined
  let turns = 0
  const turn = async (): Promise<void> => {
    turns += 1
    chat = await kit.turn(`${turns}: ${words}`, chat)
  }
  while (!refused.includes(true)) await turn()
  const last = kit.answers(chat ?? '').at(-1)
  expect([last?.state, last?.parts]).toEqual(['done', [{ kind: 'text', text: 'Noted.' }]])
  expect(refused.filter(Boolean)).toHaveLength(1)
  // What follows the refusal: summaries, and the request once more.
  expect(summaries.length).toBeGreaterThan(0)
  expect([refused.length - 1 - refused.indexOf(true), kit.models.find(model)?.contextTokens]).toEqual([
    summaries.length + 1,
    learns ? LIMIT : undefined,
  ])

  const first = summaries.length
  // More than one context's worth of turns.
  for (let more = 0; more < 6; more += 1) await turn()
  expect(kit.answers(chat ?? '').every(({ state }) => state === 'done')).toBe(true)
  expect(summaries.length).toBeGreaterThan(first)
  expect(refused.filter(Boolean).length > 1).toBe(!learns)
})
