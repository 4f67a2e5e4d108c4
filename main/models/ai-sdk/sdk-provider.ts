// Providers over the language models of the AI SDK, as transport and mapping only: keys, retries, limits and classification of errors are
// the host's. The SDK, which is large, is loaded with the first message (decision 0072).
import type { LanguageModelV3 } from '@ai-sdk/provider'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject, ownMember } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { defined, parseJson } from '#app/or-else.ts'
import { vouchedFetch } from '#main/base/authorities/certificate-authorities.ts'
import { newId } from '#main/base/ids.ts'
import { filled, readCatalogue } from '#main/models/catalogue/catalogue.ts'
import { causeOf, endpointHost, hostErrorInCause } from '#main/models/http-errors.ts'
import { type EndpointContext, endpointUnreachable, failureOf } from '#main/models/openai-chat/openai-errors.ts'
import type { EndpointOptions } from '#main/models/openai-chat/openai-provider.ts'
import type { ModelEvent, ModelProvider, ModelRequest } from '#main/models/provider.ts'
import { withRetries } from '#main/models/retry-request.ts'
import { bedrockFetch, googleFetch } from './cloud-keys.ts'
import { fromSdkParts } from './sdk-events.ts'
import { type SdkVendor, toCallOptions, withThinks } from './sdk-request.ts'

const MOST_LIST_BYTES = 8_000_000

interface Cloud {
  readonly vendor: SdkVendor
  readonly fetch: typeof fetch
  readonly model: (name: string) => Promise<LanguageModelV3>
  readonly list: (get: ListRequest) => Promise<ModelInfo[]>
}

/** Gemini's own API, at `…/v1beta`. */
export function createGemini(options: EndpointOptions): ModelProvider {
  const { id, baseUrl } = options
  const fetch = googleFetch(options.fetch ?? vouchedFetch, options.key, () => options.clock.now())
  return createSdkProvider(options, {
    vendor: 'google',
    fetch,
    model: googleModel('google.generative-ai', baseUrl, fetch),
    list: (get) => geminiModels(id, baseUrl, get),
  })
}

/** Amazon Bedrock's Converse, at `https://bedrock-runtime.REGION.amazonaws.com`. */
export function createBedrock(options: EndpointOptions): ModelProvider {
  const { id, baseUrl } = options
  const region = /^bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\./.exec(new URL(baseUrl).hostname)?.[1] ?? 'us-east-1'
  const fetch = bedrockFetch(options.fetch ?? vouchedFetch, options.key, region)
  // Geographies of inference profiles by the beginning of a region; `global` is everywhere.
  const [area = ''] = region.split('-')
  const geographies = [
    'global',
    area === 'ap' ? 'apac' : area,
    ...(/^ap-northeast-[13]$/.test(region) ? ['jp'] : []),
    ...(/^ap-southeast-[24]$/.test(region) ? ['au'] : []),
  ]
  const isHere = (name: string): boolean =>
    !/^(?:us|eu|apac|au|jp|global)\./.test(name) || geographies.includes(name.slice(0, name.indexOf('.')))
  return createSdkProvider(options, {
    vendor: 'bedrock',
    fetch,
    model: async (name) => {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
      // Any text stands for the key, lest the SDK read the environment: the fetch signs.
      return createAmazonBedrock({ baseURL: baseUrl, region, apiKey: '-', fetch })(name)
    },
    list: async (get) => {
      try {
        return await bedrockModels(id, baseUrl, get)
      } catch (error) {
        // A key may ask models without being allowed to list them. An unknown key has another code than 403 AccessDeniedException.
        if (!(error instanceof HostError) || error.data['status'] !== 403 || !/not authorized/i.test(String(error.data['detail'])))
          throw error
        return catalogueModels(id, 'amazon-bedrock', isHere)
      }
    },
  })
}

