// Ollama's own API over real HTTP on loopback. The shapes of the answers are those of `e2e/model-server/ollama-server.ts`, which names its sources.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventPayload } from '#app/contract/events.ts'
import { HostError } from '#app/errors.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { defaultSettings } from '#app/settings.ts'
import { systemClock } from '#main/base/clock.ts'
import type { AuditEntry } from '#main/store/store-api.ts'
import { llama, type OllamaServer, pulling, startOllamaServer } from '../../../e2e/model-server/ollama-server.ts'
import { auditedModels, createModels } from '../host-models.ts'
import type { Models } from '../models-api.ts'
import type { ModelEvent, ModelMessage, ModelRequest } from '../provider.ts'

let server: OllamaServer
let models: Models
let told: EventPayload<'pulls.changed'>['pulls'][]
let contextSizes: Record<string, number>
const facts = new Map<string, Json>()
beforeEach(async () => {
  server = await startOllamaServer()
  told = []
  contextSizes = {}
  facts.clear()
  models = make()
  await models.load()
})
afterEach(async () => {
  models.dispose()
  await server.close()
})

function make(): Models {
  const silent = (): void => {}
  const settings = () => ({ ...defaultSettings, contextSizes })
  return createModels({
    secrets: { kind: 'memory', get: async () => undefined, set: async () => {}, delete: async () => {} },
    settings: { get: settings, set: settings, fact: (name) => facts.get(name), setFact: (name, value) => void facts.set(name, value) },
    emit: (name, payload) => void (name === 'pulls.changed' && told.push((payload as EventPayload<'pulls.changed'>).pulls)),
    clock: systemClock,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    env: { ASSENT_LOCAL_MODEL_PORTS: new URL(server.url).port },
  })
}

const port = (): string => new URL(server.url).port
const idOf = (name: string): string => `local-${port()}/${name}`
const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const tool = { name: 'demo__add', description: 'Adds.', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }
const thinker = { ...llama, name: 'qwen3:8b', capabilities: ['completion', 'tools', 'thinking', 'vision'] }
const end = (change: JsonObject = {}): JsonObject => ({
  model: 'm',
  created_at: '2026-08-20T10:00:01Z',
  message: { role: 'assistant', content: '' },
  done_reason: 'stop',
  done: true,
  total_duration: 182_242_375,
  load_duration: 41_295_167,
  prompt_eval_count: 169,
  prompt_eval_duration: 24_573_166,
  eval_count: 15,
  eval_duration: 115_959_084,
  ...change,
})
const part = (message: JsonObject): JsonObject => ({
  model: 'm',
  created_at: 'x',
  message: { role: 'assistant', content: '', ...message },
  done: false,
})

async function ask(name: string, change: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  const request = { system: 'Be brief.', messages: [user('hi')], tools: [tool], ...change }
  for await (const event of models.stream(idOf(name), request, new AbortController().signal)) events.push(event)
  return events
}
async function found(...list: OllamaServer['models']): Promise<void> {
  if (list.length > 0) server.models = list
  await models.lookHere(true)
}
const sent = (): JsonObject => server.asked.findLast(({ path }) => path === '/api/chat')?.body ?? {}
const refused = (name: string, change?: Partial<ModelRequest>): Promise<HostError> =>
  ask(name, change).then(
    () => expect.fail('It was not refused.'),
    (error: unknown) => (error instanceof HostError ? error : expect.fail(String(error))),
  )

test('its own list says what a model can do, and how much it reads', async () => {
  await found(llama, thinker, { ...llama, name: 'nomic-embed-text:latest', capabilities: ['embedding'] })
  const [plain, thinking, embedding] = models.list()
  expect(models.providers().find(({ endpoint }) => endpoint === 'local')).toMatchObject({ ollama: true, modelCount: 3 })
  expect(plain).toMatchObject({ name: 'llama3.1:8b', tools: true, images: false, reasoning: false, efforts: [], ollama: { most: 131_072 } })
  expect(thinking).toMatchObject({ reasoning: true, images: true, efforts: ['none', 'low', 'medium', 'high', 'max'] })
  expect(embedding).toMatchObject({ name: 'nomic-embed-text', chat: false })
  expect([4096, 8192, 16_384, 32_768]).toContain(plain?.contextTokens)
})

