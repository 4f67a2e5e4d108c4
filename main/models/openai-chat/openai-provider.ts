// Any endpoint that speaks OpenAI's chat completions. What is here is light: the SDK comes with the first message.
import type { ModelInfo } from '#app/models/models.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ModelProvider } from '../provider.ts'
import { withRetries } from '../retry-request.ts'
import { listEndpointModels } from './list-models.ts'
import { type EndpointContext, notCompatible } from './openai-errors.ts'
import type { Dialect } from './openai-request.ts'
import { knownWants } from './vendor-table.ts'

interface EndpointOptions {
  /** The provider's part of the models' ids. */
  readonly id: string
  readonly name: string
  /** With its `/v1`, without a slash at the end. */
  readonly baseUrl: string
  /** '' : it needs none. */
  readonly key: string
  readonly clock: Clock
  readonly find: (id: string) => ModelInfo | undefined
  readonly fetch?: typeof fetch
  /** 0–1, for the jitter of retries. */
  readonly chance?: () => number
  /** For the list. */
  readonly timeoutMs?: number
}

export function createOpenAiCompatible(options: EndpointOptions): ModelProvider {
  const { id, name, baseUrl, key, clock, find, timeoutMs = 20_000 } = options
  const context = (model?: string): EndpointContext => ({
    name,
    baseUrl,
    key,
    now: clock.now(),
    ...(options.fetch ? { fetch: options.fetch } : {}),
    ...(model === undefined ? {} : { model }),
  })
  const { hostname } = new URL(baseUrl)
  /** By model, since one endpoint may serve many kinds: what it wants, and what its answers have shown. */
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
