// Citations between Anthropic's form and the host's. A citation goes back only where its document still has the same index in the request:
// after an edit it may not, and the API would refuse the request.
import type Anthropic from '@anthropic-ai/sdk'
import type { Citation } from '#app/chat/message.ts'
import type { JsonObject } from '#app/json.ts'

const LONGEST_QUOTE = 2000

export function toCitation(source: Anthropic.TextCitation, start: number, end: number): Citation {
  const title = 'document_title' in source ? source.document_title : source.title
  return {
    start,
    end,
    ...(title ? { title } : {}),
    quote: source.cited_text.slice(0, LONGEST_QUOTE).toWellFormed(),
    // The API's end page is exclusive.
    ...(source.type === 'page_location'
      ? { pages: [source.start_page_number, Math.max(source.start_page_number, source.end_page_number - 1)] }
      : {}),
    source: JSON.parse(JSON.stringify(source)) as JsonObject,
  }
}

/** Splits text into blocks, each cited passage a block of its own. `documents`: titles in the order of the request. */
export function toTextBlocks(text: string, citations: readonly Citation[], documents: readonly string[]): Anthropic.TextBlockParam[] {
  const blocks: Anthropic.TextBlockParam[] = []
  const say = (words: string, cited: readonly Anthropic.TextCitationParam[] = []): void => {
    if (words.trim() === '') return
    blocks.push({ type: 'text', text: words, ...(cited.length === 0 ? {} : { citations: [...cited] }) })
  }
  let at = 0
  for (const { start, end } of citations) {
    if (start < at || end <= start || end > text.length) continue
    const own = citations.filter((one) => one.start === start && one.end === end).flatMap((one) => toParam(one, documents))
    if (own.length === 0) continue
    const before = text.slice(at, start)
    const blank = before.trim() === '' // The API takes no blank block.
    if (!blank) say(before)
    say(text.slice(blank ? at : start, end), own)
    at = end
  }
  say(text.slice(at))
  return blocks
}

function toParam({ source }: Citation, documents: readonly string[]): Anthropic.TextCitationParam[] {
  const { type, document_index: index, document_title: title } = source
  if (type !== 'page_location' && type !== 'char_location') return []
  if (typeof index !== 'number' || documents[index] === undefined || documents[index] !== title) return []
  const { file_id: _file, ...param } = source
  return [param as unknown as Anthropic.TextCitationParam] // It came from the API in this very form.
}
