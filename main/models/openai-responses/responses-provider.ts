// Provider for any endpoint that speaks OpenAI's Responses API. The SDK, which is large, is loaded with the first message.
import { defined } from '#app/or-else.ts'
import { listEndpointModels } from '../openai-chat/list-models.ts'
import { type EndpointContext, notCompatible } from '../openai-chat/openai-errors.ts'
import type { EndpointOptions } from '../openai-chat/openai-provider.ts'
import type { ModelProvider } from '../provider.ts'
import { withRetries } from '../retry-request.ts'
import { type Adjustment, knownAdjustments, type ResponsesDialect } from './responses-request.ts'

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
        const { streamResponse } = await import('./responses-stream.ts')
        yield* streamResponse(request, dialectOf(request.model), context(request.model), signal)
      }),
  }
}
