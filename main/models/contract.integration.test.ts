// What every provider has to do, each through its real SDK against a server that speaks its wire format.
import { afterEach, describe, expect, test } from 'vitest'
import type { HostError } from '#app/errors.ts'
import { systemClock } from '#main/base/clock.ts'
import { fail, type Reply, type ScriptBlock, say } from '../../e2e/model-server/reply.ts'
import { keyOf, type ModelServer, startModelServer } from '../../e2e/model-server/server.ts'
import { createAnthropic } from './anthropic/anthropic-provider.ts'
import { createOpenAiCompatible } from './openai-chat/openai-provider.ts'
import type { ModelEvent, ModelMessage, ModelProvider, ModelRequest } from './provider.ts'

const KEY = 'sk-test-0123456789-q7Rw'
const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** Answers in this order; the last one again for what comes after. */
async function serve(...replies: readonly Reply[]): Promise<ModelServer> {
  const server = await startModelServer({ script: (_, index) => replies[index] ?? replies.at(-1) ?? say('') })
  servers.push(server)
  return server
}
const message = (...blocks: ScriptBlock[]): Reply => ({ kind: 'message', blocks })
const text = (words: string): ScriptBlock => ({ type: 'text', text: words })

/** Waits of ours take no time; how long they would have been is told by the `retrying` events. */
const clock = { now: () => Date.now(), after: (_: number, callback: () => void) => systemClock.after(0, callback) }
const never = { now: Date.now, after: () => () => {} }
const shared = { key: KEY, chance: () => 0, find: () => undefined }
type Make = (url: string, time?: typeof clock) => ModelProvider

const providers: readonly (readonly [name: string, make: Make])[] = [
  ['anthropic', (url, time = clock) => createAnthropic({ ...shared, clock: time, baseUrl: url })],
  ['openai', (url, time = clock) => createOpenAiCompatible({ ...shared, clock: time, id: 'openai', name: 'OpenAI', baseUrl: `${url}/v1` })],
]

const user = (words: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text: words }] })
const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm-1',
  system: 'Be brief.',
  messages: [user('Hello')],
  tools: [{ name: 'files__read', description: 'Reads', inputSchema: { type: 'object' } }],
  ...change,
})