/** Google Vertex: Gemini, and Claude in Anthropic's format. At `…/projects/PROJECT/locations/REGION`, or `…/v1` with an express key. */
export function createVertex(options: EndpointOptions): ModelProvider {
  const { id, baseUrl, find } = options
  const fetch = googleFetch(options.fetch ?? vouchedFetch, options.key, () => options.clock.now())
  const inProject = baseUrl.includes('/projects/')
  const publisher = `${baseUrl}/publishers/google`
  const gemini = createSdkProvider(options, {
    vendor: 'vertex',
    fetch,
    model: googleModel('google.vertex.chat', publisher, fetch),
    list: async (get) => {
      const models = await catalogueModels(id, 'google-vertex', (name) => /^gemini-/.test(name) || (inProject && /^claude-/.test(name)))
      // Counting tokens costs nothing, and tells whether the key is taken.
      const [asked] = models.filter(({ id: model, status }) => /gemini-[\d.]+-flash$/.test(model) && status === undefined)
      if (asked) await get(`${publisher}/models/${asked.id.slice(id.length + 1)}:countTokens`)
      return models
    },
  })
  let claude: Promise<ModelProvider> | undefined
  const loadClaude = async (): Promise<ModelProvider> => {
    const { createAnthropic } = await import('../anthropic/anthropic-provider.ts')
    return createAnthropic({ ...options, baseUrl, find: (model) => withThinks(find(model)), fetch: claudeFetch(fetch, baseUrl) })
  }
  return {
    ...gemini,
    async *stream(request, signal) {
      claude ??= request.model.startsWith('claude-') ? loadClaude() : undefined
      yield* (request.model.startsWith('claude-') && claude ? await claude : gemini).stream(request, signal)
    },
  }
}

/** Returns a fetch that sends Anthropic's requests to Vertex (docs.cloud.google.com/vertex-ai, partner models: Claude). */
function claudeFetch(base: typeof fetch, baseUrl: string): typeof fetch {
  return (input, init) => {
    const body = typeof init?.body === 'string' ? parseJson(init.body) : undefined
    if (!isJsonObject(body)) return base(input, init)
    const { model, ...rest } = body
    const headers = new Headers(init?.headers)
    headers.delete('x-api-key')
    const url = `${baseUrl}/publishers/anthropic/models/${encodeURIComponent(String(model))}:streamRawPredict`
    return base(url, {
      ...init,
      headers: Object.fromEntries(headers),
      body: JSON.stringify({ anthropic_version: 'vertex-2023-10-16', ...rest }),
    })
  }
}

const googleModel = (provider: string, baseURL: string, fetch: Cloud['fetch']) => async (name: string) => {
  const { GoogleGenerativeAILanguageModel } = await import('@ai-sdk/google/internal')
  return new GoogleGenerativeAILanguageModel(name, { provider, baseURL, headers: {}, fetch, generateId: () => `call_${newId()}` })
}

function createSdkProvider(options: EndpointOptions, cloud: Cloud): ModelProvider {
  const { id, name, baseUrl, key, clock, find, timeoutMs = 20_000 } = options
  const context = (model?: string): EndpointContext => ({ name, baseUrl, key, now: clock.now(), fetch: cloud.fetch, ...defined({ model }) })
  /** Models that refused parameters of thinking in this run. */
  const thoughtless = new Set<string>()

  async function* streamOnce(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const modelId = `${id}/${request.model}`
    const call = () => toCallOptions(request, { vendor: cloud.vendor, modelId, info: find(modelId), thinks: !thoughtless.has(modelId) })
    let began = false
    try {
      const model = await cloud.model(request.model)
      const sent = call()
      const begin = async (asked: typeof sent) => await model.doStream({ ...asked, abortSignal: signal, includeRawChunks: true })
      const { stream } = await begin(sent).catch((error: unknown) => {
        if (sent.providerOptions === undefined || !refusesThinking(error)) throw error
        thoughtless.add(modelId)
        return begin(call())
      })
      const fail = (error: unknown, kind: string | undefined): never => {
        throw hasStatus(error)
          ? error
          : failureOf({ status: ownMember(statuses, kind ?? ''), headers: undefined, error: bodyOf(error, kind) }, context(request.model))
      }
      for await (const event of fromSdkParts(stream, { fail })) {
        began ||= event.type !== 'usage'
        yield event
      }
    } catch (error) {
      if (signal.aborted) throw new HostError('cancelled', t`It was cancelled.`)
      throw sdkError(error, context(request.model), began)
    }
  }

  return {
    id,
    name,
    listModels: (signal) => cloud.list((url) => getJson(url, context(), AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), signal)),
    stream: (request, signal) =>
      withRetries({ ...options, known: (error) => sdkError(error, context(request.model), false) }, signal, () =>
        streamOnce(request, signal),
      ),
  }
}

