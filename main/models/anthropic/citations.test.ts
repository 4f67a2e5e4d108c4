import type Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import type { Citation } from '#app/chat/message.ts'
import type { ModelEvent } from '../provider.ts'
import { fromAnthropicEvents, toTextBlocks } from './anthropic-events.ts'

const page = {
  type: 'page_location',
  cited_text: 'Rent is 900.',
  document_index: 0,
  document_title: 'Lease.pdf',
  start_page_number: 3,
  end_page_number: 4,
} as const
const source = { ...page, file_id: null }

async function eventsOf(blocks: readonly { readonly text: string; readonly cites?: readonly object[] }[]): Promise<ModelEvent[]> {
  const raws = blocks.flatMap(({ text, cites = [] }, index) => [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '', citations: null } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
    ...cites.map((citation) => ({ type: 'content_block_delta', index, delta: { type: 'citations_delta', citation } })),
    { type: 'content_block_stop', index },
  ])
  async function* stream() {
    yield* raws
    yield { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }
    yield { type: 'message_stop' }
  }
  const events: ModelEvent[] = []
  for await (const event of fromAnthropicEvents(stream() as AsyncIterable<Anthropic.RawMessageStreamEvent>)) events.push(event)
  return events.filter(({ type }) => type !== 'usage')
}

const text = 'As agreed, the rent is 900.'
const citation: Citation = { start: 11, end: 26, title: 'Lease.pdf', quote: 'Rent is 900.', pages: [3, 3], source }

test('a passage with a source is no part of its own, and the source says what rests on it', async () => {
  const events = await eventsOf([{ text: 'As agreed, ' }, { text: 'the rent is 900', cites: [source] }, { text: '.' }])
  expect(events).toEqual([
    { type: 'text', index: 0, text: 'As agreed, ' },
    { type: 'text', index: 0, text: 'the rent is 900' },
    { type: 'citation', index: 0, citation },
    { type: 'text', index: 0, text: '.' },
    { type: 'done', reason: 'end' },
  ])
})

test('it goes back in the API’s own form, as long as its document is where it was', () => {
  expect(toTextBlocks(text, [citation], ['Lease.pdf'])).toEqual([
    { type: 'text', text: 'As agreed, ' },
    { type: 'text', text: 'the rent is 900', citations: [page] },
    { type: 'text', text: '.' },
  ])
  expect(toTextBlocks(text, [citation], ['Other.pdf'])).toEqual([{ type: 'text', text }])
  expect(toTextBlocks(text, [{ ...citation, end: 99 }], ['Lease.pdf'])).toEqual([{ type: 'text', text }])
})

test('blank space between two passages is no block of its own, and none of it is lost', () => {
  const both = [citation, { ...citation, start: 28, end: 31 }]
  const blocks = toTextBlocks(`${text.slice(0, 26)}\n\nYes`, both, ['Lease.pdf'])
  expect(blocks.map((block) => [block.text, block.citations?.length])).toEqual([
    ['As agreed, ', undefined],
    ['the rent is 900', 1],
    ['\n\nYes', 1],
  ])
})
