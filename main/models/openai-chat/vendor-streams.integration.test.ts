// Streams of single vendors that stray from the format, as they were recorded, through the real SDK.
import { afterEach, describe, expect, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import { systemClock } from '#main/base/clock.ts'
import type { ModelEvent } from '#main/models/provider.ts'
import type { Reply } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { createOpenAiCompatible } from './openai-provider.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const DONE = 'data: [DONE]\n\n'
const stream = (...lines: readonly (object | string)[]): Reply => ({
  kind: 'raw',
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: lines.map((line) => (typeof line === 'string' ? line : `data: ${JSON.stringify(line)}\n\n`)).join(''),
})
const chunk = (delta: object, finish_reason: string | null = null): object => ({
  id: 'gen-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
})
const calls = (args: string): object =>
  chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'read', arguments: args } }] })

async function ask(reply: Reply): Promise<ModelEvent[]> {
  const server = await startModelServer({ script: () => reply })
  servers.push(server)
  const find = (id: string) => ({ id, provider: 'lab', name: id, ai: true })
  const provider = createOpenAiCompatible({ id: 'lab', name: 'Lab', baseUrl: `${server.url}/v1`, key: '', clock: systemClock, find })
  const events: ModelEvent[] = []
  const request = { model: 'm', system: '', messages: [], tools: [] }
  for await (const event of provider.stream(request, new AbortController().signal)) events.push(event)
  return events
}
const said = (events: readonly ModelEvent[], type: 'text' | 'thinking'): string =>
  events.flatMap((event) => (event.type === type ? [event.text] : [])).join('')

describe('an end without a finish_reason', () => {
  // earendil-works/pi#6225 (NVIDIA, GLM 5.1), OpenRouterTeam/ai-sdk-provider#166; Novita behind OpenRouter sends the counts after it.
  const usage = { id: 'gen-1', choices: [], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } }
  test.each<[string, Reply]>([
    ['[DONE]', stream(calls('{"path":'), calls('"a"}'), DONE)],
    ['[DONE] without a space before it', stream(calls('{"path":"a"}'), 'data:[DONE]\n\n')],
    ['the counts', stream(calls('{"path":"a"}'), usage)],
    ['both', stream(calls('{"path":"a"}'), usage, DONE)],
  ])('is one by %s: the call runs', async (_how, reply) => {
    const events = await ask(reply)
    const call = events.find((event) => event.type === 'tool-call')
    expect([call?.inputText.replaceAll(' ', ''), events.at(-1)]).toEqual(['{"path":"a"}', { type: 'done', reason: 'tool-calls' }])
  })

  test('is one of an answer in words, too', async () => {
    const events = await ask(stream(chunk({ content: 'Hi' }), DONE))
    expect([said(events, 'text'), events.at(-1)]).toEqual(['Hi', { type: 'done', reason: 'end' }])
  })

  test('mends no arguments that may have been cut off', async () => {
    const call = (await ask(stream(calls('{"path":"/ho'), DONE))).find((event) => event.type === 'tool-call')
    expect(call?.inputText).toBe('{"path":"/ho')
  })

  test.each<[string, Reply]>([
    // tetsuo-ai/agenc-core#2492: a proxy closes in good order what was reset behind it.
    ['neither came', stream(chunk({ content: 'Half' }))],
    ['the model only speaks of it', stream(chunk({ content: '\ndata: [DONE]\n\ndata: [DONE]' }))],
    ['the counts came with each piece', stream({ ...chunk({ content: 'Half' }), usage: usage.usage })],
    ['nothing came at all', stream(chunk({ role: 'assistant' }), DONE)],
  ])('is none where %s', async (_what, reply) => {
    const error = await ask(reply).catch((thrown: unknown) => thrown)
    expect(error instanceof HostError && error.code).toBe('model.bad-answer')
  })
})

describe('counts', () => {
  test.each<[string, object, object]>([
    [
      'of xAI, whose reasoning is no part of the completion', // vercel/ai packages/xai/src/__fixtures__/xai-tool-call.chunks.txt
      {
        prompt_tokens: 291,
        completion_tokens: 26,
        total_tokens: 513,
        prompt_tokens_details: { text_tokens: 291, cached_tokens: 290 },
        completion_tokens_details: { reasoning_tokens: 196 },
      },
      { inputTokens: 1, outputTokens: 222, cacheReadTokens: 290 },
    ],
    [
      'of all others, whose reasoning is part of it', // vercel/ai packages/deepseek/src/chat/__fixtures__/deepseek-tool-call.chunks.txt
      {
        prompt_tokens: 339,
        completion_tokens: 83,
        total_tokens: 422,
        prompt_tokens_details: { cached_tokens: 320 },
        completion_tokens_details: { reasoning_tokens: 39 },
      },
      { inputTokens: 19, outputTokens: 83, cacheReadTokens: 320 },
    ],
    [
      'of Grok at Azure, whose cache is larger than the prompt', // crmne/ruby_llm, cassettes *_azure_grok-4-1-fast-non-reasoning_*
      {
        prompt_tokens: 198,
        completion_tokens: 18,
        total_tokens: 216,
        prompt_tokens_details: { cached_tokens: 314, text_tokens: 198 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
      { inputTokens: 198, outputTokens: 18, cacheReadTokens: 314 },
    ],
  ])('%s', async (_whose, usage, expected) => {
    const events = await ask(stream(chunk({ content: 'Hi' }, 'stop'), { id: 'gen-1', choices: [], usage }, DONE))
    expect(events.findLast((event) => event.type === 'usage')).toEqual({ type: 'usage', usage: expected })
  })
})

describe('reasoning that gpt-oss at Bedrock writes into its text', () => {
  const answer = async (...pieces: readonly string[]): Promise<readonly [thinking: string, text: string]> => {
    const events = await ask(stream(...pieces.map((content) => chunk({ content })), chunk({}, 'stop'), DONE))
    return [said(events, 'thinking'), said(events, 'text')]
  }
  test('is thinking, though each piece has tags of its own', async () => {
    // CherryHQ/cherry-studio#10225, its raw stream.
    const found = await answer(
      '<reasoning>The user: "Relativity" which</reasoning>',
      '<reasoning> is a question. Provide one concise</reasoning>',
      '<reasoning> sentence.</reasoning>',
      'Time and space',
      ' are relative.',
    )
    expect(found).toEqual(['The user: "Relativity" which is a question. Provide one concise sentence.', 'Time and space are relative.'])
  })

  test('is thinking in one pair of tags, wherever it is cut', async () => {
    expect(await answer('<reas', 'oning>The user wants a greeting.</reaso', 'ning>Hey', ' there')).toEqual([
      'The user wants a greeting.',
      'Hey there',
    ])
  })

  test('is text where an answer only speaks of it', async () => {
    expect(await answer('Use <reasoning>tags</reasoning>.')).toEqual(['', 'Use <reasoning>tags</reasoning>.'])
  })
})
