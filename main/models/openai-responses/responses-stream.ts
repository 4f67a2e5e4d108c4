// One answer of the Responses API through the SDK, as transport only. A refusal that names a field of the request is answered by a
// corrected request; one that names the reasoning that was sent back, by a request without it.
import type OpenAI from 'openai'
import type { APIError } from 'openai'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { isTooLong } from '#main/models/context-overflow.ts'
import { readUsage } from '#main/models/openai-chat/chunk-events.ts'
import { chunksOf, clientOf, FIRST_WORD_MS, isBadRequest, streamError } from '#main/models/openai-chat/completion-stream.ts'
import { type EndpointContext, failureOf, readErrorBody } from '#main/models/openai-chat/openai-errors.ts'
import { repairJson } from '#main/models/openai-chat/repair-json.ts'
import type { ModelEvent, ModelRequest } from '#main/models/provider.ts'
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

// Events of the Responses API as model events. Pure. Items are told apart by their place in the output: some gateways give an item another
// id with each event. Parts of one answer that have no place of their own (a search before the answer, the phase and the id of a message)
// are kept beside the reasoning that they follow, since the API wants them back with it.
/** Part of the answer that is being written. `sent`: what of it was told. */
interface Draft {
  index: number | undefined
  sent: string
  item: JsonObject
}

interface EventOptions {
  /** Names of the request's tools. */
  readonly tools: ReadonlySet<string>
  /** @throws {HostError} the error of the vendor that a stream carries */
  readonly fail: (error: Json) => never
}

/** Name that GPT gives to several calls written as one. */
const wrappers: ReadonlySet<string> = new Set(['parallel', 'multi_tool_use.parallel'])

const stringIn = (value: JsonObject | undefined, name: string): string => {
  const found = value?.[name]
  return typeof found === 'string' ? found : ''
}
const listIn = (value: JsonObject, name: string): JsonObject[] => {
  const found = value[name]
  return Array.isArray(found) ? found.filter(isJsonObject) : []
}
const objectIn = (value: JsonObject, name: string): JsonObject | undefined => {
  const found = value[name]
  return isJsonObject(found) ? found : undefined
}

/** Readable text of a reasoning item: its summary, else what an open model thought. */
const thoughtIn = (item: JsonObject): string =>
  listIn(item, 'summary')
    .map((part) => stringIn(part, 'text'))
    .join('\n\n') ||
  listIn(item, 'content')
    .map((part) => stringIn(part, 'text'))
    .join('')
const textIn = (item: JsonObject): string =>
  listIn(item, 'content')
    .map((part) => stringIn(part, 'text') || stringIn(part, 'refusal'))
    .join('')

/** @throws {HostError} `model.*` */
async function* fromResponseEvents(events: AsyncIterable<unknown>, options: EventOptions): AsyncGenerator<ModelEvent> {
  const output = createOutput(options.tools)
  for await (const event of events) {
    if (!isJsonObject(event)) continue
    const type = stringIn(event, 'type')
    const response = objectIn(event, 'response')
    if (type === 'error') options.fail(objectIn(event, 'error') ?? event)
    if (type === 'response.failed') options.fail(response?.['error'] ?? null)
    if (response && (type === 'response.completed' || type === 'response.incomplete')) {
      const usage = usageIn(response)
      if (usage) yield { type: 'usage', usage }
      yield* output.end(response)
      return
    }
    yield* output.take(type, event)
  }
  throw new HostError('model.bad-answer', t`The answer broke off.`)
}

/** Converts the counts, which have other names than those of chat completions. */
function usageIn(response: JsonObject) {
  const raw = objectIn(response, 'usage')
  if (!raw) return undefined
  const { input_tokens, output_tokens, input_tokens_details, output_tokens_details, ...rest } = raw
  return readUsage({
    ...rest,
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    prompt_tokens_details: input_tokens_details,
    completion_tokens_details: output_tokens_details,
  })
}

