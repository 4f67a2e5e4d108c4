// The API's own search for tools, through the real SDK, against a server that speaks its format.
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '#main/base/clock.ts'
import type { ModelAssistantBlock, ModelEvent, ModelMessage, ModelProvider, ModelRequest, ModelTool } from '#main/models/provider.ts'
import { fail, type Reply, type ScriptBlock, say } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { searchBlocks } from '../../../e2e/model-server/stream.ts'
import { createAnthropic } from './anthropic-provider.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

interface SentBody {
  readonly tools: readonly { readonly name: string; readonly defer_loading?: boolean; readonly cache_control?: object }[]
  readonly messages: readonly { readonly role: string; readonly content: readonly unknown[] }[]
}

interface Kit {
  readonly server: ModelServer
  readonly provider: ModelProvider
  ask(change?: Partial<ModelRequest>): Promise<ModelEvent[]>
  /** Of one request: the tools, as `name`, `name held` or `name marked`. */
  tools(at: number): string[]
  messages(at: number): SentBody['messages']
}

async function open(replies: readonly Reply[], models: readonly string[] = []): Promise<Kit> {
  const server = await startModelServer({
    script: (_, index) => replies[index] ?? replies.at(-1) ?? say(''),
    models: models.map((id) => ({ id, display_name: id })),
  })
  servers.push(server)
  const provider = createAnthropic({ key: 'k', baseUrl: server.url, clock: systemClock, find: () => undefined })
  const sent = (at: number) => server.requests[at]?.body as unknown as SentBody
  return {
    server,
    provider,
    async ask(change = {}) {
      const events: ModelEvent[] = []
      for await (const event of provider.stream({ ...request, ...change }, new AbortController().signal)) events.push(event)
      return events
    },
    tools: (at) =>
      sent(at).tools.map(
        ({ name, defer_loading, cache_control }) => `${name}${defer_loading ? ' held' : ''}${cache_control ? ' marked' : ''}`,
      ),
    messages: (at) => sent(at).messages,
  }
}

const tool = (name: string, more: Partial<ModelTool> = {}): ModelTool => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  ...more,
})
const hello: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Hello' }] }
const request: ModelRequest = {
  model: 'claude-sonnet-5',
  system: '',
  messages: [hello],
  tools: [tool('assent__find_tools', { finds: true }), tool('files__read'), tool('files__found', { deferred: true })],
  searchable: [tool('post__track'), tool('post__send')],
}
const search: Extract<ScriptBlock, { type: 'tool_search' }> = {
  type: 'tool_search',
  id: 'srvtoolu_1',
  query: 'track parcel',
  found: ['post__track', 'post__send'],
}
const native = ['tool_search_tool_bm25', 'files__read marked', 'files__found held', 'post__track held', 'post__send held']
const ours = ['assent__find_tools', 'files__read', 'files__found marked']

test('the API searches what is held back, in place of the host’s own search, and its mark for the cache stands before', async () => {
  const kit = await open([say('ok')])
  await kit.ask()
  expect(kit.tools(0)).toEqual(native)
})

test('what it searched and found comes with the blocks that go back', async () => {
  const kit = await open([{ kind: 'message', blocks: [{ type: 'text', text: 'So' }, search, { type: 'text', text: 'Done' }] }])
  const events = (await kit.ask()).filter(({ type }) => type !== 'usage')
  expect(events).toEqual([
    { type: 'text', index: 0, text: 'So' },
    { type: 'search-start', index: 1, providerId: 'srvtoolu_1' },
    {
      type: 'searched',
      index: 1,
      providerId: 'srvtoolu_1',
      by: 'Anthropic',
      query: 'track parcel',
      found: ['post__track', 'post__send'],
      blocks: searchBlocks(search),
    },
    { type: 'text', index: 3, text: 'Done' },
    { type: 'done', reason: 'end' },
  ])
})

test('a search that fails says why, and a break of the API is no end', async () => {
  const kit = await open([{ kind: 'message', blocks: [{ ...search, found: 'unavailable' }], stopReason: 'pause_turn' }])
  const events = await kit.ask()
  expect(events.find(({ type }) => type === 'searched')).toMatchObject({ found: [], failed: 'unavailable' })
  expect(events.at(-1)).toEqual({ type: 'done', reason: 'paused' })
})

describe('in the history', () => {
  const use = { type: 'tool-call', providerId: 'toolu_1', name: 'post__track', input: {} } as const
  const history = (blocks: readonly object[]): readonly ModelMessage[] => [
    hello,
    {
      role: 'assistant',
      model: 'anthropic/claude-sonnet-5',
      content: [{ type: 'searched', blocks } as ModelAssistantBlock, use],
    },
    { role: 'user', content: [{ type: 'tool-result', providerId: 'toolu_1', content: [{ type: 'text', text: 'Lyon' }], isError: false }] },
  ]
  const toolUse = { type: 'tool_use', id: 'toolu_1', name: 'post__track', input: {} }
  const sent = async (blocks: readonly object[], change: Partial<ModelRequest> = {}): Promise<unknown> => {
    const kit = await open([say('ok')])
    await kit.ask({ messages: history(blocks), ...change })
    return kit.messages(0)[1]?.content
  }

  test('it stands where it stood, unchanged', async () => {
    expect(await sent(searchBlocks(search))).toEqual([...searchBlocks(search), toolUse])
  })
  test('a tool that is gone is named no more: the API would refuse all of it', async () => {
    expect(await sent(searchBlocks(search), { searchable: [tool('post__track')] })).toEqual([
      ...searchBlocks({ ...search, found: ['post__track'] }),
      toolUse,
    ])
  })
  test.each<[string, readonly object[], Partial<ModelRequest>]>([
    ['a model without the search', searchBlocks(search), { model: 'claude-3-7-sonnet-20250219' }],
    ['a request in which all tools are sent', searchBlocks(search), { searchable: [] }],
    ['half a search', searchBlocks(search).slice(0, 1), {}],
    ['something else that was put there', [{ type: 'text', text: 'No' }, ...searchBlocks(search).slice(1)], {}],
  ])('%s reads nothing of it', async (_, blocks, change) => {
    expect(await sent(blocks, change)).toEqual([toolUse])
  })
})

describe('where the API refuses it', () => {
  const refused = fail(400, 'invalid_request_error')

  test('the same request goes with the host’s own search, in this run from then on', async () => {
    const kit = await open([refused, say('Here'), say('Again'), say('Other')])
    const events = await kit.ask()
    await kit.ask()
    await kit.ask({ model: 'claude-opus-5' })
    expect(events.at(-1)).toEqual({ type: 'done', reason: 'end' })
    expect([0, 1, 2, 3].map(kit.tools)).toEqual([native, ours, ours, native])
  })

  test('a refusal that had another reason is told, and the API is asked to search again', async () => {
    const kit = await open([refused, refused, say('Here')])
    await expect(kit.ask()).rejects.toMatchObject({ code: 'model.request-refused' })
    await kit.ask()
    expect([0, 1, 2].map(kit.tools)).toEqual([native, ours, native])
  })

  test.each([
    [401, 'authentication_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
  ])('%i is no word about it', async (status, type) => {
    const kit = await open([fail(status, type)])
    await expect(kit.ask()).rejects.toMatchObject({ data: { status } })
    expect(kit.server.requests).toHaveLength(1)
  })
})

test('a model that has it is known by its name', async () => {
  const { provider } = await open([], ['claude-sonnet-5', 'claude-opus-4-1'])
  const models = await provider.listModels(new AbortController().signal)
  expect(models.map(({ toolSearch }) => toolSearch)).toEqual([true, undefined])
})
