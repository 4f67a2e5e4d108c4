// What a tool gives back, as the host stores and shows it (MCP, "Tool result" and "Content").
// Bytes live in the store's blobs under their SHA-256; the page fetches them as `/blob/<sha256>`.
import { z } from 'zod'
import { blobRef } from '../blob.ts'
import { json, jsonObject } from '../json.ts'

/** An image is larger than models take: what they read in its place. */
export const modelImage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('scaled'), blob: blobRef }),
  /** `no-window`: no page was there to make it smaller. `undrawable`: none could. */
  z.object({ kind: z.literal('left-out'), why: z.enum(['no-window', 'undrawable']) }),
])
export type ModelImage = z.infer<typeof modelImage>

/** Fields of a block that have no place of their own here (annotations, icons, sizes, `_meta`), as they came. */
const more = jsonObject.optional()

const resultBlock = z.discriminatedUnion('type', [
  /** `whole` is set when `text` is only the beginning: the rest is in the blob. */
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
  /** A content type that this version does not know: kept and shown as JSON. */
  z.object({ type: z.literal('unknown'), value: jsonObject }),
])
export type ResultBlock = z.infer<typeof resultBlock>

export const toolResult = z.object({
  content: z.array(resultBlock),
  structuredContent: json.optional(),
  /** The tool's own word that it failed: content for the model, not an error of the host. */
  isError: z.boolean(),
  /** What else stood beside the content: `_meta`, and what a newer revision adds. */
  more,
  /** Size of the result as it came over the wire. */
  bytes: z.number().int(),
})
export type ToolResult = z.infer<typeof toolResult>
