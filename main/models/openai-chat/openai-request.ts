// A request as chat completions. Images of a tool's result follow in a user message, since a tool message takes text only. Ids of calls
// that another model made become nine letters and digits, which every endpoint takes. Thinking goes back only to the model that it came
// from, in the field that it came in, within one turn or as the vendor wants it (`vendor-table.ts`).
import { createHash } from 'node:crypto'
import type OpenAI from 'openai'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { type ModelInfo, nearestEffort } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import {
  documentNote,
  type ModelAssistantBlock,
  type ModelContent,
  type ModelMessage,
  type ModelRequest,
  type ModelTool,
} from '../provider.ts'
import type { Want } from './vendor-table.ts'

type Params = OpenAI.Chat.ChatCompletionCreateParamsStreaming
type Message = OpenAI.Chat.ChatCompletionMessageParam
type AssistantMessage = OpenAI.Chat.ChatCompletionAssistantMessageParam

/** Fields in which endpoints send thinking; the name is kept as its signature, so that it can go back in the same one. */
export const reasoningFields = ['reasoning_content', 'reasoning'] as const

export interface Dialect {
  /** Model id with the provider's prefix. */
  readonly modelId: string
  readonly info: ModelInfo | undefined
  /** Wants of the vendor beyond the format; `streamOnce` adds those that a refusal names. */
  readonly wants: Set<Want>
  /** Whether the prompt of the model's template opens its thinking, as its answers have shown. */
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
    ...ofRouters(request, dialect),
    ...wishesOf(request, dialect),
    ...limitOf(request, dialect),
    ...effortOf(request, dialect, tools.length > 0),
    ...(tools.length === 0 ? {} : { tools, ...choiceOf(request, dialect) }),
  }
}

/** A call that some do not let be forced while they think is not asked for then. */
const choiceOf = ({ toolChoice }: ModelRequest, { wants }: Dialect): Pick<Params, 'tool_choice'> =>
  toolChoice === 'required' && wants.has('without tool_choice') ? {} : defined({ tool_choice: toolChoice })

/** Fields of OpenRouter (and Vercel's gateway) beyond the format: its search of the web, and images in answers. */
const ofRouters = ({ webSearch }: ModelRequest, { info }: Dialect): object => ({
  ...(webSearch ? { plugins: [{ id: 'web' }] } : {}),
  ...(info?.makesImages ? { modalities: ['image', 'text'] } : {}),
})

/** Converts temperature and stop sequences; OpenAI takes four of them, most others at least as many. */
function wishesOf({ temperature, stopSequences = [] }: ModelRequest, { info, wants }: Dialect): Pick<Params, 'temperature' | 'stop'> {
  const stop = stopSequences.filter((one) => one.trim() !== '').slice(0, 4)
  return {
    ...(temperature === undefined || info?.temperature === false || wants.has('without temperature') ? {} : { temperature }),
    ...(stop.length === 0 ? {} : { stop }),
  }
}

function limitOf({ maxTokens }: ModelRequest, { info, wants }: Dialect): Record<string, number> {
  const names = ['max_tokens', 'max_completion_tokens'] as const
  const inOrder = wants.has('max_completion_tokens') ? names.toReversed() : names
  const name = inOrder.find((one) => !wants.has(`without ${one}`))
  return maxTokens === undefined || name === undefined ? {} : { [name]: Math.min(maxTokens, info?.maxOutputTokens ?? maxTokens) }
}

/** Efforts that all thinking models know; only some know more, and no list says which. */
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
  /** Wire ids of the calls in the last answer, by the host's ids. */
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
  readonly called: boolean
}

/** Returns the turn of each message; a turn begins with a message of the person. */
function turnsOf(messages: readonly ModelMessage[]): readonly Turn[] {
  let number = 0
  const numbers = messages.map((message) => {
    if (message.role === 'user' && message.content.some(isWord)) number += 1
    return number
  })
  const called = new Set(numbers.filter((_, index) => messages[index]?.content.some(({ type }) => type === 'tool-call')))
  return numbers.map((one) => ({ isLast: one === number, called: called.has(one) }))
}

