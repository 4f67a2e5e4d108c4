import { expect, test } from 'vitest'
import type { ModelRequest, ModelTool } from '../provider.ts'
import { takesReferences } from './anthropic-events.ts'
import { toAnthropic } from './anthropic-provider.ts'

const tool = (name: string, deferred = false): ModelTool => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  ...(deferred ? { deferred: true } : {}),
})
const request = (model: string, found: readonly string[], tools: readonly ModelTool[]): ModelRequest => ({
  model,
  system: '',
  tools,
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', model: `anthropic/${model}`, content: [{ type: 'tool-call', providerId: 'p', name: 'find', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool-result', providerId: 'p', content: [{ type: 'text', text: 'These' }], isError: false, references: found }],
    },
  ],
})
const newer = 'claude-sonnet-5'

function sent(model: string, found: readonly string[], tools: readonly ModelTool[]) {
  const params = toAnthropic(request(model, found, tools), undefined)
  const [block] = (params.messages.at(-1)?.content ?? []) as readonly { readonly content?: unknown }[]
  return {
    held: params.tools?.map((one) => ('defer_loading' in one ? one.defer_loading : false)),
    marked: params.tools?.map((one) => 'cache_control' in one),
    result: block?.content,
  }
}
const text = [{ type: 'text', text: 'These' }]

test('what a search found is held back, named in its result, and carries no mark for the cache', () => {
  expect(sent(newer, ['a', 'b'], [tool('find'), tool('a', true), tool('b', true)])).toEqual({
    held: [false, true, true],
    marked: [true, false, false],
    result: [
      { type: 'tool_reference', tool_name: 'a' },
      { type: 'tool_reference', tool_name: 'b' },
    ],
  })
})

test.each<[string, string, readonly string[], readonly ModelTool[]]>([
  ['an older model', 'claude-sonnet-4-20250514', ['a'], [tool('find'), tool('a', true)]],
  ['a result that found what is in the list already', newer, ['a', 'find'], [tool('find'), tool('a', true)]],
  ['a tool that is gone', newer, ['gone'], [tool('find'), tool('a', true)]],
  ['a result that was left out', newer, [], [tool('find'), tool('a', true)]],
])('%s: the text goes, and the definitions like any other', (_, model, found, tools) => {
  expect(sent(model, found, tools)).toEqual({ held: [false, false], marked: [false, true], result: text })
})

test.each([
  ['claude-opus-4-5-20251101', true],
  ['claude-haiku-4-5', true],
  ['claude-sonnet-5', true],
  ['claude-opus-5-20260801', true],
  ['claude-opus-4-1-20250805', false],
  ['claude-sonnet-4-20250514', false],
  ['claude-3-7-sonnet-20250219', false],
  ['claude-large-1', false],
  ['something-else', false],
])('%s can: %s', (model, can) => {
  expect(takesReferences(model)).toBe(can)
})
