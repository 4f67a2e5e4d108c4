// What endpoints of OpenAI's format really send, named by who sends it so, through the real SDK: reasoning, tool calls, usage and
// errors, each as it stands on the wire.
import { afterEach, describe, expect, test } from 'vitest'
import type { HostError } from '#app/errors.ts'
import { systemClock } from '#main/base/clock.ts'
import type { ModelEvent } from '#main/models/provider.ts'
import type { Reply } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { createOpenAiCompatible } from './openai-provider.ts'

let server: ModelServer
afterEach(() => server.close())

const events = 'text/event-stream'
const reply = (type: string, body: string): Reply => ({ kind: 'raw', status: 200, headers: { 'content-type': type }, body })
/** Strings go as they are: comments and fields of the stream. */
const stream = (...lines: readonly (object | string)[]): Reply =>
  reply(events, lines.map((line) => (typeof line === 'string' ? `${line}\n\n` : `data: ${JSON.stringify(line)}\n\n`)).join(''))
const chunk = (delta: object, finish: string | null = null, more: object = {}): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  ...more,
})
const done = 'data: [DONE]'

const ask = async (answer: Reply): Promise<ModelEvent[]> => (await askInTurn(answer)).flat()

/** The events of each answer. The last is what is given again to whoever asks again. */
async function askInTurn(...answers: readonly [Reply, ...Reply[]]): Promise<ModelEvent[][]> {
  let next = 0
  server = await startModelServer({ script: () => answers[next++] ?? answers.at(-1) ?? answers[0] })
  const find = (id: string) => ({ id, provider: 'local', name: id, ai: true })
  const provider = createOpenAiCompatible({
    id: 'local',
    name: 'Local',
    baseUrl: `${server.url}/v1`,
    key: '',
    clock,
    find,
    chance: () => 0,
  })
  const request = { model: 'm', system: '', messages: [], tools: [] }
  const found: ModelEvent[][] = []
  for (const _ of answers) {
    const events: ModelEvent[] = []
    for await (const event of provider.stream(request, new AbortController().signal)) events.push(event)
    found.push(events)
  }
  return found
}
/** Waits take no time. */
const clock = { now: () => Date.now(), after: (_: number, run: () => void) => systemClock.after(0, run) }
function said(found: readonly ModelEvent[], type: 'text' | 'thinking'): string {
  const parts = new Map<number, { readonly type: string; readonly text: string }>()
  for (const event of found) {
    if (event.type === 'recast') parts.set(event.index, { type: event.as, text: event.text })
    if (event.type === 'text' || event.type === 'thinking')
      parts.set(event.index, { type: event.type, text: (parts.get(event.index)?.text ?? '') + event.text })
  }
  return [...parts.values()].flatMap((part) => (part.type === type ? [part.text] : [])).join('')
}

