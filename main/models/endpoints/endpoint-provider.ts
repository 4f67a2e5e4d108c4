// The provider of an endpoint, by its format. Extra headers and query parameters are added to each request in one place, the fetch.
import type { EndpointFormat } from '#app/models/presets.ts'
import { defined } from '#app/or-else.ts'
import { vouchedFetch } from '#main/base/authorities/certificate-authorities.ts'
import { type OllamaOptions, orOllama } from '#main/models/ollama/ollama-provider.ts'
import { createOpenAiCompatible } from '../openai-chat/openai-provider.ts'
import { createOpenAiResponses } from '../openai-responses/responses-provider.ts'
import type { ModelProvider } from '../provider.ts'

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
