// Anthropic's stream as model events, and Anthropic's tool search: deferred definitions (`defer_loading`) that the API searches itself, or
// that a `tool_reference` in a tool's result loads. Pure. A stream that ends before `message_stop` was cut.
import type Anthropic from '@anthropic-ai/sdk'
import type { Citation } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { Usage } from '#app/models/usage.ts'
import { defined, orElse } from '#app/or-else.ts'
import type { ModelEvent, ModelRequest, ModelTool, ProviderSearch } from '#main/models/provider.ts'

/** Whether the name is of family 4.5 or later (`claude-sonnet-4-5-20250929`, `claude-opus-5`). The model list does not say. */
export function takesReferences(model: string): boolean {
  const [, major = '', minor = '0'] = /^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(model) ?? []
  return Number(major) >= 5 || (major === '4' && Number(minor) >= 5)
}

export type DeferredTools = ReturnType<typeof deferredTools>

/**
 * Tracks which deferred tools a result names: their definitions are sent with `defer_loading`, so that the prompt cache hits however many
 * are found. Other tools, and all tools of older models, get their definition like any other.
 */
export function deferredTools({ model, tools }: Pick<ModelRequest, 'model' | 'tools'>) {
  const may = new Set(takesReferences(model) ? tools.flatMap(({ name, deferred }) => (deferred ? [name] : [])) : [])
  const named = new Set<string>()
  return {
    /** Returns the references that replace the text of a search's result; none: the text stays. */
    references(names: readonly string[] = []): Anthropic.ToolReferenceBlockParam[] {
      const known = names.filter((name) => may.has(name))
      // All or none: the model would miss a tool that is in its list already.
      if (known.length === 0 || known.length < names.length) return []
      for (const name of known) named.add(name)
      return known.map((name) => ({ type: 'tool_reference', tool_name: name }))
    },
    /** Whether some result names the tool; known once all messages are converted. */
    has: (name: string): boolean => named.has(name),
  }
}

export const SEARCH_TOOL = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' } as const

const MOST_FOUND = 50
const LONGEST_QUERY = 500
/** Characters of a search's blocks as JSON. */
const LONGEST_BLOCKS = 64_000

/** Tools of a request with the API's own search: without the host's search, and with all searchable tools deferred. */
export function withSearch({ tools, searchable = [] }: Pick<ModelRequest, 'tools' | 'searchable'>): ModelTool[] {
  return [...tools.filter(({ finds }) => !finds), ...searchable.map((tool) => ({ ...tool, deferred: true as const }))]
}

export const maySearch = ({ model, searchable = [] }: Pick<ModelRequest, 'model' | 'searchable'>): boolean =>
  searchable.length > 0 && takesReferences(model)

type SearchToolUsage = Pick<Anthropic.ServerToolUseBlock, 'id' | 'name' | 'type'>

const isSearch = ({ name }: Pick<SearchToolUsage, 'name'>): boolean => name.startsWith('tool_search_tool_')

/** Reads a search from its two blocks. `inputText`: streamed input of the first one. */
function searchOf(use: SearchToolUsage, inputText: string, result: Anthropic.ToolSearchToolResultBlock): ProviderSearch {
  const input = orElse(() => JSON.parse(inputText) as Json, {}) // The input is only for display: the search has run already.
  const { content } = result
  const query = isJsonObject(input) ? (input['query'] ?? input['pattern'] ?? '') : ''
  const blocks = [{ ...use, input }, result] as unknown as JsonObject[] // They were read from JSON.
  return {
    by: 'Anthropic',
    query: String(query).slice(0, LONGEST_QUERY).toWellFormed(),
    found:
      content.type === 'tool_search_tool_search_result' ? content.tool_references.slice(0, MOST_FOUND).map((one) => one.tool_name) : [],
    ...(content.type === 'tool_search_tool_result_error' ? { failed: content.error_code } : {}),
    blocks: JSON.stringify(blocks).length > LONGEST_BLOCKS ? [] : blocks,
  }
}