/** Calls of one answer. `next`: the index of a new part. */
function createCalls(tools: ReadonlySet<string>, next: () => number) {
  let calls = 0
  const isWrapper = (name: string): boolean => wrappers.has(name) && !tools.has(name)

  function* start(draft: Draft): Generator<ModelEvent> {
    const name = stringIn(draft.item, 'name')
    const providerId = stringIn(draft.item, 'call_id') || stringIn(draft.item, 'id')
    if (draft.index !== undefined || name === '' || isWrapper(name)) return
    draft.index = next()
    yield { type: 'tool-call-start', index: draft.index, providerId, name }
  }
  function* end(draft: Draft, item: JsonObject, cut: boolean): Generator<ModelEvent> {
    const written = stringIn(item, 'arguments') || draft.sent
    const input = written.trim() === '' ? undefined : repairJson(written, cut)
    const inputText = input ? JSON.stringify(input) : written
    const providerId = stringIn(item, 'call_id') || stringIn(item, 'id')
    const name = stringIn(item, 'name')
    const uses = isWrapper(name) && input ? listIn(input, 'tool_uses') : []
    for (const [at, use] of uses.entries()) {
      yield* wrappedCall(use, next(), `${providerId}_${at}`)
      calls += 1
    }
    if (uses.length > 0 || name === '') return
    draft.index ??= next()
    calls += 1
    const { id } = item
    const providerData = typeof id === 'string' ? { providerData: { id } } : {}
    yield { type: 'tool-call', index: draft.index, providerId, name, inputText, ...providerData }
  }
  return { any: () => calls > 0, start, end }
}

