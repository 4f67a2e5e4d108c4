// Chunks of chat completions as model events. Pure. An answer without a `finish_reason` was cut, unless its stream ended as the format
// has it: with `[DONE]`, or with the token counts in a chunk of their own.
import type { Citation } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject, ownMember } from '#app/json.ts'
import type { Usage } from '#app/models/usage.ts'
import { defined } from '#app/or-else.ts'
import type { ModelEvent } from '#main/models/provider.ts'
import { filteredBy } from './openai-errors.ts'
import { reasoningFields } from './openai-request.ts'
import { repairJson } from './repair-json.ts'
import { createThinkSplitter, type SplitPiece, type ThinkSegment } from './think-tags.ts'
import { type CallDraft, createToolFragments } from './tool-fragments.ts'

/** Pieces and characters of `reasoning_details` in one answer. Above them all are dropped: a part of them is of no use. */
const MOST_DETAILS = 10_000
const MOST_LENGTH = 4_000_000

const textFields: Readonly<Record<string, string>> = { 'reasoning.text': 'text', 'reasoning.summary': 'summary' }
const textIn = (piece: JsonObject, field: string | undefined): string => {
  const value = field === undefined ? undefined : piece[field]
  return typeof value === 'string' ? value : ''
}

/**
 * Collects OpenRouter's `reasoning_details`, which have to go back as they came (signed, summarised or encrypted), or the provider behind
 * it refuses the next step of a tool loop. Consecutive pieces of one text are joined.
 */
function createReasoningDetails() {
  let all: JsonObject[] = []
  let length = 0
  let tooMany = false

  function add(piece: JsonObject): void {
    const field = ownMember(textFields, String(piece['type']))
    const last = all.at(-1)
    if (field !== undefined && last && last['type'] === piece['type'] && last['index'] === piece['index'])
      all[all.length - 1] = { ...last, ...withoutNull(piece), [field]: textIn(last, field) + textIn(piece, field) }
    else all.push(piece)
  }

  return {
    all: (): readonly JsonObject[] => all,
    /** Returns the readable text of the pieces. */
    take(pieces: unknown): string {
      let readable = ''
      for (const piece of Array.isArray(pieces) ? pieces.filter(isJsonObject) : []) {
        readable += textIn(piece, ownMember(textFields, String(piece['type'])))
        length += JSON.stringify(piece).length
        tooMany ||= length > MOST_LENGTH || all.length >= MOST_DETAILS
        if (tooMany) all = []
        else add(piece)
      }
      return readable
    },
  }
}

/** Drops `null` members, so that a later piece does not overwrite what an earlier one held. */
const withoutNull = (piece: JsonObject): JsonObject => Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== null))

interface EventOptions {
  readonly usedIds: ReadonlySet<string>
  /** Makes an id for a call without one, or with one that the conversation has already. */
  readonly newCallId: () => string
  /** Facts on the model's chat template, updated by this answer. */
  readonly template: { opensThought: boolean }
  readonly ended: () => boolean
}

/** Stands for the `finish_reason` of an answer that ended without one. */
const UNSAID = 'unsaid'