describe('reasoning', () => {
  const answer = [chunk({ content: 'Hi' }), chunk({}, 'stop'), done]
  test.each<[string, Reply]>([
    [
      'DeepSeek, llama.cpp',
      stream(chunk({ role: 'assistant', content: null, reasoning_content: 'Hm' }), chunk({ reasoning_content: null }), ...answer),
    ],
    [
      'Ollama, LM Studio, vLLM since 0.12',
      stream(chunk({ role: 'assistant', content: '', reasoning: 'H' }), chunk({ content: '', reasoning: 'm' }), ...answer),
    ],
    ['routers that give both names', stream(chunk({ reasoning: 'Hm', reasoning_content: 'Hm' }), ...answer)],
    [
      'OpenRouter, with what it says while it waits',
      stream(
        ': OPENROUTER PROCESSING',
        chunk({ role: 'assistant', content: '', reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm', index: 0 }] }),
        ': OPENROUTER PROCESSING',
        ...answer,
      ),
    ],
    [
      'local templates',
      stream(': keep-alive', chunk({ content: '<think>\n' }), chunk({ content: 'Hm\n</th' }), chunk({ content: 'ink>\n\n' }), ...answer),
    ],
    [
      'local templates that open it in the prompt',
      stream(chunk({ content: 'H' }), chunk({ content: 'm\n</th' }), chunk({ content: 'ink>\n\n' }), ...answer),
    ],
    [
      'with carriage returns, and data without a space',
      reply(
        events,
        `data:${JSON.stringify(chunk({ reasoning: 'Hm' }))}\r\n\r\ndata:${JSON.stringify(chunk({ content: 'Hi' }, 'stop'))}\r\n\r\ndata:[DONE]\r\n\r\n`,
      ),
    ],
  ])('%s', async (_who, wire) => {
    const found = await ask(wire)
    expect([said(found, 'thinking').trim(), said(found, 'text'), found.at(-1)]).toEqual(['Hm', 'Hi', { type: 'done', reason: 'end' }])
  })

  test('whose opening stands in the prompt is known from its first letter after one answer of that model, as long as it goes on so', async () => {
    const opened = stream(chunk({ content: 'H' }), chunk({ content: 'm\n</think>\n\n' }), ...answer)
    const plain = stream(...answer)
    const kinds = (await askInTurn(opened, opened, plain, plain)).map((found) => {
      const changes = found.flatMap((event) => (event.type === 'recast' ? [`is ${event.as}`] : [event.type]))
      const of = changes.filter((type, at) => /(?:text|thinking)$/.test(type) && type !== changes[at - 1])
      return [said(found, 'thinking').trim(), said(found, 'text'), of.join(' ')]
    })
    expect(kinds).toEqual([
      ['Hm', 'Hi', 'text is thinking text'],
      ['Hm', 'Hi', 'thinking text'],
      ['', 'Hi', 'thinking is text'],
      ['', 'Hi', 'text'],
    ])
  })

  test('is not looked for in text where it comes in a field of its own', async () => {
    const found = await ask(stream(chunk({ reasoning: 'Hm' }), chunk({ content: 'Hi.\n</think>\nYou' }, 'stop'), done))
    expect([said(found, 'thinking'), said(found, 'text')]).toEqual(['Hm', 'Hi.\n</think>\nYou'])
  })
})

describe('tool calls', () => {
  const piece = (fields: object, called?: object): object => ({ ...fields, ...(called ? { function: called } : {}) })
  const calls = (...pieces: readonly object[]): object => chunk({ tool_calls: pieces })
  const two = ['read {"p":1}', 'read {"p":2}']
  test.each<[string, Reply, readonly string[]]>([
    [
      'Ollama: each whole, its end "stop"',
      stream(
        calls(piece({ id: 'call_1', index: 0, type: 'function' }, { name: 'read', arguments: '{"p":1}' })),
        calls(piece({ id: 'call_2', index: 1, type: 'function' }, { name: 'read', arguments: '{"p":2}' })),
        chunk({ content: '' }, 'stop'),
        done,
      ),
      two,
    ],
    [
      'LM Studio: an empty name in every later piece',
      stream(
        calls(piece({ index: 0, id: '1', type: 'function' }, { name: 'read', arguments: '' })),
        calls(piece({ index: 0, type: 'function' }, { name: '', arguments: '{"p"' })),
        calls(piece({ index: 0, type: 'function' }, { name: '', arguments: ':1}' })),
        calls(piece({ index: 1, id: '2', type: 'function' }, { name: 'read', arguments: '' })),
        calls(piece({ index: 1, type: 'function' }, { name: '', arguments: '{"p":2}' })),
        chunk({}, 'tool_calls'),
        done,
      ),
      two,
    ],
    [
      'vLLM: nulls in every later piece, and an end of its own',
      stream(
        calls(piece({ index: 0, id: 'chatcmpl-tool-a', type: 'function' }, { name: 'read' })),
        calls(piece({ index: 0, id: null, type: null }, { name: null, arguments: '{"p": ' })),
        calls(piece({ index: 0, id: null, type: null }, { name: null, arguments: '1}' })),
        calls(piece({ index: 1, id: 'chatcmpl-tool-b', type: 'function' }, { name: 'read' })),
        calls(piece({ index: 1, id: null }, { name: null, arguments: '{"p":2}' })),
        chunk({ content: '' }, 'tool_calls', { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls', stop_reason: 128_008 }] }),
        done,
      ),
      two,
    ],
    [
      'Gemini: all in one piece, every index 0, ids empty',
      stream(
        calls(
          piece({ index: 0, id: '', type: 'function' }, { name: 'read', arguments: '{"p":1}' }),
          piece({ index: 0, id: '', type: 'function' }, { name: 'read', arguments: '{"p":2}' }),
        ),
        chunk({ role: 'assistant' }, 'stop'),
        done,
      ),
      two,
    ],
    [
      'without ids, by index alone',
      stream(
        calls(piece({ index: 0 }, { name: 'read', arguments: '{"p"' }), piece({ index: 1 }, { name: 'read', arguments: '{"p"' })),
        calls(piece({ index: 0 }, { arguments: ':1}' }), piece({ index: 1 }, { arguments: ':2}' })),
        chunk({}, 'tool_calls'),
        done,
      ),
      two,
    ],
    [
      'no arguments at all: empty, missing, null, or nothing but blanks',
      stream(
        calls(piece({ index: 0, id: 'a' }, { name: 'read', arguments: '' })),
        calls(piece({ index: 1, id: 'b' }, { name: 'read' })),
        calls(piece({ index: 2, id: 'c' }, { name: 'read', arguments: null })),
        calls(piece({ index: 3, id: 'd' }, { name: 'read', arguments: 'null' })),
        calls(piece({ index: 4, id: 'e' }, { name: 'read', arguments: ' \n' })),
        chunk({}, 'tool_calls'),
        done,
      ),
      ['read ', 'read ', 'read ', 'read ', 'read '],
    ],
    [
      'a whole message in the stream, without a delta',
      stream(
        {
          choices: [
            {
              message: { content: null, tool_calls: [piece({ id: 'a' }, { name: 'read', arguments: '{"p":1}' })] },
              finish_reason: 'tool_calls',
            },
          ],
        },
        done,
      ),
      ['read {"p":1}'],
    ],
  ])('%s', async (_who, wire, expected) => {
    const found = await ask(wire)
    expect(found.flatMap((event) => (event.type === 'tool-call' ? [`${event.name} ${event.inputText.replaceAll(' ', '')}`] : []))).toEqual(
      expected,
    )
    const ids = found.flatMap((event) => (event.type === 'tool-call' ? [event.providerId] : []))
    expect([new Set(ids).size, ids.includes('')]).toEqual([expected.length, false])
    expect(found.at(-1)).toEqual({ type: 'done', reason: 'tool-calls' })
  })
})

describe('usage', () => {
  const counts = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 }
  test.each<[string, Reply, object]>([
    [
      'in a last chunk without choices',
      stream(chunk({ content: 'Hi' }, 'stop', { usage: null }), { choices: [], usage: counts }, done),
      {},
    ],
    ['beside the end', stream(chunk({ content: 'Hi' }), chunk({}, 'stop', { usage: counts }), done), {}],
    [
      'in every chunk, counted up',
      stream(
        chunk({ content: 'H' }, null, { usage: { ...counts, completion_tokens: 1 } }),
        chunk({ content: 'i' }, 'stop', { usage: counts }),
        done,
      ),
      {},
    ],
    ['after no choices at all', stream(chunk({ content: 'Hi' }, 'stop'), { choices: null, usage: counts }, done), {}],
    ['of Groq, under its own name', stream(chunk({ content: 'Hi' }), chunk({}, 'stop', { x_groq: { id: 'r', usage: counts } }), done), {}],
    [
      'of DeepSeek, with what was cached',
      stream(chunk({ content: 'Hi' }, 'stop', { usage: { ...counts, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 3 } }), done),
      { inputTokens: 3, cacheReadTokens: 4 },
    ],
  ])('%s', async (_where, wire, more) => {
    const found = await ask(wire)
    expect(found.findLast((event) => event.type === 'usage')).toEqual({
      type: 'usage',
      usage: { inputTokens: 7, outputTokens: 2, ...more },
    })
    expect(said(found, 'text')).toBe('Hi')
  })
})

describe('an error with status 200', () => {
  const half = chunk({ content: 'Half' })
  test.each<[string, Reply, string, string]>([
    ['OpenAI', stream(half, { error: { type: 'server_error', code: null, message: 'It broke' } }), 'model.server-error', 'It broke'],
    [
      'OpenRouter, beside an end',
      stream(half, chunk({ content: '' }, 'error', { error: { code: 429, message: 'Slow down' } })),
      'model.rate-limited',
      'Slow down',
    ],
    [
      'vLLM',
      stream(half, { object: 'error', message: 'Too long', type: 'BadRequestError', param: null, code: 400 }, done),
      'model.request-refused',
      'Too long',
    ],
    ['LM Studio, as an event', stream(half, 'event: error\ndata: {"error":{"message":"Crashed"}}'), 'model.server-error', 'Crashed'],
    ['an event without an object around it', stream(half, 'event: error\ndata: {"message":"Crashed"}'), 'model.server-error', 'Crashed'],
    ['a sentence', stream(half, { error: 'model runner has stopped' }), 'model.server-error', 'model runner has stopped'],
    [
      'llama.cpp, before the first word',
      stream({ error: { code: 400, type: 'exceed_context_size_error', message: 'Too long' } }),
      'model.too-long',
      'Too long',
    ],
    [
      'OpenRouter, without a stream',
      reply('application/json', JSON.stringify({ error: { code: 402, message: 'Pay' } })),
      'model.no-credit',
      'Pay',
    ],
    ['a sentence without a stream', reply('application/json', '{"error":"model not found"}'), 'model.server-error', 'model not found'],
    ['vLLM, without a stream', reply('application/json', '{"object":"error","message":"No","code":404}'), 'model.unknown', 'No'],
  ])('%s', async (_who, wire, code, detail) => {
    const error = await ask(wire).then(
      () => expect.unreachable(),
      (thrown: HostError) => thrown,
    )
    expect([error.code, error.data['detail']]).toEqual([code, detail])
  })
})

describe('the end', () => {
  test.each<[string, Reply, string, string]>([
    [
      'OpenAI, whose refusal has a field of its own',
      stream(chunk({ refusal: 'I ' }), chunk({ refusal: 'won’t.' }), chunk({}, 'stop'), done),
      'I won’t.',
      'refusal',
    ],
    [
      'Mistral, at the end of what the model takes',
      stream(chunk({ content: 'Half' }), chunk({}, 'model_length'), done),
      'Half',
      'max-tokens',
    ],
    [
      'vLLM, at a word that it was to stop at',
      stream(chunk({ content: 'Hi' }), { choices: [{ delta: {}, finish_reason: 'stop', stop_reason: 'END' }] }, done),
      'Hi',
      'stop-sequence',
    ],
    [
      'whoever says how it ended with an empty word before and after',
      stream(chunk({ content: 'Hi' }, ''), chunk({ content: '!' }, 'length'), chunk({}, ''), done),
      'Hi!',
      'max-tokens',
    ],
  ])('%s', async (_who, wire, words, reason) => {
    const found = await ask(wire)
    expect([said(found, 'text'), found.at(-1)]).toEqual([words, { type: 'done', reason }])
  })
})