/** Puts an assistant message between a tool's and a user message that follows it. */
const bridged = (messages: readonly Message[]): Message[] =>
  messages.flatMap((message, index) =>
    message.role === 'user' && messages[index - 1]?.role === 'tool' ? [{ role: 'assistant', content: 'OK' }, message] : [message],
  )

const isWord = (block: { readonly type: string; readonly byHost?: true }): boolean => block.type !== 'tool-result' && block.byHost !== true

/** Id of a call on the wire: OpenAI takes 40 characters, Mistral exactly nine. */
function wireId(id: string, own: boolean): string {
  if (own && /^[\w.:-]{1,64}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, 9)
}

function fromUser(message: ModelMessage & { role: 'user' }, ids: ReadonlyMap<string, string>, documents: boolean): Message[] {
  const results: Message[] = []
  const blocks: ModelContent[] = []
  for (const block of message.content) {
    if (block.type !== 'tool-result') {
      blocks.push(block)
      continue
    }
    const text = block.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const images = block.content.filter((part) => part.type === 'image')
    const files = block.content.filter((part) => part.type === 'document')
    const lines = [
      block.isError ? '[The tool reports an error.]' : '',
      text,
      images.length > 0 ? `[${images.length} ${images.length === 1 ? 'image follows' : 'images follow'}.]` : '',
      files.length > 0 ? `[${files.length} ${files.length === 1 ? 'PDF follows' : 'PDFs follow'}.]` : '',
    ].filter((line) => line.trim() !== '')
    results.push({
      role: 'tool',
      tool_call_id: ids.get(block.providerId) ?? wireId(block.providerId, false),
      content: lines.join('\n') || '[The tool gave nothing.]',
    })
    blocks.push(...images, ...files)
  }
  const content = contentOf(blocks, documents)
  return content.length === 0 ? results : [...results, { role: 'user', content }]
}

/** Converts content; text alone becomes a string, since not every endpoint takes a list. */
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
  /** Whether the model that is asked wrote the message. */
  readonly own: boolean
  readonly wants: ReadonlySet<Want>
}

function fromAssistant(blocks: readonly ModelAssistantBlock[], ids: ReadonlyMap<string, string>, author: Author): Message[] {
  const { own, wants, isLast, called } = author
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
  const skipped = wants.has('skipped-signatures') ? { google: { thought_signature: 'skip_thought_signature_validator' } } : undefined
  const calls = blocks
    .filter((block) => block.type === 'tool-call')
    .map(({ providerId, name, input, providerData }) => ({
      id: ids.get(providerId) ?? providerId,
      type: 'function' as const,
      function: { name, arguments: JSON.stringify(input) },
      ...defined({ extra_content: (own ? providerData?.['extra_content'] : undefined) ?? skipped }),
    }))
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

/**
 * Returns the details where there are any: they hold all that the plain field holds, signed. Beside them only `reasoning_content` goes back,
 * which some models behind a gateway want by its name (Kimi at Avian, recorded in charmbracelet/fantasy).
 */
function reasoningOf(blocks: readonly ModelAssistantBlock[]): Record<string, string | readonly JsonObject[]> {
  // Items of the Responses API, from before the endpoint's format changed, begin with `reasoning`.
  const given = blocks.flatMap((block) => (block.type === 'thinking' ? [block.details ?? []] : []))
  const details = given.filter(([first]) => first?.['type'] !== 'reasoning').flat()
  const found: Record<string, string> = {}
  for (const block of blocks) {
    if (block.type !== 'thinking') continue
    const field = reasoningFields.find((name) => name === block.signature)
    if (field) found[field] = (found[field] ?? '') + block.text
  }
  if (details.length === 0) return found
  const { reasoning_content } = found
  return { ...defined({ reasoning_content }), reasoning_details: details }
}

/** Converts a tool; drops alternatives at the top of its schema, which endpoints refuse. The server still checks against its own. */
function toTool({ name, description, inputSchema }: ModelTool): OpenAI.Chat.ChatCompletionFunctionTool {
  const { oneOf: _one, anyOf: _any, allOf: _all, not: _not, enum: _enum, ...schema } = inputSchema as JsonObject
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  return { type: 'function', function: { name, description, parameters: { ...schema, type: 'object', properties } } }
}
