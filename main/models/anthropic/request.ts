// A request of ours as Anthropic's API takes it. Four cache marks, as many as it takes: the last tool, the system prompt,
// the last block of the last message, and that of the person's message before it. The latter is where the last request
// ended: the API looks back only twenty blocks for what it has, and a step of many calls is longer.
import type Anthropic from '@anthropic-ai/sdk'
import type { ModelInfo } from '#app/chat/models.ts'
import type { JsonObject } from '#app/json.ts'
import { documentNote } from '../document-note.ts'
import type { ModelAssistantBlock, ModelContent, ModelMessage, ModelRequest, ModelTool, ModelUserBlock } from '../provider.ts'
import { toTextBlocks } from './citations.ts'
import { type HeldBack, heldBack } from './held-back.ts'
import { thinkingOf } from './thinking.ts'
import { SEARCH_TOOL, sentBack, withSearch } from './tool-search.ts'

type Params = Anthropic.MessageCreateParamsStreaming
type Block = Anthropic.ContentBlockParam

const CACHE = { type: 'ephemeral' } as const
/** When the model list does not say. */
const DEFAULT_MAX_TOKENS = 8192
const MOST_MAX_TOKENS = 32_000

/** `search`: the API looks among the tools that are held back itself; otherwise the host's own search does (decision 0057). */
export function toAnthropic(request: ModelRequest, info: ModelInfo | undefined, search = false): Params {
  const offered = search ? withSearch(request) : request.tools
  const context: Context = {
    model: request.model,
    documents: [],
    takesDocuments: info?.documents !== false,
    held: heldBack({ model: request.model, tools: offered }),
    searchable: search ? new Set(offered.map(({ name }) => name)) : undefined,
  }
  const messages = request.messages.map((message) => toMessage(message, context)).filter((message) => message.content.length > 0)
  for (const message of messages.filter(({ role }) => role === 'user').slice(-2)) message.content = markLast(message.content)
  const isHeld = ({ name, deferred }: ModelTool): boolean => (search ? deferred === true : context.held.has(name))
  const tools: Tool[] = [
    ...(search ? [{ ...SEARCH_TOOL }] : []),
    ...offered.map((tool) => ({ ...toTool(tool), ...(isHeld(tool) ? { defer_loading: true } : {}) })),
  ]
  // The API takes no mark on one that is held back.
  const lastTool = tools.findLast((tool) => !tool.defer_loading)
  if (lastTool) lastTool.cache_control = CACHE
  const maxTokens = limitOf(request, info)
  return {
    model: request.model,
    max_tokens: maxTokens,
    stream: true,
    messages,
    ...(request.system.trim() === '' ? {} : { system: [{ type: 'text', text: request.system, cache_control: CACHE }] }),
    ...(tools.length === 0 ? {} : { tools, ...choiceOf(request) }),
    ...stopsOf(request),
    ...thinkingOf(request, info, maxTokens, messages),
  }
}

function limitOf({ maxTokens }: ModelRequest, info: ModelInfo | undefined): number {
  if (maxTokens === undefined) return Math.min(info?.maxOutputTokens ?? DEFAULT_MAX_TOKENS, MOST_MAX_TOKENS)
  return Math.min(maxTokens, info?.maxOutputTokens ?? maxTokens)
}

/** The API takes none without a visible character. */
function stopsOf({ stopSequences = [] }: ModelRequest): Pick<Params, 'stop_sequences'> {
  const stops = stopSequences.filter((one) => one.trim() !== '')
  return stops.length === 0 ? {} : { stop_sequences: stops }
}

const choices = { auto: 'auto', required: 'any', none: 'none' } as const
const choiceOf = ({ toolChoice }: ModelRequest): Pick<Params, 'tool_choice'> =>
  toolChoice === undefined || toolChoice === 'auto' ? {} : { tool_choice: { type: choices[toolChoice] } }

type Tool = Anthropic.Tool | Anthropic.ToolSearchToolBm25_20251119
type Message = { role: 'user' | 'assistant'; content: Block[] }

interface Context {
  readonly model: string
  readonly takesDocuments: boolean
  readonly held: HeldBack
  /** Names of all tools of the request, where the API searches them itself. */
  readonly searchable: ReadonlySet<string> | undefined
  /** Titles of those that came so far, by which citations are known. */
  readonly documents: string[]
}

function toMessage(message: ModelMessage, context: Context): Message {
  if (message.role === 'user') return { role: 'user', content: message.content.flatMap((block) => toUserBlock(block, context)) }
  const content = message.content.flatMap((block) => toAssistantBlock(block, message.model === `anthropic/${context.model}`, context))
  // The API takes no message that ends in (or is nothing but) thinking.
  while (content.at(-1)?.type === 'thinking' || content.at(-1)?.type === 'redacted_thinking') content.pop()
  return { role: 'assistant', content }
}

function toUserBlock(block: ModelUserBlock, context: Context): Block[] {
  if (block.type !== 'tool-result') return toContent(block, context)
  const references = context.held.references(block.references)
  const content = references.length > 0 ? references : block.content.flatMap((one) => toContent(one, context))
  return [
    {
      type: 'tool_result',
      tool_use_id: safeId(block.providerId),
      ...(content.length === 0 ? {} : { content }),
      ...(block.isError ? { is_error: true } : {}),
    },
  ]
}

/** Blank text is refused by the API, so it is left out. */
function toContent(
  block: ModelContent,
  { documents, takesDocuments }: Context,
): (Anthropic.TextBlockParam | Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam)[] {
  if (block.type === 'document') {
    if (!takesDocuments) return [{ type: 'text', text: documentNote(block.name) }]
    documents.push(block.name)
    const source = { type: 'base64', media_type: block.mimeType, data: block.data } as const
    return [{ type: 'document', source, title: block.name, citations: { enabled: true } }]
  }
  if (block.type === 'text') return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }]
  const media_type = block.mimeType as Anthropic.Base64ImageSource['media_type']
  return [{ type: 'image', source: { type: 'base64', media_type, data: block.data } }]
}

/** Signatures are good only for the model that made them: another one's thinking is not sent. */
function toAssistantBlock(block: ModelAssistantBlock, sameModel: boolean, { documents, searchable }: Context): Block[] {
  switch (block.type) {
    case 'text':
      return toTextBlocks(block.text, block.citations ?? [], documents)
    case 'thinking':
      if (!sameModel) return []
      if (block.redacted !== undefined) return [{ type: 'redacted_thinking', data: block.redacted }]
      return block.signature === undefined ? [] : [{ type: 'thinking', thinking: block.text, signature: block.signature }]
    case 'tool-call':
      return [{ type: 'tool_use', id: safeId(block.providerId), name: safeId(block.name), input: block.input }]
    case 'searched':
      return searchable ? sentBack(block.blocks, searchable) : []
  }
}

const safeId = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128) || '_'

/** The API takes an object schema without `oneOf`, `anyOf`, `allOf` at its top; the server still checks against its own. */
function toTool(tool: ModelTool): Anthropic.Tool {
  const { oneOf: _one, anyOf: _any, allOf: _all, ...schema } = tool.inputSchema as JsonObject
  return { name: tool.name, description: tool.description, input_schema: { ...schema, type: 'object' } as Anthropic.Tool.InputSchema }
}

function markLast(content: readonly Block[]): Block[] {
  return content.map((block, index) => {
    const markable = block.type === 'text' || block.type === 'image' || block.type === 'document' || block.type === 'tool_result'
    return index === content.length - 1 && markable ? { ...block, cache_control: CACHE } : block
  })
}