/** Returns the two blocks of a whole search, without references to tools that are not `known`, which the API refuses; else nothing. */
export function sentBack(blocks: readonly JsonObject[], known: ReadonlySet<string>): Anthropic.ContentBlockParam[] {
  const [use, result] = blocks
  if (use?.['type'] !== 'server_tool_use' || result?.['type'] !== 'tool_search_tool_result' || blocks.length !== 2) return []
  if (!isSearch({ name: String(use['name']) as SearchToolUsage['name'] }) || use['id'] !== result['tool_use_id']) return []
  const { content } = result
  const references = isJsonObject(content) ? content['tool_references'] : undefined
  const isGone = (one: Json): boolean => !isJsonObject(one) || !known.has(String(one['tool_name']))
  const back =
    isJsonObject(content) && Array.isArray(references) && references.some(isGone)
      ? { ...result, content: { ...content, tool_references: references.filter((one) => !isGone(one)) } }
      : result
  return [use, back] as unknown as Anthropic.ContentBlockParam[] // They came from the API in this very form.
}

type Raw = Anthropic.RawMessageStreamEvent
type Open =
  | { readonly kind: 'text'; readonly from: number; readonly sources: Anthropic.TextCitation[] }
  | { readonly kind: 'thinking'; signature: string }
  | { readonly kind: 'redacted'; readonly data: string }
  /** `given`: the input at the start of the block, used when no pieces of it come. */
  | { readonly kind: 'tool'; readonly providerId: string; readonly name: string; readonly given: string; inputText: string }
  /** Stays open until the result of the search has come. */
  | { readonly kind: 'search'; readonly use: SearchToolUsage; inputText: string }

/** The text part that consecutive text blocks form: a cited passage is a block of its own. */
type TextPart = { readonly index: number; length: number }

interface AnswerState {
  readonly open: Map<number, Open>
  textPart: TextPart | undefined
}

export async function* fromAnthropicEvents(stream: AsyncIterable<Raw>): AsyncGenerator<ModelEvent> {
  const state: AnswerState = { open: new Map(), textPart: undefined }
  let usage: Usage = { inputTokens: 0, outputTokens: 0 }
  let stop: Anthropic.StopReason | null = null
  let message: string | undefined
  let detail: string | undefined
  function* count(raw: RawUsage | undefined): Generator<ModelEvent> {
    if (!raw) return // Some gateways count nothing.
    usage = mergeUsage(usage, raw)
    yield { type: 'usage', usage }
  }
  for await (const raw of stream) {
    switch (raw.type) {
      case 'message_start':
        if (message !== undefined && message !== raw.message.id)
          throw new HostError('model.bad-answer', t`What ${'Anthropic'} sent is not valid.`)
        message = raw.message.id
        yield* count(raw.message.usage)
        break
      case 'content_block_start':
        state.textPart = raw.content_block.type === 'text' ? (state.textPart ?? { index: raw.index, length: 0 }) : undefined
        yield* blockStart(raw, state)
        break
      case 'content_block_delta':
        yield* blockDelta(raw, state)
        break
      case 'content_block_stop':
        yield* blockStop(raw.index, state)
        break
      case 'message_delta':
        stop = raw.delta.stop_reason
        detail = refusalIn(raw.delta)
        yield* count(raw.usage)
        break
      case 'message_stop':
        // Some gateways leave out the ends of blocks.
        for (const index of [...state.open.keys()]) yield* blockStop(index, state)
        yield { type: 'done', reason: reasonOf(stop), ...defined({ detail }) }
        return
      default:
      // A newer API may send more.
    }
  }
  throw new HostError('model.bad-answer', t`The answer broke off.`)
}

function* addText(part: TextPart | undefined, text: string): Generator<ModelEvent> {
  if (!part || text === '') return
  part.length += text.length
  yield { type: 'text', index: part.index, text }
}

function* blockStart(raw: Anthropic.RawContentBlockStartEvent, { open, textPart }: AnswerState): Generator<ModelEvent> {
  const { index, content_block: block } = raw
  switch (block.type) {
    case 'text':
      open.set(index, { kind: 'text', from: textPart?.length ?? 0, sources: [...(block.citations ?? [])] })
      yield* addText(textPart, block.text)
      return
    case 'thinking':
      open.set(index, { kind: 'thinking', signature: block.signature ?? '' })
      if (block.thinking !== '') yield { type: 'thinking', index, text: block.thinking }
      return
    case 'redacted_thinking':
      open.set(index, { kind: 'redacted', data: block.data })
      return
    case 'tool_use':
      open.set(index, { kind: 'tool', providerId: block.id, name: block.name, given: inputIn(block.input), inputText: '' })
      yield { type: 'tool-call-start', index, providerId: block.id, name: block.name }
      return
    case 'server_tool_use': {
      if (!isSearch(block)) return
      const { input: _streamed, ...use } = block
      open.set(index, { kind: 'search', use, inputText: '' })
      yield { type: 'search-start', index, providerId: block.id }
      return
    }
    case 'tool_search_tool_result':
      yield* searched(block, open)
      return
    default:
    // Blocks of other tools that run at Anthropic: none is asked for.
  }
}

