// What a person adds to a message: files, and resources of servers. Bytes are blobs; here is what is known of them. A prompt of
// a server as the person uses it: what the server gave for its arguments, which they looked at before it went into the
// conversation (MCP, "Prompts").
import { z } from 'zod'
import { blobRef } from '#app/blob.ts'
import { t } from '#app/i18n/translate.ts'
import { sniffMime } from '#app/sniff-mime.ts'
import { modelImage } from '../content.ts'
import { imageLimits } from './model-image-limits.ts'

const attachmentKinds = ['text', 'image', 'pdf'] as const

/** What the page did to an image before it was kept. */
export const imageChange = z.enum(['scaled', 'metadata-removed', 'first-frame'])
export type ImageChange = z.infer<typeof imageChange>

/** The server's resource that it is a copy of. */
const resourceOrigin = z.object({ server: z.string().max(1000), uri: z.string().max(8192) })

export const attachment = z.object({
  id: z.string().min(1).max(100),
  name: z.string().min(1).max(300),
  kind: z.enum(attachmentKinds),
  blob: blobRef,
  /** Characters of a text. */
  length: z.number().int().optional(),
  /** Of a PDF, where they could be counted. */
  pages: z.number().int().optional(),
  changed: z.array(imageChange).max(3).optional(),
  from: resourceOrigin.optional(),
  /** Of an image that came from a server. */
  forModel: modelImage.optional(),
  /** The person keeps it from the model, to save room. */
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

/** A file that is larger is not even read. */
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

/** What bytes are, whatever their name says: text is what reads as UTF-8 without a null. Undefined: nothing that is taken. */
export function kindOfBytes(bytes: Uint8Array): ByteKind | undefined {
  const mimeType = sniffMime(bytes)
  if (imageTypes.has(mimeType)) return { kind: 'image', mimeType }
  if (mimeType === 'application/pdf') return { kind: 'pdf', mimeType }
  return bytes.includes(0) || decodeText(bytes) === undefined ? undefined : { kind: 'text', mimeType: 'text/plain' }
}

/** Undefined: it is no UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Said by the result.
    return undefined
  }
}

/** The last part of a path, short enough to show. */
export const attachmentName = (name: string): string => (name.split(/[\\/]/).filter(Boolean).at(-1) ?? name).slice(0, 200) || t`Untitled`

export const promptArguments = z.record(z.string().max(1000), z.string().max(10_000))

const origin = z.object({ server: z.string().max(1000), name: z.string().max(1000), arguments: promptArguments })

/** As the server gave it. */
export const usedPrompt = origin.extend({
  title: z.string().max(1000).optional(),
  messages: z
    .array(
      z.object({
        role: z.enum(['user', 'assistant']),
        text: z.string().max(1_000_000),
        attachments: z.array(attachment).max(20).optional(),
      }),
    )
    .min(1)
    .max(100),
})
export type UsedPrompt = z.infer<typeof usedPrompt>

/** On the message that came of it. */
export const sentPrompt = origin.extend({
  /** The person put the message in other words. */
  edited: z.literal(true).optional(),
  /**
   * What the model reads in place of the message's text, where not all of it is the person's to say. The person's own words
   * are the last of it. `attachments`: ids of the message's.
   */
  turns: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string(), attachments: z.array(z.string()) })).optional(),
})
export type SentPrompt = z.infer<typeof sentPrompt>

/** One argument of a prompt or a template, as its field shows it. */
export interface Argument {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly required?: boolean | undefined
}
