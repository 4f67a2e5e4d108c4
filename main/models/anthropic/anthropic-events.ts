// Anthropic's stream as our events. Pure: events in, events out; a stream that ends before `message_stop` was cut.
import type Anthropic from '@anthropic-ai/sdk'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { Usage } from '#app/models/usage.ts'
import type { ModelEvent, ModelRequest, ModelTool, ProviderSearch } from '../provider.ts'
import { toCitation } from './citations.ts'

// Anthropic's own search for tools: definitions that are held back (`defer_loading`) are searched on its side, in the midst of
// an answer, and what is found is read where its block names it. The two blocks of a search go back as they came, but for
// names of tools that are gone: the API refuses a request that names one without its definition.

// Definitions that come only with a result of a search. Anthropic's newer models take them with `defer_loading`, and read one
// where a `tool_reference` in a tool's result names it: the tools that stand first in the cache stay as they were, however
// many are found. Older models, and a tool that no result in the history names any more, get the definition like any other.

/** Families 4.5 and later, by what their names say (`claude-sonnet-4-5-20250929`, `claude-opus-5`). The model list is silent on it. */
export function takesReferences(model: string): boolean {
  const [, major = '', minor = '0'] = /^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(model) ?? []
  return Number(major) >= 5 || (major === '4' && Number(minor) >= 5)
}

export interface HeldBack {
  /** What stands in the result of a search instead of its text; none: the text. */
  references(names: readonly string[] | undefined): Anthropic.ToolReferenceBlockParam[]
  /** Once all messages are made: whether some result names it. */
  has(name: string): boolean
}

export function heldBack({ model, tools }: Pick<ModelRequest, 'model' | 'tools'>): HeldBack {
  const may = new Set(takesReferences(model) ? tools.flatMap(({ name, deferred }) => (deferred ? [name] : [])) : [])
  const named = new Set<string>()
  return {
    references(names = []) {
      const known = names.filter((name) => may.has(name))
      // All or none: of one that is in its list already, the model would read nothing in the answer.
      if (known.length === 0 || known.length < names.length) return []
      for (const name of known) named.add(name)
      return known.map((name) => ({ type: 'tool_reference', tool_name: name }))
    },
    has: (name) => named.has(name),
  }
}

export const SEARCH_TOOL = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' } as const

const MOST_FOUND = 50
const LONGEST_QUERY = 500
/** Characters of the blocks as JSON. */
const LONGEST_BLOCKS = 64_000

/** The request's tools as its own search has them: the host's search goes, and all that it would have found is held back. */
export function withSearch({ tools, searchable = [] }: Pick<ModelRequest, 'tools' | 'searchable'>): ModelTool[] {
  return [...tools.filter(({ finds }) => !finds), ...searchable.map((tool) => ({ ...tool, deferred: true as const }))]
}

export const maySearch = ({ model, searchable = [] }: Pick<ModelRequest, 'model' | 'searchable'>): boolean =>
  searchable.length > 0 && takesReferences(model)

type SearchToolUsage = Pick<Anthropic.ServerToolUseBlock, 'id' | 'name' | 'type'>

const isSearch = ({ name }: Pick<SearchToolUsage, 'name'>): boolean => name.startsWith('tool_search_tool_')

