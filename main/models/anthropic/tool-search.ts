// Anthropic's own search for tools: definitions that are held back (`defer_loading`) are searched on its side, in the midst of
// an answer, and what is found is read where its block names it. The two blocks of a search go back as they came, but for
// names of tools that are gone: the API refuses a request that names one without its definition.
import type Anthropic from '@anthropic-ai/sdk'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ModelRequest, ModelTool, ProviderSearch } from '../provider.ts'
import { takesReferences } from './held-back.ts'

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

export type SearchUse = Pick<Anthropic.ServerToolUseBlock, 'id' | 'name' | 'type'>

export const isSearch = ({ name }: Pick<SearchUse, 'name'>): boolean => name.startsWith('tool_search_tool_')

/** Of the two blocks; the second came whole. `inputText`: what was streamed of the first one's input. */
export function searchOf(use: SearchUse, inputText: string, result: Anthropic.ToolSearchToolResultBlock): ProviderSearch {
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
  if (!isSearch({ name: String(use['name']) as SearchUse['name'] }) || use['id'] !== result['tool_use_id']) return []
  const { content } = result
  const references = isJsonObject(content) ? content['tool_references'] : undefined
  const isGone = (one: Json): boolean => !isJsonObject(one) || !known.has(String(one['tool_name']))
  const back =
    isJsonObject(content) && Array.isArray(references) && references.some(isGone)
      ? { ...result, content: { ...content, tool_references: references.filter((one) => !isGone(one)) } }
      : result
  return [use, back] as unknown as Anthropic.ContentBlockParam[] // They came from the API in this very form.
}
