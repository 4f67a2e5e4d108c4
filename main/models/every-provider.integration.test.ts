// The clauses of the seam itself (provider.ts), for every provider that there is: those of an API, each through its real SDK, and
// the practice model, which has no wire. What an API does besides stands in contract.integration.test.ts.
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '#main/base/clock.ts'
import { type Reply, say } from '../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../e2e/model-server/server.ts'
import { createAnthropic } from './anthropic/anthropic-provider.ts'
import { createPractice } from './host-models.ts'
import { createOpenAiCompatible } from './openai-chat/openai-provider.ts'
import type { ModelEvent, ModelMessage, ModelProvider, ModelRequest } from './provider.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const shared = { key: 'sk-test-0123456789-q7Rw', chance: () => 0, find: () => undefined, clock: systemClock }
const overHttp =
  (make: (url: string) => ModelProvider) =>
  async (reply: Reply): Promise<ModelProvider> => {
    const server = await startModelServer({ script: () => reply })
    servers.push(server)
    return make(server.url)
  }
const providers: readonly (readonly [name: string, open: (reply: Reply) => Promise<ModelProvider>])[] = [
  ['anthropic', overHttp((url) => createAnthropic({ ...shared, baseUrl: url }))],
  ['openai', overHttp((url) => createOpenAiCompatible({ ...shared, id: 'openai', name: 'OpenAI', baseUrl: `${url}/v1` }))],
  ['practice', async () => createPractice(shared)],
]

const tool = { name: 'demo__list_invoices', title: 'List invoices', description: 'Lists the invoices.', inputSchema: { type: 'object' } }
const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm-1',
  system: '',
  messages: [user('list the invoices')],
  tools: [tool],
  ...change,
})
const calling: Reply = {
  kind: 'message',
  blocks: [
    { type: 'text', text: 'I list them.' },
    { type: 'tool_use', id: 'c1', name: tool.name, input: {} },
  ],
}

async function eventsOf(provider: ModelProvider, asked: ModelRequest): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of provider.stream(asked, new AbortController().signal)) events.push(event)
  return events
}

describe.each(providers)('%s', (id, open) => {
  test('parts are numbered as they begin; a call begins, ends whole, and is of a tool that was offered; the end is told once and last', async () => {
    const events = await eventsOf(await open(calling), request())
    const numbers = events.flatMap((event) => ('index' in event ? [event.index] : []))
    expect([numbers[0], numbers.every((one, at) => at === 0 || one === numbers[at - 1] || one === (numbers[at - 1] ?? 0) + 1)]).toEqual([
      0,
      true,
    ])
    const words = events.flatMap((event) => (event.type === 'text' ? [event.index] : []))
    const begun = events.filter((event) => event.type === 'tool-call-start')
    const calls = events.filter((event) => event.type === 'tool-call')
    expect(calls.map(({ index }) => index)).toEqual([words.length === 0 ? 0 : 1])
    expect(words.every((index) => index === 0)).toBe(true)
    expect(calls.map(({ index, providerId, name }) => [index, providerId, name])).toEqual(
      begun.map(({ index, providerId, name }) => [index, providerId, name]),
    )
    expect(calls.map(({ name, inputText }) => [name, JSON.parse(inputText)])).toEqual([[tool.name, {}]])
    expect(events.filter(({ type }) => type === 'done')).toEqual([events.at(-1)])
    expect(events.at(-1)).toEqual({ type: 'done', reason: 'tool-calls' })
    expect(events.find(({ type }) => type === 'usage')).toBeDefined()
  })

  test('its own calls with their results are taken back, and it ends without another', async () => {
    const first = await eventsOf(await open(calling), request())
    const [call] = first.filter((event) => event.type === 'tool-call')
    if (!call) throw new Error('it called nothing')
    const { providerId, name } = call
    const messages: ModelMessage[] = [
      user('list the invoices'),
      { role: 'assistant', model: `${id}/m-1`, content: [{ type: 'tool-call', providerId, name, input: {} }] },
      { role: 'user', content: [{ type: 'tool-result', providerId, content: [{ type: 'text', text: 'None.' }], isError: false }] },
    ]
    const events = await eventsOf(await open(say('There are none.')), request({ messages }))
    expect([events.some(({ type }) => type === 'tool-call'), events.at(-1)]).toEqual([false, { type: 'done', reason: 'end' }])
    expect(events.some((event) => event.type === 'text' && event.text !== '')).toBe(true)
  })

  // All of the words have come when the first is given out: what was read ahead is no answer any more.
  test('who cancels gets “cancelled”: before the first word, and after it', async () => {
    const early = new AbortController()
    early.abort()
    const provider = await open(say('One two three four five six seven eight'))
    const take = async (controller: AbortController): Promise<number> => {
      let count = 0
      for await (const event of provider.stream(request({ tools: [] }), controller.signal)) {
        if (event.type !== 'text') continue
        count += 1
        controller.abort()
      }
      return count
    }
    await expect(take(early)).rejects.toMatchObject({ code: 'cancelled' })
    await expect(take(new AbortController())).rejects.toMatchObject({ code: 'cancelled' })
  })

  test('its models are its own, by name', async () => {
    const provider = await open(say(''))
    const models = await provider.listModels(new AbortController().signal)
    expect(models.length).toBeGreaterThan(0)
    for (const model of models)
      expect([model.provider, model.id.startsWith(`${provider.id}/`), model.name !== '']).toEqual([id, true, true])
  })
})
