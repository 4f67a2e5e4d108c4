// One answer by `/api/chat` (ollama/ollama, docs/api.md). The request is made of the one for chat completions, and the lines of the answer
// are read as its chunks: ids, thinking in tags, and broken arguments are the same matter in both. With `truncate` and `shift` off, Ollama
// refuses a prompt that does not fit, instead of dropping its beginning in silence (since 0.12.6; older versions tell by their counts).

import { freemem, totalmem } from 'node:os'
import type OpenAI from 'openai'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { type Effort, type ModelInfo, nearestEffort } from '#app/models/models.ts'
import { defined, parseJson } from '#app/or-else.ts'
import { newId } from '#main/base/ids.ts'
import { vendorOf } from '#main/models/catalogue/find-entry.ts'
import { fromChatChunks } from '#main/models/openai-chat/chunk-events.ts'
import { type EndpointContext, notCompatible } from '#main/models/openai-chat/openai-errors.ts'
import type { EndpointOptions } from '#main/models/openai-chat/openai-provider.ts'
import { type Dialect, toChatCompletions } from '#main/models/openai-chat/openai-request.ts'
import type { ModelEvent, ModelProvider, ModelRequest } from '#main/models/provider.ts'
import { withRetries } from '#main/models/retry-request.ts'
import { askOllama, jsonLines, ollamaRoot, readOllama } from './ollama-api.ts'

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

/** @throws {HostError} `model.too-long` when the prompt fills the whole context: a version that ignores `truncate` has cut it */
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

// The models of an Ollama: its list (`/api/tags`), and of each model what it can do and how large its context is (`/api/show`). Whether an
// endpoint is Ollama is known by `/api/version` and by the digests of its list: other programs answer some of the same paths, without them.
// The context that Ollama is asked to load a model with (`num_ctx`), which costs memory for each token. Pure. Left to itself, Ollama loads
// 4,096 tokens where it has less than 24 GiB of video memory, however much the model could read (ollama/ollama, docs/context-length.mdx).
/** Memory of the machine that Ollama runs on, in bytes. */
interface Machine {
  readonly total: number
  readonly free: number
}

interface ContextFacts {
  /** Tokens that the model can read (`<architecture>.context_length`). */
  readonly most?: number
  /** `num_ctx` of the model's own parameters (its Modelfile). */
  readonly own?: number
  /** Bytes of the model's files. */
  readonly bytes: number
  /** Bytes of the attention cache for one token. Absent: not known. */
  readonly bytesPerToken?: number
}

const GIB = 1024 ** 3
/** Bytes that are left to the system and to Ollama's working buffers. */
const RESERVED = 1.5 * GIB
/** Ollama's own least; below it no tools fit. */
const LEAST = 4096
/** Largest context that is taken without being asked for. A larger one makes each answer slower to begin. */
const MOST_BY_ITSELF = 32_768
/** Context at another machine, whose memory nobody tells. With a model of 8 billion parameters it takes 2 GiB. */
export const REMOTE_CONTEXT = 16_384
/** Bytes of a model's files for each byte of its cache for one token, where its shape is not known: that of Llama 3 (4.7 GB, 128 KiB). */
const FILES_PER_TOKEN = 36_000

/**
 * Returns the tokens that Ollama is asked for: what the model's own parameters say, else as many as memory allows beside the model, by
 * halves from 32,768 down to 4,096, and never more than the model reads. Memory counts as the larger of what is free and half of all: the
 * system frees what it only caches. `machine` undefined: another machine.
 */
export function suggestedContext({ most = Number.POSITIVE_INFINITY, own, bytes, bytesPerToken }: ContextFacts, machine?: Machine): number {
  if (own !== undefined) return Math.min(own, most)
  if (machine === undefined) return Math.min(REMOTE_CONTEXT, most)
  const room = Math.max(machine.free, machine.total / 2) - RESERVED - bytes
  const fitting = room / (bytesPerToken ?? Math.max(1, bytes / FILES_PER_TOKEN))
  let tokens = MOST_BY_ITSELF
  while (tokens > LEAST && tokens > fitting) tokens /= 2
  return Math.min(tokens, most)
}

const thisMachine = (): Machine => ({ total: totalmem(), free: freemem() })

const figure = (value: unknown): number | undefined => (typeof value === 'number' && value > 0 ? value : undefined)

/** Reads from `model_info` of `/api/show` what a token costs: keys and values of each layer, two bytes each. */
export function readShape(info: JsonObject): Pick<ContextFacts, 'most' | 'bytesPerToken'> {
  const of = (name: string): number | undefined => figure(info[`${String(info['general.architecture'])}.${name}`])
  const heads = of('attention.head_count')
  const width = of('embedding_length')
  const perHead = heads === undefined || width === undefined ? undefined : width / heads
  const [layers, shared, key, value] = [
    of('block_count'),
    of('attention.head_count_kv') ?? heads,
    of('attention.key_length') ?? perHead,
    of('attention.value_length') ?? perHead,
  ]
  const known = layers !== undefined && shared !== undefined && key !== undefined && value !== undefined
  const most = of('context_length') ?? figure(Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1])
  return defined({ most, bytesPerToken: known ? layers * shared * (key + value) * 2 : undefined })
}

