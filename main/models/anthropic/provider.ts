// Anthropic through its SDK, which only carries: retries, classification and caching are ours. The key lives in this
// object alone; the SDK's logging and tracing are off, and redirects are not followed, since they would take it along.
import Anthropic from '@anthropic-ai/sdk'
import type { ModelInfo } from '#app/chat/models.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ModelEvent, ModelProvider, ModelRequest } from '../provider.ts'
import { withRetries } from '../retry.ts'
import { anthropicError, type ErrorContext } from './errors.ts'
import { toModelEvents } from './events.ts'
import { toAnthropic } from './request.ts'
import { effortsIn } from './thinking.ts'

export interface AnthropicOptions {
  readonly key: string
  readonly baseUrl: string
  readonly clock: Clock
  /** What the model list said of a model (id with prefix). */
  readonly find: (id: string) => ModelInfo | undefined
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
    fetchOptions: { redirect: 'manual' },
  })
  const context = (model?: string): ErrorContext => ({
    key: options.key,
    baseUrl: options.baseUrl,
    now: options.clock.now(),
    ...(model === undefined ? {} : { model }),
  })
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
        once(client, request, signal, infoOf(request.model), context),
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
    ...effortsIn(model.capabilities ?? {}),
    ai: true,
  }
}

async function* once(
  client: Anthropic,
  request: ModelRequest,
  signal: AbortSignal,
  info: ModelInfo | undefined,
  context: (model: string) => ErrorContext,
): AsyncGenerator<ModelEvent> {
  const params = toAnthropic(request, info)
  let began = false
  try {
    const stream = await client.messages.create(params, { signal })
    for await (const event of toModelEvents(stream)) {
      began = true
      yield event
    }
  } catch (error) {
    if (signal.aborted) throw new HostError('cancelled', t`The request was cancelled.`)
    const known = anthropicError(error, context(request.model), began)
    throw known.code === 'model.request-refused' ? await tooLongOr(known, client, params, info, signal) : known
  }
}

async function countTokens(client: Anthropic, params: Anthropic.MessageCreateParamsStreaming, signal: AbortSignal): Promise<number> {
  const { model, messages, system, tools, thinking } = params
  const counted = await client.messages.countTokens(
    { model, messages, ...(system && { system }), ...(tools && { tools }), ...(thinking && { thinking }) },
    { signal, timeout: 20_000 },
  )
  return counted.input_tokens
}

/**
 * The API says "too long" in words only, inside a 400. So after a 400 the tokens are counted, and compared with what
 * the model takes.
 */
async function tooLongOr(
  refused: HostError,
  client: Anthropic,
  params: Anthropic.MessageCreateParamsStreaming,
  info: ModelInfo | undefined,
  signal: AbortSignal,
): Promise<HostError> {
  if (refused.data['status'] !== 400 || info?.contextTokens === undefined) return refused
  try {
    const tokens = await countTokens(client, params, signal)
    if (tokens <= info.contextTokens) return refused
    const data = { ...refused.data, tokens, contextTokens: info.contextTokens }
    return new HostError('model.too-long', t`The conversation is longer than the model takes.`, { data })
  } catch {
    return refused // The count was only to say more exactly what the refusal was about.
  }
}