test('a model whose digest is the same is not looked up again, also by the next run, and keeps its context', async () => {
  await found({ ...llama, parameters: 'num_ctx                        9000' })
  const shows = () => server.asked.filter(({ path }) => path === '/api/show').length
  const context = () => models.find(idOf(llama.name))?.contextTokens
  expect([shows(), context()]).toEqual([1, 9000])
  models.dispose()
  models = make()
  await models.load()
  await found({ ...llama, parameters: 'num_ctx 8000' })
  expect([shows(), context()]).toEqual([1, 9000])
  await found({ ...llama, parameters: 'num_ctx 8000', digest: 'another' })
  expect([shows(), context()]).toEqual([2, 8000])
})

test('an address with /v1 that the person added is known as Ollama, also without any model', async () => {
  server.models = []
  await models.saveEndpoint({ name: 'Mine', baseUrl: `${server.url}/v1` })
  expect(models.providers().find(({ id }) => id === 'mine')).toMatchObject({ ollama: true, modelCount: 0 })
})

test('the context goes with each request, the person’s before any other, and nothing may be cut', async () => {
  await found({ ...llama, parameters: 'num_ctx 8192' })
  server.chat = [{ lines: [part({ content: 'Hel' }), part({ content: 'lo' }), end()] }, { lines: [end()] }]
  expect(await ask(llama.name, { temperature: 0.5, maxTokens: 100, stopSequences: ['END'] })).toEqual([
    { type: 'text', index: 0, text: 'Hel' },
    { type: 'text', index: 0, text: 'lo' },
    { type: 'usage', usage: { inputTokens: 169, outputTokens: 15 } },
    { type: 'done', reason: 'end' },
  ])
  expect(sent()).toEqual({
    model: llama.name,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hi' },
    ],
    tools: [{ type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.inputSchema } }],
    truncate: false,
    shift: false,
    options: { num_ctx: 8192, temperature: 0.5, num_predict: 100, stop: ['END'] },
  })
  contextSizes = { [idOf(llama.name)]: 20_000 }
  await ask(llama.name)
  expect([sent()['options'], models.find(idOf(llama.name))?.contextTokens]).toEqual([{ num_ctx: 20_000 }, 20_000])
})

test('thinking, and parallel calls without ids, of which each gets one', async () => {
  await found(thinker)
  const call = (a: number) => ({ function: { name: tool.name, arguments: { a } } })
  server.chat = [
    {
      lines: [
        part({ thinking: 'Two ' }),
        part({ thinking: 'sums.' }),
        part({ tool_calls: [call(1), call(2)] }),
        part({ tool_calls: [call(3)] }),
        end(),
      ],
    },
  ]
  const events = await ask(thinker.name, { effort: 'high' })
  const calls = events.filter((event) => event.type === 'tool-call')
  expect(events.filter(({ type }) => type === 'thinking' || type === 'done')).toEqual([
    { type: 'thinking', index: 0, text: 'Two ' },
    { type: 'thinking', index: 0, text: 'sums.' },
    { type: 'done', reason: 'tool-calls' },
  ])
  expect([calls.map(({ inputText }) => inputText), new Set(calls.map(({ providerId }) => providerId)).size]).toEqual([
    ['{"a":1}', '{"a":2}', '{"a":3}'],
    3,
  ])
})

