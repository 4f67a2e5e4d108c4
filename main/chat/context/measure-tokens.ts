// Estimated tokens of each part of a request, and their calibration by what the provider counted for the last one.
import type { BlobRef } from '#app/blob.ts'
import type { Attachment } from '#app/chat/attachments/attachment.ts'
import type { ResultBlock } from '#app/chat/content.ts'
import { cutOf } from '#app/chat/context-summary.ts'
import type { Message, ToolCall } from '#app/chat/message.ts'
import type { Usage } from '#app/models/usage.ts'
import { estimateTokens } from '#app/text/format-text.ts'
import type { ModelTool } from '#main/models/provider.ts'
import { type Reader, toolResultBlock } from '../results/result-text.ts'
import type { GatheredContext } from './build-context.ts'
import { summaryBlock } from './model-history.ts'

/** Tokens that providers count for an image of the usual size. */
export const IMAGE_TOKENS = 1600
/** Tokens of a PDF's page, and its bytes where the page count is not known. */
const PAGE_TOKENS = 2000
const PAGE_BYTES = 100_000
/** Tokens around each message and call. */
const FRAME_TOKENS = 4

type MeasuredResult = { readonly call: ToolCall; readonly tokens: number }
export type Measured = ReturnType<typeof measureContext>

/** Estimates a request; `messages` of the result are those that the model reads whole, oldest first. */
export function measureContext({ system, tools, messages, reader }: Pick<GatheredContext, 'system' | 'tools' | 'messages' | 'reader'>) {
  const cut = cutOf(messages)
  const index = cut?.index ?? 0
  const lastTurn = messages.at(-1)?.turnId
  const read = messages.slice(index).flatMap((message) => {
    const measured = measureMessage(message, reader, lastTurn)
    return measured ? [measured] : []
  })
  const covered = messages.slice(0, index).filter(({ role }) => role !== 'summary')
  const block = cut && summaryBlock(cut.summary, covered)
  const summary = block?.type === 'text' ? estimateTokens(block.text) : 0
  const parts = { system: estimateTokens(system), tools: sum(tools.map(toolTokens)), summary }
  return { ...parts, messages: read, total: parts.system + parts.tools + summary + sum(read.map(({ tokens }) => tokens)) }
}

export const toolTokens = ({ name, description, inputSchema }: ModelTool): number =>
  estimateTokens(name) + estimateTokens(description) + estimateTokens(JSON.stringify(inputSchema)) + FRAME_TOKENS

/**
 * Estimates a message; `words` of the result are the tokens of text, thinking and calls. `turnId`: the last turn; thinking of earlier ones
 * is not sent. Returns `undefined` for a message that the model does not read.
 */
function measureMessage(message: Message, reader: Reader, turnId: string | undefined) {
  if (message.role === 'summary') return undefined
  const { id, role } = message
  const results: MeasuredResult[] = []
  if (role === 'user') {
    const words = FRAME_TOKENS + estimateTokens(message.text) + sum((message.prompt?.turns ?? []).map(({ text }) => estimateTokens(text)))
    const attachments = (message.attachments ?? []).map(measureAttachment)
    return { id, role, words, attachments, results, tokens: words + sum(attachments.map(({ tokens }) => tokens)) }
  }
  if (message.parts.length === 0) return undefined
  let words = FRAME_TOKENS
  for (const part of message.parts) {
    if (part.kind === 'text') words += estimateTokens(part.text)
    else if (part.kind === 'thinking') words += message.turnId === turnId ? estimateTokens(part.text) : 0
    else if (part.kind === 'image') words += IMAGE_TOKENS
    else {
      words += FRAME_TOKENS + estimateTokens(part.call.modelName) + estimateTokens(JSON.stringify(part.call.arguments ?? {}))
      results.push({ call: part.call, tokens: resultTokens(part.call, reader) })
    }
  }
  const attachments: ReturnType<typeof measureAttachment>[] = []
  return { id, role, words, attachments, results, tokens: words + sum(results.map(({ tokens }) => tokens)) }
}

/** Tokens of the note around an attachment. */
const AROUND_TOKENS = 15 * FRAME_TOKENS

/** Estimates an attachment: the tokens that the model reads, and those of the whole where it is left out. */
function measureAttachment(attachment: Attachment) {
  const { id, name, from, leftOut } = attachment
  const whole = attachmentTokens(attachment)
  return { id, name, server: from?.server, tokens: leftOut ? AROUND_TOKENS : whole, leftOut: leftOut ? whole : undefined }
}

export function attachmentTokens({ kind, blob, length, pages }: Attachment): number {
  if (kind === 'text') return AROUND_TOKENS + Math.ceil((length ?? blob.bytes) / 4)
  if (kind === 'image') return AROUND_TOKENS + IMAGE_TOKENS
  return AROUND_TOKENS + (pages ?? Math.ceil(blob.bytes / PAGE_BYTES)) * PAGE_TOKENS
}

export function resultTokens(call: ToolCall, reader: Reader): number {
  const { content, references = [] } = toolResultBlock(call, { ...reader, images: false })
  // The provider gets names in place of the text; the definitions are counted with the tools.
  if (references.length > 0 && references.every((name) => reader.byReference?.has(name))) return FRAME_TOKENS * (1 + references.length)
  const pictures = reader.images && !call.leftOut ? picturesIn(call) * IMAGE_TOKENS : 0
  return FRAME_TOKENS + pictures + sum(content.map((part) => (part.type === 'text' ? estimateTokens(part.text) : IMAGE_TOKENS)))
}

const picturesIn = ({ state }: ToolCall): number => (state.kind === 'done' ? state.result.content.filter(imageOf).length : 0)

export const imageOf = (block: ResultBlock): BlobRef | undefined =>
  block.type === 'image' || (block.type === 'resource' && block.blob?.mimeType.startsWith('image/')) ? block.blob : undefined

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** Limits of a plausible factor. */
const LEAST = 0.4
const MOST = 3

/** Tokens that the model read, from the provider's cache or not. */
export const inputTokens = ({ inputTokens: fresh, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number =>
  fresh + cacheReadTokens + cacheWriteTokens

/** Returns the factor for estimates; `undefined` when this model has not counted any request of the path yet. */
export function calibrationOf(path: readonly Message[], model: string): number | undefined {
  for (const message of path.toReversed()) {
    if (message.role !== 'assistant' || !message.usage || !message.estimate) continue
    if (message.model !== model) return undefined
    const counted = inputTokens(message.usage)
    return counted > 0 ? Math.min(MOST, Math.max(LEAST, counted / message.estimate)) : undefined
  }
  return undefined
}

/** Returns the provider's count of the last request and its answer; `undefined` when the conversation or the model has changed since. */
export function countedNow(path: readonly Message[], model: string, measuredTotal: number, lastTokens: number): number | undefined {
  const last = path.at(-1)
  if (last?.role !== 'assistant' || last.model !== model || !last.usage || last.estimate !== measuredTotal - lastTokens) return undefined
  return inputTokens(last.usage) + last.usage.outputTokens
}
