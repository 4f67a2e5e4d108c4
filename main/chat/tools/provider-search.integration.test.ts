// The real loop, broker and store, with a model whose provider searches the tools itself.
import { afterEach, expect, test } from 'vitest'
import { FIND_TOOLS } from '#app/chat/tools/tool-names.ts'
import type { ModelInfo } from '#app/models/models.ts'
import type { ModelEvent } from '#main/models/provider.ts'
import type { OfferedTool } from '#main/servers/client/requests/running-calls.ts'
import { ALLOW, type Answer, calls, done, makeChat, says, type TestChat, text, until } from '../chat.testing.ts'
import { makeOfferedTool } from '../fake-tools.testing.ts'

const tool = (name: string, server: string, description: string): OfferedTool => {
  const made = makeOfferedTool(name, server)
  return { ...made, tool: { ...made.tool, description, tokens: 100 } }
}
const tools = [
  ...Array.from({ length: 300 }, (_, n) => tool(`thing_${n}`, 'bulk', `Does the thing that has the number ${n}.`)),
  tool('play_track', 'music', 'Play a track.'),
  tool('track_parcel', 'parcels', 'Track a parcel.'),
]
const scripted: ModelInfo = { id: 'anthropic/scripted', provider: 'anthropic', name: 'Scripted', ai: true, toolSearch: true }
const other: ModelInfo = { id: 'other/small', provider: 'other', name: 'Small', ai: true }
const PARCEL = 'parcels__track_parcel'
const blocks = [
  { type: 'server_tool_use', id: 's1' },
  { type: 'tool_search_tool_result', tool_use_id: 's1' },
]
const start: ModelEvent = { type: 'search-start', index: 0, providerId: 's1' }
const searched: ModelEvent = {
  type: 'searched',
  index: 0,
  providerId: 's1',
  by: 'Anthropic',
  query: 'parcel',
  found: [PARCEL],
  blocks,
}
const search: readonly ModelEvent[] = [start, searched]

let kit: TestChat
const open = (...script: readonly Answer[]): TestChat => {
  kit = makeChat({ tools, models: [scripted, other], script })
  return kit
}
afterEach(() => kit.dispose())

/** Those that stand first in the provider's cache. */
const atOnce = (step: number): string[] =>
  kit.requests[step]?.tools.flatMap(({ name, deferred, finds }) => (deferred || finds ? [] : [name])) ?? []
const searchable = (step: number): string[] => kit.requests[step]?.searchable?.map(({ name }) => name) ?? []
const sentBack = (step: number): unknown[] =>
  (kit.requests[step]?.messages ?? []).flatMap((message) =>
    message.role === 'assistant' ? message.content.flatMap((block) => (block.type === 'searched' ? [block.blocks] : [])) : [],
  )

test('what it finds is called like any other tool, and its blocks go back with each further request', async () => {
  open([...search, ...callsAfter(1, PARCEL)], says('It is in Lyon.'), says('Welcome'))
  const turn = kit.turn('Play some music')
  expect((await kit.asked())[0]).toMatchObject({ kind: 'tool-call', server: 'parcels' })
  await kit.answer(ALLOW)
  const id = await turn
  await kit.turn('Thanks', id)
  expect(kit.sent.map(({ tool: name }) => name)).toEqual(['track_parcel'])
  expect([0, 1, 2].map(sentBack)).toEqual([[], [blocks], [blocks]])
  expect(atOnce(0)).toContain('music__play_track')
  expect([atOnce(1), atOnce(2)]).toEqual([atOnce(0), atOnce(0)])
  const all = (step: number): number => new Set([...(kit.requests[step]?.tools ?? []).map(({ name }) => name), ...searchable(step)]).size
  expect(new Set([0, 1, 2].map(all)).size).toBe(1)
  expect(searchable(0)).toContain(PARCEL)
})

test('in the transcript it is a search that needed no consent, with what was searched and found', async () => {
  open([...search, text('I can.', 2), done()])
  const id = await kit.turn('Can you?')
  expect(kit.requests).toHaveLength(1)
  expect(kit.toolCalls(id)).toMatchObject([
    {
      modelName: FIND_TOOLS,
      own: true,
      ranAt: { name: 'Anthropic' },
      arguments: { query: 'parcel' },
      state: { kind: 'done', decision: { by: 'host' }, result: { structuredContent: { found: [PARCEL] }, isError: false } },
    },
  ])
  expect(kit.rows().some(({ tool: name }) => name === FIND_TOOLS)).toBe(false)
})

test('another model reads nothing of it, and is sent what was found', async () => {
  open([...search, text('I can.', 2), done()], says('So can I'))
  const id = await kit.turn('Can you?')
  kit.store.conversations.put({ ...kit.conversation(id), model: other.id })
  await kit.turn('And you?', id)
  expect(searchable(1)).toEqual([])
  expect(kit.requests[1]?.tools.map(({ name }) => name)).toEqual(expect.arrayContaining([FIND_TOOLS, PARCEL]))
  expect(kit.requests[1]?.messages.some(({ content }) => content.some(({ type }) => type === 'tool-result'))).toBe(false)
})

test('one that was cut off is no search: it is not sent back', async () => {
  open([text('Let me see.'), { ...start, index: 1 }, new Promise<void>(() => {})], says('Yes'))
  const { conversationId } = kit.chat.send({ text: 'Can you?' })
  await until(() => kit.toolCalls(conversationId).length === 1)
  kit.chat.stop(conversationId)
  await kit.chat.idle(conversationId)
  expect(kit.states(conversationId)).toEqual(['cancelled'])
  await kit.turn('Well?', conversationId)
  expect(sentBack(1)).toEqual([])
})

test('where the provider takes a break, the turn goes on by itself', async () => {
  open([...search, text('One moment.', 2), done('paused')], says('Here.'))
  const id = await kit.turn('Can you?')
  expect(kit.answers(id).map(({ state, cut }) => [state, cut])).toEqual([
    ['done', 'paused'],
    ['done', undefined],
  ])
  expect(kit.conversation(id).activity).toEqual({ kind: 'idle' })
})

function callsAfter(index: number, name: string): ModelEvent[] {
  return (calls(name) as readonly ModelEvent[]).map((event) => ('index' in event ? { ...event, index: event.index + index } : event))
}