test('a tool loop goes back with the names of the tools, the thinking of the turn, and images beside the text', async () => {
  await found(thinker)
  server.chat = [{ lines: [end()] }]
  const image = { type: 'image' as const, mimeType: 'image/png', data: 'aGk=' }
  await ask(thinker.name, {
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'add' }, image] },
      {
        role: 'assistant',
        model: idOf(thinker.name),
        content: [
          { type: 'thinking', text: 'I add.', signature: 'reasoning' },
          { type: 'tool-call', providerId: 'call_1', name: tool.name, input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool-result', providerId: 'call_1', content: [{ type: 'text', text: '2' }, image], isError: false }],
      },
    ],
  })
  expect(sent()['messages']).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'add', images: ['aGk='] },
    {
      role: 'assistant',
      content: '',
      thinking: 'I add.',
      tool_calls: [{ id: 'call_1', function: { name: tool.name, arguments: { a: 1 } } }],
    },
    { role: 'tool', content: '2\n[1 image follows.]', tool_name: tool.name, tool_call_id: 'call_1' },
    { role: 'user', content: '', images: ['aGk='] },
  ])
})

test.each([
  ['as the model likes', 'auto', true],
  ['as little as possible', undefined, false],
  ['a level', 'medium', 'medium'],
  ['the most', 'max', 'max'],
] as const)('think: %s', async (_, effort, think) => {
  await found(thinker)
  server.chat = [{ lines: [end()] }]
  await ask(thinker.name, effort === undefined ? {} : { effort })
  expect(sent()['think']).toBe(think)
})

test('gpt-oss thinks at the least level where others do not think, and a model without thinking is told nothing', async () => {
  const oss = { ...thinker, name: 'gpt-oss:20b' }
  await found(oss, llama)
  server.chat = [{ lines: [end()] }, { lines: [end()] }]
  await ask(oss.name)
  expect(sent()['think']).toBe('low')
  await ask(llama.name, { effort: 'high' })
  expect('think' in sent()).toBe(false)
})

test('a version that knows no levels is asked once more, and remembered', async () => {
  await found(thinker)
  const no = { status: 400, lines: [{ error: 'think value "high" is not supported for this model' }] }
  server.chat = [no, { lines: [end()] }, { lines: [end()] }]
  await ask(thinker.name, { effort: 'high' })
  expect([server.chat.length, sent()['think']]).toEqual([1, true])
  await ask(thinker.name, { effort: 'high' })
  expect([server.chat.length, sent()['think']]).toEqual([0, true])
})

test.each([
  ['a limit', end({ done_reason: 'length' }), 'max-tokens'],
  ['an end', end(), 'end'],
])('%s ends the answer', async (_, last, reason) => {
  await found()
  server.chat = [{ lines: [part({ content: 'a' }), last] }]
  expect((await ask(llama.name)).at(-1)).toEqual({ type: 'done', reason })
})

const nested = { code: 400, message: 'request (2622 tokens) exceeds the available context size (512 tokens), try increasing it' }
test.each([
  ['0.40', { error: JSON.stringify({ error: { ...nested, type: 'exceed_context_size_error', n_prompt_tokens: 2622, n_ctx: 512 } }) }, 512],
  ['0.12.6', { error: 'the input length exceeds the context length' }, undefined],
  [
    'native chats',
    { error: 'the prompt is longer than the context length currently available to the model; shorten the prompt' },
    undefined,
  ],
])('a prompt that does not fit is refused as too long by %s', async (_, body, tokens) => {
  await found()
  server.chat = [{ status: 400, lines: [body] }]
  const error = await refused(llama.name)
  expect([error.code, error.data['contextTokens'], error.data['canGrow']]).toEqual(['model.too-long', tokens, true])
})

test('a larger context is offered only where the model reads more than it was loaded with', async () => {
  contextSizes = { [idOf(llama.name)]: 131_072 }
  await found()
  server.chat = [{ status: 400, lines: [{ error: 'the input length exceeds the context length' }] }]
  const error = await refused(llama.name)
  expect([models.find(idOf(llama.name))?.ollama?.most, error.data['canGrow']]).toEqual([131_072, undefined])
})

test('a version that cuts the prompt in silence is found out by its count', async () => {
  await found({ ...llama, parameters: 'num_ctx 512' })
  server.chat = [{ lines: [part({ content: 'Well' }), end({ prompt_eval_count: 512 })] }]
  expect((await refused(llama.name)).code).toBe('model.too-long')
})

