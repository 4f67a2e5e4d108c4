// The models of an Ollama: its list (`/api/tags`), and of each model what it can do and how large its context is (`/api/show`). Whether an
// endpoint is Ollama is known by `/api/version` and by the digests of its list: other programs answer some of the same paths, without them.

import { freemem, totalmem } from 'node:os'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import type { Effort, ModelInfo } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import type { EndpointContext } from '#main/models/openai-chat/openai-errors.ts'
import { ollamaRoot, readOllama } from './ollama-api.ts'

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
export async function listOllamaModels(options: OllamaList, signal: AbortSignal): Promise<ModelInfo[] | undefined> {
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