/** Returns the input as JSON; '' for the empty input at the start of a call whose input comes in pieces. */
const inputIn = (input: unknown): string => (isJsonObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '')

function* searched(result: Anthropic.ToolSearchToolResultBlock, open: Map<number, Open>): Generator<ModelEvent> {
  for (const [index, block] of open) {
    if (block.kind !== 'search' || block.use.id !== result.tool_use_id) continue
    open.delete(index)
    yield { type: 'searched', index, providerId: block.use.id, ...searchOf(block.use, block.inputText, result) }
  }
}

function* blockDelta({ index, delta }: Anthropic.RawContentBlockDeltaEvent, { open, textPart }: AnswerState): Generator<ModelEvent> {
  const block = open.get(index)
  if (delta.type === 'text_delta' && block?.kind === 'text') yield* addText(textPart, delta.text)
  else if (delta.type === 'citations_delta' && block?.kind === 'text') block.sources.push(delta.citation)
  else if (delta.type === 'thinking_delta' && block?.kind === 'thinking') yield { type: 'thinking', index, text: delta.thinking }
  else if (delta.type === 'signature_delta' && block?.kind === 'thinking') block.signature += delta.signature
  else if (delta.type === 'input_json_delta' && (block?.kind === 'tool' || block?.kind === 'search')) block.inputText += delta.partial_json
}

function* blockStop(index: number, { open, textPart }: AnswerState): Generator<ModelEvent> {
  const block = open.get(index)
  if (block?.kind !== 'search') open.delete(index)
  if (block?.kind === 'text' && textPart) {
    for (const source of block.sources)
      yield { type: 'citation', index: textPart.index, citation: toCitation(source, block.from, textPart.length) }
  } else if (block?.kind === 'tool') {
    const { providerId, name, given, inputText } = block
    yield { type: 'tool-call', index, providerId, name, inputText: inputText.trim() === '' ? given : inputText }
  } else if (block?.kind === 'redacted') {
    yield { type: 'thinking-end', index, redacted: block.data }
  } else if (block?.kind === 'thinking') {
    yield { type: 'thinking-end', index, ...(block.signature === '' ? {} : { signature: block.signature }) }
  }
}

type DoneReason = (ModelEvent & { type: 'done' })['reason']

const reasons: ReadonlyMap<string, DoneReason> = new Map([
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'max-tokens'],
  ['model_context_window_exceeded', 'max-tokens'],
  ['refusal', 'refusal'],
  ['stop_sequence', 'stop-sequence'],
  ['pause_turn', 'paused'],
])

function reasonOf(stop: Anthropic.StopReason | null): DoneReason {
  if (stop === null) throw new HostError('model.bad-answer', t`The answer broke off.`)
  return reasons.get(stop) ?? 'end'
}

/** Returns category and explanation of a refusal; some gateways send no details. */
function refusalIn({ stop_details: details }: Partial<Pick<Anthropic.RawMessageDeltaEvent.Delta, 'stop_details'>>): string | undefined {
  const said = [details?.category, details?.explanation].filter((part) => typeof part === 'string' && part !== '')
  return said.length === 0 ? undefined : said.join(': ')
}

type Count = 'output_tokens' | 'input_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens'
type RawUsage = Partial<Pick<Anthropic.MessageDeltaUsage, Count>>

/** Counts are cumulative; one that a later event leaves out keeps its value. */
const mergeUsage = (before: Usage, raw: RawUsage): Usage => ({
  inputTokens: raw.input_tokens ?? before.inputTokens,
  outputTokens: raw.output_tokens ?? before.outputTokens,
  ...defined({
    cacheReadTokens: raw.cache_read_input_tokens ?? before.cacheReadTokens,
    cacheWriteTokens: raw.cache_creation_input_tokens ?? before.cacheWriteTokens,
  }),
})

// Citations between Anthropic's form and the host's. A citation goes back only where its document still has the same index in the request:
// after an edit it may not, and the API would refuse the request.
const LONGEST_QUOTE = 2000

function toCitation(source: Anthropic.TextCitation, start: number, end: number): Citation {
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
