// Sources of searched answers, as they were recorded, through the real SDK. They belong to the whole answer: 0 to 0.
import { afterEach, expect, test } from 'vitest'
import type { Citation } from '#app/chat/message.ts'
import { systemClock } from '#main/base/clock.ts'
import type { ModelEvent } from '#main/models/provider.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { createOpenAiCompatible } from './openai-provider.ts'

let server: ModelServer
afterEach(() => server.close())

async function eventsOf(...chunks: readonly object[]): Promise<ModelEvent[]> {
  const body = `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`
  const headers = { 'content-type': 'text/event-stream' }
  server = await startModelServer({ script: () => ({ kind: 'raw', status: 200, headers, body }) })
  const common = { id: 'lab', name: 'Lab', key: '', clock: systemClock, find: () => undefined }
  const provider = createOpenAiCompatible({ ...common, baseUrl: `${server.url}/v1` })
  const request = { model: 'm', system: '', messages: [], tools: [] }
  const events: ModelEvent[] = []
  for await (const event of provider.stream(request, new AbortController().signal)) events.push(event)
  return events
}
const sourcesOf = async (...chunks: readonly object[]): Promise<readonly Partial<Citation>[]> =>
  (await eventsOf(...chunks)).flatMap((event) => {
    if (event.type !== 'citation') return []
    const { source: _source, ...citation } = event.citation
    return [citation]
  })
const choice = (delta: object, finish: string | null = null): object => ({ choices: [{ index: 0, delta, finish_reason: finish }] })
const whole = { start: 0, end: 0 }

test('Perplexity: citations and search results become sources, each address once', async () => {
  // crmne/ruby_llm, chat_basic_chat_functionality_perplexity_sonar_returns_raw_responses (shortened)
  const found = {
    citations: ['https://www.britannica.com/place/France', 'https://en.wikipedia.org/wiki/Paris'],
    search_results: [{ title: 'Paris', url: 'https://en.wikipedia.org/wiki/Paris', snippet: 'Paris is the capital.', source: 'web' }],
  }
  expect(await sourcesOf({ ...found, ...choice({ content: 'Paris' }) }, { ...found, ...choice({}, 'stop') })).toEqual([
    { ...whole, url: 'https://www.britannica.com/place/France', quote: '' },
    { ...whole, url: 'https://en.wikipedia.org/wiki/Paris', title: 'Paris', quote: 'Paris is the capital.' },
  ])
})

test('OpenAI and OpenRouter: annotations become sources', async () => {
  // crmne/ruby_llm, chat_citations_with_openai_gpt-4o-mini-search-preview; pydantic-ai, test_openrouter_web_search_annotations (shortened)
  const openai = { end_index: 198, start_index: 96, title: 'Ruby 3.4.7 Released | Ruby', url: 'https://www.ruby-lang.org/en/news/' }
  const router = { content: '# pydantic/pydantic-ai', end_index: 0, start_index: 0, title: 'GitHub', url: 'https://github.com/pydantic' }
  const annotations = [openai, router].map((one) => ({ type: 'url_citation', url_citation: one }))
  expect(await sourcesOf(choice({ content: 'Ruby 3.4.7' }), choice({ annotations }, 'stop'))).toEqual([
    { ...whole, url: openai.url, title: openai.title, quote: '' },
    { ...whole, url: router.url, title: 'GitHub', quote: '# pydantic/pydantic-ai' },
  ])
})

test('an address that is no page of the web is no source', async () => {
  expect(await sourcesOf({ citations: ['javascript:alert(1)'], ...choice({ content: 'x' }, 'stop') })).toEqual([])
})