/** Fields of the SDK's APICallError. */
interface CallError extends Error {
  readonly statusCode?: number
  readonly responseHeaders?: Record<string, string>
  readonly responseBody?: string
}
const isCallError = (error: unknown): error is CallError => error instanceof Error && error.name === 'AI_APICallError'
const hasStatus = (error: unknown): boolean => isCallError(error) && error.statusCode !== undefined

const refusesThinking = (error: unknown): boolean =>
  isCallError(error) && error.statusCode === 400 && /think|reasoning|effort|output_config/i.test(error.responseBody ?? '')

/** Statuses of the exceptions in Bedrock's streams (API reference, ConverseStream). */
const statuses: Readonly<Record<string, number>> = {
  throttlingException: 429,
  validationException: 400,
  serviceUnavailableException: 503,
  internalServerException: 500,
  modelStreamErrorException: 500,
}

const bodyOf = (error: unknown, kind: string | undefined): JsonObject => ({
  ...(kind === undefined ? {} : { type: kind }),
  ...(isJsonObject(error) ? error : { message: error instanceof Error ? error.message : String(error) }),
})

function sdkError(error: unknown, context: EndpointContext, began: boolean): HostError {
  const told = error instanceof HostError ? error : hostErrorInCause(error)
  if (told) return told
  if (isCallError(error) && error.statusCode !== undefined) {
    const { statusCode: status, responseBody: text = '' } = error
    const body = parseJson(text) ?? (text === '' ? undefined : text)
    return failureOf({ status, headers: new Headers(error.responseHeaders), error: body }, context)
  }
  if (began) return new HostError('model.bad-answer', t`The answer broke off: the connection to ${context.name} was lost.`)
  if (causeOf(error)['cause'] !== undefined || isCallError(error)) return endpointUnreachable(error, context)
  return new HostError('model.endpoint-wrong', t`What answers at ${endpointHost(context.baseUrl)} does not speak this format.`, {
    cause: error,
    data: { endpoint: context.name },
  })
}

/** Gets JSON; to count tokens at Vertex, by a POST of one word. @throws {HostError} `model.*`, `cancelled` */
async function getJson(url: string, context: EndpointContext, limited: AbortSignal, signal: AbortSignal): Promise<JsonObject> {
  const counts = url.endsWith(':countTokens')
  const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] })
  const post = { method: 'POST', body, headers: { accept: 'application/json', 'content-type': 'application/json' } }
  let response: Response
  let text = ''
  try {
    response = await (context.fetch ?? vouchedFetch)(url, {
      ...(counts ? post : { headers: { accept: 'application/json' } }),
      redirect: 'manual',
      signal: limited,
    })
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > MOST_LIST_BYTES) throw new Error('too long')
    }
  } catch (error) {
    if (signal.aborted) throw new HostError('cancelled', t`It was cancelled.`)
    throw hostErrorInCause(error) ?? endpointUnreachable(error, context)
  }
  const answer = parseJson(text)
  if (!response.ok) throw failureOf({ status: response.status, headers: response.headers, error: answer ?? text }, context)
  if (!isJsonObject(answer)) throw sdkError(undefined, context, false)
  return answer
}

// Model lists of Gemini's API, Amazon Bedrock and Google Vertex. Where a key may not list, and at Vertex, which has no list, the bundled
// catalogue stands in.
/** Gets JSON with the key. @throws {HostError} `model.*` */
type ListRequest = (url: string) => Promise<JsonObject>

