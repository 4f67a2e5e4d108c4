// The models of an Ollama: its list (`/api/tags`), and of each model what it can do and how large its context is (`/api/show`). Whether an
// endpoint is Ollama is known by `/api/version` and by the digests of its list: other programs answer some of the same paths, without them.
import { isJsonObject, type JsonObject } from '#app/json.ts'
import type { Effort, ModelInfo } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import type { EndpointContext } from '../openai-chat/openai-errors.ts'
import { ownContext, readShape, suggestedContext, thisMachine } from './context-size.ts'
import { ollamaRoot, readOllama } from './ollama-api.ts'

const MOST_MODELS = 500
/** Requests for single models at a time. */
const AT_ONCE = 4

export interface OllamaList extends EndpointContext {
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
