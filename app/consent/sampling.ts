// What a server wants a model to read, and what the model says (MCP, "Sampling"), as it is shown to the person: texts,
// pictures, the server's own tools, and calls of them, which only the server runs.
import { z } from 'zod'
import { json, jsonObject } from '../json.ts'

const textPart = z.object({ type: z.literal('text'), text: z.string() })
/** `data`: base64. Only of types that a page draws without running anything. */
const imagePart = z.object({
  type: z.literal('image'),
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.string(),
})

export const samplingContent = z.discriminatedUnion('type', [textPart, imagePart])
export type SamplingContent = z.infer<typeof samplingContent>

/** A call that the model asks the server to make of one of its tools. */
export const samplingCall = z.object({ id: z.string(), name: z.string(), input: jsonObject })
export type SamplingCall = z.infer<typeof samplingCall>

export const samplingPart = z.discriminatedUnion('type', [
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

/** All that a person reads of messages, each text apart. */
export const textsOf = (messages: readonly SamplingMessage[]): string[] => messages.flatMap(({ parts }) => parts.flatMap(textsOfPart))

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
