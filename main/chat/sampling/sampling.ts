// Sampling (MCP, "Sampling"): a server asks for an answer of the person's model. The person approves the prompt, then the answer. The
// model gets the approved bytes alone: no conversation, and no tools but the server's, which only that server runs. `includeContext` is
// ignored, since all of that context would be another server's or the person's.
import type { CreateMessageRequestParams, CreateMessageResult } from '@modelcontextprotocol/client'
import {
  type SamplingCall,
  type SamplingContent,
  type SamplingMessage,
  type SamplingPart,
  type SamplingTool,
  type SamplingWishes,
  samplingTexts,
} from '#app/consent/sampling.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { type ModelInfo, modelTraits } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import { isLocal } from '#app/server/definition.ts'
import { sniffMime } from '#app/sniff-mime.ts'
import { jsonSize } from '#main/base/json-size.ts'
import { type ProtocolError, protocolError, protocolErrorCodes } from '#main/base/protocol-error.ts'
import type { RunningCalls } from '#main/servers/client/requests/running-calls.ts'
import type { AskedBy } from '#main/servers/client/requests/server-request-handlers.ts'
import type { ChatContext } from '../chat-context.ts'
import { withOrigin } from '../request-origin.ts'
import { runApproved } from './sampling-model.ts'

// Parser of a server's `sampling/createMessage` (MCP 2025-11-25, "Sampling"). A request that breaks the specification's rules on tools,
// or holds content that no model here takes, is a protocol error with the reason. Pure.

/** Bytes of JSON without images: a person has to read it. */
const largestText = 256 * 1024
const largestImage = 3_750_000
const mostImages = 20
const mostTools = 64
const mostWishes = 32
const longestWish = 500
const drawn = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

const refuse = (message: string): ProtocolError => protocolError(protocolErrorCodes.invalidParams, message)

/** Parses the wishes beside prompt and length. @throws {ProtocolError} for more than a person would read */
function readWishes(params: CreateMessageRequestParams): Omit<SamplingWishes, 'chosenBy'> & { readonly hints: readonly string[] } {
  const { modelPreferences = {}, temperature, stopSequences, includeContext, metadata } = params
  const hints = (modelPreferences.hints ?? []).flatMap(({ name }) => (name ? [name] : []))
  if (hints.length > mostWishes || hints.some((hint) => hint.length > longestWish)) throw refuse('The hints are too many or too long')
  if (stopSequences && (stopSequences.length > mostWishes || stopSequences.some((one) => one.length > longestWish)))
    throw refuse('The stop sequences are too many or too long')
  const { costPriority: cost, speedPriority: speed, intelligencePriority: intelligence } = modelPreferences
  const priorities = defined({ cost, speed, intelligence })
  return {
    hints,
    ...(Object.keys(priorities).length === 0 ? {} : { priorities }),
    ...defined({ temperature }),
    ...(stopSequences === undefined || stopSequences.length === 0 ? {} : { stopSequences: [...stopSequences] }),
    ...(includeContext === undefined || includeContext === 'none' ? {} : { includeContext }),
    ...(metadata === undefined ? {} : { metadata: true }),
  }
}

const contentOf = (messages: readonly SamplingMessage[]): (SamplingPart | SamplingContent)[] =>
  messages.flatMap(({ parts }) => parts).flatMap((part) => (part.type === 'tool-result' ? part.content : [part]))

const hasImages = (messages: readonly SamplingMessage[]): boolean => contentOf(messages).some(({ type }) => type === 'image')

type Block = Exclude<CreateMessageRequestParams['messages'][number]['content'], readonly unknown[]>

/** @throws {ProtocolError} (invalid params) */
export function readPrompt(params: CreateMessageRequestParams) {
  const messages = params.messages.map(({ role, content }): SamplingMessage => {
    const blocks: readonly Block[] = Array.isArray(content) ? content : [content]
    return { role, parts: blocks.map((block) => readBlock(block, role)) }
  })
  checkBalance(messages)
  const tools = readTools(params)
  const toolChoice = params.toolChoice?.mode ?? 'auto'
  if (toolChoice === 'required' && tools.length === 0) throw refuse('A tool is required, but none is given')
  if (!Number.isSafeInteger(params.maxTokens) || params.maxTokens < 1) throw refuse('maxTokens must be a whole number above nought')
  if (contentOf(messages).filter(({ type }) => type === 'image').length > mostImages) throw refuse(`At most ${mostImages} images are taken`)
  if (jsonSize(withoutImages(messages) as unknown as Json) + jsonSize(tools as unknown as Json) > largestText)
    throw refuse('The request is too long for a person to read')
  return { messages, tools, toolChoice }
}

