// Streams of Anthropic's format that stray from it (gateways, other makers), through the real SDK.
import { afterEach, expect, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import { systemClock } from '#main/base/clock.ts'
import type { ModelEvent, ModelMessage } from '#main/models/provider.ts'
import type { Reply } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { createAnthropic } from './anthropic-provider.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const stream = (...events: readonly { readonly type: string; readonly [field: string]: unknown }[]): Reply => ({
  kind: 'raw',
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
})
const start = (id: string, usage: object | undefined = { input_tokens: 17, output_tokens: 1 }) => ({
  type: 'message_start',
  message: { id, type: 'message', role: 'assistant', content: [], model: 'm', stop_reason: null, stop_sequence: null, usage },
})
const open = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, part: object) => ({ type: 'content_block_delta', index, delta: part })
const close = (index: number) => ({ type: 'content_block_stop', index })
const end = (stop_reason: string, usage: object | undefined = { output_tokens: 30 }) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
]

async function ask(
  reply: Reply,
  messages: readonly ModelMessage[] = [],
): Promise<{ readonly events: ModelEvent[]; readonly server: ModelServer }> {
  const server = await startModelServer({ script: () => reply })
  servers.push(server)
  const provider = createAnthropic({ key: 'sk-ant-test-0123456789-q7Rw', baseUrl: server.url, clock: systemClock, find: () => undefined })
  const events: ModelEvent[] = []
  const request = { model: 'm', system: '', messages, tools: [] }
  for await (const event of provider.stream(request, new AbortController().signal)) events.push(event)
  return { events, server }
}
const toolCalls = (events: readonly ModelEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'tool-call' ? [`${event.providerId} ${event.inputText}`] : []))

// vercel/ai, anthropic-language-model.test.ts: "should use non-empty input from content_block_start for deferred tool calls" and the
// test behind it, and packages/anthropic/src/__fixtures__/anthropic-tool-no-args.chunks.txt.
test.each([
  ['is used where it stands at the start alone', { sql: 'SELECT 1' }, [], 'c1 {"sql":"SELECT 1"}'],
  ['is that of the pieces where it is empty at the start', {}, ['', '{"city"', ':"Rome"}'], 'c1 {"city":"Rome"}'],
  ['is that of the pieces where both have some', { city: 'Ro' }, ['{"city":', '"Rome"}'], 'c1 {"city":"Rome"}'],
  ['is empty where neither has any', {}, [], 'c1 '],
])('the input of a tool %s', async (_how, input, pieces, expected) => {
  const { events } = await ask(
    stream(
      start('msg_1'),
      open(0, { type: 'tool_use', id: 'c1', name: 'query', input }),
      ...pieces.map((partial_json) => delta(0, { type: 'input_json_delta', partial_json })),
      close(0),
      ...end('tool_use'),
    ),
  )
  expect([toolCalls(events), events.at(-1)]).toEqual([[expected], { type: 'done', reason: 'tool-calls' }])
})

test('a start that is told twice is one answer', async () => {
  // vercel/ai packages/anthropic/src/__fixtures__/duplicate-message-start.chunks.txt
  const text = [open(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: 'Hello, World!' }), close(0)]
  const { events } = await ask(stream(start('msg_dup'), start('msg_dup'), ...text, ...end('end_turn')))
  expect(events.filter(({ type }) => type === 'text' || type === 'done')).toEqual([
    { type: 'text', index: 0, text: 'Hello, World!' },
    { type: 'done', reason: 'end' },
  ])
})

test('an answer into which another one breaks is none: no call of it runs', async () => {
  // vercel/ai packages/anthropic/src/__fixtures__/spliced-message-start.chunks.txt
  const half = (id: string, json: string) => [
    open(0, { type: 'thinking', thinking: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'I will call the tool.' }),
    delta(0, { type: 'signature_delta', signature: `sig-${id}` }),
    close(0),
    open(1, { type: 'tool_use', id: `toolu_${id}`, name: 'test-tool', input: {} }),
    delta(1, { type: 'input_json_delta', partial_json: json }),
  ]
  const spliced = [start('msg_first'), ...half('first', '{"value":"Spark'), start('msg_second'), ...half('second', '{"value":"Day"}')]
  const error = await ask(stream(...spliced, close(1), ...end('tool_use'))).catch((thrown: unknown) => thrown)
  expect(error instanceof HostError && error.code).toBe('model.bad-answer')
})

test('counts that are missing cost no answer', async () => {
  const text = [open(0, { type: 'text', text: 'Hi' }), close(0)]
  const bare = { ...start('msg_1'), message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm' } }
  const { events } = await ask(
    stream(bare, ...text, { type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }),
  )
  expect(events).toEqual([
    { type: 'text', index: 0, text: 'Hi' },
    { type: 'done', reason: 'end' },
  ])
})

test('"too long" in words is too long, without a second request', async () => {
  // crmne/ruby_llm, cassette chat_real_error_scenarios_anthropic_claude-haiku-4-5_handles_context_length_exceeded_errors
  const message = 'prompt is too long: 3333404 tokens > 200000 maximum'
  const error = await ask({ kind: 'error', status: 400, type: 'invalid_request_error', message }).catch((thrown: unknown) => thrown)
  expect(error instanceof HostError && [error.code, error.data['detail']]).toEqual(['model.too-long', message])
})

test('a limit of the answer is not', async () => {
  const message = 'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for m'
  const error = await ask({ kind: 'error', status: 400, type: 'invalid_request_error', message }).catch((thrown: unknown) => thrown)
  expect(error instanceof HostError && error.code).toBe('model.request-refused')
})

test('a refusal comes with its category and explanation', async () => {
  // vercel/ai, packages/anthropic/src/__fixtures__/anthropic-refusal.chunks.txt
  const explanation = "This request triggered restrictions on violative cyber content and was blocked under Anthropic's Usage Policy."
  const stop_details = { type: 'refusal', category: 'cyber', explanation, recommended_model: 'claude-fable-5' }
  const refusal = {
    type: 'message_delta',
    delta: { stop_reason: 'refusal', stop_sequence: null, stop_details },
    usage: { output_tokens: 5 },
  }
  const { events } = await ask(stream(start('msg_01'), { type: 'ping' }, refusal, { type: 'message_stop' }))
  expect(events.at(-1)).toEqual({ type: 'done', reason: 'refusal', detail: `cyber: ${explanation}` })
})
