// An endpoint in OpenAI's format that may be Ollama: then its own API lists the models and answers, since `/v1` cannot set the context.
import type { ModelInfo } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import { vendorOf } from '../catalogue/find-entry.ts'
import { type EndpointContext, notCompatible } from '../openai-chat/openai-errors.ts'
import type { EndpointOptions } from '../openai-chat/openai-provider.ts'
import type { ModelProvider } from '../provider.ts'
import { withRetries } from '../retry-request.ts'
import { askOllama, jsonLines } from './ollama-api.ts'
import { type OllamaDialect, streamOllama } from './ollama-chat.ts'
import { listOllamaModels } from './ollama-models.ts'

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