test.each([
  ['in the middle', [part({ content: 'a' }), { error: 'an error was encountered while running the model' }], 'model.server-error'],
  ['with a status', [part({ content: 'a' }), { error: 'invalid message', status: 400 }], 'model.request-refused'],
  ['a stream that breaks off', [part({ content: 'a' })], 'model.bad-answer'],
])('an error %s', async (_, lines, code) => {
  await found()
  server.chat = [{ lines }]
  expect((await refused(llama.name)).code).toBe(code)
})

test('a model that is gone can be pulled; one of the cloud cannot, and is neither given a context', async () => {
  const cloud = { ...llama, name: 'gpt-oss:120b-cloud', bytes: 384, remoteHost: 'https://ollama.com:443' }
  await found(llama, cloud)
  expect((await refused(llama.name)).data).toMatchObject({ pull: idOf(llama.name), status: 404 })
  expect((await refused(cloud.name)).data).not.toHaveProperty('pull')
  expect(sent()['options']).toEqual({})
  server.chat = [{ status: 401, lines: [{ error: 'unauthorized', signin_url: 'https://ollama.com/connect?name=x' }] }]
  expect((await refused(cloud.name)).code).toBe('model.not-allowed')
})

const settled = async (done: () => boolean): Promise<void> => {
  while (!done()) await new Promise((resolve) => setImmediate(resolve))
}

test('a pull tells its bytes, refreshes the list, and is forgotten; the record has its begin and its end', async () => {
  await found()
  server.pull = { lines: pulling('qwen3:8b', 5_200_000_000) }
  const rows: AuditEntry[] = []
  const append = (entry: AuditEntry) => rows.push(entry) as never
  const ended = [1, 2].map(() => auditedModels(models, { append }).pull(`local-${port()}`, 'qwen3:8b'))
  expect(await Promise.all(ended)).toEqual(['done', 'done'])
  expect(models.pulls()).toEqual([])
  const said = (decision: string) => ({ kind: 'exchange', decision, detail: { method: 'pull', model: idOf('qwen3:8b') } })
  expect(rows).toMatchObject(['sent', 'sent', 'done', 'done'].map(said))
  expect(models.find(idOf('qwen3:8b'))).toBeDefined()
  expect(server.asked.filter(({ path }) => path === '/api/pull').map(({ body }) => body)).toEqual([{ model: 'qwen3:8b' }])
  expect(told[0]).toEqual([{ endpoint: `local-${port()}`, model: 'qwen3:8b', completed: 0, total: 0 }])
})

test('a pull in its middle has the bytes of all layers, and ends when it is cancelled', async () => {
  await found()
  const lines = pulling('big:1', 1000).slice(0, 3)
  const { promise: never, resolve: release } = Promise.withResolvers<void>()
  let written = 0
  const between = (): Promise<void> => {
    written += 1
    return written < lines.length ? Promise.resolve() : never
  }
  server.pull = { lines: [...lines, { status: 'later' }], between }
  const ended = models.pull(`local-${port()}`, 'big:1')
  await settled(() => models.pulls()[0]?.completed === 250)
  expect(models.pulls()).toEqual([{ endpoint: `local-${port()}`, model: 'big:1', completed: 250, total: 1000 }])
  models.cancelPull(`local-${port()}`, 'big:1')
  expect(await ended).toBe('cancelled')
  expect(told.at(-1)).toEqual([])
  release()
})

test('a pull that fails says why, and can be tried again or forgotten', async () => {
  await found()
  server.pull = { lines: [{ status: 'pulling manifest' }, { error: 'pull model manifest: file does not exist' }] }
  expect(await models.pull(`local-${port()}`, 'nothing')).toBe('failed')
  expect(models.pulls()[0]?.error?.data?.['detail']).toBe('pull model manifest: file does not exist')
  models.cancelPull(`local-${port()}`, 'nothing')
  expect(models.pulls()).toEqual([])
})