function createOutput(tools: ReadonlySet<string>) {
  const drafts = new Map<string, Draft>()
  const done = new Set<string>()
  let count = 0
  let refused = false
  const calls = createCalls(tools, () => count++)
  /** The last reasoning, with what follows it. */
  let thought: { readonly index: number; readonly details: readonly JsonObject[] } | undefined

  const draftOf = (key: string, item: JsonObject = {}): Draft => {
    const known = drafts.get(key) ?? { index: undefined, sent: '', item }
    drafts.set(key, known)
    return known
  }
  function* add(type: 'text' | 'thinking', draft: Draft, text: string): Generator<ModelEvent> {
    if (text === '') return
    draft.index ??= count++
    draft.sent += text
    yield { type, index: draft.index, text }
  }
  /** Tells what the whole has beyond its pieces; of a text that differs from them, nothing. */
  const rest = (draft: Draft, whole: string): string => (whole.startsWith(draft.sent) ? whole.slice(draft.sent.length) : '')

  function* keepBeside(item: JsonObject): Generator<ModelEvent> {
    if (!thought) return
    thought = { ...thought, details: [...thought.details, item] }
    yield { type: 'thinking-end', ...thought }
  }
  function* endThought(draft: Draft, item: JsonObject): Generator<ModelEvent> {
    yield* add('thinking', draft, rest(draft, thoughtIn(item)))
    const { id, summary = [], content, encrypted_content } = item
    const isProof = typeof encrypted_content === 'string' || listIn(item, 'content').length > 0
    if (!isProof && draft.index === undefined) return
    draft.index ??= count++
    if (isProof) thought = { index: draft.index, details: [{ type: 'reasoning', ...defined({ id, summary, content, encrypted_content }) }] }
    yield { type: 'thinking-end', index: draft.index, ...(isProof && thought ? { details: thought.details } : {}) }
  }
  function* endMessage(draft: Draft, item: JsonObject): Generator<ModelEvent> {
    yield* add('text', draft, rest(draft, textIn(item)))
    refused ||= listIn(item, 'content').some(({ type }) => type === 'refusal')
    if (draft.index === undefined) return
    yield* citationsOf(item, draft.index)
    const { id, phase } = item
    yield* keepBeside({ type: 'message', ...defined({ id, phase: phase ?? undefined }) })
  }
  function* madeImage({ result }: JsonObject): Generator<ModelEvent> {
    if (typeof result === 'string' && result !== '') yield { type: 'image', index: count++, data: result }
  }
  function* endItem(key: string, item: JsonObject, cut = false): Generator<ModelEvent> {
    if (done.has(key)) return
    done.add(key)
    const draft = draftOf(key, item)
    const type = stringIn(item, 'type')
    if (type === 'reasoning') yield* endThought(draft, item)
    else if (type === 'message') yield* endMessage(draft, item)
    else if (type === 'web_search_call') yield* keepBeside(item)
    else if (type === 'image_generation_call') yield* madeImage(item)
    else if (type === 'function_call') {
      draft.item = item
      yield* calls.start(draft)
      yield* calls.end(draft, item, cut || item['status'] === 'incomplete')
    }
  }
  return {
    *take(type: string, event: JsonObject): Generator<ModelEvent> {
      const key = String(event['output_index'] ?? event['item_id'] ?? '')
      const item = objectIn(event, 'item')
      const delta = stringIn(event, 'delta')
      if (type === 'response.output_item.added' && item) {
        const draft = draftOf(key, item)
        if (item['type'] === 'function_call') yield* calls.start(draft)
      } else if (type === 'response.output_item.done' && item) yield* endItem(key, item)
      else if (type === 'response.output_text.delta' || type === 'response.refusal.delta') yield* add('text', draftOf(key), delta)
      else if (type === 'response.reasoning_text.delta' || type === 'response.reasoning_summary_text.delta')
        yield* add('thinking', draftOf(key), delta)
      else if (type === 'response.reasoning_summary_part.added' && drafts.get(key)?.index !== undefined)
        yield* add('thinking', draftOf(key), '\n\n')
      else if (type === 'response.function_call_arguments.delta') draftOf(key).sent += delta
    },
    *end(response: JsonObject): Generator<ModelEvent> {
      const reason = stringIn(objectIn(response, 'incomplete_details'), 'reason')
      const cut = response['status'] === 'incomplete'
      // Places in the whole answer may differ from those in the stream.
      const left = drafts.size > 0 ? [...drafts].map(([key, { item }]) => [key, item] as const) : listIn(response, 'output').entries()
      for (const [key, item] of left) yield* endItem(String(key), item, cut)
      if (refused || reason === 'content_filter') yield { type: 'done', reason: 'refusal' }
      else if (cut) yield { type: 'done', reason: 'max-tokens' }
      else yield { type: 'done', reason: calls.any() ? 'tool-calls' : 'end' }
    },
  }
}

function* wrappedCall(use: JsonObject, index: number, providerId: string): Generator<ModelEvent> {
  const call = { index, providerId, name: stringIn(use, 'recipient_name').replace(/^functions\./, '') }
  yield { type: 'tool-call-start', ...call }
  yield { type: 'tool-call', ...call, inputText: JSON.stringify(use['parameters'] ?? {}) }
}

/** Reads the citations of pages. Their places count code points; where a vendor gives none (xAI), the whole text is cited. */
function* citationsOf(item: JsonObject, index: number): Generator<ModelEvent> {
  let before = 0
  for (const part of listIn(item, 'content')) {
    const text = stringIn(part, 'text')
    const points = Array.from(text)
    const offset = (at: Json | undefined, absent: number): number =>
      before + (typeof at === 'number' ? points.slice(0, Math.max(0, at)).join('').length : absent)
    for (const source of listIn(part, 'annotations')) {
      if (source['type'] !== 'url_citation') continue
      const range = { start: offset(source['start_index'], 0), end: offset(source['end_index'], text.length) }
      const title = stringIn(source, 'title').toWellFormed()
      const url = stringIn(source, 'url')
      yield {
        type: 'citation',
        index,
        citation: { ...range, ...(title === '' ? {} : { title }), ...(/^https?:\/\//.test(url) ? { url } : {}), quote: '', source },
      }
    }
    before += text.length
  }
}
