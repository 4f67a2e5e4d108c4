// Answers in forms that others met, each with its source: streams, errors within them, refusals in further words, and waits. Expected of each, by
// the vendors' documents and the standard of server-sent events alone. Sentences of the answers are ours; field names, order and ends are theirs.
import { describe, test } from 'vitest'
import { check, chunk, type Expected, json, messageEnd, messageStart, named, rawStream, sse, typed } from './lab.testing.ts'

const called = (index: number | undefined, id: string | null | undefined, fn: object): object => ({
  tool_calls: [{ ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id }), type: 'function', function: fn }],
})
const done = 'data: [DONE]'
const words = chunk({ content: 'It rains.' })
const two: Expected = {
  calls: [
    ['look', { a: 1 }],
    ['look', { b: 2 }],
  ],
  reason: 'tool-calls',
  code: undefined,
}
const one: Expected = { calls: [['look', { a: 1 }]], reason: 'tool-calls', code: undefined }

describe('chat completions', () => {
  test.each(
    named([
      [
        'a second call under the first index, its end under its own, agno-agi/agno#8880',
        sse(
          chunk(called(0, 'call_1', { name: 'look', arguments: '' })),
          chunk(called(0, undefined, { arguments: '{"a":1}' })),
          chunk(called(0, 'call_2', { name: 'look', arguments: '' })),
          chunk(called(1, undefined, { arguments: '{"b":2}' })),
          chunk({}, 'tool_calls'),
          done,
        ),
        two,
      ],
      [
        'the first brace with the name, agentjido/req_llm#801',
        sse(
          chunk(called(0, 'c', { name: 'look', arguments: '{' })),
          chunk(called(0, undefined, { arguments: '"a"' })),
          chunk(called(0, undefined, { arguments: ':1}' })),
          chunk({}, 'tool_calls'),
          done,
        ),
        one,
      ],
      [
        'arguments before id and name, Zoo-Code-Org/Zoo-Code#695',
        sse(
          chunk(called(0, undefined, { arguments: '{"a"' })),
          chunk(called(0, 'c', { name: 'look', arguments: ':1}' })),
          chunk({}, 'tool_calls'),
          done,
        ),
        one,
      ],
      [
        'an id that is null and then empty, SillyTavern/SillyTavern#3931',
        sse(
          chunk(called(0, null, { name: 'look', arguments: '' })),
          chunk(called(0, '', { arguments: '{"a":1}' })),
          chunk({}, 'tool_calls'),
          done,
        ),
        one,
      ],
      [
        'no index at all, AstrBotDevs/AstrBot#6692',
        sse(
          chunk(called(undefined, 'c1', { name: 'look', arguments: '{"a":1}' })),
          chunk(called(undefined, 'c2', { name: 'look', arguments: '{"b":2}' }), 'stop'),
          done,
        ),
        two,
      ],
      [
        'pieces without id under one index, sigoden/aichat#1522',
        sse(
          chunk(called(0, 'c', { name: 'look', arguments: '' })),
          chunk(called(0, undefined, { name: null, arguments: '{"a":' })),
          chunk(called(0, undefined, { name: null, arguments: '1}' })),
          chunk({}, 'tool_calls'),
          done,
        ),
        one,
      ],
      [
        'an end in every chunk, MartialBE/one-hub#402',
        sse(chunk({ content: 'It ' }, 'stop'), chunk({ content: 'rains.' }, 'stop'), chunk({}, 'stop'), done),
        { text: 'It rains.', reason: 'end', code: undefined },
      ],
      [
        'an error beside no choices, diegosouzapw/OmniRoute#8210',
        sse({
          id: 'gen-1',
          object: 'chat.completion.chunk',
          choices: [],
          error: {
            code: 502,
            message: 'Worker local total request limit reached (33/32)',
            metadata: { error_type: 'provider_unavailable' },
          },
        }),
        { code: 'model.server-error', quote: 'Worker local total request limit reached (33/32)', reason: undefined },
      ],
      [
        'an error with an end, after words, damianvtran/local-operator#223',
        sse(words, {
          id: 'gen-1',
          error: { code: 'server_error', message: 'Provider disconnected unexpectedly' },
          choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
        }),
        { text: 'It rains.', code: 'model.server-error', quote: 'Provider disconnected', reason: undefined },
      ],
      [
        'an error and [DONE], apache/rocketmq-dashboard#2178',
        sse({ error: { message: 'quota exceeded' } }, done),
        { quote: 'quota exceeded', reason: undefined, text: '' },
      ],
      [
        'an error that is a sentence, agentjido/req_llm#661',
        sse({ error: 'The model has crashed without additional information. (Exit code: null)' }),
        { code: 'model.server-error', quote: 'The model has crashed' },
      ],
      [
        'an error in fields of its own, NousResearch/hermes-agent#65738',
        sse(
          {
            id: 'x',
            choices: null,
            error_type: 'BadRequestError',
            error_message: "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens.",
          },
          done,
        ),
        { code: 'model.too-long', contextTokens: 32_768 },
      ],
      [
        'the end of the connection in mid-sentence, anomalyco/opencode#39968',
        sse(words),
        { text: 'It rains.', code: 'model.bad-answer', reason: undefined },
      ],
      [
        'the end of the connection in a call, anomalyco/opencode#39968',
        sse(chunk(called(0, 'c', { name: 'look', arguments: '{"a":' }))),
        { calls: [], code: 'model.bad-answer', reason: undefined },
      ],
      [
        'an error before [DONE], Augustas11/macprovider#186',
        sse(
          words,
          { error: { message: 'Provider disconnected during streaming', type: 'server_error', code: 'provider_disconnected' } },
          done,
        ),
        { text: 'It rains.', code: 'model.server-error', quote: 'Provider disconnected during streaming', reason: undefined },
      ],
      [
        'comments, CRLF, no space after `data:` and a mark of the byte order (WHATWG, server-sent events)',
        rawStream(
          '\uFEFF: OPENROUTER PROCESSING\r\n\r\n',
          `data:${JSON.stringify(chunk({ content: 'It ' }))}\r\n\r\n`,
          ': ping\r\n\r\n',
          `id: 1\r\nretry: 3000\r\ndata:${JSON.stringify(chunk({ content: 'rains.' }, 'stop'))}\r\n\r\n`,
          'data:[DONE]\r\n\r\n',
        ),
        { text: 'It rains.', reason: 'end', code: undefined },
      ],
      [
        'a character in two pieces',
        (() => {
          const bytes = Buffer.from(`data: ${JSON.stringify(chunk({ content: 'Köln 🌧' }, 'stop'))}\n\n`)
          const at = bytes.indexOf(Buffer.from('🌧')) + 2
          const umlaut = bytes.indexOf(Buffer.from('ö')) + 1
          return rawStream(bytes.subarray(0, umlaut), bytes.subarray(umlaut, at), bytes.subarray(at), 'data: [DONE]\n\n')
        })(),
        { text: 'Köln 🌧', reason: 'end' },
      ],
      [
        'a chunk of filters before, and counts in the middle (Azure, xAI)',
        sse(
          { id: '', choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
          { ...chunk({ content: 'It ' }), usage: { prompt_tokens: 9, completion_tokens: 1 } },
          { ...chunk({ content: 'rains.' }, 'stop'), usage: { prompt_tokens: 9, completion_tokens: 3 } },
          done,
        ),
        { text: 'It rains.', tokens: [9, 3], reason: 'end' },
      ],
    ]),
  )('%s', (_, row) => check('openai', row))
})

describe('Anthropic’s format', () => {
  const block = (index: number, content_block: object, delta?: object): string[] => [
    typed('content_block_start', { index, content_block }),
    ...(delta ? [typed('content_block_delta', { index, delta })] : []),
  ]
  const stop = (index: number): string => typed('content_block_stop', { index })
  const text = block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'It rains.' })
  const use = block(1, { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }, { type: 'input_json_delta', partial_json: '{"a":1}' })
  test.each(
    named([
      [
        'blocks without their ends, xemantic/anthropic-sdk-kotlin#147',
        sse(messageStart, ...text, ...use, ...messageEnd('tool_use')),
        { text: 'It rains.', ...one },
      ],
      [
        'the start many times, MoonshotAI/Kimi-K2.5#33',
        sse(...Array.from({ length: 29 }, () => messageStart), ...text, stop(0), ...messageEnd('end_turn')),
        { text: 'It rains.', reason: 'end', code: undefined },
      ],
      [
        'input of a block that never began, bigduu/Bamboo-agent#368',
        sse(
          messageStart,
          ...text,
          typed('content_block_delta', { index: 7, delta: { type: 'input_json_delta', partial_json: '{}' } }),
          stop(0),
          ...messageEnd('end_turn'),
        ),
        { text: 'It rains.', reason: 'end', code: undefined },
      ],
      [
        'an error after words, karthink/gptel#1512',
        sse(
          messageStart,
          ...text,
          typed('error', { error: { details: null, type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_1' }),
        ),
        { text: 'It rains.', code: 'model.overloaded', quote: 'Overloaded', reason: undefined },
      ],
      [
        'a ping without data, caozhiyuan/copilot-api#88',
        sse(messageStart, 'event: ping\ndata: ', ...text, 'event: ping\ndata: ""', stop(0), ...messageEnd('end_turn')),
        { text: 'It rains.', reason: 'end', code: undefined },
      ],
      [
        'an event without data, which the standard drops, anthropics/anthropic-sdk-typescript#861',
        sse(messageStart, ...text, 'event: content_block_delta', stop(0), ...messageEnd('end_turn')),
        { text: 'It rains.', reason: 'end', code: undefined },
      ],
      [
        'the end of the connection in a call, BerriAI/litellm#32159',
        sse(
          messageStart,
          ...text,
          stop(0),
          ...block(1, { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }, { type: 'input_json_delta', partial_json: '{"a' }),
        ),
        { text: 'It rains.', calls: [], code: 'model.bad-answer', reason: undefined },
      ],
      [
        'too long, in the words of mlx-serve, ddalcu/mlx-serve#66',
        json(400, { type: 'error', error: { type: 'invalid_request_error', message: 'Prompt exceeds maximum context length' } }),
        { code: 'model.too-long' },
      ],
    ]),
  )('%s', (_, row) => check('anthropic', row))
})

describe('Gemini’s format', () => {
  const part = (parts: readonly object[], finishReason?: string): object => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason ? { finishReason } : {}) }],
  })
  test.each(
    named([
      [
        'an end before the words, Chevey339/kelivo#1003',
        sse(part([], 'STOP'), part([], 'STOP'), part([{ text: 'It rains.' }]), part([], 'STOP')),
        { text: 'It rains.', reason: 'end', code: undefined },
      ],
      [
        'an end without content, agentjido/req_llm#638',
        sse(part([{ text: 'It rains.' }]), {
          candidates: [{ finishReason: 'STOP' }],
          usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3 },
        }),
        { text: 'It rains.', reason: 'end', tokens: [9, 3] },
      ],
      [
        'a call, cut at the limit, NousResearch/hermes-agent#43478',
        sse(part([{ functionCall: { name: 'look', args: { a: 1 } } }], 'MAX_TOKENS')),
        { reason: 'max-tokens' },
      ],
      [
        'a call that is not valid: nothing else comes (FinishReason of Google’s API, pi’s `google` tests)',
        sse({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed function call: print(look(a=1))' }] }),
        { code: 'model.tool-use-failed', reason: undefined },
      ],
      [
        'a question that is blocked: no candidates (PromptFeedback of Google’s API)',
        sse({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 9 } }),
        { text: '', reason: 'refusal' },
      ],
    ]),
  )('%s', (_, row) => check('gemini', row))
})

describe('Responses', () => {
  test.each(
    named([
      [
        'an error in an object of its own, maximhq/bifrost#5040',
        sse(
          typed('error', {
            sequence_number: 2,
            error: {
              type: 'insufficient_quota',
              code: 'insufficient_quota',
              message: 'You exceeded your current quota, please check your plan and billing details.',
              param: null,
            },
          }),
        ),
        { code: 'model.no-credit', quote: 'You exceeded your current quota', reason: undefined },
      ],
      [
        'a failure that names its wait, openai/codex `codex-api/src/sse/responses.rs`',
        sse(
          typed('response.failed', {
            response: {
              id: 'resp_1',
              status: 'failed',
              error: {
                code: 'rate_limit_exceeded',
                message:
                  'Rate limit reached for gpt-5.1 in organization org-AAA on tokens per min (TPM): Limit 30000, Used 22999, Requested 12528. Please try again in 11.054s. Visit https://platform.openai.com/account/rate-limits to learn more.',
              },
            },
          }),
        ),
        { code: 'model.rate-limited', waits: [11_054, 11_054] },
      ],
    ]),
  )('%s', (_, row) => check('openai-responses', row))
})