function readTools({ tools = [] }: CreateMessageRequestParams): SamplingTool[] {
  if (tools.length > mostTools) throw refuse(`At most ${mostTools} tools are taken`)
  const names = new Set(tools.map(({ name }) => name))
  if (names.size !== tools.length || names.has('')) throw refuse('Each tool needs a name of its own')
  return tools.map(({ name, title, description, inputSchema }) => ({
    name,
    ...defined({ title, description }),
    inputSchema: inputSchema as JsonObject,
  }))
}

function readBlock(block: Block, role: SamplingMessage['role']): SamplingPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
      if (role === 'assistant') throw refuse('No model here has said an image: it can only be the user’s')
      return readImage(block.data)
    case 'audio':
      throw refuse('No model here takes audio')
    case 'tool_use':
      if (role !== 'assistant') throw refuse('A tool_use must be in a message of the assistant')
      return { type: 'tool-use', id: block.id, name: block.name, input: block.input as JsonObject }
    case 'tool_result': {
      if (role !== 'user') throw refuse('A tool_result must be in a message of the user')
      const structured = block.structuredContent as Json | undefined
      const content = block.content.map((one) => readResult(one as JsonObject))
      return { type: 'tool-result', id: block.toolUseId, content, ...defined({ structured }), isError: block.isError ?? false }
    }
    default:
      throw refuse('This kind of content is not known')
  }
}

/** Reads a block of a tool's result. Links are named and never fetched. */
function readResult(block: JsonObject): SamplingContent {
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: String(block['text']) }
    case 'image':
      return readImage(String(block['data']))
    case 'resource': {
      const resource = isJsonObject(block['resource']) ? block['resource'] : {}
      if (typeof resource['text'] !== 'string') throw refuse('A resource in a tool result must be text')
      return { type: 'text', text: `Resource ${String(resource['uri'])}:\n${resource['text']}` }
    }
    case 'resource_link':
      return {
        type: 'text',
        text: `[Link to the resource ${String(block['uri'])} (${String(block['name'])}). Its content was not fetched.]`,
      }
    default:
      throw refuse('This kind of content in a tool result is not taken')
  }
}

/** Reads an image under its sniffed type, not the one it claims. */
function readImage(data: string): SamplingContent {
  const bytes = /[^A-Za-z0-9+/_=\s-]/.test(data) ? Buffer.alloc(0) : Buffer.from(data, 'base64')
  const sniffed = sniffMime(bytes)
  const mimeType = drawn.find((one) => one === sniffed)
  if (mimeType === undefined) throw refuse('An image must be a PNG, JPEG, GIF or WebP in base64')
  if (bytes.byteLength > largestImage) throw refuse('An image is too large')
  return { type: 'image', mimeType, data: bytes.toString('base64') }
}

/** Checks that each tool use is answered in the next message, which holds nothing else ("Tool Use and Result Balance"). */
function checkBalance(messages: readonly SamplingMessage[]): void {
  let open = new Set<string>()
  for (const { parts } of messages) {
    const results = parts.filter((part) => part.type === 'tool-result')
    if (results.length > 0 && results.length < parts.length) throw refuse('A message with tool results must hold nothing else')
    for (const { id } of results) if (!open.delete(id)) throw refuse('A tool_result answers no tool_use of the message before it')
    if (open.size > 0) throw refuse('A tool_use is not answered in the next message')
    const uses = parts.filter((part) => part.type === 'tool-use')
    open = new Set(uses.map(({ id }) => id))
    if (open.size < uses.length) throw refuse('Two uses of tools have the same id')
  }
  if (open.size > 0) throw refuse('A tool_use is not answered in the next message')
}

const withoutImages = (messages: readonly SamplingMessage[]): unknown =>
  messages.map(({ parts }) =>
    parts.map((part) => {
      if (part.type === 'image') return part.mimeType
      return part.type === 'tool-result'
        ? { ...part, content: part.content.map((one) => (one.type === 'image' ? one.mimeType : one)) }
        : part
    }),
  )

export interface ModelWishes extends Pick<SamplingWishes, 'priorities'> {
  readonly hints: readonly string[]
  /** Whether the prompt has images: models that take none come last. */
  readonly images: boolean
}

