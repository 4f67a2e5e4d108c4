// A request of ours as chat completions. Images of a tool's result follow it in a message of the person's, since a tool
// message takes text only. Ids of calls that another model made are mapped to nine letters and digits, which every
// endpoint takes; thinking goes back only to the very model it came from, in the field it came in, within one turn, or as the vendor
// wants it (`vendors.ts`).
import { createHash } from 'node:crypto'
import type OpenAI from 'openai'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { nearestEffort } from '#app/models/models.ts'
import type { ModelAssistantBlock, ModelContent, ModelMessage, ModelRequest, ModelTool } from '../provider.ts'
import { documentNote } from '../provider.ts'
import type { Want } from './vendor-table.ts'

type Params = OpenAI.Chat.ChatCompletionCreateParamsStreaming
type Message = OpenAI.Chat.ChatCompletionMessageParam
type AssistantMessage = OpenAI.Chat.ChatCompletionAssistantMessageParam

/** Fields in which endpoints send reasoning; kept as its "signature", so that it can go back in the same one. */
export const reasoningFields = ['reasoning_content', 'reasoning'] as const

export interface Dialect {
  /** With the provider's prefix: who the model is among ours. */
  readonly modelId: string
  readonly info: ModelInfo | undefined
  /** What the vendor wants beyond the format; `streamOnce` adds what a refusal asks for. */
  readonly wants: Set<Want>
  /** What its answers have shown of the model's template: whether the prompt opens its thinking. */
  readonly template: { opensThought: boolean }
}

export function toChatCompletions(request: ModelRequest, dialect: Dialect): Params {
  const tools = dialect.info?.tools === false ? [] : request.tools.map(toTool)
  return {
    model: request.model,
    stream: true,
    ...(dialect.wants.has('without stream_options') ? {} : { stream_options: { include_usage: true } }),
    messages: [
      ...(request.system.trim() === '' ? [] : [{ role: 'system' as const, content: request.system }]),
      ...toMessages(request, dialect),
    ],
    ...wishesOf(request, dialect),
    ...limitOf(request, dialect),
    ...effortOf(request, dialect, tools.length > 0),
    ...(tools.length === 0 ? {} : { tools, ...(request.toolChoice === undefined ? {} : { tool_choice: request.toolChoice }) }),
  }
}

/** OpenAI takes four stop sequences, most others at least as many. */
function wishesOf({ temperature, stopSequences = [] }: ModelRequest, { wants }: Dialect): Pick<Params, 'temperature' | 'stop'> {
  const stop = stopSequences.filter((one) => one.trim() !== '').slice(0, 4)
  return {
    ...(temperature === undefined || wants.has('without temperature') ? {} : { temperature }),
    ...(stop.length === 0 ? {} : { stop }),
  }
}

function limitOf({ maxTokens }: ModelRequest, { info, wants }: Dialect): Record<string, number> {
  const names = ['max_tokens', 'max_completion_tokens'] as const
  const inOrder = wants.has('max_completion_tokens') ? names.toReversed() : names
  const name = inOrder.find((one) => !wants.has(`without ${one}`))
  return maxTokens === undefined || name === undefined ? {} : { [name]: Math.min(maxTokens, info?.maxOutputTokens ?? maxTokens) }
}

/** What is above `high` only some models know, and none says so. */
const commonEfforts = ['none', 'low', 'medium', 'high'] as const

function effortOf({ effort }: ModelRequest, { info, wants }: Dialect, withTools: boolean): Pick<Params, 'reasoning_effort'> {
  if (withTools && wants.has('no-effort-with-tools')) return { reasoning_effort: 'none' }
  if (effort === undefined || effort === 'auto' || wants.has('without reasoning_effort')) return {}
  const level = nearestEffort(effort, info?.efforts ?? commonEfforts)
  return level === undefined || level === 'max' ? {} : { reasoning_effort: level }
}

function toMessages({ messages }: ModelRequest, { modelId, info, wants }: Dialect): Message[] {
  const documents = info?.documents ?? wants.has('documents')
  const turns = turnsOf(messages)
  /** Of the calls of the message before, by the id that they have with us. */
  let ids = new Map<string, string>()
  const sent = messages.flatMap((message, index) => {
    if (message.role === 'user') return fromUser(message, ids, documents)
    const own = message.model === modelId
    ids = new Map()
    for (const block of message.content) if (block.type === 'tool-call') ids.set(block.providerId, wireId(block.providerId, own))
    return fromAssistant(message.content, ids, { own, wants, ...(turns[index] ?? { isLast: false, called: false }) })
  })
  return wants.has('assistant-after-tools') ? bridged(sent) : sent
}

interface Turn {
  readonly isLast: boolean
  /** Tools were called in it. */
  readonly called: boolean
}

