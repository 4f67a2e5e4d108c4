// One answer by `/api/chat` (ollama/ollama, docs/api.md). The request is made of the one for chat completions, and the lines of the answer
// are read as its chunks: ids, thinking in tags, and broken arguments are the same matter in both. With `truncate` and `shift` off, Ollama
// refuses a prompt that does not fit, instead of dropping its beginning in silence (since 0.12.6; older versions tell by their counts).
import type OpenAI from 'openai'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { type ModelInfo, nearestEffort } from '#app/models/models.ts'
import { defined, parseJson } from '#app/or-else.ts'
import { newId } from '#main/base/ids.ts'
import { vendorOf } from '#main/models/catalogue/find-entry.ts'
import { fromChatChunks } from '#main/models/openai-chat/chunk-events.ts'
import { type EndpointContext, notCompatible } from '#main/models/openai-chat/openai-errors.ts'
import type { EndpointOptions } from '#main/models/openai-chat/openai-provider.ts'
import { type Dialect, toChatCompletions } from '#main/models/openai-chat/openai-request.ts'
import type { ModelEvent, ModelProvider, ModelRequest } from '#main/models/provider.ts'
import { withRetries } from '#main/models/retry-request.ts'
import { askOllama, jsonLines } from './ollama-api.ts'
import { listOllamaModels } from './ollama-models.ts'

type Message = OpenAI.Chat.ChatCompletionMessageParam
type Think = boolean | 'low' | 'medium' | 'high' | 'max'

/** Kinds of `think` that a model refused: levels (before Ollama took them of any model), or all. */
type ThinkRefused = 'levels' | 'all'

interface OllamaDialect extends Omit<Dialect, 'wants'> {
  readonly info: ModelInfo
  thinkRefused?: ThinkRefused
}

async function* streamOllama(
  request: ModelRequest,
  dialect: OllamaDialect,
  context: EndpointContext,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const lines = await begin(request, dialect, context, signal)
  const usedIds = new Set(
    request.messages.flatMap(({ content }) => content.flatMap((one) => (one.type === 'tool-call' ? [one.providerId] : []))),
  )
  const { template, info } = dialect
  yield* fromChatChunks(chunksOf(lines, info), { usedIds, template, newCallId: () => `call_${newId()}`, ended: () => false })
}

/** Begins the answer; a refusal of `think` is answered by a request without it. */
async function begin(request: ModelRequest, dialect: OllamaDialect, context: EndpointContext, signal: AbortSignal) {
  for (;;) {
    const body = toOllamaChat(request, dialect)
    const response = await askOllama(context, '/api/chat', signal, body)
    const lines = jsonLines(response, context, signal)
    try {
      return { first: await lines.next(), rest: lines }
    } catch (error) {
      const refused = thinkRefusedBy(error, body['think'])
      if (refused === undefined || refused === dialect.thinkRefused) throw withRemedy(error, dialect)
      dialect.thinkRefused = refused
    }
  }
}

/** `think value "high" is not supported for this model`, `"NAME" does not support thinking`, Go's error for a field of another type. */
function thinkRefusedBy(error: unknown, think: Json | undefined): ThinkRefused | undefined {
  const detail = error instanceof HostError && error.data['status'] === 400 ? String(error.data['detail']) : ''
  if (think === undefined || !/\bthink(?:ing)?\b/.test(detail)) return undefined
  return typeof think === 'string' ? 'levels' : 'all'
}

/** Adds what Ollama can do about an error: pull the missing model, or load it with a larger context. Models of its cloud run elsewhere. */
function withRemedy(error: unknown, { modelId, info }: OllamaDialect): unknown {
  if (!(error instanceof HostError) || (error.code !== 'model.unknown' && error.code !== 'model.too-long')) return error
  const { atHome: _atHome, ...data } = error.data
  const remedy = error.code === 'model.too-long' ? growing(info) : info.ollama?.cloud ? {} : { pull: modelId }
  return new HostError(error.code, error.message, { cause: error, data: { ...data, ...remedy } })
}

const growing = ({ contextTokens = 0, ollama }: ModelInfo): JsonObject =>
  ollama?.cloud || contextTokens >= (ollama?.most ?? Number.POSITIVE_INFINITY) ? {} : { canGrow: true }

function toOllamaChat(request: ModelRequest, dialect: OllamaDialect): JsonObject {
  const { info } = dialect
  const { messages, tools, stop } = toChatCompletions(request, { ...dialect, wants: new Set() })
  const num_ctx = info.ollama?.cloud ? undefined : info.contextTokens
  const { temperature, maxTokens: num_predict } = request
  const think = thinkOf(request, dialect)
  return {
    model: request.model,
    messages: toMessages(messages),
    ...(tools === undefined || request.toolChoice === 'none' ? {} : { tools: tools as unknown as Json }), // Its type has no index.
    ...defined({ think }),
    truncate: false,
    shift: false,
    options: defined({ num_ctx, temperature, num_predict, stop: stop as Json | undefined }),
  }
}

/** Absent effort: as little as possible. Thinking models think unless they are told not to, and answer with tags if they are told nothing. */
function thinkOf({ effort }: ModelRequest, { info, thinkRefused }: OllamaDialect): Think | undefined {
  if (info.reasoning !== true || thinkRefused === 'all') return undefined
  if (effort === 'auto') return true
  const level = nearestEffort(effort ?? 'none', info.efforts ?? [])
  if (level === undefined || level === 'none') return false
  return thinkRefused === 'levels' ? true : level === 'xhigh' ? 'high' : level
}