/** Of the two blocks; the second came whole. `inputText`: what was streamed of the first one's input. */
function searchOf(use: SearchToolUsage, inputText: string, result: Anthropic.ToolSearchToolResultBlock): ProviderSearch {
  const input = parsed(inputText)
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

function parsed(text: string): Json {
  try {
    return text === '' ? {} : (JSON.parse(text) as Json)
  } catch {
    return {} // The API wrote it for a person to see; what it searched for it knows itself.
  }
}

/** As they came, less what names a tool that is not among `known`. Anything but a whole search is left out. */
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
  /** `given`: its input as it stood at the start, which counts where no pieces of it come. */
  | { readonly kind: 'tool'; readonly providerId: string; readonly name: string; readonly given: string; inputText: string }
  /** Stays until its result has come. */
  | { readonly kind: 'search'; readonly use: SearchToolUsage; inputText: string }

/** Text blocks that follow each other are one part: a cited passage is a block of its own, and no paragraph. */
interface Words {
  index: number
  length: number
}

export async function* fromAnthropicEvents(stream: AsyncIterable<Raw>): AsyncGenerator<ModelEvent> {
  const open = new Map<number, Open>()
  let words: Words | undefined
  const usage: { value: Usage } = { value: { inputTokens: 0, outputTokens: 0 } }
  let stop: Anthropic.StopReason | null = null
  let message: string | undefined
  function* count(raw: RawUsage | undefined): Generator<ModelEvent> {
    if (!raw) return // Some gateways count nothing.
    usage.value = mergeUsage(usage.value, raw)
    yield { type: 'usage', usage: usage.value }
  }
  for await (const raw of stream) {
    switch (raw.type) {
      case 'message_start':
        if (message !== undefined && message !== raw.message.id)
          throw new HostError('model.bad-answer', t`Another answer broke into this one.`)
        message = raw.message.id
        yield* count(raw.message.usage)
        break
      case 'content_block_start':
        words = raw.content_block.type === 'text' ? (words ?? { index: raw.index, length: 0 }) : undefined
        yield* blockStart(raw, open, words)
        break
      case 'content_block_delta':
        yield* blockDelta(raw, open, words)
        break
      case 'content_block_stop':
        yield* blockStop(raw.index, open, words)
        break
      case 'message_delta':
        stop = raw.delta.stop_reason
        yield* count(raw.usage)
        break
      case 'message_stop':
        yield { type: 'done', reason: reasonOf(stop) }
        return
      default:
      // A newer API may send more.
    }
  }
  throw new HostError('model.bad-answer', t`The answer broke off before its end.`)
}

function* say(words: Words | undefined, text: string): Generator<ModelEvent> {
  if (!words || text === '') return
  words.length += text.length
  yield { type: 'text', index: words.index, text }
}

function* blockStart(
  { index, content_block: block }: Anthropic.RawContentBlockStartEvent,
  open: Map<number, Open>,
  words: Words | undefined,
): Generator<ModelEvent> {
  switch (block.type) {
    case 'text':
      open.set(index, { kind: 'text', from: words?.length ?? 0, sources: [...(block.citations ?? [])] })
      yield* say(words, block.text)
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

/** An empty one stands at the start of every call whose input comes in pieces. */
const inputIn = (input: unknown): string => (isJsonObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '')

function* searched(result: Anthropic.ToolSearchToolResultBlock, open: Map<number, Open>): Generator<ModelEvent> {
  for (const [index, block] of open) {
    if (block.kind !== 'search' || block.use.id !== result.tool_use_id) continue
    open.delete(index)
    yield { type: 'searched', index, providerId: block.use.id, ...searchOf(block.use, block.inputText, result) }
  }
}

function* blockDelta(
  { index, delta }: Anthropic.RawContentBlockDeltaEvent,
  open: Map<number, Open>,
  words: Words | undefined,
): Generator<ModelEvent> {
  const block = open.get(index)
  if (delta.type === 'text_delta' && block?.kind === 'text') yield* say(words, delta.text)
  else if (delta.type === 'citations_delta' && block?.kind === 'text') block.sources.push(delta.citation)
  else if (delta.type === 'thinking_delta' && block?.kind === 'thinking') yield { type: 'thinking', index, text: delta.thinking }
  else if (delta.type === 'signature_delta' && block?.kind === 'thinking') block.signature += delta.signature
  else if (delta.type === 'input_json_delta' && (block?.kind === 'tool' || block?.kind === 'search')) block.inputText += delta.partial_json
}

function* blockStop(index: number, open: Map<number, Open>, words: Words | undefined): Generator<ModelEvent> {
  const block = open.get(index)
  if (block?.kind !== 'search') open.delete(index)
  if (block?.kind === 'text' && words) {
    for (const source of block.sources)
      yield { type: 'citation', index: words.index, citation: toCitation(source, block.from, words.length) }
  } else if (block?.kind === 'tool') {
    const { providerId, name, given, inputText } = block
    yield { type: 'tool-call', index, providerId, name, inputText: inputText.trim() === '' ? given : inputText }
  } else if (block?.kind === 'redacted') {
    yield { type: 'thinking-end', index, redacted: block.data }
  } else if (block?.kind === 'thinking') {
    yield { type: 'thinking-end', index, ...(block.signature === '' ? {} : { signature: block.signature }) }
  }
}

function reasonOf(stop: Anthropic.StopReason | null): (ModelEvent & { type: 'done' })['reason'] {
  switch (stop) {
    case 'tool_use':
      return 'tool-calls'
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'max-tokens'
    case 'refusal':
      return 'refusal'
    case 'stop_sequence':
      return 'stop-sequence'
    case 'pause_turn':
      return 'paused'
    case null:
      throw new HostError('model.bad-answer', t`The answer ended without saying why.`)
    default:
      return 'end'
  }
}

type Count = 'output_tokens' | 'input_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens'
type RawUsage = Partial<Pick<Anthropic.MessageDeltaUsage, Count>>

/** Counts are cumulative; one that a later event leaves out keeps its value. */
function mergeUsage(before: Usage, raw: RawUsage): Usage {
  const read = raw.cache_read_input_tokens ?? before.cacheReadTokens
  const write = raw.cache_creation_input_tokens ?? before.cacheWriteTokens
  return {
    inputTokens: raw.input_tokens ?? before.inputTokens,
    outputTokens: raw.output_tokens ?? before.outputTokens,
    ...(read === undefined ? {} : { cacheReadTokens: read }),
    ...(write === undefined ? {} : { cacheWriteTokens: write }),
  }
}
