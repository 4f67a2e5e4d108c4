// Sampling messages as shown to the person (MCP, "Sampling"): texts, images, the server's tools, and calls of them, which only the
// server runs.
import { z } from 'zod'
import { json, jsonObject } from '../json-schemas.ts'
import { toolEntry } from '../server/catalogue.ts'
import { estimateTokens } from '../text/format-text.ts'
import type { SamplingDay } from './rules/sampling-budget.ts'

const textPart = z.object({ type: z.literal('text'), text: z.string() })
/** Image. `data`: base64, of types that a page draws without running anything. */
const imagePart = z.object({
  type: z.literal('image'),
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.string(),
})

const samplingContent = z.discriminatedUnion('type', [textPart, imagePart])
export type SamplingContent = z.infer<typeof samplingContent>

/** Call that the model asks the server to make. */
export const samplingCall = z.object({ id: z.string(), name: z.string(), input: jsonObject })
export type SamplingCall = z.infer<typeof samplingCall>

const samplingPart = z.discriminatedUnion('type', [
  textPart,
  imagePart,
  samplingCall.extend({ type: z.literal('tool-use') }),
  z.object({
    type: z.literal('tool-result'),
    id: z.string(),
    content: z.array(samplingContent),
    structured: json.optional(),
    isError: z.boolean(),
  }),
])
export type SamplingPart = z.infer<typeof samplingPart>

export const samplingMessage = z.object({ role: z.enum(['user', 'assistant']), parts: z.array(samplingPart) })
export type SamplingMessage = z.infer<typeof samplingMessage>

export const samplingTool = toolEntry.pick({ name: true, title: true, description: true, inputSchema: true })
export type SamplingTool = z.infer<typeof samplingTool>

/** Tool choice. `required`: a tool must be used; `none`: none may be. */
export const toolChoice = z.enum(['auto', 'required', 'none'])
export type ToolChoice = z.infer<typeof toolChoice>

const share = z.number().min(0).max(1)

/** Preferences beyond prompt and length (MCP, "Model Preferences"). */
export const samplingWishes = z.object({
  /** Priorities from 0 (none) to 1 (highest). */
  priorities: z.object({ cost: share, speed: share, intelligence: share }).partial().optional(),
  chosenBy: z.enum(['hint', 'priorities', 'default']).optional(),
  temperature: z.number().optional(),
  stopSequences: z.array(z.string()).optional(),
  /** Requested conversation context, which is never sent. */
  includeContext: z.enum(['thisServer', 'allServers']).optional(),
  /** Whether it sent provider metadata, which is not passed on. */
  metadata: z.literal(true).optional(),
})
export type SamplingWishes = z.infer<typeof samplingWishes>

export const samplingEdit = z.object({ systemPrompt: z.string().max(1_000_000).optional(), texts: z.array(z.string().max(1_000_000)) })
export type SamplingEdit = z.infer<typeof samplingEdit>

export interface SamplingPrompt {
  readonly systemPrompt?: string | undefined
  readonly messages: readonly SamplingMessage[]
}

/** Builds an edit that changes nothing. Tool calls and results are not editable. */
export const editOf = ({ systemPrompt, messages }: SamplingPrompt): SamplingEdit => ({
  ...(systemPrompt === undefined ? {} : { systemPrompt }),
  texts: messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))),
})

/** Applies an edit; undefined when it is of another prompt, or empties a text. */
export function applyEdit(prompt: SamplingPrompt, edit: SamplingEdit): SamplingPrompt | undefined {
  const before = editOf(prompt)
  const blank = (text: string | undefined): boolean => text?.trim() === ''
  if (edit.texts.length !== before.texts.length || edit.texts.some((text, index) => blank(text) && !blank(before.texts[index])))
    return undefined
  if (edit.systemPrompt !== undefined && prompt.systemPrompt === undefined) return undefined
  const { systemPrompt = prompt.systemPrompt } = edit
  const texts = edit.texts.values()
  const messages = prompt.messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === 'text' ? { ...part, text: texts.next().value ?? '' } : part)),
  }))
  return { ...(systemPrompt === undefined || blank(systemPrompt) ? {} : { systemPrompt }), messages }
}

const tokensOfImage = 1600

/** Counts UTF-16 units beyond ASCII: each counts as a token, so that another alphabet cannot evade a limit. Copies nothing of a long text. */
function unitsBeyondAscii(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) count += 1
  return count
}

/** Estimates the tokens of a prompt, rather too high; for limits, never for billing. */
export function promptTokens({ systemPrompt = '', messages }: SamplingPrompt, tools: readonly SamplingTool[]): number {
  const content = messages.flatMap(({ parts }) => parts).flatMap((part) => (part.type === 'tool-result' ? part.content : [part]))
  const images = content.filter(({ type }) => type === 'image').length
  const text = [systemPrompt, ...samplingTexts(messages), ...(tools.length > 0 ? [JSON.stringify(tools)] : [])].join('\n')
  const alone = unitsBeyondAscii(text)
  return estimateTokens({ length: text.length - alone }) + alone + images * tokensOfImage
}

/**
 * Computes the cost of a prompt as it would be sent. `tokens`: of the prompt (`promptTokens`); `longest`: as the person entered it;
 * `maxTokens`: as the server asked. `most`: of the answer; `tooLong`: it is no whole number up to the server's limit; `over`: both
 * exceed the server's daily budget.
 */
export function samplingCost(
  tokens: number,
  longest: string,
  asked: { readonly maxTokens: number; readonly day?: SamplingDay | undefined },
) {
  const { maxTokens, day } = asked
  const most = Number(longest)
  const tooLong = !(Number.isInteger(most) && most >= 1 && most <= maxTokens)
  return { tokens, most, tooLong, over: day !== undefined && !tooLong && day.used + tokens + most > day.budget.tokensPerDay }
}

export type SamplingCost = ReturnType<typeof samplingCost>

export const samplingTexts = (messages: readonly SamplingMessage[]): string[] => messages.flatMap(({ parts }) => parts.flatMap(textsOfPart))

function textsOfPart(part: SamplingPart): string[] {
  if (part.type === 'text') return [part.text]
  if (part.type === 'image') return []
  if (part.type === 'tool-use') return [part.name, JSON.stringify(part.input)]
  return [...part.content.flatMap(textsOfPart), ...(part.structured === undefined ? [] : [JSON.stringify(part.structured)])]
}
