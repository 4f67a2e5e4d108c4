// A request of ours as chat completions. Images of a tool's result follow it in a message of the person's, since a tool
// message takes text only. Ids of calls that another model made are mapped to nine letters and digits, which every
// endpoint takes; thinking goes back only to the very model it came from, in the field it came in, within one turn.
import { createHash } from 'node:crypto'
import type OpenAI from 'openai'
import type { ModelInfo } from '#app/chat/models.ts'
import { nearestEffort } from '#app/chat/parameters.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import type { ModelAssistantBlock, ModelContent, ModelMessage, ModelRequest, ModelTool } from '../provider.ts'

type Params = OpenAI.Chat.ChatCompletionCreateParamsStreaming
type Message = OpenAI.Chat.ChatCompletionMessageParam
type AssistantMessage = OpenAI.Chat.ChatCompletionAssistantMessageParam

/** Fields in which endpoints send reasoning; kept as its "signature", so that it can go back in the same one. */
export const reasoningFields = ['reasoning_content', 'reasoning'] as const

export interface Dialect {
  /** With the provider's prefix: who the model is among ours. */
  readonly modelId: string
  readonly info: ModelInfo | undefined
  /** OpenAI's own models refuse the name that all others know. */
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens'
}

export function toChatCompletions(request: ModelRequest, dialect: Dialect): Params {
  const tools = dialect.info?.tools === false ? [] : request.tools.map(toTool)
  return {
    model: request.model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      ...(request.system.trim() === '' ? [] : [{ role: 'system' as const, content: request.system }]),
      ...toMessages(request, dialect),
    ],
    ...wishesOf(request),
    ...(request.maxTokens === undefined ? {} : { [dialect.maxTokensName]: limitOf(request.maxTokens, dialect.info) }),
    ...effortOf(request, dialect.info),
    ...(tools.length === 0 ? {} : { tools, ...(request.toolChoice === undefined ? {} : { tool_choice: request.toolChoice }) }),
  }
}

/** OpenAI takes four stop sequences, most others at least as many. */
function wishesOf({ temperature, stopSequences = [] }: ModelRequest): Pick<Params, 'temperature' | 'stop'> {
  const stop = stopSequences.filter((one) => one.trim() !== '').slice(0, 4)
  return { ...(temperature === undefined ? {} : { temperature }), ...(stop.length === 0 ? {} : { stop }) }
}

const limitOf = (maxTokens: number, info: ModelInfo | undefined): number => Math.min(maxTokens, info?.maxOutputTokens ?? maxTokens)

/** What is above `high` only some models know, and none says so. */
const commonEfforts = ['none', 'low', 'medium', 'high'] as const

function effortOf({ effort }: ModelRequest, info: ModelInfo | undefined): Pick<Params, 'reasoning_effort'> {
  if (effort === undefined || effort === 'auto') return {}
  const level = nearestEffort(effort, info?.efforts ?? commonEfforts)
  return level === undefined || level === 'max' ? {} : { reasoning_effort: level }
}

function toMessages({ messages }: ModelRequest, { modelId }: Dialect): Message[] {
  const turnStart = messages.findLastIndex((message) => message.role === 'user' && message.content.some(isWord))
  /** Of the calls of the message before, by the id that they have with us. */
  let ids = new Map<string, string>()
  return messages.flatMap((message, index) => {
    if (message.role === 'user') return fromUser(message, ids)
    const own = message.model === modelId
    ids = new Map()
    for (const block of message.content) if (block.type === 'tool-call') ids.set(block.providerId, wireId(block.providerId, own))
    return fromAssistant(message.content, ids, own && index > turnStart)
  })
}

const isWord = (block: { readonly type: string; readonly byHost?: true }): boolean => block.type !== 'tool-result' && block.byHost !== true

/** OpenAI takes 40 characters, Mistral exactly nine. */
function wireId(id: string, own: boolean): string {
  if (own && /^[\w.:-]{1,64}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, 9)
}

function fromUser(message: ModelMessage & { role: 'user' }, ids: ReadonlyMap<string, string>): Message[] {
  const results: Message[] = []
  const said: ModelContent[] = []
  for (const block of message.content) {
    if (block.type !== 'tool-result') {
      said.push(block)
      continue
    }
    const text = block.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const images = block.content.filter((part) => part.type === 'image')
    const shown = [
      block.isError ? '[The tool reports an error.]' : '',
      text,
      images.length > 0 ? `[${images.length} ${images.length === 1 ? 'image follows' : 'images follow'}.]` : '',
    ].filter((line) => line.trim() !== '')
    results.push({
      role: 'tool',
      tool_call_id: ids.get(block.providerId) ?? wireId(block.providerId, false),
      content: shown.join('\n') || '[The tool gave nothing.]',
    })
    said.push(...images)
  }
  const content = contentOf(said)
  return content.length === 0 ? results : [...results, { role: 'user', content }]
}

/** Text alone goes as a string: not every endpoint takes a list. */
function contentOf(blocks: readonly ModelContent[]): string | OpenAI.Chat.ChatCompletionContentPart[] {
  const used = blocks.filter((block) => block.type !== 'text' || block.text.trim() !== '')
  if (!used.some((block) => block.type === 'image'))
    return used.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n')
  return used.map((block) =>
    block.type === 'text'
      ? { type: 'text', text: block.text }
      : { type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } },
  )
}

function fromAssistant(blocks: readonly ModelAssistantBlock[], ids: ReadonlyMap<string, string>, withThinking: boolean): Message[] {
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
  const calls = blocks.flatMap((block) =>
    block.type === 'tool-call'
      ? [
          {
            id: ids.get(block.providerId) ?? block.providerId,
            type: 'function' as const,
            function: { name: block.name, arguments: JSON.stringify(block.input) },
          },
        ]
      : [],
  )
  if (text.trim() === '' && calls.length === 0) return []
  const message: AssistantMessage = {
    role: 'assistant',
    content: text.trim() === '' ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  return [calls.length > 0 && withThinking ? { ...message, ...reasoningOf(blocks) } : message]
}

function reasoningOf(blocks: readonly ModelAssistantBlock[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const block of blocks) {
    const field = block.type === 'thinking' ? reasoningFields.find((name) => name === block.signature) : undefined
    if (field && block.type === 'thinking') found[field] = (found[field] ?? '') + block.text
  }
  return found
}

/** As with Anthropic's API: an object without alternatives at its top; the server still checks against its own schema. */
function toTool({ name, description, inputSchema }: ModelTool): OpenAI.Chat.ChatCompletionFunctionTool {
  const { oneOf: _one, anyOf: _any, allOf: _all, not: _not, enum: _enum, ...schema } = inputSchema as JsonObject
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  return { type: 'function', function: { name, description, parameters: { ...schema, type: 'object', properties } } }
}
