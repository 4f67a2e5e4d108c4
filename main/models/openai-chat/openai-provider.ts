// Provider for any endpoint that speaks OpenAI's chat completions. The SDK, which is large, is loaded with the first message.
import type { ModelInfo } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ModelProvider } from '../provider.ts'
import { withRetries } from '../retry-request.ts'
import { listEndpointModels } from './list-models.ts'
import { type EndpointContext, notCompatible } from './openai-errors.ts'
import type { Dialect } from './openai-request.ts'
import { knownWants } from './vendor-table.ts'

export interface EndpointOptions extends Omit<EndpointContext, 'now' | 'model'> {
  /** Prefix of the models' ids. */
  readonly id: string
  readonly clock: Clock
  /** Finds a model in the list, by its id with prefix. */
  readonly find: (id: string) => ModelInfo | undefined
  /** Random number for the jitter of retries, 0–1. */
  readonly chance?: () => number
  /** Timeout of the model list, in milliseconds. */
  readonly timeoutMs?: number
}

/** `baseUrl`: with its `/v1`, without a slash at the end. */
export function createOpenAiCompatible(options: EndpointOptions): ModelProvider {
  const { id, name, baseUrl, key, clock, find, fetch, timeoutMs = 20_000 } = options
  const context = (model?: string): EndpointContext => ({ name, baseUrl, key, now: clock.now(), ...defined({ fetch, model }) })
  const { hostname } = new URL(baseUrl)
  /** Dialects by model: one endpoint may serve models of many vendors. */
  const learnt = new Map<string, Pick<Dialect, 'wants' | 'template'>>()
  const dialectOf = (model: string): Dialect => {
    const modelId = `${id}/${model}`
    const known = learnt.get(model) ?? { wants: knownWants(hostname, model), template: { opensThought: false } }
    learnt.set(model, known)
    return { modelId, info: find(modelId), ...known }
  }
  return {
    id,
    name,
    listModels: (signal) => listEndpointModels({ ...context(), id, timeoutMs }, signal),
    stream: (request, signal) =>
      withRetries({ ...options, known: () => notCompatible(context()) }, signal, async function* () {
        const { streamOnce } = await import('./completion-stream.ts')
        yield* streamOnce(request, dialectOf(request.model), context(request.model), signal)
      }),
  }
}