const list = (body: JsonObject, name: string): readonly JsonObject[] => (Array.isArray(body[name]) ? body[name].filter(isJsonObject) : [])
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined)
const positive = (value: unknown): number | undefined => (Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined)

/** Models of Gemini's API that make speech, images or vectors, or drive a machine. */
const otherWork = /tts|-image|native-audio|embedding|robotics|computer-use|-live/

/** https://ai.google.dev/api/models#method:-models.list */
async function geminiModels(provider: string, baseUrl: string, get: ListRequest): Promise<ModelInfo[]> {
  const found = list(await get(`${baseUrl}/models?pageSize=1000`), 'models')
  const chats = found.filter(({ supportedGenerationMethods: methods }) => Array.isArray(methods) && methods.includes('generateContent'))
  return chats.flatMap((model) => {
    const name = text(model['name'])?.replace(/^models\//, '')
    if (name === undefined || otherWork.test(name)) return []
    const facts = { contextTokens: positive(model['inputTokenLimit']), maxOutputTokens: positive(model['outputTokenLimit']) }
    return [{ id: `${provider}/${name}`, provider, name: text(model['displayName']) ?? name, ...defined(facts), ai: true }]
  })
}

/**
 * Lists models that can be asked without provisioning, and the inference profiles of the region, which most newer models need
 * (docs.aws.amazon.com/bedrock/latest/APIReference: ListFoundationModels, ListInferenceProfiles).
 */
async function bedrockModels(provider: string, baseUrl: string, get: ListRequest): Promise<ModelInfo[]> {
  const control = baseUrl.replace('//bedrock-runtime', '//bedrock')
  const [models, profiles] = await Promise.all([
    get(`${control}/foundation-models?byOutputModality=TEXT`),
    get(`${control}/inference-profiles?maxResults=1000&typeEquals=SYSTEM_DEFINED`).catch((): JsonObject => ({})),
  ])
  const info = (id: string, name: unknown, rest: Partial<ModelInfo> = {}): ModelInfo => ({
    id: `${provider}/${id}`,
    provider,
    name: text(name) ?? id,
    ...rest,
    ai: true,
  })
  const known = list(models, 'modelSummaries').filter((model) => model['responseStreamingSupported'] !== false)
  const direct = known.flatMap((model) => {
    const id = text(model['modelId'])
    const [types, inputs, lifecycle] = [model['inferenceTypesSupported'], model['inputModalities'], model['modelLifecycle']]
    if (id === undefined || !Array.isArray(types) || !types.includes('ON_DEMAND')) return []
    const isOld = isJsonObject(lifecycle) && lifecycle['status'] === 'LEGACY'
    return [
      info(id, model['modelName'], {
        ...(Array.isArray(inputs) ? { images: inputs.includes('IMAGE') } : {}),
        ...(isOld ? { status: 'deprecated' } : {}),
      }),
    ]
  })
  const texts = new Set(known.map((model) => text(model['modelId'])))
  const through = list(profiles, 'inferenceProfileSummaries').flatMap((profile) => {
    const id = text(profile['inferenceProfileId'])
    // `us.anthropic.claude-…` stands for `anthropic.claude-…`; profiles of models that make images are left out.
    return id !== undefined && texts.has(id.slice(id.indexOf('.') + 1)) ? [info(id, profile['inferenceProfileName'])] : []
  })
  return [...through, ...direct]
}

/** Lists what the catalogue has of a vendor. `fits`: whether a model can be asked here. */
async function catalogueModels(
  provider: string,
  vendor: 'amazon-bedrock' | 'google-vertex',
  fits: (name: string) => boolean,
): Promise<ModelInfo[]> {
  const { [vendor]: entries = {} } = (await readCatalogue()).vendors
  return Object.entries(entries)
    .filter(([name, { chat }]) => chat !== false && fits(name))
    .map(([name, entry]) => filled({ id: `${provider}/${name}`, provider, name, ai: true }, entry))
}
