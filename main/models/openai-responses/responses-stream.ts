// One answer of the Responses API through the SDK, as transport only. A refusal that names a field of the request is answered by a
// corrected request; one that names the reasoning that was sent back, by a request without it.
import type OpenAI from 'openai'
import type { APIError } from 'openai'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { isTooLong } from '../context-overflow.ts'
import { chunksOf, clientOf, FIRST_WORD_MS, isBadRequest, streamError } from '../openai-chat/completion-stream.ts'
import { type EndpointContext, failureOf, readErrorBody } from '../openai-chat/openai-errors.ts'
import type { ModelEvent, ModelRequest } from '../provider.ts'
import { fromResponseEvents } from './response-events.ts'
import { type Adjustment, omittable, type ResponsesDialect, toResponses } from './responses-request.ts'

export async function* streamResponse(
  request: ModelRequest,
  dialect: ResponsesDialect,
  context: EndpointContext,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let began = false
  try {
    const { data, response } = await begin(
      clientOf(context, () => {}),
      request,
      dialect,
      signal,
    )
    const fail = (error: Json): never => {
      throw failureOf({ status: isOurs(error) ? 400 : undefined, headers: response.headers, error }, context)
    }
    const tools = new Set(request.tools.map(({ name }) => name))
    for await (const event of fromResponseEvents(eventsOf(chunksOf(data, response, context)), { tools, fail })) {
      began = true
      yield event
    }
  } catch (error) {
    if (signal.aborted) throw new HostError('cancelled', t`It was cancelled.`)
    throw streamError(error, context, began)
  }
}

/** Whether the error of a stream is one of the request, which does not pass (`invalid_prompt`, `invalid_image_format`, …). */
const isOurs = (error: Json): boolean => isJsonObject(error) && /^invalid_/.test(String(error['code']))

/** Turns an answer that was not streamed into its last event. */
async function* eventsOf(chunks: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const chunk of chunks) yield isJsonObject(chunk) && chunk['object'] === 'response' ? lastEvent(chunk) : chunk
}

function lastEvent(response: JsonObject): JsonObject {
  return { type: `response.${String(response['status'] ?? 'completed')}`, response }
}

/** Repeats the request with each correction that the endpoint asks for. Forgets the corrections when they did not help. */
async function begin(client: OpenAI, request: ModelRequest, dialect: ResponsesDialect, signal: AbortSignal) {
  const tried: Adjustment[] = []
  let withReasoning = true
  for (;;) {
    const params = toResponses(request, dialect, withReasoning)
    try {
      const sent = params as unknown as OpenAI.Responses.ResponseCreateParamsStreaming // Plain JSON in that form.
      return await client.responses.create(sent, { signal, timeout: FIRST_WORD_MS }).withResponse()
    } catch (error) {
      if (isBadRequest(error) && withReasoning && refusesReasoning(error, params)) {
        withReasoning = false
        continue
      }
      const adjustment = adjustmentFor(error, params)
      if (adjustment === undefined || dialect.adjustments.has(adjustment)) {
        if (isBadRequest(error)) for (const one of tried) dialect.adjustments.delete(one)
        throw error
      }
      dialect.adjustments.add(adjustment)
      tried.push(adjustment)
    }
  }
}

/** Whether the refusal names reasoning of earlier answers: of another account, or without the item that it belongs to. */
function refusesReasoning(error: APIError, { input }: JsonObject): boolean {
  if (!Array.isArray(input) || !input.some((item) => isJsonObject(item) && item['type'] === 'reasoning')) return false
  const text = `${JSON.stringify(error.error ?? '')} ${error.message}`
  return /invalid_encrypted_content|encrypted content .{0,80}could not be|without its required/i.test(text)
}

/** Returns the correction that a refusal asks for; `undefined` when none is known. */
function adjustmentFor(error: unknown, sent: JsonObject): Adjustment | undefined {
  if (!isBadRequest(error)) return undefined
  const { words, message } = readErrorBody(error.error)
  if (isTooLong({ status: error.status, words, message })) return undefined
  const text = `${error.param ?? ''} ${message} ${error.message}`
  if (/\bweb_search\b/.test(text) && JSON.stringify(sent['tools'] ?? []).includes('"web_search"')) return 'web_search_preview'
  const noEncryption = /encrypted content is not supported/i.test(text)
  const names = (field: string): boolean =>
    (noEncryption && field === 'include') || new RegExp(`(?:^|[\\s'"\`])${field.replace('.', '\\.')}(?![\\w-])`).test(text)
  const field = omittable.find((name) => isSent(sent, name) && names(name))
  return field && `without ${field}`
}

function isSent(sent: JsonObject, field: string): boolean {
  const [name = '', inner] = field.split('.')
  const value = sent[name]
  return inner === undefined ? value !== undefined : isJsonObject(value) && inner in value
}