describe.each(providers)('%s', (id, make) => {
  async function collect(server: ModelServer, change: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
    const events: ModelEvent[] = []
    for await (const event of make(server.url).stream(request(change), new AbortController().signal)) events.push(event)
    return events
  }
  const errorOf = (work: Promise<unknown>): Promise<HostError> =>
    work.then(
      () => expect.unreachable(),
      (error: HostError) => error,
    )
  const textOf = (events: readonly ModelEvent[], type: 'text' | 'thinking'): string =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join('')

  test('text comes as it is written, and the end is told', async () => {
    const server = await serve(say('One two three'))
    const events = await collect(server)
    expect([textOf(events, 'text'), events.filter(({ type }) => type === 'text').length, events.at(-1)]).toEqual([
      'One two three',
      3,
      { type: 'done', reason: 'end' },
    ])
    expect(keyOf(server.requests[0]?.headers ?? {})).toBe(KEY)
  })

  test('usage is told, and what was read from the cache apart', async () => {
    const events = await collect(await serve({ ...say('One'), usage: { input: 7, output: 9, cacheRead: 5 } } as Reply))
    const last = events.findLast((event) => event.type === 'usage')
    expect(last?.usage).toMatchObject({ inputTokens: 7, outputTokens: 9, cacheReadTokens: 5 })
  })

  test('thinking comes before the text, as a part of its own that ends', async () => {
    const events = await collect(await serve(message({ type: 'thinking', thinking: 'Let me see', signature: 's' }, text('Hi'))))
    expect([textOf(events, 'thinking'), textOf(events, 'text')]).toEqual(['Let me see', 'Hi'])
    const kinds = events.filter(({ type }) => type !== 'usage').map(({ type }) => type)
    expect(kinds.filter((kind, at) => kind !== kinds[at - 1])).toEqual(['thinking', 'thinking-end', 'text', 'done'])
    const index = (type: string): unknown => events.find((event) => event.type === type && 'index' in event)
    expect(index('thinking')).toMatchObject({ index: 0 })
    expect(index('text')).toMatchObject({ index: 1 })
  })

  test('parallel tool calls come whole, each begun before it ends, after the text', async () => {
    const call = (callId: string, path: string): ScriptBlock => ({ type: 'tool_use', id: callId, name: 'files__read', input: { path } })
    const events = await collect(await serve(message(text('I look.'), call('c1', '/a/long/path/to/a/file'), call('c2', '/b'))))
    const tool = { providerId: 'c1', name: 'files__read' }
    expect(events.filter(({ type }) => type === 'tool-call-start')).toEqual([
      { type: 'tool-call-start', index: 1, ...tool },
      { type: 'tool-call-start', index: 2, ...tool, providerId: 'c2' },
    ])
    expect(events.filter(({ type }) => type === 'tool-call' || type === 'done')).toEqual([
      { type: 'tool-call', index: 1, ...tool, inputText: '{"path":"/a/long/path/to/a/file"}' },
      { type: 'tool-call', index: 2, ...tool, providerId: 'c2', inputText: '{"path":"/b"}' },
      { type: 'done', reason: 'tool-calls' },
    ])
  })

  test('JSON that is cut off comes to the letter: it is the model’s to mend', async () => {
    const events = await collect(await serve(message({ type: 'tool_use', id: 'c1', name: 'files__read', inputText: '{"path": "/un' })))
    expect(events.find(({ type }) => type === 'tool-call')).toMatchObject({ inputText: '{"path": "/un' })
  })

  test.each([
    ['refusal', 'refusal'],
    ['max_tokens', 'max-tokens'],
    ['stop_sequence', 'stop-sequence'],
  ] as const)('an answer that ends by %s says so', async (stopReason, reason) => {
    const events = await collect(await serve({ ...say('I'), stopReason } as Reply))
    expect(events.at(-1)).toEqual({ type: 'done', reason })
  })

  test.each<[string, Reply, string, object]>([
    ['401', fail(401, 'authentication_error'), 'model.key-refused', { status: 401 }],
    ['403', fail(403, 'permission_error'), 'model.key-refused', { status: 403 }],
    ['404', fail(404, 'not_found_error'), 'model.unknown', { status: 404, model: 'm-1' }],
    ['413', fail(413, 'request_too_large'), 'model.too-long', { status: 413 }],
    ['400', fail(400, 'invalid_request_error'), 'model.request-refused', { status: 400 }],
    ['429 for long', fail(429, 'rate_limit_error', { 'retry-after': '3600' }), 'model.rate-limited', { retryAfterMs: 3_600_000 }],
    ['a stream that ends early', { kind: 'cut', blocks: [text('Half')], how: 'end' }, 'model.bad-answer', {}],
    ['a stream whose socket breaks', { kind: 'cut', blocks: [text('Half')], how: 'reset' }, 'model.bad-answer', {}],
    [
      'a call that is cut off',
      { kind: 'cut', blocks: [{ type: 'tool_use', name: 'files__read', inputText: '{"path":"/a"}' }], how: 'end' },
      'model.bad-answer',
      {},
    ],
    ['an overload in the stream', { kind: 'error-event', blocks: [text('Half')], type: 'overloaded_error' }, 'model.overloaded', {}],
  ])('%s is known for what it is, and not tried again', async (_, reply, code, data) => {
    const server = await serve(reply)
    const error = await errorOf(collect(server))
    expect({ code: error.code, data: error.data }).toMatchObject({ code, data })
    expect(server.requests).toHaveLength(1)
  })

  test('a page in place of an answer is no answer', async () => {
    const server = await serve({ kind: 'raw', status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Hi</h1>' })
    expect(['model.bad-answer', 'model.endpoint-wrong']).toContain((await errorOf(collect(server))).code)
  })

  test('a redirect is not followed: it would take the key along', async () => {
    const elsewhere = await serve(say('hi'))
    const server = await serve({ kind: 'raw', status: 307, headers: { location: `${elsewhere.url}/v1/chat/completions` }, body: '' })
    expect((await errorOf(collect(server))).data).toMatchObject({ status: 307 })
    expect(elsewhere.requests).toEqual([])
  })

  test('the key is in no error, not even when a proxy repeats it', async () => {
    const server = await serve({ kind: 'error', status: 401, type: 'authentication_error', message: `bad key ${KEY}` })
    const error = await errorOf(collect(server))
    expect(JSON.stringify([error.toValue(), error.stack, String(error.cause)])).not.toContain('0123456789')
    expect(error.data['detail']).toBe('bad key •••')
  })

  test.each<[string, Reply, string, number[]]>([
    ['429 with retry-after', fail(429, 'rate_limit_error', { 'retry-after': '2' }), 'model.rate-limited', [2000, 2000]],
    ['529', fail(529, 'overloaded_error'), 'model.overloaded', [1000, 2000]],
    ['503', fail(503, 'api_error'), 'model.server-error', [1000, 2000]],
    ['503 with retry-after', fail(503, 'api_error', { 'retry-after': '5' }), 'model.server-error', [5000, 5000]],
    ['500', fail(500, 'api_error'), 'model.server-error', [1000, 2000]],
    ['a connection that drops', { kind: 'drop' }, 'model.offline', [1000, 2000]],
  ])('%s is tried three times', async (_, reply, code, waits) => {
    const server = await serve(reply)
    const events: ModelEvent[] = []
    const run = async (): Promise<void> => {
      for await (const event of make(server.url).stream(request(), new AbortController().signal)) events.push(event)
    }
    expect((await errorOf(run())).code).toBe(code)
    expect(events).toEqual(waits.map((afterMs) => ({ type: 'retrying', afterMs, reason: code })))
    expect(server.requests).toHaveLength(3)
  })

  test('what passes goes on as if nothing had been', async () => {
    const events = await collect(await serve(fail(529, 'overloaded_error'), say('Here')))
    expect([events[0]?.type, textOf(events, 'text'), events.at(-1)?.type]).toEqual(['retrying', 'Here', 'done'])
  })

  test('cancelling in mid-stream hangs up', async () => {
    const server = await serve(message(text('Begun'), { type: 'gate', until: new Promise<void>(() => {}) }))
    const stop = new AbortController()
    const run = async (): Promise<void> => {
      for await (const event of make(server.url).stream(request(), stop.signal)) if (event.type === 'text') stop.abort()
    }
    expect((await errorOf(run())).code).toBe('cancelled')
    await expect.poll(() => server.requests[0]?.gone.aborted).toBe(true)
  })

  test('cancelling before the first word, and while it waits to try again, ends it', async () => {
    const silent = await serve({ kind: 'hang' })
    const stop = new AbortController()
    const first = make(silent.url).stream(request(), stop.signal)[Symbol.asyncIterator]().next()
    await expect.poll(() => silent.requests.length).toBe(1)
    stop.abort()
    expect((await errorOf(first)).code).toBe('cancelled')
    const busy = await serve(fail(529, 'overloaded_error'))
    const again = new AbortController()
    const run = async (): Promise<void> => {
      for await (const event of make(busy.url, never).stream(request(), again.signal))
        if (event.type === 'retrying') queueMicrotask(() => again.abort())
    }
    expect((await errorOf(run())).code).toBe('cancelled')
  })

  test('an address that nothing answers is offline, for the list and for a message', async () => {
    const server = await serve(say(''))
    await server.close()
    const error = await errorOf(make(server.url).listModels(new AbortController().signal))
    expect({ code: error.code, data: error.data }).toMatchObject({ code: 'model.offline', data: { cause: 'ECONNREFUSED' } })
    expect((await errorOf(collect(server))).code).toBe('model.offline')
  })

  test('the list names its models with their provider', async () => {
    const models = await make((await serve(say(''))).url).listModels(new AbortController().signal)
    expect(models.map((model) => [model.id, model.provider, model.ai])).toEqual([
      [`${id}/claude-large-1`, id, true],
      [`${id}/claude-small-1`, id, true],
    ])
  })

  test('a conversation that another model began goes on: its calls and results, without its thinking', async () => {
    const server = await serve(say('done'))
    const foreign = 'practice_0123456789012345678901234567890123456789'
    const content: ModelMessage[] = [
      user('Hello'),
      {
        role: 'assistant',
        model: 'other/model',
        content: [
          { type: 'thinking', text: 'a secret thought', signature: 'signed elsewhere' },
          { type: 'tool-call', providerId: foreign, name: 'files__read', input: { path: '/a' } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool-result', providerId: foreign, content: [{ type: 'text', text: 'the text' }], isError: false }],
      },
    ]
    expect((await collect(server, { messages: content })).at(-1)).toEqual({ type: 'done', reason: 'end' })
    const sent = JSON.stringify(server.requests[0]?.body)
    expect(sent).not.toMatch(/secret thought|signed elsewhere/)
    expect(sent).toContain('the text')
    const ids = [...sent.matchAll(/"(?:id|tool_use_id|tool_call_id)":"([^"]+)"/g)].map(([, one]) => one ?? '')
    expect([ids.length, new Set(ids).size, ids.every((one) => /^[\w-]{1,64}$/.test(one))]).toEqual([2, 1, true])
  })

  test('a picture goes along', async () => {
    const server = await serve(say('a dot'))
    const picture: ModelMessage = { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }] }
    await collect(server, { messages: [picture] })
    expect(JSON.stringify(server.requests[0]?.body['messages'])).toContain('iVBORw0KGgo=')
  })

  test('a limit and stop sequences go along; a level of effort in the API’s own words', async () => {
    const server = await serve(say('ok'))
    await collect(server, { maxTokens: 99, stopSequences: ['END', ' '], effort: 'low' })
    await collect(server, { effort: 'auto' })
    const [asked, auto] = server.requests.map(({ body }) => JSON.stringify(body))
    expect(asked).toMatch(/"max_(completion_)?tokens":99/)
    expect(asked).toMatch(/"stop(_sequences)?":\["END"\]/)
    expect(asked).toMatch(/"(reasoning_)?effort":"low"/)
    expect(auto).not.toContain('effort')
  })

  test('a history with thinking, signatures, parallel calls, pictures and a PDF of another model is taken, and one’s own after it', async () => {
    const server = await serve(say('done'))
    const step = (model: string, name: string): ModelMessage[] => [
      user('Go'),
      {
        role: 'assistant',
        model,
        content: [
          { type: 'thinking', text: `thought of ${name}`, signature: 'reasoning' },
          { type: 'thinking', text: '', redacted: `sealed by ${name}` },
          { type: 'text', text: 'I look.' },
          {
            type: 'tool-call',
            providerId: `${name}/1`,
            name: 'files__read',
            input: { path: '/a' },
            providerData: { extra_content: { of: name } },
          },
          { type: 'tool-call', providerId: `${name}/2`, name: 'files__read', input: { path: '/b' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool-result',
            providerId: `${name}/1`,
            content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }],
            isError: false,
          },
          { type: 'tool-result', providerId: `${name}/2`, content: [{ type: 'text', text: 'no' }], isError: true },
          { type: 'document', mimeType: 'application/pdf', data: 'JVBERi0=', name: 'Lease.pdf' },
        ],
      },
      { role: 'assistant', model, content: [{ type: 'text', text: 'Seen.' }] },
    ]
    const others = ['anthropic/m-1', 'openai/m-1', 'practice/practice'].filter((model) => model !== `${id}/m-1`)
    const messages = [...others.flatMap((model) => step(model, model.slice(0, 4))), ...step(`${id}/m-1`, 'own'), user('And now?')]
    expect((await collect(server, { messages })).at(-1)).toEqual({ type: 'done', reason: 'end' })
    const body = server.requests[0]?.body ?? {}
    const sent = JSON.stringify(body)
    for (const model of others)
      expect(sent).not.toMatch(new RegExp(`(thought of|sealed by) ${model.slice(0, 4)}|"of":"${model.slice(0, 4)}"`))
    // Every result stands right behind the call that it answers, and each call has one.
    const asked = [...sent.matchAll(/"id":"([\w-]+)"/g)].map(([, one]) => one)
    const answered = [...sent.matchAll(/"(?:tool_use_id|tool_call_id)":"([\w-]+)"/g)].map(([, one]) => one)
    expect([asked, new Set(asked).size]).toEqual([answered, 6])
    expect(sent.split('iVBORw0KGgo=')).toHaveLength(4)
    expect(sent.split('Lease.pdf').length).toBeGreaterThanOrEqual(4)
  })

  test('the SDK takes nothing from the environment', async () => {
    const server = await serve(say('hi'))
    const names = ['OPENAI_ORG_ID', 'OPENAI_PROJECT_ID', 'OPENAI_BASE_URL', 'OPENAI_API_KEY', 'ANTHROPIC_AUTH_TOKEN'] as const
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = 'http://127.0.0.1:1/stray'
    try {
      await collect(server)
    } finally {
      names.forEach((name, at) => {
        if (before[at] === undefined) delete process.env[name]
        else process.env[name] = before[at]
      })
    }
    expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('stray')
  })
})
