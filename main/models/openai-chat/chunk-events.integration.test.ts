// OpenRouter's `reasoning_details` over the wire and back, through the real SDK against a local endpoint.
import { afterEach, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import type { ModelEvent, ModelMessage } from '#main/models/provider.ts'
import { type Reply, say } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { createOpenAiCompatible } from './openai-provider.ts'

let server: ModelServer
afterEach(() => server.close())

/** What comes of a request, and what was sent. */
async function ask(reply: Reply, messages: readonly ModelMessage[]): Promise<{ readonly events: ModelEvent[]; readonly sent: JsonObject }> {
  server = await startModelServer({ script: () => reply })
  const find = (id: string) => ({ id, provider: 'local', name: id, ai: true })
  const provider = createOpenAiCompatible({ id: 'local', name: 'Local', baseUrl: `${server.url}/v1`, key: '', clock: systemClock, find })
  const events: ModelEvent[] = []
  for await (const event of provider.stream({ model: 'm', system: '', messages, tools: [] }, new AbortController().signal))
    events.push(event)
  return { events, sent: server.requests[0]?.body ?? {} }
}
const user = (words: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text: words }] })
const chunks = (...deltas: readonly object[]): Reply => ({
  kind: 'raw',
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: `${deltas.map((delta) => `data: ${JSON.stringify({ choices: [delta] })}\n\n`).join('')}data: [DONE]\n\n`,
})
const thoughtOf = (events: readonly ModelEvent[]): string =>
  events.flatMap((event) => (event.type === 'thinking' ? [event.text] : [])).join('')
const endOf = (events: readonly ModelEvent[]) => events.findLast((event) => event.type === 'thinking-end')

const text = (piece: object) => ({ type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, ...piece })
const secret = { type: 'reasoning.encrypted', data: 'gAAA', id: 'rs_1', format: 'openai-responses-v1', index: 1 }
const whole = [text({ text: 'Let me see', signature: 'sig' }), secret]
const called = {
  delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'read', arguments: '{}' } }] },
  finish_reason: 'tool_calls',
}

test('its pieces are put together, in their order', async () => {
  const reply = chunks(
    { delta: { reasoning: 'Let ', reasoning_details: [text({ text: 'Let ', signature: null })] } },
    { delta: { reasoning: 'me see', reasoning_details: [text({ text: 'me see' })] } },
    { delta: { reasoning_details: [text({ text: '', signature: 'sig' }), secret] } },
    called,
  )
  const { events } = await ask(reply, [user('Read')])
  expect([thoughtOf(events), endOf(events)]).toEqual([
    'Let me see',
    { type: 'thinking-end', index: 0, signature: 'reasoning', details: whole },
  ])
})

test.each([
  ['where nobody can read it, it is kept all the same', secret, ''],
  ['where nothing else says what was thought, it is shown', { type: 'reasoning.summary', summary: 'In short', index: 0 }, 'In short'],
])('%s', async (_title, detail, shown) => {
  const { events } = await ask(chunks({ delta: { reasoning_details: [detail] } }, called), [user('Read')])
  expect([thoughtOf(events), endOf(events)]).toMatchObject([shown, { details: [detail] }])
})

test.each([
  ['goes back with the result of the call, in place of the plain text', 'local/m', { reasoning_details: whole }],
  ['does not go to another model', 'local/other', {}],
])('it %s', async (_title, model, expected) => {
  const content = [
    { type: 'thinking', text: 'Let me see', signature: 'reasoning', details: whole as JsonObject[] },
    { type: 'tool-call', providerId: 'c1', name: 'read', input: {} },
  ] as const
  const result = { type: 'tool-result', providerId: 'c1', content: [{ type: 'text', text: '' }], isError: false } as const
  const { sent } = await ask(say('ok'), [user('Read'), { role: 'assistant', model, content }, { role: 'user', content: [result] }])
  const { role, content: _none, tool_calls: _calls, ...rest } = (sent['messages'] as readonly JsonObject[])[1] ?? {}
  expect([role, rest]).toEqual(['assistant', expected])
})