/** Of each message the turn that it belongs to: a turn begins with the person's words. */
function turnsOf(messages: readonly ModelMessage[]): readonly Turn[] {
  let number = 0
  const numbers = messages.map((message) => {
    if (message.role === 'user' && message.content.some(isWord)) number += 1
    return number
  })
  const called = new Set(numbers.filter((_, index) => messages[index]?.content.some(({ type }) => type === 'tool-call')))
  return numbers.map((one) => ({ isLast: one === number, called: called.has(one) }))
}

/** Where the person's words follow a tool's, an assistant's stand between. */
const bridged = (messages: readonly Message[]): Message[] =>
  messages.flatMap((message, index) =>
    message.role === 'user' && messages[index - 1]?.role === 'tool' ? [{ role: 'assistant', content: 'OK' }, message] : [message],
  )

const isWord = (block: { readonly type: string; readonly byHost?: true }): boolean => block.type !== 'tool-result' && block.byHost !== true

/** OpenAI takes 40 characters, Mistral exactly nine. */
function wireId(id: string, own: boolean): string {
  if (own && /^[\w.:-]{1,64}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, 9)
}

function fromUser(message: ModelMessage & { role: 'user' }, ids: ReadonlyMap<string, string>, documents: boolean): Message[] {
  const results: Message[] = []
  const said: ModelContent[] = []
  for (const block of message.content) {
    if (block.type !== 'tool-result') {
      said.push(block)
      continue
    }
    const text = block.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const images = block.content.filter((part) => part.type === 'image')
    const files = block.content.filter((part) => part.type === 'document')
    const shown = [
      block.isError ? '[The tool reports an error.]' : '',
      text,
      images.length > 0 ? `[${images.length} ${images.length === 1 ? 'image follows' : 'images follow'}.]` : '',
      files.length > 0 ? `[${files.length} ${files.length === 1 ? 'PDF follows' : 'PDFs follow'}.]` : '',
    ].filter((line) => line.trim() !== '')
    results.push({
      role: 'tool',
      tool_call_id: ids.get(block.providerId) ?? wireId(block.providerId, false),
      content: shown.join('\n') || '[The tool gave nothing.]',
    })
    said.push(...images, ...files)
  }
  const content = contentOf(said, documents)
  return content.length === 0 ? results : [...results, { role: 'user', content }]
}

/** Text alone goes as a string: not every endpoint takes a list. */
function contentOf(blocks: readonly ModelContent[], documents: boolean): string | OpenAI.Chat.ChatCompletionContentPart[] {
  const parts = blocks.filter((block) => block.type !== 'text' || block.text.trim() !== '').map((block) => toPart(block, documents))
  if (parts.every((part) => part.type === 'text')) return parts.map(({ text }) => text).join('\n\n')
  return parts
}

function toPart(block: ModelContent, documents: boolean): OpenAI.Chat.ChatCompletionContentPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
      return { type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } }
    case 'document':
      if (!documents) return { type: 'text', text: documentNote(block.name) }
      return { type: 'file', file: { filename: block.name, file_data: `data:${block.mimeType};base64,${block.data}` } }
  }
}

interface Author extends Turn {
  /** Of the very model that is asked. */
  readonly own: boolean
  readonly wants: ReadonlySet<Want>
}

function fromAssistant(blocks: readonly ModelAssistantBlock[], ids: ReadonlyMap<string, string>, author: Author): Message[] {
  const { own, wants, isLast, called } = author
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
  const calls = blocks.flatMap((block) =>
    block.type === 'tool-call'
      ? [
          {
            id: ids.get(block.providerId) ?? block.providerId,
            type: 'function' as const,
            function: { name: block.name, arguments: JSON.stringify(block.input) },
            ...(own ? block.providerData : {}),
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
  const everywhere = wants.has('reasoning-everywhere')
  const goesBack = everywhere || (calls.length > 0 && isLast) || (called && wants.has('reasoning-of-tool-turns'))
  const reasoning = own && goesBack ? reasoningOf(blocks) : {}
  return [{ ...message, ...(everywhere ? { reasoning_content: own ? thoughtOf(blocks) : '' } : {}), ...reasoning }]
}

const thoughtOf = (blocks: readonly ModelAssistantBlock[]): string =>
  blocks.flatMap((block) => (block.type === 'thinking' ? [block.text] : [])).join('')

/** Details say all that the plain field says, and prove it. */
function reasoningOf(blocks: readonly ModelAssistantBlock[]): Record<string, string | readonly JsonObject[]> {
  const details = blocks.flatMap((block) => (block.type === 'thinking' ? (block.details ?? []) : []))
  if (details.length > 0) return { reasoning_details: details }
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
