// Attachments of a message, with bytes as blobs: files, resources, and prompts (MCP, "Prompts") as the person saw them before use.

import { z } from 'zod'
import { blobRef } from '#app/blob.ts'
import { t } from '#app/i18n/translate.ts'
import { mapOf } from '#app/json-schemas.ts'
import { orElse } from '#app/or-else.ts'
import type { PromptEntry } from '#app/server/catalogue.ts'
import { sniffMime } from '#app/sniff-mime.ts'
import { modelImage } from '../content.ts'
import { imageLimits } from './image-header.ts'

/** Change that the page made to an image. */
export const imageChange = z.enum(['scaled', 'metadata-removed', 'first-frame'])
export type ImageChange = z.infer<typeof imageChange>

const resourceOrigin = z.object({ server: z.string().max(1000), uri: z.string().max(8192) })

export const attachment = z.object({
  id: z.string().min(1).max(100),
  name: z.string().min(1).max(300),
  kind: z.enum(['text', 'image', 'pdf']),
  blob: blobRef,
  /** Characters of a text. */
  length: z.number().int().optional(),
  /** Pages of a PDF, where they could be counted. */
  pages: z.number().int().optional(),
  changed: z.array(imageChange).max(3).optional(),
  from: resourceOrigin.optional(),
  /** Scaled form of a server's image. */
  forModel: modelImage.optional(),
  /** Whether it is kept from the model, to save context. */
  leftOut: z.literal(true).optional(),
})
export type Attachment = z.infer<typeof attachment>

/** Bytes, files and pages. A request of 32 MB is the most that a provider takes, and base64 adds a third. */
export const attachmentLimits = {
  count: 20,
  totalBytes: 20_000_000,
  textBytes: 1_000_000,
  imageBytes: imageLimits.bytes,
  pdfBytes: 15_000_000,
  pdfPages: 100,
} as const

/** Largest file in bytes that is read at all. */
export const largestAttachment = 50_000_000

export const largestOf: Readonly<Record<Attachment['kind'], number>> = {
  text: attachmentLimits.textBytes,
  image: attachmentLimits.imageBytes,
  pdf: attachmentLimits.pdfBytes,
}

export const takenKinds = () => t`Text, images (PNG, JPEG, GIF, WebP) and PDF can be attached.`

export interface ByteKind {
  readonly kind: Attachment['kind']
  readonly mimeType: string
}

const imageTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Detects the kind by content: text is valid UTF-8 without a null. Undefined: unsupported. */
export function kindOfBytes(bytes: Uint8Array): ByteKind | undefined {
  const mimeType = sniffMime(bytes)
  if (imageTypes.has(mimeType)) return { kind: 'image', mimeType }
  if (mimeType === 'application/pdf') return { kind: 'pdf', mimeType }
  return bytes.includes(0) || decodeText(bytes) === undefined ? undefined : { kind: 'text', mimeType: 'text/plain' }
}

export const decodeText = (bytes: Uint8Array): string | undefined =>
  orElse(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), undefined)

/** Last part of a path, short enough to show. */
export const attachmentName = (name: string): string => (name.split(/[\\/]/).filter(Boolean).at(-1) ?? name).slice(0, 200) || t`Untitled`

export const promptArguments = mapOf(z.string().max(10_000), z.string().max(1000))

const origin = z.object({ server: z.string().max(1000), name: z.string().max(1000), arguments: promptArguments })

const role = z.enum(['user', 'assistant'])
const usedMessage = z.object({ role, text: z.string().max(1_000_000), attachments: z.array(attachment).max(20).optional() })

/** Prompt with the messages that the server returned. */
export const usedPrompt = origin.extend({
  title: z.string().max(1000).optional(),
  messages: z.array(usedMessage).min(1).max(100),
})
export type UsedPrompt = z.infer<typeof usedPrompt>

/** Prompt as recorded on the message that was sent. */
export const sentPrompt = origin.extend({
  edited: z.literal(true).optional(),
  /** Turns that the model reads in place of the message's text; the last is the person's. `attachments`: ids of the message's. */
  turns: z.array(z.object({ role, text: z.string(), attachments: z.array(z.string()) })).optional(),
})
export type SentPrompt = z.infer<typeof sentPrompt>

/** One argument of a prompt or a template, as its field shows it. */
export type Argument = Readonly<NonNullable<PromptEntry['arguments']>[number]>
