// One answer through the SDK, which only carries: retries and classification are ours. Loaded with the first message to
// such an endpoint. The SDK reads no key, organisation or header from the environment, logs nothing and follows no redirect.
import OpenAI, { APIConnectionError, APIError } from 'openai'
import { HostError } from '#app/errors.ts'
import { isJsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { vouchedFetch } from '#main/base/authorities/authorities.ts'
import { newId } from '#main/base/ids.ts'
import type { ModelEvent, ModelRequest } from '../provider.ts'
import { isRefusal, wantedBy } from './corrections.ts'
import { type EndpointContext, failureOf, notCompatible, unreachable } from './errors.ts'
import { toModelEvents } from './events.ts'
import { type Dialect, toChatCompletions } from './request.ts'
import type { Want } from './vendors.ts'

/** A local model may read long before its first word. */
const FIRST_WORD_MS = 600_000
/** An answer that is not streamed. */
const MOST_BYTES = 16_000_000

export async function* streamOnce(
  request: ModelRequest,
  dialect: Dialect,
  context: EndpointContext,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let began = false
  let isDone = false
  const heard = (): void => {
    isDone = true
  }
  try {
    const { data, response } = await begin(clientOf(context, heard), request, dialect, signal)
    const options = { usedIds: idsOf(request), newCallId, template: dialect.template, ended: () => isDone }
    for await (const event of toModelEvents(chunksOf(data, response, context), options)) {
      began = true
      yield event
    }
  } catch (error) {
    if (signal.aborted) throw new HostError('cancelled', t`The request was cancelled.`)
    throw streamError(error, context, began)
  }
}

/** Asks again as the endpoint wants it, for each want once. What did not help is not remembered. */
async function begin(client: OpenAI, request: ModelRequest, dialect: Dialect, signal: AbortSignal) {
  const tried: Want[] = []
  for (;;) {
    const params = toChatCompletions(request, dialect)
    try {
      return await client.chat.completions.create(params, { signal, timeout: FIRST_WORD_MS }).withResponse()
    } catch (error) {
      const want = wantedBy(error, params, dialect.wants)
      if (want === undefined || dialect.wants.has(want)) {
        if (isRefusal(error)) for (const one of tried) dialect.wants.delete(one)
        throw error
      }
      dialect.wants.add(want)
      tried.push(want)
    }
  }
}

const newCallId = (): string => `call_${newId()}`

function idsOf({ messages }: ModelRequest): Set<string> {
  const blocks = messages.flatMap((message) => (message.role === 'assistant' ? message.content : []))
  return new Set(blocks.flatMap((block) => (block.type === 'tool-call' ? [block.providerId] : [])))
}

/** `onDone`: `[DONE]` came, which the SDK keeps to itself. */
const clientOf = ({ baseUrl, key, fetch = vouchedFetch }: EndpointContext, onDone: () => void): OpenAI =>
  new OpenAI({
    apiKey: key === '' ? 'none' : key,
    baseURL: baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: async (input, init) => hearing(await fetch(input, init), onDone),
    fetchOptions: { redirect: 'manual' },
    ...(key === '' ? { defaultHeaders: { authorization: null } } : {}),
  })

/** The same response; a line of its stream that is `[DONE]` is told. Within an answer's JSON no line can begin. */
function hearing(response: Response, onDone: () => void): Response {
  const { status, statusText, headers, body } = response
  if (!body || !headers.get('content-type')?.includes('event-stream')) return response
  const decoder = new TextDecoder('latin1')
  let tail = '\n'
  const listening = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, out) {
      const text = tail + decoder.decode(bytes)
      if (/[\r\n]data: ?\[DONE\]/.test(text)) onDone()
      tail = text.slice(-16)
      out.enqueue(bytes)
    },
  })
  return new Response(body.pipeThrough(listening), { status, statusText, headers })
}

async function* chunksOf(stream: AsyncIterable<unknown>, response: Response, context: EndpointContext): AsyncGenerator<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('json') && !type.includes('ndjson')) {
    const text = await response.text()
    if (text.length > MOST_BYTES) throw notCompatible(context)
    yield orThrow(JSON.parse(text), response, context)
  } else if (type.includes('html')) throw notCompatible(context)
  else for await (const chunk of stream) yield orThrow(chunk, response, context)
}

/** An error in place of an answer, although the status is 200; vLLM's is the object itself. (Within a stream the SDK sees to the other.) */
function orThrow(chunk: unknown, { headers }: Response, context: EndpointContext): unknown {
  if (!isJsonObject(chunk)) return chunk
  const error = chunk['error'] ?? (chunk['object'] === 'error' ? chunk : undefined)
  if (error !== undefined && error !== '') throw failureOf({ status: undefined, headers, error }, context)
  return chunk
}

export function streamError(error: unknown, context: EndpointContext, began: boolean): HostError {
  if (error instanceof HostError) return error
  if (error instanceof APIConnectionError) return unreachable(error, context)
  if (error instanceof APIError)
    return failureOf({ status: error.status, headers: error.headers, error: error.error ?? sentenceOf(error) }, context)
  return began
    ? new HostError('model.bad-answer', t`The answer broke off: the connection to ${context.name} was lost.`)
    : notCompatible(context)
}

/** A body that is no JSON stands in the SDK's message, behind the status. A page is none, and at 404 it says that the path is wrong. */
function sentenceOf({ status, message }: APIError): string | undefined {
  const text = message.replace(/^\d{3} /, '')
  return status === 404 || text.startsWith('status code (no body)') || text.includes('<') ? undefined : text
}