export async function* fromChatChunks(chunks: AsyncIterable<unknown>, options: EventOptions): AsyncGenerator<ModelEvent> {
  const parts = createParts(options.template)
  const tools = createToolFragments()
  const sources = createAnswerSources()
  const announced: { readonly id: string; readonly index: number }[] = []
  const used = new Set(options.usedIds)
  let finish: string | undefined
  let refused = false
  let filtered = ''
  let stopped = false
  let counted = false
  let first: number | undefined

  const announce = (draft: CallDraft): ModelEvent => {
    const id = draft.id !== '' && !used.has(draft.id) ? draft.id : options.newCallId()
    used.add(id)
    const index = parts.next()
    announced.push({ id, index })
    return { type: 'tool-call-start', index, providerId: id, name: draft.name }
  }

  try {
    for await (const chunk of chunks) {
      if (!isJsonObject(chunk)) continue
      const usage = readUsage(chunk['usage']) ?? readUsage(isJsonObject(chunk['x_groq']) ? chunk['x_groq']['usage'] : undefined)
      if (usage) yield { type: 'usage', usage }
      const choice = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined
      if (!isJsonObject(choice)) {
        sources.take(chunk, {})
        counted ||= usage !== undefined
        continue
      }
      const at = typeof choice['index'] === 'number' ? choice['index'] : (first ?? 0)
      first ??= at
      if (at !== first) continue // Of several answers, only the first is read.
      // Endpoints that do not stream send the whole message.
      const delta = isJsonObject(choice['delta']) ? choice['delta'] : isJsonObject(choice['message']) ? choice['message'] : {}
      sources.take(chunk, delta)
      yield* parts.take(delta)
      yield* parts.images(delta['images'])
      if (typeof delta['refusal'] === 'string' && delta['refusal'] !== '') {
        refused = true
        yield* parts.take({ content: delta['refusal'] })
      }
      const fragments = Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : []
      for (const fragment of fragments) tools.take(fragment)
      if (fragments.length > 0) yield* parts.end()
      // The name may still be growing until the first arguments come.
      for (const draft of tools.drafts.slice(announced.length))
        if (draft.inputText !== '' && draft.name !== '') yield announce(draft)
        else break
      filtered = filteredBy(choice['content_filter_results']) || filtered
      // Only vLLM and OpenRouter tell that the answer ended at a stop sequence.
      stopped ||= typeof choice['stop_reason'] === 'string' || choice['native_finish_reason'] === 'stop_sequence'
      if (typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== '') finish = choice['finish_reason']
    }
  } catch (error) {
    if (finish === undefined) throw error // An error after the end does no harm.
  }
  if (finish === undefined && (counted || options.ended()) && (parts.begun() || tools.drafts.length > 0)) finish = UNSAID
  if (finish === undefined) throw new HostError('model.bad-answer', t`The answer broke off.`)
  if (finish === 'error') throw new HostError('model.server-error', t`The answer broke off.`)
  yield* parts.end(atLimit.has(finish))
  yield* parts.details()
  for (const citation of sources.all()) yield* parts.cite(citation)
  const called = tools.drafts.filter(({ name }) => name !== '')
  for (const [at, draft] of called.entries()) {
    if (announced[at] === undefined) yield announce(draft)
    const { id, index } = announced[at] as { id: string; index: number }
    const inputText = repaired(draft.inputText, finish === UNSAID || atLimit.has(finish))
    const data = draft.extra ? { providerData: { extra_content: draft.extra } } : {}
    yield { type: 'tool-call', index, providerId: id, name: draft.name, inputText, ...data }
  }
  const reason = reasonOf(finish, refused, called.length > 0)
  const detail = reason === 'refusal' && filtered !== '' ? { detail: filtered } : {}
  yield { type: 'done', reason: reason === 'end' && stopped ? 'stop-sequence' : reason, ...detail }
}

function repaired(inputText: string, cut: boolean): string {
  if (['', 'null'].includes(inputText.trim())) return ''
  const input = repairJson(inputText, cut)
  return input ? JSON.stringify(input) : inputText
}

/** Finish reasons at the answer's limit, and at the model's (Mistral). */
const atLimit: ReadonlySet<string> = new Set(['length', 'model_length'])

function reasonOf(finish: string, refused: boolean, called: boolean): (ModelEvent & { type: 'done' })['reason'] {
  if (finish === 'content_filter' || refused) return 'refusal'
  if (atLimit.has(finish)) return 'max-tokens'
  return called ? 'tool-calls' : 'end' // Some say "stop" after calls, too.
}