/**
 * Suggests a model (MCP, "Model Preferences"): the first hint that fits some model decides, priorities choose among those, or among all
 * models where no hint fits. The person may pick another. `fallback`: the model of new chats. The practice model is never suggested by
 * a server's wishes. Pure.
 */
export function chooseModel(
  { hints, priorities = {}, images }: ModelWishes,
  models: readonly ModelInfo[],
  fallback: string,
): { readonly model: string; readonly chosenBy: NonNullable<SamplingWishes['chosenBy']> } {
  const all = models.filter(({ ai }) => ai)
  const seeing = all.filter((model) => model.images !== false)
  const able = images && seeing.length > 0 ? seeing : all
  for (const hint of hints) {
    const fitting = able.filter((model) => answersTo(model, hint))
    const [best] = byPriorities(fitting, priorities, fallback)
    if (best) return { model: best.id, chosenBy: 'hint' }
  }
  const [best] = byPriorities(able, priorities, fallback)
  const minds = Object.values(priorities).some((share) => (share ?? 0) > 0)
  return best && minds ? { model: best.id, chosenBy: 'priorities' } : { model: fallback, chosenBy: 'default' }
}

function answersTo({ id, name }: ModelInfo, hint: string): boolean {
  const wanted = hint.toLowerCase()
  return modelNameOf(id).toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted)
}

/** Sorts the best first; of equals the model of new chats, then in the order of the provider's list. */
function byPriorities(
  models: readonly ModelInfo[],
  { cost = 0, speed = 0, intelligence = 0 }: NonNullable<SamplingWishes['priorities']>,
  fallback: string,
): ModelInfo[] {
  const score = (model: ModelInfo): number => {
    const traits = modelTraits(model)
    return cost * traits.cheap + speed * traits.fast + intelligence * traits.able
  }
  return models.toSorted((a, b) => score(b) - score(a) || Number(b.id === fallback) - Number(a.id === fallback))
}

const modelNameOf = (modelId: string): string => modelId.slice(modelId.indexOf('/') + 1)

const REJECTED = -1
const rejected = (): ProtocolError => protocolError(REJECTED, 'User rejected sampling request')

/** @throws {ProtocolError} when the person refuses, or the request is invalid */
export function sample(
  context: ChatContext,
  running: RunningCalls,
  params: CreateMessageRequestParams,
  by: AskedBy,
): Promise<CreateMessageResult> {
  const { broker, clock, models, servers, settings } = context
  return withOrigin(running, by, async (origin): Promise<CreateMessageResult> => {
    const prompt = readPrompt(params)
    const { hints, ...wishes } = readWishes(params)
    const wished = { hints, priorities: wishes.priorities, images: hasImages(prompt.messages) }
    const { model, chosenBy } = chooseModel(wished, models.list(), settings().defaultModel)
    const definition = servers.view(by.server)?.definition
    const trusted = definition?.trusted === true
    const { systemPrompt, maxTokens } = params
    const question = { ...origin, ...prompt, systemPrompt, maxTokens, hints, model, trusted }
    const original = params as unknown as JsonObject
    const verdict = await broker.sampling({ ...question, original, wishes: { ...wishes, chosenBy } })
    if (verdict.kind !== 'allowed') throw rejected()
    const { approval, spent } = verdict
    const begun = clock.now()
    const { calls, stopReason, text, tokens } = await runApproved(models, approval, { signal: origin.signal, spent })
    const handed = await broker.samplingResult({
      ...origin,
      model: approval.model,
      text,
      calls,
      stopReason,
      sent: [approval.systemPrompt ?? '', ...samplingTexts(approval.messages)].filter((one) => one !== ''),
      took: { tokens, durationMs: clock.now() - begun },
      trusted,
      local: definition !== undefined && isLocal(definition),
    })
    if (handed === undefined) throw rejected()
    const content = toContent(handed, calls)
    return { model: modelNameOf(approval.model), role: 'assistant', content, stopReason } as CreateMessageResult
  })
}

/** Returns a single block where the answer is text only: a request without tools takes nothing else. */
function toContent(text: string, calls: readonly SamplingCall[]): JsonObject | JsonObject[] {
  if (calls.length === 0) return { type: 'text', text }
  const uses = calls.map(({ id, name, input }): JsonObject => ({ type: 'tool_use', id, name, input }))
  return text === '' ? uses : [{ type: 'text', text }, ...uses]
}
