import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { ModelMessage, ModelRequest } from '../provider.ts'
import { toAnthropic } from './anthropic-provider.ts'

const word = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const tools = [
  { name: 'a', description: 'A', inputSchema: { type: 'object' } },
  { name: 'b', description: 'B', inputSchema: { type: 'object' } },
]
const request = (messages: readonly ModelMessage[]): ModelRequest => ({ model: 'm', system: 'Be brief.', messages, tools })

/** A step of many calls: more blocks than the API looks back for its cache. */
function step(number: number): ModelMessage[] {
  const ids = Array.from({ length: 30 }, (_, at) => `call-${number}-${at}`)
  return [
    {
      role: 'assistant',
      model: 'anthropic/m',
      content: [
        { type: 'thinking', text: 'Hm', signature: 's' },
        ...ids.map((providerId) => ({ type: 'tool-call' as const, providerId, name: 'a', input: { number } })),
      ],
    },
    {
      role: 'user',
      content: ids.map((providerId) => ({ type: 'tool-result', providerId, content: [{ type: 'text', text: 'ok' }], isError: false })),
    },
  ]
}

interface Marked {
  readonly type?: unknown
  readonly cache_control?: unknown
}
const blocksOf = (messages: readonly ModelMessage[]): readonly Marked[] => {
  const { tools: told = [], system, messages: sent } = toAnthropic(request(messages), undefined)
  return [
    ...told,
    ...(Array.isArray(system) ? system : []),
    ...sent.flatMap(({ role, content }) => (Array.isArray(content) ? content.map((block) => ({ role, ...block })) : [])),
  ]
}
const bytes = (block: Marked): string => {
  const { cache_control: _mark, ...rest } = block as JsonObject
  return JSON.stringify(rest)
}

describe('the prompt cache in a long tool conversation', () => {
  const requests = [1, 2, 3, 4].map((steps) => blocksOf([word('Go'), ...Array.from({ length: steps - 1 }, (_, at) => step(at)).flat()]))

  test('each request begins with the very bytes of the one before', () => {
    for (const [at, blocks] of requests.entries()) {
      const before = requests[at - 1] ?? []
      expect(blocks.slice(0, before.length).map(bytes)).toEqual(before.map(bytes))
    }
  })

  test('where the last request ended is marked again, so that no step is too long to be found', () => {
    const marks = requests.map((blocks) => blocks.flatMap((block, at) => (block.cache_control ? [at] : [])))
    for (const [at, own] of marks.entries()) {
      const end = (requests[at]?.length ?? 0) - 1
      expect([own.length <= 4, own.at(-1), at === 0 || own.includes((requests[at - 1]?.length ?? 0) - 1)]).toEqual([true, end, true])
    }
  })
})

test('a PDF goes as a document that can be cited, or as a word about it where the model takes none', () => {
  const pdf = { type: 'document', mimeType: 'application/pdf', data: 'JVBERi0=', name: 'Lease.pdf' } as const
  const sent = (documents?: boolean): unknown =>
    toAnthropic(
      request([{ role: 'user', content: [pdf] }]),
      documents === undefined ? undefined : { id: 'anthropic/m', provider: 'anthropic', name: 'M', ai: true, documents },
    ).messages[0]?.content
  expect(sent()).toMatchObject([
    { type: 'document', title: 'Lease.pdf', citations: { enabled: true }, source: { media_type: 'application/pdf', data: 'JVBERi0=' } },
  ])
  expect(sent(false)).toMatchObject([{ type: 'text', text: expect.stringContaining('Lease.pdf') }])
})