/** Text and thinking as parts: a new part begins where the kind changes. */
function createParts(template: EventOptions['template']) {
  const splitter = createThinkSplitter({ opened: template.opensThought })
  const details = createReasoningDetails()
  let count = 0
  let open: { readonly type: ThinkSegment['type']; readonly index: number; readonly field?: string } | undefined
  let firstThought: typeof open
  let lastText: number | undefined
  const images = new Set<string>()

  function* end(cut = false): Generator<ModelEvent> {
    for (const piece of splitter.end(cut)) yield* split(piece)
    yield* close()
  }
  function* split(piece: SplitPiece): Generator<ModelEvent> {
    if (piece.type !== 'recast') return yield* put(piece)
    template.opensThought = piece.as === 'thinking'
    open = { type: piece.as, index: open?.index ?? count++ }
    lastText = piece.as === 'text' ? open.index : undefined
    firstThought = piece.as === 'thinking' ? open : undefined
    yield { ...piece, index: open.index }
  }
  function* close(): Generator<ModelEvent> {
    if (open?.type === 'thinking') yield { type: 'thinking-end', index: open.index, ...defined({ signature: open.field }) }
    open = undefined
  }
  function* put(piece: ThinkSegment, field?: string): Generator<ModelEvent> {
    if (piece.text === '') return
    if (open?.type !== piece.type) {
      yield* close()
      open = { type: piece.type, index: count++, ...defined({ field }) }
      if (piece.type === 'thinking') firstThought ??= open
      else lastText = open.index
    }
    yield { type: piece.type, index: open.index, text: piece.text }
  }
  return {
    next: () => count++,
    begun: () => count > 0,
    end,
    /** Adds a source to the last part of text; an answer without text has none. */
    *cite(citation: Citation): Generator<ModelEvent> {
      if (lastText !== undefined) yield { type: 'citation', index: lastText, citation }
    },
    /** Images of OpenRouter and Vercel's gateway: `image_url` parts with data. An address of the web stands in the text, and is not fetched. */
    *images(found: unknown): Generator<ModelEvent> {
      for (const one of Array.isArray(found) ? found.filter(isJsonObject) : []) {
        const url = isJsonObject(one['image_url']) ? one['image_url']['url'] : undefined
        if (typeof url !== 'string' || images.has(url)) continue // The last chunk may repeat them.
        images.add(url)
        const [, data] = /^data:image\/[\w.+-]+;base64,(.+)$/s.exec(url) ?? []
        if (data === undefined) {
          if (/^https?:\/\/\S+$/.test(url)) yield* put({ type: 'text', text: `\n\n<${url}>` })
          continue
        }
        yield* end()
        yield { type: 'image', index: count++, data }
      }
    },
    /** Adds the details to the first part of thinking, or to one without text. */
    *details(): Generator<ModelEvent> {
      if (details.all().length === 0) return
      const { index, field } = firstThought ?? { index: count++ }
      yield { type: 'thinking-end', index, ...defined({ signature: field }), details: details.all() }
    },
    *take(delta: JsonObject): Generator<ModelEvent> {
      const field = reasoningFields.find((name) => typeof delta[name] === 'string' && delta[name] !== '')
      const detailed = details.take(delta['reasoning_details'])
      if (field || detailed !== '') splitter.tell()
      if (field) yield* put({ type: 'thinking', text: String(delta[field]) }, field)
      else yield* put({ type: 'thinking', text: detailed })
      for (const piece of piecesOf(delta['content']))
        if (piece.type === 'thinking') {
          splitter.tell()
          yield* put(piece)
        } else for (const part of splitter.take(piece.text)) yield* split(part)
    },
  }
}

/** Reads `content`: a string, or a list of parts with Mistral's reasoning models. */
function piecesOf(content: unknown): ThinkSegment[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isJsonObject).flatMap((part): ThinkSegment[] => {
    if (typeof part['text'] === 'string') return [{ type: 'text', text: part['text'] }]
    return part['type'] === 'thinking' ? piecesOf(part['thinking']).map(({ text }) => ({ type: 'thinking', text })) : []
  })
}