/** Converts messages: images beside the text, arguments as objects, and the tool's name with its result, since ids are new to Ollama. */
function toMessages(messages: readonly Message[]): JsonObject[] {
  const names = new Map<string, string>()
  return messages.map((message) => {
    const { text, images } = contentOf(message.content)
    const base = { role: message.role, content: text, ...(images.length > 0 ? { images } : {}) }
    if (message.role === 'tool') {
      const { tool_call_id: id } = message
      return { ...base, ...defined({ tool_name: names.get(id) }), tool_call_id: id }
    }
    if (message.role !== 'assistant') return base
    const calls = (message.tool_calls ?? []).flatMap((call) => {
      if (call.type !== 'function') return []
      names.set(call.id, call.function.name)
      return [{ id: call.id, function: { name: call.function.name, arguments: (parseJson(call.function.arguments) ?? {}) as Json } }]
    })
    const { reasoning } = message as { readonly reasoning?: string }
    return { ...base, ...defined({ thinking: reasoning }), ...(calls.length > 0 ? { tool_calls: calls } : {}) }
  })
}

function contentOf(content: Message['content']): { readonly text: string; readonly images: string[] } {
  if (typeof content === 'string' || !content) return { text: content ?? '', images: [] }
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const images = content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url.replace(/^data:[^,]*,/, '')] : []))
  return { text: texts.join('\n\n'), images }
}

type Begun = Awaited<ReturnType<typeof begin>>

/** Converts the lines of an answer to chunks of chat completions. Calls have no ids in older versions, and no useful index. */
async function* chunksOf({ first, rest }: Begun, info: ModelInfo): AsyncGenerator<JsonObject> {
  let calls = 0
  for (let next = first; !next.done; next = await rest.next()) {
    const line = next.value
    const message = isJsonObject(line['message']) ? line['message'] : {}
    const called = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isJsonObject) : []
    const tool_calls = called.map((call) => ({ ...call, index: calls++ }))
    const reason = line['done'] === true ? String(line['done_reason'] ?? 'stop') : null
    if (reason !== null) checkWhole(line, info)
    yield {
      choices: [{ delta: { content: message['content'] ?? '', reasoning: message['thinking'] ?? '', tool_calls }, finish_reason: reason }],
      ...(reason === null ? {} : { usage: { prompt_tokens: line['prompt_eval_count'] ?? 0, completion_tokens: line['eval_count'] ?? 0 } }),
    }
    if (reason !== null) return
  }
}

/** @throws HostError `model.too-long` when the prompt fills the whole context: a version that ignores `truncate` has cut it */
function checkWhole(line: JsonObject, info: ModelInfo): void {
  const { name, contextTokens, ollama } = info
  const read = line['prompt_eval_count']
  if (ollama?.cloud || contextTokens === undefined || typeof read !== 'number' || read < contextTokens) return
  throw new HostError(
    'model.too-long',
    t`Ollama has cut the beginning of the conversation for ${name}: it is longer than ${contextTokens} tokens.`,
    { data: { contextTokens, ...growing(info) } },
  )
}

// An endpoint in OpenAI's format that may be Ollama: then its own API lists the models and answers, since `/v1` cannot set the context.
/** `find`: a model with the person's own figures. `listed`: as its list has it. */
export interface OllamaOptions extends EndpointOptions {
  readonly listed?: (id: string) => ModelInfo | undefined
}

/** Returns the provider of an endpoint that may be Ollama. `otherwise`: the one for any other program. */
export function orOllama(otherwise: ModelProvider, options: OllamaOptions): ModelProvider {
  const { id, name, baseUrl, key, clock, find, fetch, timeoutMs = 20_000 } = options
  const context = (model?: string): EndpointContext => ({ name, baseUrl, key, now: clock.now(), ...defined({ fetch, model }) })
  /** Refusals of models, and how their templates answer. */
  const learnt = new Map<string, Pick<OllamaDialect, 'template' | 'thinkRefused'>>()
  const vendor = vendorOf(baseUrl)
  const mayBe = vendor === undefined || vendor === 'elsewhere' || vendor === 'ollama-cloud'
  let isOllama = false

  return {
    ...otherwise,
    isOllama: () => isOllama,
    async listModels(signal) {
      const list = { ...context(), id, timeoutMs, before: options.listed ?? find }
      const models = mayBe ? await listOllamaModels(list, signal) : undefined
      isOllama = models !== undefined
      return models ?? otherwise.listModels(signal)
    },
    stream(request, signal) {
      const modelId = `${id}/${request.model}`
      const info = find(modelId)
      if (!info?.ollama) return otherwise.stream(request, signal)
      return withRetries({ ...options, known: () => notCompatible(context()) }, signal, () => {
        const known = learnt.get(request.model) ?? { template: { opensThought: false } }
        learnt.set(request.model, known)
        return streamOllama(request, Object.assign(known, { modelId, info }), context(request.model), signal)
      })
    },
    async *pull(model, signal) {
      yield* jsonLines(await askOllama(context(model), '/api/pull', signal, { model }), context(model), signal)
    },
  }
}
