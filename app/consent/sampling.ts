// What a server wants a model to read, and what the model says (MCP, "Sampling"), as it is shown to the person: texts,
// pictures, the server's own tools, and calls of them, which only the server runs.
import { z } from 'zod'
import { json, jsonObject } from '../json.ts'
import { estimateTokens } from '../text/format-text.ts'
import type { SamplingDay } from './rules/sampling-budget.ts'

const textPart = z.object({ type: z.literal('text'), text: z.string() })
/** `data`: base64. Only of types that a page draws without running anything. */
const imagePart = z.object({
  type: z.literal('image'),
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.string(),
})

const samplingContent = z.discriminatedUnion('type', [textPart, imagePart])
export type SamplingContent = z.infer<typeof samplingContent>

/** A call that the model asks the server to make of one of its tools. */
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

export const samplingTool = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: jsonObject,
})
export type SamplingTool = z.infer<typeof samplingTool>

/** `required`: the model must use one; `none`: it may not. */
export const toolChoice = z.enum(['auto', 'required', 'none'])
export type ToolChoice = z.infer<typeof toolChoice>

const share = z.number().min(0).max(1)

/** How a server wants to be answered, beyond prompt and length (MCP, "Model Preferences" and the fields of the request). */
export const samplingWishes = z.object({
  /** 0: does not matter, 1: matters most. */
  priorities: z.object({ cost: share, speed: share, intelligence: share }).partial().optional(),
  /** What the model that is offered was chosen by. */
  chosenBy: z.enum(['hint', 'priorities', 'default']).optional(),
  temperature: z.number().optional(),
  stopSequences: z.array(z.string()).optional(),
  /** It asked for the words of conversations, which it never gets. */
  includeContext: z.enum(['thisServer', 'allServers']).optional(),
  /** It sent words for the provider, which are not passed on. */
  metadata: z.literal(true).optional(),
})
export type SamplingWishes = z.infer<typeof samplingWishes>

/** What the person may write anew of a prompt: the system prompt, where there is one, and its own texts in their order. */
export const samplingEdit = z.object({ systemPrompt: z.string().max(1_000_000).optional(), texts: z.array(z.string().max(1_000_000)) })
export type SamplingEdit = z.infer<typeof samplingEdit>

export interface SamplingPrompt {
  readonly systemPrompt?: string | undefined
  readonly messages: readonly SamplingMessage[]
}

/** As an edit that changes nothing. Calls and what came of them are the server's and the model's: they are not edited. */
export const editOf = ({ systemPrompt, messages }: SamplingPrompt): SamplingEdit => ({
  ...(systemPrompt === undefined ? {} : { systemPrompt }),
  texts: messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))),
})

/** The prompt as edited. Undefined: it is an edit of another prompt, or leaves a message without words that had some. */
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

/** About as many tokens as a provider counts for a picture of the usual size. */
const tokensOfImage = 1600

/** Beyond ASCII every letter may be a token: a limit is not to be passed by writing in another alphabet. */
const countsAlone = /[^\0-\u007f]/g

/** About how many tokens a prompt has, rather too many than too few; for limits, never for billing. */
export function promptTokens({ systemPrompt = '', messages }: SamplingPrompt, tools: readonly SamplingTool[]): number {
  const content = messages.flatMap(({ parts }) => parts).flatMap((part) => (part.type === 'tool-result' ? part.content : [part]))
  const images = content.filter(({ type }) => type === 'image').length
  const text = [systemPrompt, ...samplingTexts(messages), ...(tools.length > 0 ? [JSON.stringify(tools)] : [])].join('\n')
  const alone = text.match(countsAlone)?.length ?? 0
  return estimateTokens(text.replace(countsAlone, '')) + alone + images * tokensOfImage
}

export interface SamplingCost {
  /** Tokens of the prompt. */
  readonly tokens: number
  /** Tokens of the longest answer. */
  readonly most: number
  /** True when `most` is no whole number up to the server's own limit. */
  readonly tooLong: boolean
  /** True when prompt and answer together go beyond the server's budget of the day. */
  readonly over: boolean
}

/** Computes what a prompt may cost as it would be sent. `longest`: as the person entered it; `maxTokens`: as the server asked. */
export function samplingCost(
  prompt: SamplingPrompt,
  longest: string,
  {
    tools,
    maxTokens,
    day,
  }: { readonly tools: readonly SamplingTool[]; readonly maxTokens: number; readonly day?: SamplingDay | undefined },
): SamplingCost {
  const most = Number(longest)
  const tooLong = !(Number.isInteger(most) && most >= 1 && most <= maxTokens)
  const tokens = promptTokens(prompt, tools)
  return { tokens, most, tooLong, over: day !== undefined && !tooLong && day.used + tokens + most > day.budget.tokensPerDay }
}

/** All that a person reads of messages, each text apart. */
export const samplingTexts = (messages: readonly SamplingMessage[]): string[] => messages.flatMap(({ parts }) => parts.flatMap(textsOfPart))

function textsOfPart(part: SamplingPart): string[] {
  switch (part.type) {
    case 'text':
      return [part.text]
    case 'image':
      return []
    case 'tool-use':
      return [part.name, JSON.stringify(part.input)]
    case 'tool-result':
      return [...part.content.flatMap(textsOfPart), ...(part.structured === undefined ? [] : [JSON.stringify(part.structured)])]
  }
}
