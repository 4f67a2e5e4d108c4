// One request to Anthropic's API and its answer. Where the API searches the tools itself and refuses that (a gateway, a model that
// has not got it), the same request goes once more with the host's own search. What it is then not asked again is remembered
// only where that helped: a refusal may have had another reason.
import type Anthropic from '@anthropic-ai/sdk'
import type { ModelInfo } from '#app/chat/models.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { ModelEvent, ModelRequest } from '../provider.ts'
import { anthropicError, type ErrorContext } from './errors.ts'
import { toModelEvents } from './events.ts'
import { toAnthropic } from './request.ts'
import { maySearch } from './tool-search.ts'

type Params = Anthropic.MessageCreateParamsStreaming

export interface Asker {
  readonly client: Anthropic
  /** What the model list said of the model. */
  readonly info: ModelInfo | undefined
  readonly context: (model: string) => ErrorContext
  /** Models that took a request only without the API's own search. */
  readonly searchless: Set<string>
}

export async function* ask(asker: Asker, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const { model } = request
  let without = false
  if (maySearch(request) && !asker.searchless.has(model)) {
    try {
      return yield* once(asker, toAnthropic(request, asker.info, true), signal)
    } catch (error) {
      if (!isRefused(error)) throw error
      without = true
    }
  }
  for await (const event of once(asker, toAnthropic(request, asker.info), signal)) {
    if (without) asker.searchless.add(model)
    yield event
  }
}

const isRefused = (error: unknown): error is HostError =>
  error instanceof HostError && error.code === 'model.request-refused' && error.data['status'] === 400

async function* once(asker: Asker, params: Params, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const { client, context } = asker
  let began = false
  try {
    const stream = await client.messages.create(params, { signal })
    for await (const event of toModelEvents(stream)) {
      began = true
      yield event
    }
  } catch (error) {
    if (signal.aborted) throw new HostError('cancelled', t`The request was cancelled.`)
    const known = anthropicError(error, context(params.model), began)
    throw isRefused(known) ? await tooLongOr(known, asker, params, signal) : known
  }
}

export async function countTokens(client: Anthropic, params: Params, signal: AbortSignal): Promise<number> {
  const { model, messages, system, tools, thinking } = params
  const counted = await client.messages.countTokens(
    { model, messages, ...(system && { system }), ...(tools && { tools }), ...(thinking && { thinking }) },
    { signal, timeout: 20_000 },
  )
  return counted.input_tokens
}

/**
 * The API says "too long" in words only, inside a 400. Where they are not the known ones, the tokens are counted, and compared
 * with what the model takes.
 */
async function tooLongOr(refused: HostError, { client, info }: Asker, params: Params, signal: AbortSignal): Promise<HostError> {
  if (info?.contextTokens === undefined) return refused
  try {
    const tokens = await countTokens(client, params, signal)
    if (tokens <= info.contextTokens) return refused
    const data = { ...refused.data, tokens, contextTokens: info.contextTokens }
    return new HostError('model.too-long', t`The conversation is longer than the model takes.`, { data })
  } catch {
    return refused // The count was only to say more exactly what the refusal was about.
  }
}