/** Reads `num_ctx` of the lines of `parameters` in `/api/show`. */
export const ownContext = (parameters: unknown): number | undefined =>
  typeof parameters === 'string' ? figure(Number(/^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1])) : undefined

const MOST_MODELS = 500
/** Requests for single models at a time. */
const AT_ONCE = 4

interface OllamaList extends EndpointContext {
  readonly id: string
  readonly timeoutMs: number
  /** Finds a model of the list before: what `/api/show` said of the same digest is not asked again. */
  readonly before: (id: string) => ModelInfo | undefined
}

interface Tag {
  readonly name: string
  readonly digest: string
  readonly bytes: number
  readonly cloud: boolean
  readonly details: JsonObject
}

/** Resolves to the models; `undefined`: what answers is not Ollama, or nothing does. */
async function listOllamaModels(options: OllamaList, signal: AbortSignal): Promise<ModelInfo[] | undefined> {
  if (ollamaRoot(options.baseUrl) === undefined) return undefined
  const within = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)])
  const tags = await readTags(options, within).catch(() => undefined)
  if (!tags) return undefined
  const models: ModelInfo[] = []
  for (let at = 0; at < tags.length; at += AT_ONCE)
    models.push(...(await Promise.all(tags.slice(at, at + AT_ONCE).map((tag) => describe(tag, options, signal)))))
  return models
}

async function readTags(options: OllamaList, signal: AbortSignal): Promise<readonly Tag[] | undefined> {
  const version = await readOllama(options, '/api/version', signal)
  if (!isJsonObject(version) || typeof version['version'] !== 'string') return undefined
  const list = await readOllama(options, '/api/tags', signal)
  const models = isJsonObject(list) ? (list['models'] ?? []) : undefined
  if (!Array.isArray(models)) return undefined
  const tags = models.filter(isJsonObject).flatMap((one) => toTag(one) ?? [])
  const isOther = tags.length < models.length || tags.some(({ details }) => details['family'] === 'koboldcpp')
  return isOther ? undefined : tags.slice(0, MOST_MODELS)
}

function toTag(model: JsonObject): Tag | undefined {
  const { model: name = model['name'], digest, size, details } = model
  if (typeof name !== 'string' || name === '' || name.length > 200 || typeof digest !== 'string' || digest === '') return undefined
  const cloud = typeof model['remote_host'] === 'string' && model['remote_host'] !== ''
  return { name, digest, bytes: typeof size === 'number' ? size : 0, cloud, details: isJsonObject(details) ? details : {} }
}

async function describe(tag: Tag, options: OllamaList, signal: AbortSignal): Promise<ModelInfo> {
  const id = `${options.id}/${tag.name}`
  const before = options.before(id)
  if (before?.ollama?.digest === tag.digest) return before
  const within = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)])
  // A model of which nothing more is said stays in the list.
  const shown = await readOllama(options, '/api/show', within, { model: tag.name }).catch(() => undefined)
  return toInfo({ ...tag, id }, options, isJsonObject(shown) ? shown : {})
}

function toInfo(tag: Tag & { readonly id: string }, options: OllamaList, shown: JsonObject): ModelInfo {
  const { hostname } = new URL(options.baseUrl)
  const cloud = tag.cloud || hostname === 'ollama.com'
  const length = tag.details['context_length']
  const { most = typeof length === 'number' && length > 0 ? length : undefined, bytesPerToken } = readShape(
    isJsonObject(shown['model_info']) ? shown['model_info'] : {},
  )
  const facts = { bytes: tag.bytes, ...defined({ most, bytesPerToken, own: ownContext(shown['parameters']) }) }
  const contextTokens = cloud ? most : suggestedContext(facts, /^(?:127\.|localhost$|\[::1\]$)/.test(hostname) ? thisMachine() : undefined)
  return {
    id: tag.id,
    provider: options.id,
    name: tag.name.replace(/:latest$/, ''),
    ...defined({ contextTokens }),
    ...abilities(shown['capabilities'], tag),
    ollama: { digest: tag.digest, bytes: tag.bytes, ...defined({ most }), ...(cloud ? { cloud: true as const } : {}) },
    ai: true,
  }
}

function abilities(capabilities: unknown, { name, details }: Tag): Partial<ModelInfo> {
  // Older versions say nothing of what a model can do.
  if (!Array.isArray(capabilities)) return {}
  const can = (what: string): boolean => capabilities.includes(what)
  const reasoning = can('thinking')
  return {
    ...(can('completion') ? {} : { chat: false }),
    images: can('vision'),
    tools: can('tools'),
    reasoning,
    efforts: reasoning ? thinkLevels(`${name} ${String(details['family'])}`) : [],
  }
}

/** Levels of thinking; gpt-oss cannot do without (docs/capabilities/thinking.mdx). */
const thinkLevels = (model: string): Effort[] =>
  /gpt-?oss/i.test(model) ? ['low', 'medium', 'high'] : ['none', 'low', 'medium', 'high', 'max']