const count = (value: unknown): number | undefined => (typeof value === 'number' && value >= 0 ? Math.round(value) : undefined)

/** Converts the usage. `prompt_tokens` includes tokens from the cache, unlike `inputTokens`; Grok at Azure excludes them too. */
export function readUsage(raw: unknown): Usage | undefined {
  if (!isJsonObject(raw)) return undefined
  const prompt = count(raw['prompt_tokens'])
  const output = count(raw['completion_tokens'])
  if (prompt === undefined || output === undefined) return undefined
  const details = raw['prompt_tokens_details']
  // `prompt_cache_hit_tokens` is DeepSeek's.
  const cached = (isJsonObject(details) ? count(details['cached_tokens']) : undefined) ?? count(raw['prompt_cache_hit_tokens']) ?? 0
  const written = isJsonObject(details) ? (count(details['cache_write_tokens']) ?? 0) : 0
  const answer = raw['completion_tokens_details']
  const thought = isJsonObject(answer) ? (count(answer['reasoning_tokens']) ?? 0) : 0
  // xAI leaves thinking out of `completion_tokens`; only its total includes it.
  const beside = count(raw['total_tokens']) === prompt + output + thought ? thought : 0
  // `cost` in dollars is OpenRouter's, and other routers use the field too.
  const cost = raw['cost']
  return {
    inputTokens: cached > prompt ? prompt : Math.max(0, prompt - cached - written),
    outputTokens: output + beside,
    ...(cached > 0 ? { cacheReadTokens: cached } : {}),
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
    ...(typeof cost === 'number' && cost >= 0 && Number.isFinite(cost) ? { cost } : {}),
  }
}

// Sources of an answer: `search_results` and `citations` of the web (Perplexity), `annotations` of the form `url_citation` (OpenAI,
// OpenRouter), `reference` parts (Mistral: numbers of documents that a tool gave). Those that name no range belong to the whole answer.
const MOST = 100
const LONGEST_QUOTE = 2000

/** Collects the sources of one answer; the same address once. */
function createAnswerSources() {
  const byUrl = new Map<string, Citation>()
  const references = new Map<string, Citation>()

  function add(found: JsonObject, source: JsonObject): void {
    const url = found['url']
    if (typeof url !== 'string' || !/^https?:\/\//.test(url) || (byUrl.size >= MOST && !byUrl.has(url))) return
    const known = byUrl.get(url)
    const title = textOf(found['title']) ?? known?.title
    const quote = (textOf(found['content']) ?? textOf(found['snippet']) ?? known?.quote ?? '').slice(0, LONGEST_QUOTE).toWellFormed()
    byUrl.set(url, { start: 0, end: 0, url, ...defined({ title }), quote, source })
  }

  return {
    /** `delta`: the delta or message of the chunk's choice. */
    take(chunk: JsonObject, delta: JsonObject): void {
      for (const one of listOf(chunk['citations'])) if (typeof one === 'string') add({ url: one }, { type: 'citation', url: one })
      for (const one of listOf(chunk['search_results'])) if (isJsonObject(one)) add(one, { type: 'search_result', ...one })
      for (const part of listOf(delta['content'])) {
        if (!isJsonObject(part) || part['type'] !== 'reference') continue
        for (const id of listOf(part['reference_ids']).map(String))
          if (references.size < MOST)
            references.set(id, { start: 0, end: 0, title: t`Document ${id} of a tool’s result`, quote: '', source: part })
      }
      for (const one of listOf(delta['annotations'])) {
        const cited = isJsonObject(one) ? one['url_citation'] : undefined
        if (isJsonObject(cited)) add(cited, one as JsonObject)
      }
    },
    all: (): readonly Citation[] => [...byUrl.values(), ...references.values()],
  }
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
