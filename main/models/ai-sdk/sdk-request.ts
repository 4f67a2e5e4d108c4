// Call options of the AI SDK's language models (LanguageModelV3) for one of our requests. Metadata that a model gave with a thought, a
// text or a call goes back to that model alone.
import { createHash } from 'node:crypto'
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { type ModelInfo, nearestEffort } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import { thinkingOf } from '../anthropic/thinking.ts'
import { documentNote, type ModelAssistantBlock, type ModelContent, type ModelRequest, type ModelUserBlock } from '../provider.ts'
import { IN_TEXT } from './sdk-events.ts'

type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]
type ToolOutput = LanguageModelV3ToolResultPart['output']
type OutputPart = Extract<ToolOutput, { type: 'content' }>['value'][number]

/** Key of the vendor's options and metadata in the SDK. */
export type SdkVendor = 'google' | 'vertex' | 'bedrock'

export interface SdkDialect {
  readonly vendor: SdkVendor
  /** Model id with the provider's prefix. */
  readonly modelId: string
  readonly info: ModelInfo | undefined
  /** False after the model has refused parameters of thinking. */
  readonly thinks: boolean
}

export function toCallOptions(request: ModelRequest, dialect: SdkDialect): LanguageModelV3CallOptions {
  const { info, modelId } = dialect
  const takesDocuments = info?.documents !== false
  const names = new Map<string, string>()
  const prompt: LanguageModelV3Message[] = request.system.trim() === '' ? [] : [{ role: 'system', content: request.system }]
  for (const message of request.messages) {
    if (message.role === 'user') prompt.push(...fromUser(message.content, names, takesDocuments))
    else {
      for (const block of message.content) if (block.type === 'tool-call') names.set(block.providerId, block.name)
      const content = fromAssistant(message.content, message.model === modelId)
      if (content.length > 0) prompt.push({ role: 'assistant', content })
    }
  }
  markForCache(prompt, dialect)
  const { maxTokens, temperature, toolChoice } = request
  const limit = maxTokens === undefined ? undefined : Math.min(maxTokens, info?.maxOutputTokens ?? maxTokens)
  const tools = info?.tools === false ? [] : request.tools
  const stopSequences = request.stopSequences?.filter((one) => one.trim() !== '')
  const thinking = dialect.thinks ? thinkingOptions(request, dialect, limit) : undefined
  return {
    prompt,
    ...defined({ maxOutputTokens: limit, temperature: info?.temperature === false ? undefined : temperature }),
    ...(stopSequences?.length ? { stopSequences } : {}),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: 'function',
            name,
            description,
            inputSchema: { ...inputSchema, type: 'object' },
          })),
        }),
    ...(tools.length > 0 && toolChoice !== undefined ? { toolChoice: { type: toolChoice } } : {}),
    ...(thinking ? { providerOptions: { [dialect.vendor]: thinking } } : {}),
  }
}

/** Id of a call on the wire, in the characters and the length that Bedrock takes. */
const wireId = (id: string): string => (/^[\w-]{1,64}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 32))

/** Returns the results of tools, then what the person says; `names`: of the calls by id. */
function fromUser(blocks: readonly ModelUserBlock[], names: ReadonlyMap<string, string>, documents: boolean): LanguageModelV3Message[] {
  const results: LanguageModelV3ToolResultPart[] = []
  const content: ({ type: 'text'; text: string } | LanguageModelV3FilePart)[] = []
  for (const block of blocks) {
    if (block.type === 'tool-result') {
      const output = outputOf(block.content, block.isError, documents)
      results.push({ type: 'tool-result', toolCallId: wireId(block.providerId), toolName: names.get(block.providerId) ?? 'tool', output })
    } else if (block.type === 'image') content.push({ type: 'file', mediaType: block.mimeType, data: block.data })
    else if (block.type === 'document' && documents) content.push({ type: 'file', mediaType: block.mimeType, data: block.data })
    else {
      const text = block.type === 'document' ? documentNote(block.name) : block.text
      if (text.trim() !== '') content.push({ type: 'text', text })
    }
  }
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
    ...(content.length > 0 ? [{ role: 'user' as const, content }] : []),
  ]
}

function outputOf(content: readonly ModelContent[], isError: boolean, documents: boolean): ToolOutput {
  const textOf = (part: ModelContent): string | undefined =>
    part.type === 'text' ? part.text : part.type === 'document' && !documents ? documentNote(part.name) : undefined
  const texts = content.map(textOf)
  if (texts.every((text) => text !== undefined)) {
    const value = texts.filter((text) => text.trim() !== '').join('\n') || '[The tool gave nothing.]'
    return { type: isError ? 'error-text' : 'text', value }
  }
  const value = content.flatMap((part): OutputPart[] => {
    const text = textOf(part)
    if (text !== undefined) return text.trim() === '' ? [] : [{ type: 'text', text }]
    if (part.type === 'text') return []
    return [{ type: part.type === 'image' ? 'image-data' : 'file-data', data: part.data, mediaType: part.mimeType }]
  })
  return { type: 'content', value: isError ? [{ type: 'text', text: '[The tool reports an error.]' }, ...value] : value }
}

