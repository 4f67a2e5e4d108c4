// The provider of an endpoint, by its format. Extra headers and query parameters are added to each request in one place, the fetch.
import type { EndpointFormat } from '#app/models/presets.ts'
import { defined } from '#app/or-else.ts'
import { vouchedFetch } from '#main/base/authorities/certificate-authorities.ts'
import { type OllamaOptions, orOllama } from '#main/models/ollama/ollama-provider.ts'
import { listEndpointModels } from '../openai-chat/list-models.ts'
import { type EndpointContext, notCompatible } from '../openai-chat/openai-errors.ts'
import { createOpenAiCompatible, type EndpointOptions } from '../openai-chat/openai-provider.ts'
import { type Adjustment, knownAdjustments, type ResponsesDialect } from '../openai-responses/responses-request.ts'
import type { ModelProvider } from '../provider.ts'
import { withRetries } from '../retry-request.ts'

// Provider for any endpoint that speaks OpenAI's Responses API. The SDK, which is large, is loaded with the first message.

/** `baseUrl`: with its `/v1`, without a slash at the end; of Azure `https://RESOURCE.openai.azure.com/openai/v1`. */
export function createOpenAiResponses(options: EndpointOptions): ModelProvider {
  const { id, name, baseUrl, clock, find, timeoutMs = 20_000, ...rest } = options
  const context = (model?: string): EndpointContext => ({ ...rest, name, baseUrl, now: clock.now(), ...defined({ model }) })
  const { hostname } = new URL(baseUrl)
  /** Adjustments by model, kept for this run. */
  const learnt = new Map<string, Set<Adjustment>>()
  const dialectOf = (model: string): ResponsesDialect => {
    const modelId = `${id}/${model}`
    const adjustments = learnt.get(model) ?? knownAdjustments(hostname, model)
    learnt.set(model, adjustments)
    return { modelId, info: find(modelId), adjustments }
  }
  return {
    id,
    name,
    listModels: (signal) => listEndpointModels({ ...context(), id, timeoutMs, format: 'openai-responses' }, signal),
    stream: (request, signal) =>
      withRetries({ ...options, known: () => notCompatible(context()) }, signal, async function* () {
        const { streamResponse } = await import('../openai-responses/responses-stream.ts')
        yield* streamResponse(request, dialectOf(request.model), context(request.model), signal)
      }),
  }
}

type Pairs = Readonly<Record<string, string>>

export interface ReachedEndpoint {
  readonly id: string
  readonly name: string
  readonly baseUrl: string
  readonly format: EndpointFormat
  /** '' when there is none. */
  readonly key: string
  readonly headers: Pairs
  readonly query: Pairs
}

type EndpointProviderOptions = Pick<OllamaOptions, 'clock' | 'find' | 'listed' | 'fetch' | 'timeoutMs'>

/** Addresses beside the rest of an API. Perplexity lists its models at /v1/models and chats at /chat/completions (ruby_llm's cassettes). */
const elsewhere: Pairs = { 'https://api.perplexity.ai/v1/chat/completions': 'https://api.perplexity.ai/chat/completions' }

/** Returns a fetch that adds the endpoint's headers and query parameters to each request. */
export function endpointFetch(base: typeof fetch, { headers, query }: Pick<ReachedEndpoint, 'headers' | 'query'>): typeof fetch {
  return (input, init) => {
    const asked = input instanceof Request ? input.url : String(input)
    const url = new URL(elsewhere[asked] ?? asked)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const all = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    // A secret that the keyring has lost is empty.
    for (const [name, value] of Object.entries(headers)) if (value !== '') all.set(name, value)
    return base(url, { ...init, headers: Object.fromEntries(all) })
  }
}

/** Makes the provider of an endpoint; nothing is sent. */
export function createEndpointProvider(endpoint: ReachedEndpoint, options: EndpointProviderOptions): ModelProvider {
  const { id, name, baseUrl, key, format } = endpoint
  const { clock, find, listed, timeoutMs } = options
  const common = {
    id,
    name,
    baseUrl,
    key,
    clock,
    find,
    fetch: endpointFetch(options.fetch ?? vouchedFetch, endpoint),
    ...defined({ timeoutMs }),
  }
  if (format === 'anthropic')
    // The SDK, which is large, is loaded with the first request.
    return onDemand(id, name, async () => (await import('../anthropic/anthropic-provider.ts')).createAnthropic(common))
  if (format === 'gemini' || format === 'bedrock' || format === 'vertex')
    return onDemand(id, name, async () => {
      const clouds = await import('../ai-sdk/sdk-provider.ts')
      const create = { gemini: clouds.createGemini, bedrock: clouds.createBedrock, vertex: clouds.createVertex }[format]
      return create(common)
    })
  if (format === 'openai-responses') return createOpenAiResponses(common)
  return orOllama(createOpenAiCompatible(common), { ...common, ...defined({ listed }) })
}

function onDemand(id: string, name: string, create: () => Promise<ModelProvider>): ModelProvider {
  let creating: Promise<ModelProvider> | undefined
  const provider = (): Promise<ModelProvider> => (creating ??= create())
  return {
    id,
    name,
    listModels: async (signal) => (await provider()).listModels(signal),
    async *stream(request, signal) {
      yield* (await provider()).stream(request, signal)
    },
  }
}
