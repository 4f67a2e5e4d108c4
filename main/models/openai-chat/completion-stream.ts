// One answer through the SDK, as transport only. The SDK reads no key, organisation or header from the environment, logs nothing and
// follows no redirect. A refusal that names a field of the request is answered by a corrected request.
import OpenAI, { APIConnectionError, APIError } from 'openai'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { vouchedFetch } from '#main/base/authorities/certificate-authorities.ts'
import { newId } from '#main/base/ids.ts'
import { isTooLong } from '../context-overflow.ts'
import type { ModelEvent, ModelRequest } from '../provider.ts'
import { fromChatChunks } from './chunk-events.ts'
import { type EndpointContext, endpointUnreachable, failureOf, notCompatible, readErrorBody } from './openai-errors.ts'
import { type Dialect, toChatCompletions } from './openai-request.ts'
import { optionalFields, type Want } from './vendor-table.ts'

export const isBadRequest = (error: unknown): error is APIError =>
  error instanceof APIError && (error.status === 400 || error.status === 422 || error.status === 500) // llama.cpp: 500

type Sent = OpenAI.Chat.ChatCompletionCreateParamsStreaming

/** Returns the correction that a refusal asks for; `undefined` when none is known. `given`: the corrections of the refused request. */
function wantedBy(error: unknown, sent: Sent, given: ReadonlySet<Want>): Want | undefined {
  if (!isBadRequest(error)) return undefined
  const { status } = error
  const { words, message } = readErrorBody(error.error)
  if (isTooLong({ status, words, message })) return undefined
  const text = `${JSON.stringify(error.error ?? '')} ${error.message}`
  // Some name the newer field of the limit also where the older one was sent.
  const names = (field: string): boolean => new RegExp(`\\b${field.replace(/^max_(?:completion_)?/, 'max_(?:completion_)?')}\\b`).test(text)
  if (messageOrder.test(text) && userAfterTool(sent)) return 'assistant-after-tools'
  if (/missing a thought_signature/.test(text)) return 'skipped-signatures'
  if (names('reasoning_content') && !/unsupported|not permitted/i.test(text) && sent.messages.some(isBare)) return 'reasoning-everywhere'
  const canDo = optionalFields.filter((name) => name in sent && (name !== 'tool_choice' || sent.tool_choice === 'required'))
  const field = canDo.find((name) => name === error.param) ?? canDo.find(names)
  if (sent.tools && names('reasoning_effort')) {
    if (given.has('no-effort-with-tools')) return undefined
    // Some think by default and take tools only with thinking disabled.
    const offersNone = /\btools?\b/.test(text) && /['"`]none\b/.test(text)
    if (field === undefined || (field === 'reasoning_effort' && offersNone)) return 'no-effort-with-tools'
  }
  return field && `without ${field}`
}

/** Mistral's API, and its templates at home. */
const messageOrder = /invalid_request_message_order|role 'user' after role 'tool'|roles must alternate/
const userAfterTool = ({ messages }: Sent): boolean =>
  messages.some(({ role }, index) => role === 'user' && messages[index - 1]?.role === 'tool')
const isBare = (message: Sent['messages'][number]): boolean => message.role === 'assistant' && !('reasoning_content' in message)

/** Milliseconds to the response headers: a local model may read for long before its first word. */
export const FIRST_WORD_MS = 600_000
/** Characters of an answer that is not streamed. */
const MOST_BYTES = 16_000_000

export async function* streamOnce(
  request: ModelRequest,
  dialect: Dialect,
  context: EndpointContext,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let began = false
  let isDone = false
  const onDone = (): void => {
    isDone = true
  }
  try {
    const { data, response } = await begin(clientOf(context, onDone), request, dialect, signal)
    const options = { usedIds: idsOf(request), newCallId, template: dialect.template, ended: () => isDone }
    for await (const event of fromChatChunks(chunksOf(data, response, context), options)) {
      began = true
      yield event
    }
  } catch (error) {
    if (signal.aborted) throw new HostError('cancelled', t`It was cancelled.`)
    throw streamError(error, context, began)
  }
}

/** Repeats the request with each correction that the endpoint asks for. Forgets the corrections when they did not help. */
async function begin(client: OpenAI, request: ModelRequest, dialect: Dialect, signal: AbortSignal) {
  const tried: Want[] = []
  for (;;) {
    const params = toChatCompletions(request, dialect)
    try {
      return await client.chat.completions.create(params, { signal, timeout: FIRST_WORD_MS }).withResponse()
    } catch (error) {
      const want = wantedBy(error, params, dialect.wants)
      if (want === undefined || dialect.wants.has(want)) {
        if (isBadRequest(error)) for (const one of tried) dialect.wants.delete(one)
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

/** `onDone`: called at `[DONE]`, which the SDK does not report. */
export const clientOf = ({ baseUrl, key, fetch = vouchedFetch }: EndpointContext, onDone: () => void): OpenAI =>
  new OpenAI({
    apiKey: key === '' ? 'none' : key,
    baseURL: baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: async (input, init) => watchDone(await fetch(input, init), onDone),
    fetchOptions: { redirect: 'manual' },
    ...(key === '' ? { defaultHeaders: { authorization: null } } : {}),
  })

/** Returns the same response; calls `onDone` at the line `[DONE]`. No line can begin within the JSON of a chunk. */
function watchDone(response: Response, onDone: () => void): Response {
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

export async function* chunksOf(stream: AsyncIterable<unknown>, response: Response, context: EndpointContext): AsyncGenerator<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('json') && !type.includes('ndjson')) {
    const text = await response.text()
    if (text.length > MOST_BYTES) throw notCompatible(context)
    yield orThrow(JSON.parse(text), response, context)
  } else if (type.includes('html')) throw notCompatible(context)
  else for await (const chunk of stream) yield orThrow(chunk, response, context)
}

/** @throws {HostError} one that came with status 200; vLLM's, and that of some gateways, is the object itself */
function orThrow(chunk: unknown, { headers }: Response, context: EndpointContext): unknown {
  if (!isJsonObject(chunk)) return chunk
  const error = chunk['error'] ?? (chunk['object'] === 'error' || 'error_message' in chunk ? chunk : undefined)
  if (error !== undefined && error !== '') throw failureOf({ status: undefined, headers, error }, context)
  return chunk
}

export function streamError(error: unknown, context: EndpointContext, began: boolean): HostError {
  if (error instanceof HostError) return error
  if (error instanceof APIConnectionError) return endpointUnreachable(error, context)
  if (error instanceof APIError)
    return failureOf({ status: error.status, headers: error.headers, error: error.error ?? sentenceOf(error) }, context)
  return began
    ? new HostError('model.bad-answer', t`The answer broke off: the connection to ${context.name} was lost.`)
    : notCompatible(context)
}

/** Returns a body that is no JSON, from the SDK's message. An HTML page is no error text, and 404 means that the path is wrong. */
function sentenceOf({ status, message }: APIError): string | undefined {
  const text = message.replace(/^\d{3} /, '')
  return status === 404 || text.startsWith('status code (no body)') || text.includes('<') ? undefined : text
}
