// Tool results as stored and shown (MCP, "Tool Result"). Bytes are blobs under their SHA-256; the page fetches `/blob/<sha256>`.
import { z } from 'zod'
import { blobRef } from '../blob.ts'
import { json, jsonObject } from '../json-schemas.ts'

/** Replacement that models read for an image that is too large. */
export const modelImage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('scaled'), blob: blobRef }),
  /** `no-window`: no page could scale it. `undrawable`: it cannot be drawn. */
  z.object({ kind: z.literal('left-out'), why: z.enum(['no-window', 'undrawable']) }),
])
export type ModelImage = z.infer<typeof modelImage>

/** Other fields of a block (annotations, icons, sizes, `_meta`), as received. */
const more = jsonObject.optional()

const resultBlock = z.discriminatedUnion('type', [
  /** `whole`: the complete text, when `text` is only its beginning. */
  z.object({ type: z.literal('text'), text: z.string(), whole: blobRef.optional(), more }),
  z.object({ type: z.literal('image'), blob: blobRef, forModel: modelImage.optional(), more }),
  z.object({ type: z.literal('audio'), blob: blobRef, more }),
  z.object({
    type: z.literal('resource'),
    uri: z.string(),
    mimeType: z.string().optional(),
    text: z.string().optional(),
    blob: blobRef.optional(),
    forModel: modelImage.optional(),
    more,
  }),
  z.object({
    type: z.literal('resource-link'),
    uri: z.string(),
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    more,
  }),
  /** Unknown content type, kept and shown as JSON. */
  z.object({ type: z.literal('unknown'), value: jsonObject }),
])
export type ResultBlock = z.infer<typeof resultBlock>

export const toolResult = z.object({
  content: z.array(resultBlock),
  structuredContent: json.optional(),
  /** Tool error: content for the model, not an error of the host. */
  isError: z.boolean(),
  /** Other fields of the result: `_meta`, and those of newer revisions. */
  more,
  /** Size in bytes on the wire. */
  bytes: z.number().int(),
})
export type ToolResult = z.infer<typeof toolResult>