/** Metadata as it came with a part. */
const metadataOf = (value: JsonObject | undefined): { providerOptions?: SharedV3ProviderOptions } =>
  value && Object.values(value).every(isJsonObject) ? { providerOptions: value as SharedV3ProviderOptions } : {}

/** `own`: the model that is asked wrote the answer. Thoughts of others are left out. */
function fromAssistant(blocks: readonly ModelAssistantBlock[], own: boolean): AssistantPart[] {
  const parts: AssistantPart[] = []
  for (const block of blocks) {
    if (block.type === 'text') {
      if (block.text.trim() !== '') parts.push({ type: 'text', text: block.text })
    } else if (block.type === 'tool-call') {
      const { providerId, name: toolName, input, providerData } = block
      parts.push({ type: 'tool-call', toolCallId: wireId(providerId), toolName, input, ...(own ? metadataOf(providerData) : {}) })
    } else if (block.type === 'thinking' && own && block.signature !== IN_TEXT) {
      const [metadata, of] = block.details ?? []
      const last = parts.at(-1)
      if (of?.['of'] !== 'text') parts.push({ type: 'reasoning', text: block.text, ...metadataOf(metadata) })
      else if (last?.type === 'text') Object.assign(last, metadataOf(metadata))
    }
  }
  // A message that ends with a thought is refused.
  while (parts.at(-1)?.type === 'reasoning') parts.pop()
  return parts
}

const CACHE = { bedrock: { cachePoint: { type: 'default' } } } as const

/** Marks where a prefix ends that Bedrock keeps: the system prompt, and the last two messages of the person or of tools. */
function markForCache(prompt: readonly LanguageModelV3Message[], { vendor, modelId }: SdkDialect): void {
  if (vendor !== 'bedrock' || !/anthropic\.claude|amazon\.nova/.test(modelId)) return
  const asked = prompt.filter(({ role }) => role === 'user' || role === 'tool').slice(-2)
  for (const message of [...prompt.filter(({ role }) => role === 'system'), ...asked]) message.providerOptions = CACHE
}

/** Adds how a Claude thinks, where no list says it: those with the highest effort think adaptively. */
export function withThinks(info: ModelInfo | undefined): ModelInfo | undefined {
  if (!info?.reasoning || info.thinks !== undefined || !/claude/.test(info.id)) return info
  return { ...info, thinks: info.efforts?.includes('max') ? 'adaptive' : 'budget' }
}

/** Budgets that Google gives to the efforts of its compatible endpoint (ai.google.dev/gemini-api/docs/openai#thinking), in tokens. */
const budgets = { low: 1024, medium: 8192, high: 24_576 } as const

/** Returns the vendor's options for thinking; `undefined`: none are sent. */
function thinkingOptions(
  request: ModelRequest,
  { vendor, info }: SdkDialect,
  limit: number | undefined,
): SharedV3ProviderOptions[string] | undefined {
  if (!info?.reasoning) return undefined
  if (vendor !== 'bedrock') return /gemini/.test(info.id) ? { thinkingConfig: geminiThinking(request.effort, info) } : undefined
  if (!/claude/.test(info.id)) {
    const level = request.effort === 'auto' || !info.efforts?.length ? undefined : nearestEffort(request.effort ?? 'none', info.efforts)
    return level === undefined || level === 'none' ? undefined : { reasoningConfig: { type: 'enabled', maxReasoningEffort: level } }
  }
  // Thoughts of Claude are as at Anthropic, in other words.
  const messages = request.messages.map(({ content }) => ({ content: content.map(({ type }) => ({ type: wireType(type) })) }))
  const { thinking, output_config } = thinkingOf(request, withThinks(info), limit ?? info.maxOutputTokens ?? 8192, messages)
  if (!thinking || thinking.type === 'disabled') return undefined
  const budget = thinking.type === 'enabled' ? { budgetTokens: thinking.budget_tokens } : { display: 'summarized' }
  return { reasoningConfig: { type: thinking.type, ...budget, ...defined({ maxReasoningEffort: output_config?.effort ?? undefined }) } }
}

const wireType = (type: ModelUserBlock['type'] | ModelAssistantBlock['type']): 'tool_result' | 'thinking' | 'text' =>
  type === 'tool-result' ? 'tool_result' : type === 'thinking' ? type : 'text'

/** Gemini 3 and later take a level, 2.5 a budget; 2.5 Pro always thinks. */
function geminiThinking(
  effort: ModelRequest['effort'],
  { id, efforts = [] }: ModelInfo,
): { includeThoughts?: boolean; thinkingLevel?: string; thinkingBudget?: number } {
  if (effort === 'auto') return { includeThoughts: true }
  const level = nearestEffort(effort ?? 'none', efforts.length > 0 ? efforts : ['none', 'low', 'medium', 'high'])
  if (efforts.length > 0) return { includeThoughts: true, ...defined({ thinkingLevel: level }) }
  if (level === 'low' || level === 'medium' || level === 'high') return { includeThoughts: true, thinkingBudget: budgets[level] }
  return { thinkingBudget: /2\.5-pro/.test(id) ? 128 : 0 }
}
