// Anthropic through its SDK, which only carries: retries, classification and caching are ours. The key lives in this
// object alone; the SDK's logging and tracing are off, and redirects are not followed, since they would take it along.
import Anthropic from '@anthropic-ai/sdk'
import type { ModelInfo } from '#app/chat/models.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { vouchedFetch } from '#main/base/authorities/authorities.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ModelProvider } from '../provider.ts'
import { withRetries } from '../retry.ts'
import { ask, countTokens } from './ask.ts'
import { anthropicError, type ErrorContext } from './errors.ts'
import { takesReferences } from './held-back.ts'
import { toAnthropic } from './request.ts'
import { effortsIn } from './thinking.ts'

export interface AnthropicOptions {
  readonly key: string
  readonly baseUrl: string
  readonly clock: Clock
  /** What the model list said of a model (id with prefix). */
  readonly find: (id: string) => ModelInfo | undefined
  /** Default: Node’s own, and whom this computer trusts. */
  readonly fetch?: typeof fetch
  /** 0–1, for the jitter of retries. */
  readonly chance?: () => number
}

export function createAnthropic(options: AnthropicOptions): ModelProvider {
  const client = new Anthropic({
    apiKey: options.key,
    baseURL: options.baseUrl,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    fetch: options.fetch ?? vouchedFetch,
    fetchOptions: { redirect: 'manual' },
  })
  const context = (model?: string): ErrorContext => ({
    key: options.key,
    baseUrl: options.baseUrl,
    now: options.clock.now(),
    ...(model === undefined ? {} : { model }),
  })
  /** Models that refused a request with the API's own search, and took the same one without it: not asked so again in this run. */
  const searchless = new Set<string>()
  const infoOf = (model: string): ModelInfo | undefined => options.find(`anthropic/${model}`)
  return {
    id: 'anthropic',
    name: 'Anthropic',
    async listModels(signal) {
      try {
        const models: ModelInfo[] = []
        for await (const model of client.models.list({ limit: 1000 }, { signal, timeout: 20_000 })) {
          if (typeof model?.id !== 'string') throw new TypeError('not a model')
          if (model.lifecycle !== 'retired') models.push(toInfo(model))
        }
        return models
      } catch (error) {
        throw anthropicError(error, context())
      }
    },
    stream: (request, signal) =>
      withRetries({ ...options, known: (error) => anthropicError(error, context()) }, signal, () =>
        ask({ client, info: infoOf(request.model), context, searchless }, request, signal),
      ),
    async countTokens(request, signal) {
      try {
        return await countTokens(client, toAnthropic(request, infoOf(request.model)), signal)
      } catch (error) {
        if (signal.aborted) throw new HostError('cancelled', t`The request was cancelled.`)
        throw anthropicError(error, context(request.model))
      }
    },
  }
}

function toInfo(model: Anthropic.ModelInfo): ModelInfo {
  const { image_input: images, pdf_input: documents } = model.capabilities ?? {}
  return {
    id: `anthropic/${model.id}`,
    provider: 'anthropic',
    name: model.display_name || model.id,
    ...(model.max_input_tokens ? { contextTokens: model.max_input_tokens } : {}),
    ...(model.max_tokens ? { maxOutputTokens: model.max_tokens } : {}),
    ...(images ? { images: images.supported } : {}),
    ...(documents ? { documents: documents.supported } : {}),
    ...(takesReferences(model.id) ? { toolSearch: true } : {}),
    ...effortsIn(model.capabilities ?? {}),
    ai: true,
  }
}
