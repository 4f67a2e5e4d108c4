// Events of the AI SDK's language models (LanguageModelV3) as ours.
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { Usage } from '#app/models/usage.ts'
import { defined } from '#app/or-else.ts'
import { createThinkSplitter } from '../openai-chat/think-tags.ts'
import type { ModelEvent } from '../provider.ts'

type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>

/** Signature of thinking that stood in a text: it does not go back. */
export const IN_TEXT = 'in-text'

interface EventOptions {
  /** `kind`: Bedrock's name of an exception. @throws {HostError} for an error within the stream */
  readonly fail: (error: unknown, kind: string | undefined) => never
}

/** Converts a stream. It ends without `done` where the vendor's stream was cut. */
export async function* fromSdkParts(parts: AsyncIterable<LanguageModelV3StreamPart>, { fail }: EventOptions): AsyncGenerator<ModelEvent> {
  const indexes = new Map<string, number>()
  const indexOf = (key: string): number => {
    if (!indexes.has(key)) indexes.set(key, indexes.size)
    return indexes.get(key) ?? 0
  }
  /** Metadata of the open texts and thoughts, merged. */
  const proofs = new Map<string, JsonObject>()
  const collect = (key: string, metadata: unknown): void => {
    for (const [vendor, value] of Object.entries(isJsonObject(metadata) ? metadata : {}))
      proofs.set(key, { ...proofs.get(key), [vendor]: { ...asObject(proofs.get(key)?.[vendor]), ...asObject(value) } })
  }
  /** Splits texts that begin with their thinking in tags (Amazon's Nova). */
  const splitters = new Map<string, ReturnType<typeof createThinkSplitter>>()
  function* split(key: string, text: string | undefined): Generator<ModelEvent> {
    const splitter = splitters.get(key) ?? createThinkSplitter()
    splitter.tell()
    splitters.set(key, splitter)
    for (const piece of text === undefined ? splitter.end(false) : splitter.take(text))
      if (piece.type !== 'recast') yield { ...piece, index: indexOf(piece.type === 'text' ? key : `${key} thinking`) }
    const thought = indexes.get(`${key} thinking`)
    if (text === undefined && thought !== undefined) yield { type: 'thinking-end', index: thought, signature: IN_TEXT }
  }
  let lastText = 0
  let kind: string | undefined
  for await (const part of parts) {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end': {
        const isText = part.type.startsWith('text')
        const key = `${isText ? 'text' : 'thinking'} ${part.id}`
        collect(key, part.providerMetadata)
        if (isText && part.type !== 'text-start') yield* split(key, 'delta' in part ? part.delta : undefined)
        else if ('delta' in part && part.delta !== '') yield { type: 'thinking', index: indexOf(key), text: part.delta }
        const proof = part.type.endsWith('end') ? proofs.get(key) : undefined
        if (isText) lastText = indexes.get(key) ?? lastText
        // A text's own proof stands in a thought without words behind it.
        if (proof && isText) yield { type: 'thinking-end', index: indexOf(`${key} proof`), details: [proof, { of: 'text' }] }
        else if (proof) yield { type: 'thinking-end', index: indexOf(key), details: [proof] }
        break
      }
      case 'tool-input-start':
        if (!part.providerExecuted)
          yield { type: 'tool-call-start', index: indexOf(`call ${part.id}`), providerId: part.id, name: part.toolName }
        break
      case 'tool-call':
        if (!part.providerExecuted)
          yield {
            type: 'tool-call',
            index: indexOf(`call ${part.toolCallId}`),
            providerId: part.toolCallId,
            name: part.toolName,
            inputText: part.input,
            ...defined({ providerData: part.providerMetadata as JsonObject | undefined }),
          }
        break
      case 'source':
        if (part.sourceType === 'url') {
          const { url, title } = part
          const citation = { start: 0, end: 0, url, ...defined({ title }), quote: '', source: { type: 'source', url } }
          yield { type: 'citation', index: lastText, citation }
        }
        break
      case 'file': {
        const { mediaType, data, providerMetadata } = part
        // Gemini thinks in images, too.
        const isThought = Object.values(providerMetadata ?? {}).some(({ thought }) => thought === true)
        if (mediaType.startsWith('image/') && !isThought)
          yield { type: 'image', index: indexOf(`image ${indexes.size}`), data: Buffer.from(data as string, 'base64').toString('base64') }
        break
      }
      case 'raw':
        kind = Object.keys(asObject(part.rawValue)).find((name) => name.endsWith('Exception'))
        break
      case 'error':
        if (!isUnknownEvent(part.error)) fail(part.error, kind)
        break
      case 'finish':
        yield* finish(part, { fail })
        break
      default:
    }
  }
}

const asObject = (value: unknown): JsonObject => (isJsonObject(value as Json) ? (value as JsonObject) : {})

/** Whether the SDK does not know an event of the stream, which is left out; an error of the vendor is none of these. */
const isUnknownEvent = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AI_TypeValidationError' && !('error' in asObject((error as { value?: unknown }).value))

const reasons = { stop: 'end', 'tool-calls': 'tool-calls', length: 'max-tokens', 'content-filter': 'refusal', other: 'end' } as const

function* finish({ usage, finishReason: { unified, raw } }: Finish, { fail }: EventOptions): Generator<ModelEvent> {
  const read = usageOf(usage)
  if (read) yield { type: 'usage', usage: read }
  // Without a reason of the vendor, the stream was cut.
  if (raw === undefined) return
  // Gemini: MALFORMED_FUNCTION_CALL.
  if (unified === 'error') fail({ code: 'tool_use_failed', message: raw }, undefined)
  else if (raw === 'model_context_window_exceeded') yield { type: 'done', reason: 'max-tokens' }
  else if (raw === 'stop_sequence') yield { type: 'done', reason: 'stop-sequence' }
  else yield { type: 'done', reason: reasons[unified], ...(unified === 'content-filter' ? { detail: raw } : {}) }
}

function usageOf({ inputTokens, outputTokens, raw }: Finish['usage']): Usage | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined
  const { total = 0, noCache, cacheRead, cacheWrite } = inputTokens
  // Gemini counts what its own tools (a search) read beside the prompt (ai.google.dev/api/generate-content, UsageMetadata).
  const read = raw?.['toolUsePromptTokenCount']
  return {
    inputTokens: (noCache ?? Math.max(0, total - (cacheRead ?? 0) - (cacheWrite ?? 0))) + (typeof read === 'number' ? read : 0),
    outputTokens: outputTokens.total ?? 0,
    ...(cacheRead ? { cacheReadTokens: cacheRead } : {}),
    ...(cacheWrite ? { cacheWriteTokens: cacheWrite } : {}),
  }
}
