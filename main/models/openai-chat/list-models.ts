// The model list of an endpoint, by a GET of `/models`, which also tells whether there is an endpoint at all. No redirect is followed,
// since it would carry the key, and the size is limited.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import type { Price } from '#app/models/usage.ts'
import { defined, parseJson } from '#app/or-else.ts'
import { vouchedFetch } from '#main/base/authorities/certificate-authorities.ts'
import { type EndpointContext, endpointUnreachable, failureOf, notCompatible } from './openai-errors.ts'

const MOST_BYTES = 8_000_000
const MOST_MODELS = 1000
/** Names of models that do not chat. */
const otherWork =
  /embed|whisper|(^|[-/])tts|dall-e|moderation|rerank|transcribe|realtime|gpt-image|(^|\/)sora|(^|[-/])bge-|(^|\/)(davinci|babbage)-/i

/** Hosts that search the web on request: `web_search` of the Responses API, and the plugin `web` of OpenRouter's chat completions. */
const searching = {
  'openai-responses': /^api\.openai\.com$|\.azure\.com$|^api\.x\.ai$|^openrouter\.ai$/,
  openai: /^openrouter\.ai$/,
} as const

const searchesWeb = ({ baseUrl, format = 'openai' }: ListOptions): boolean => searching[format].test(new URL(baseUrl).hostname)

interface ListOptions extends EndpointContext {
  readonly id: string
  readonly timeoutMs: number
  readonly format?: keyof typeof searching
}

/** @throws {HostError} `model.*`, `cancelled` when aborted */
export async function listEndpointModels(options: ListOptions, signal: AbortSignal): Promise<ModelInfo[]> {
  const { status, headers, text } = await get(options, signal)
  const body = parseJson(text)
  if (status !== 200) {
    if (status >= 300 && status < 400) throw notCompatible(options)
    throw failureOf({ status, headers, error: status === 404 ? undefined : body }, options)
  }
  // Ollama without any model answers null.
  const data = isJsonObject(body) ? (body['data'] === null ? [] : body['data']) : body
  if (!Array.isArray(data)) throw notCompatible(options)
  const found = data.filter(isJsonObject).filter((model) => typeof model['id'] === 'string')
  if (data.length > 0 && found.length === 0) throw notCompatible(options)
  return found
    .filter((model) => !otherWork.test(String(model['id'])) && String(model['id']).length <= 200)
    .slice(0, MOST_MODELS)
    .map((model) => toInfo(model, options.id, searchesWeb(options)))
}

async function get(options: ListOptions, signal: AbortSignal) {
  try {
    const response = await (options.fetch ?? vouchedFetch)(`${options.baseUrl}/models`, {
      headers: { accept: 'application/json', ...(options.key === '' ? {} : { authorization: `Bearer ${options.key}` }) },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]),
    })
    const decoder = new TextDecoder()
    let text = ''
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > MOST_BYTES) throw notCompatible(options)
    }
    return { status: response.status, headers: response.headers, text }
  } catch (error) {
    if (error instanceof HostError) throw error
    if (signal.aborted) throw new HostError('cancelled', t`It was cancelled.`)
    // The program that answers does not speak HTTP.
    if (error instanceof Error && String((error.cause as { code?: unknown } | undefined)?.code).startsWith('HPE_'))
      throw notCompatible(options)
    throw endpointUnreachable(error, options)
  }
}

const positive = (...values: unknown[]): number | undefined =>
  values.find((value): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0)

/** Parses OpenRouter's prices: dollars for one token, as text; a negative number stands for a price that varies. */
function priceOf(pricing: JsonObject): Price | undefined {
  const perMillion = (name: string): number | undefined => {
    const value = typeof pricing[name] === 'string' && pricing[name] !== '' ? Number(pricing[name]) * 1_000_000 : Number.NaN
    return value >= 0 && value <= 1_000_000 ? value : undefined
  }
  const [input, output] = [perMillion('prompt'), perMillion('completion')]
  if (input === undefined || output === undefined) return undefined
  return { input, output, ...defined({ cacheRead: perMillion('input_cache_read'), cacheWrite: perMillion('input_cache_write') }) }
}

/** Reads a model. The format has an id only; OpenRouter, vLLM, Groq, Mistral and llama.cpp each add fields of their own. */
function toInfo(model: JsonObject, provider: string, searches: boolean): ModelInfo {
  const id = String(model['id'])
  const part = (name: string): JsonObject => (isJsonObject(model[name]) ? model[name] : {})
  const contextFields = ['context_length', 'max_model_len', 'context_window', 'max_context_length']
  const contextTokens = positive(...contextFields.map((name) => model[name]), part('meta')['n_ctx'])
  const maxOutputTokens = positive(part('top_provider')['max_completion_tokens'], model['max_completion_tokens'])
  const inputs = part('architecture')['input_modalities']
  const vision = part('capabilities')['vision']
  const outputs = part('architecture')['output_modalities']
  const takes = (kind: string): boolean | undefined => (Array.isArray(inputs) ? inputs.includes(kind) : undefined)
  const images = takes('image') ?? (typeof vision === 'boolean' ? vision : undefined)
  const parameters = model['supported_parameters']
  const calling = part('capabilities')['function_calling']
  const tools = Array.isArray(parameters) ? parameters.includes('tools') : typeof calling === 'boolean' ? calling : undefined
  const thoughtless = Array.isArray(parameters) && !parameters.some((name) => name === 'reasoning' || name === 'reasoning_effort')
  return {
    id: `${provider}/${id}`,
    provider,
    name: typeof model['name'] === 'string' && model['name'] !== '' ? model['name'].slice(0, 200) : id,
    ...defined({ contextTokens, maxOutputTokens, images, tools }),
    ...(takes('file') ? { documents: true } : {}),
    ...(searches ? { webSearch: true } : {}),
    ...(Array.isArray(outputs) && outputs.includes('image') ? { makesImages: true } : {}),
    ...(thoughtless ? { efforts: [] } : {}),
    ...defined({ price: priceOf(part('pricing')) }),
    ai: true,
  }
}
