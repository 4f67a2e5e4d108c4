// A request of the Responses API. Nothing is stored at the vendor: encrypted reasoning goes back with each request, to its own model, with
// the items that follow it and their ids (recorded in pydantic-ai, `test_openai_responses_phase_live`). Reasoning that nothing follows is
// left out, since the API refuses it.
import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { type ModelInfo, nearestEffort } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import {
  documentNote,
  type ModelAssistantBlock,
  type ModelContent,
  type ModelRequest,
  type ModelTool,
  type ModelUserBlock,
} from '../provider.ts'

/** Fields that a request can do without; a refusal names them so. */
export const omittable = [
  'reasoning.summary',
  'reasoning.effort',
  'reasoning',
  'include',
  'temperature',
  'max_output_tokens',
  'store',
] as const

export type Adjustment =
  | `without ${(typeof omittable)[number]}`
  /** Older name of the search tool. */
  | 'web_search_preview'

const any = /^/
/** Known endpoints and models; the rest is learnt from refusals. Models before GPT-5 and o1 do not reason. */
const known: readonly (readonly [host: RegExp, model: RegExp, adjustments: readonly Adjustment[]])[] = [
  [any, /^(?:openai\/)?(?:gpt-(?:3|4)|chatgpt)/, ['without reasoning', 'without include']],
  [any, /^(?:openai\/)?(?:o\d|gpt-[5-9])/, ['without temperature']],
  [/\.azure\.com$/, any, ['web_search_preview']],
]
export const knownAdjustments = (hostname: string, model: string): Set<Adjustment> =>
  new Set(known.flatMap(([host, name, adjustments]) => (host.test(hostname) && name.test(model) ? adjustments : [])))

export interface ResponsesDialect {
  /** Model id with the provider's prefix. */
  readonly modelId: string
  readonly info: ModelInfo | undefined
  readonly adjustments: Set<Adjustment>
}

/** `withReasoning`: false after a refusal of the reasoning that was sent back. */
export function toResponses(request: ModelRequest, dialect: ResponsesDialect, withReasoning = true): JsonObject {
  const { info, adjustments } = dialect
  const lacks = (field: (typeof omittable)[number]): boolean => adjustments.has(`without ${field}`)
  const limit = request.maxTokens === undefined ? undefined : Math.min(request.maxTokens, info?.maxOutputTokens ?? request.maxTokens)
  const search: JsonObject[] = request.webSearch
    ? [{ type: adjustments.has('web_search_preview') ? 'web_search_preview' : 'web_search' }]
    : []
  const tools = [...(info?.tools === false ? [] : request.tools.map(toTool)), ...search]
  return {
    model: request.model,
    stream: true,
    input: request.messages.flatMap((message) =>
      message.role === 'user'
        ? fromUser(message.content, info?.documents !== false)
        : fromAssistant(message.content, withReasoning && message.model === dialect.modelId),
    ),
    ...(lacks('store') ? {} : { store: false }),
    ...(lacks('include') ? {} : { include: ['reasoning.encrypted_content'] }),
    ...(request.system.trim() === '' ? {} : { instructions: request.system }),
    ...reasoningOf(request, dialect),
    ...(request.temperature === undefined || lacks('temperature') ? {} : { temperature: request.temperature }),
    // OpenAI takes no less than 16.
    ...(limit === undefined || lacks('max_output_tokens') ? {} : { max_output_tokens: Math.max(16, limit) }),
    ...(tools.length === 0 ? {} : { tools, ...defined({ tool_choice: request.toolChoice }) }),
  }
}

const commonEfforts = ['low', 'medium', 'high'] as const

function reasoningOf({ effort }: ModelRequest, { info, adjustments }: ResponsesDialect): JsonObject {
  if (adjustments.has('without reasoning') || info?.efforts?.length === 0) return {}
  // Without a list of efforts, the least one is not known.
  const asked = effort === 'auto' ? undefined : (effort ?? (info?.efforts ? 'none' : undefined))
  const level = asked && !adjustments.has('without reasoning.effort') ? nearestEffort(asked, info?.efforts ?? commonEfforts) : undefined
  const reasoning = { ...defined({ effort: level }), ...(adjustments.has('without reasoning.summary') ? {} : { summary: 'auto' }) }
  return Object.keys(reasoning).length === 0 ? {} : { reasoning }
}

function fromUser(blocks: readonly ModelUserBlock[], documents: boolean): JsonObject[] {
  const results: JsonObject[] = []
  const content: JsonObject[] = []
  for (const block of blocks) {
    if (block.type !== 'tool-result') {
      content.push(...toParts(block, documents))
      continue
    }
    const parts = block.content.flatMap((part) => toParts(part, documents))
    if (block.isError) parts.unshift({ type: 'input_text', text: '[The tool reports an error.]' })
    const isText = parts.every(({ type }) => type === 'input_text')
    // Text alone goes as a string, which every endpoint takes.
    const output = isText ? parts.map(({ text }) => String(text)).join('\n') || '[The tool gave nothing.]' : parts
    results.push({ type: 'function_call_output', call_id: wireId(block.providerId), output })
  }
  return content.length === 0 ? results : [...results, { type: 'message', role: 'user', content }]
}

function toParts(block: ModelContent, documents: boolean): JsonObject[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'input_text', text: block.text }]
    case 'image':
      return [{ type: 'input_image', detail: 'auto', image_url: `data:${block.mimeType};base64,${block.data}` }]
    case 'document':
      if (!documents) return [{ type: 'input_text', text: documentNote(block.name) }]
      return [{ type: 'input_file', filename: block.name, file_data: `data:${block.mimeType};base64,${block.data}` }]
  }
}

/** Id of a call on the wire; OpenAI takes 64 characters. */
const wireId = (id: string): string => (/^[\w.:-]{1,64}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 32))

/** `own`: the model that is asked wrote the answer. */
function fromAssistant(blocks: readonly ModelAssistantBlock[], own: boolean): JsonObject[] {
  const items: JsonObject[] = []
  /** Ids and phases of the messages to come. */
  const messages: JsonObject[] = []
  for (const block of blocks) {
    if (block.type === 'thinking' && own) {
      for (const detail of block.details ?? [])
        if (detail['type'] === 'message') messages.push(detail)
        else if (detail['type'] === 'reasoning' || detail['type'] === 'web_search_call') items.push(detail)
    } else if (block.type === 'text' && block.text.trim() !== '') {
      const content = [{ type: 'output_text', text: block.text, annotations: [] }]
      items.push({ type: 'message', role: 'assistant', ...messages.shift(), status: 'completed', content })
    } else if (block.type === 'tool-call') {
      const call = { call_id: wireId(block.providerId), name: block.name, arguments: JSON.stringify(block.input) }
      items.push({ type: 'function_call', ...call, ...(own ? defined({ id: block.providerData?.['id'] }) : {}) })
    }
  }
  while (items.at(-1)?.['type'] === 'reasoning') items.pop()
  const reasons = items.some(({ type }) => type === 'reasoning')
  // An id without the reasoning that belongs to it is refused.
  return reasons ? items : items.map(({ id: _id, ...item }) => item)
}

/** Converts a tool; drops alternatives at the top of its schema, which endpoints refuse. The server still checks against its own. */
function toTool({ name, description, inputSchema }: ModelTool): JsonObject {
  const { oneOf: _one, anyOf: _any, allOf: _all, not: _not, enum: _enum, ...schema } = inputSchema
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  // Absent, `strict` would be true, and a schema with optional properties be refused.
  return { type: 'function', name, description, parameters: { ...schema, type: 'object', properties }, strict: false }
}
