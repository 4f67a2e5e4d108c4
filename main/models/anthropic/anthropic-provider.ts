// Anthropic's API through its SDK, as transport only: retries, classification of errors and caching are the host's. The key stays in this
// object; the SDK's logging and tracing are off, and redirects are not followed, since they would carry the key.
import Anthropic, { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import { vouchedFetch } from '#main/base/authorities/certificate-authorities.ts'
import { causeOf, endpointHost, hostErrorInCause, notSecure, retryAfterOf, withoutKey } from '#main/models/http-errors.ts'
import { readErrorBody } from '#main/models/openai-chat/openai-errors.ts'
import type { EndpointOptions } from '#main/models/openai-chat/openai-provider.ts'
import {
  documentNote,
  type ModelAssistantBlock,
  type ModelContent,
  type ModelEvent,
  type ModelMessage,
  type ModelProvider,
  type ModelRequest,
  type ModelTool,
  type ModelUserBlock,
} from '#main/models/provider.ts'
import { contextNamedIn, refusalKind, sentenceOf } from '#main/models/refusal-kinds.ts'
import { withRetries } from '#main/models/retry-request.ts'
import {
  type DeferredTools,
  deferredTools,
  fromAnthropicEvents,
  maySearch,
  SEARCH_TOOL,
  sentBack,
  takesReferences,
  toTextBlocks,
  withSearch,
} from './anthropic-events.ts'
import { effortsIn, thinkingOf } from './thinking.ts'

type Params = Anthropic.MessageCreateParamsStreaming
type Block = Anthropic.ContentBlockParam

const CACHE = { type: 'ephemeral' } as const
/** Limit of an answer where the model list has none. */
const DEFAULT_MAX_TOKENS = 8192
const MOST_MAX_TOKENS = 32_000

/**
 * Converts a request. Of the API's four cache marks one goes to the last tool, one to the system prompt, one to the last message and one
 * to the person's message before it, where the last request ended: the API looks back only twenty blocks, and a step of many calls is
 * longer. `search`: the API searches the deferred tools itself; otherwise the host's own search does (decision 0057).
 */
export function toAnthropic(request: ModelRequest, info: ModelInfo | undefined, search = false, provider = 'anthropic'): Params {
  const offered = search ? withSearch(request) : request.tools
  const context: Context = {
    model: request.model,
    modelId: `${provider}/${request.model}`,
    documents: [],
    takesDocuments: info?.documents !== false,
    deferred: deferredTools({ model: request.model, tools: offered }),
    searchable: search ? new Set(offered.map(({ name }) => name)) : undefined,
  }
  const messages = request.messages.map((message) => toMessage(message, context)).filter((message) => message.content.length > 0)
  for (const message of messages.filter(({ role }) => role === 'user').slice(-2)) message.content = markLast(message.content)
  const isDeferred = ({ name, deferred }: ModelTool): boolean => (search ? deferred === true : context.deferred.has(name))
  const tools: Tool[] = [
    ...(search ? [{ ...SEARCH_TOOL }] : []),
    ...offered.map((tool) => ({ ...toTool(tool), ...(isDeferred(tool) ? { defer_loading: true } : {}) })),
  ]
  // The API takes no cache mark on a deferred tool.
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

/** Drops blank stop sequences, which the API refuses. */
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
  /** Model id with the provider's prefix. */
  readonly modelId: string
  readonly takesDocuments: boolean
  readonly deferred: DeferredTools
  /** Names of all tools of the request, where the API searches them itself. */
  readonly searchable: ReadonlySet<string> | undefined
  /** Titles of the documents so far, in order: citations refer to their index. */
  readonly documents: string[]
}

function toMessage(message: ModelMessage, context: Context): Message {
  if (message.role === 'user') return { role: 'user', content: message.content.flatMap((block) => toUserBlock(block, context)) }
  const content = message.content.flatMap((block) => toAssistantBlock(block, message.model === context.modelId, context))
  // The API refuses a message that ends with thinking.
  while (content.at(-1)?.type === 'thinking' || content.at(-1)?.type === 'redacted_thinking') content.pop()
  return { role: 'assistant', content }
}

function toUserBlock(block: ModelUserBlock, context: Context): Block[] {
  if (block.type !== 'tool-result') return toContent(block, context)
  const references = context.deferred.references(block.references)
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

/** Converts content without blank text, which the API refuses. */
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

/** Converts a block of an answer. Thinking of another model is left out: its signature is not valid for this one. */
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

/** Drops `oneOf`, `anyOf` and `allOf` at the top of the schema, which the API refuses; the server still checks against its own. */
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

interface MessageSender {
  readonly id: string
  readonly client: Anthropic
  readonly info: ModelInfo | undefined
  readonly context: (model: string) => ErrorContext
  /** Models that refused a request with the API's own search and took it without; not repeated in this run. */
  readonly searchless: Set<string>
}

async function* ask(sender: MessageSender, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const { model } = request
  let refused = false
  if (maySearch(request) && !sender.searchless.has(model)) {
    try {
      return yield* once(sender, toAnthropic(request, sender.info, true, sender.id), signal)
    } catch (error) {
      if (!isRefused(error)) throw error
      refused = true
    }
  }
  for await (const event of once(sender, toAnthropic(request, sender.info, false, sender.id), signal)) {
    if (refused) sender.searchless.add(model)
    yield event
  }
}

const isRefused = (error: unknown): error is HostError =>
  error instanceof HostError && error.code === 'model.request-refused' && error.data['status'] === 400

async function* once(sender: MessageSender, params: Params, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const { client, context } = sender
  let began = false
  try {
    // `messages.create` would write to the console what it thinks of the model.
    const path = '/v1/messages'
    const stream = await client.post<AsyncIterable<Anthropic.RawMessageStreamEvent>>(path, { body: params, stream: true, signal })
    for await (const event of fromAnthropicEvents(stream)) {
      began = true
      yield event
    }
  } catch (error) {
    if (signal.aborted) throw new HostError('cancelled', t`It was cancelled.`)
    const known = anthropicError(error, context(params.model), began)
    throw isRefused(known) ? await tooLongOr(known, sender, params, signal) : known
  }
}

async function countTokens(client: Anthropic, params: Params, signal: AbortSignal): Promise<number> {
  const { model, messages, system, tools, thinking } = params
  const counted = await client.messages.countTokens(
    { model, messages, ...(system && { system }), ...(tools && { tools }), ...(thinking && { thinking }) },
    { signal, timeout: 20_000 },
  )
  return counted.input_tokens
}

/** Counts the tokens of a refused request, since the API says "too long" in words only, and these may not be the known ones. */
async function tooLongOr(refused: HostError, { client, info }: MessageSender, params: Params, signal: AbortSignal): Promise<HostError> {
  if (info?.contextTokens === undefined) return refused
  try {
    const tokens = await countTokens(client, params, signal)
    if (tokens <= info.contextTokens) return refused
    const data = { ...refused.data, tokens, contextTokens: info.contextTokens }
    return new HostError('model.too-long', t`The conversation is longer than the model takes.`, { data })
  } catch {
    return refused // The count would only have made the error more exact.
  }
}

/** `id` and `name`: of an endpoint in this format; default: Anthropic itself. */
type AnthropicOptions = Omit<EndpointOptions, 'id' | 'name' | 'timeoutMs'> & Partial<Pick<EndpointOptions, 'id' | 'name'>>

export function createAnthropic(options: AnthropicOptions): ModelProvider {
  const client = new Anthropic({
    apiKey: options.key,
    baseURL: options.baseUrl,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    fetch: options.fetch ?? vouchedFetch,
    fetchOptions: { redirect: 'manual' },
  })
  const { id = 'anthropic', name, key, baseUrl, clock } = options
  const context = (model?: string): ErrorContext => ({ key, baseUrl, now: clock.now(), ...defined({ name, model }) })
  const searchless = new Set<string>()
  const infoOf = (model: string): ModelInfo | undefined => options.find(`${id}/${model}`)
  return {
    id,
    name: name ?? 'Anthropic',
    async listModels(signal) {
      try {
        const models: ModelInfo[] = []
        for await (const model of client.models.list({ limit: 1000 }, { signal, timeout: 20_000 })) {
          if (typeof model?.id !== 'string') throw new TypeError('not a model')
          if (model.lifecycle !== 'retired') models.push(toInfo(model, id))
        }
        return models
      } catch (error) {
        throw anthropicError(error, context())
      }
    },
    stream: (request, signal) =>
      withRetries({ ...options, known: (error) => anthropicError(error, context()) }, signal, () =>
        ask({ id, client, info: infoOf(request.model), context, searchless }, request, signal),
      ),
    async countTokens(request, signal) {
      try {
        return await countTokens(client, toAnthropic(request, infoOf(request.model), false, id), signal)
      } catch (error) {
        if (signal.aborted) throw new HostError('cancelled', t`It was cancelled.`)
        throw anthropicError(error, context(request.model))
      }
    },
  }
}

function toInfo(model: Anthropic.ModelInfo, provider: string): ModelInfo {
  const { image_input: images, pdf_input: documents } = model.capabilities ?? {}
  return {
    id: `${provider}/${model.id}`,
    provider,
    name: model.display_name || model.id,
    ...(model.max_input_tokens ? { contextTokens: model.max_input_tokens } : {}),
    ...(model.max_tokens ? { maxOutputTokens: model.max_tokens } : {}),
    ...(images ? { images: images.supported } : {}),
    ...(documents ? { documents: documents.supported } : {}),
    ...(takesReferences(model.id) ? { toolSearch: true } : {}),
    ...effortsIn(model.capabilities ?? {}),
    ai: true,
  }
}

// Errors of Anthropic's API by status and type, and by what all vendors mean (`refusal-kinds.ts`). Messages are the
// host's; the API's own is kept as data without the key, since a proxy may echo headers.
/** Classifies an error; an `error` event in a stream has a type but no status. */
function codeOf({ status, type, errorCode }: APIError, message: string): HostErrorCode {
  const kind = refusalKind({ status, words: [type, errorCode].filter((word) => typeof word === 'string'), message })
  if (kind !== undefined) return kind
  if (status === 529) return 'model.overloaded'
  if (status === 429 || type === 'rate_limit_error') return 'model.rate-limited'
  if (status === 401 || status === 403 || type === 'authentication_error' || type === 'permission_error') return 'model.key-refused'
  if (status === 404 || type === 'not_found_error') return 'model.unknown'
  if ((status !== undefined && status >= 500) || type === 'api_error' || type === 'timeout_error') return 'model.server-error'
  return 'model.request-refused'
}

interface ErrorContext {
  /** The person's name for the endpoint; default: Anthropic. */
  readonly name?: string
  readonly key: string
  readonly model?: string
  readonly baseUrl: string
  readonly now: number
}

/** Converts any error of the SDK. `began`: events had come already, so the answer itself is broken. */
function anthropicError(error: unknown, context: ErrorContext, began = false): HostError {
  if (error instanceof HostError) return error
  if (error instanceof APIUserAbortError) return new HostError('cancelled', t`It was cancelled.`)
  const told = hostErrorInCause(error)
  if (told) return told
  if (error instanceof APIConnectionError) {
    const host = endpointHost(context.baseUrl)
    return (
      notSecure(error, host) ??
      new HostError(
        'model.offline',
        context.name === undefined
          ? t`${'Anthropic'} at ${host} could not be reached.`
          : t`${context.name} at ${host} could not be reached.`,
        { data: causeOf(error) },
      )
    )
  }
  if (error instanceof APIError) return statusError(error, context)
  return began
    ? new HostError('model.bad-answer', t`The answer broke off.`, { data: causeOf(error) })
    : new HostError('model.bad-answer', t`What answers at ${endpointHost(context.baseUrl)} does not speak this format.`)
}

function statusError(error: APIError, context: ErrorContext): HostError {
  const { name = 'Anthropic' } = context
  const status = error.status as number | undefined
  // A gateway may have another form of error.
  const message = error.apiMessage ?? readErrorBody(error.error).message
  const code = codeOf(error, message)
  const retryAfterMs = retryAfterOf(error.headers as Headers | undefined, context.now)
  const data = defined({
    status,
    type: error.type || undefined,
    detail: withoutKey(message, context.key).slice(0, 2000) || undefined,
    requestId: error.requestID || undefined,
    retryAfterMs,
    contextTokens: code === 'model.too-long' ? contextNamedIn(message) : undefined,
    model: context.model,
  })
  return new HostError(code, sentenceOf(code, name), { data })
}
