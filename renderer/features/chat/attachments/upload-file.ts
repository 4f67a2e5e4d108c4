// A file of the person's becomes an attachment: judged here before anything is sent, brought to the host in parts, judged there
// again. What cannot be attached is said in words that name the file. Images that a tool gave and that are larger than models
// take: the host asks its pages, and this one draws them smaller. An image as a model takes it: upright, no longer than models
// look at, and without what the file says beside the image. One that is so already is left as it is.

import { useEffect } from 'react'
import {
  type Attachment,
  attachmentLimits,
  type ImageChange,
  kindOfBytes,
  largestAttachment,
  largestOf,
  takenKinds,
} from '#app/chat/attachments/attachment.ts'
import { hasMetadata, imageLimits } from '#app/chat/attachments/image-header.ts'
import type { HostConnection } from '#app/contract/host-connection.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { base64Of } from '#renderer/ui/lib/base64.ts'

interface Prepared {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly changed: readonly ImageChange[]
}

/** Undefined: the browser cannot draw it. */
async function prepareImage(bytes: Uint8Array<ArrayBuffer>, mimeType: string): Promise<Prepared | undefined> {
  const bitmap = await createImageBitmap(new Blob([bytes], { type: mimeType }), { imageOrientation: 'from-image' }).catch(() => undefined)
  if (!bitmap) return undefined
  try {
    const scale = Math.min(1, imageLimits.edge / Math.max(bitmap.width, bitmap.height))
    const metadata = hasMetadata(bytes, mimeType)
    if (scale === 1 && !metadata && bytes.byteLength <= attachmentLimits.imageBytes) return { bytes, changed: [] }
    const drawn = await draw(bitmap, scale, mimeType)
    return {
      bytes: new Uint8Array(await drawn.arrayBuffer()),
      changed: [
        ...(scale < 1 ? (['scaled'] as const) : []),
        ...(metadata ? (['metadata-removed'] as const) : []),
        ...(mimeType === 'image/gif' ? (['first-frame'] as const) : []),
      ],
    }
  } finally {
    bitmap.close()
  }
}

/** A photo stays a JPEG; anything else a PNG, as long as that is small enough. */
async function draw(bitmap: ImageBitmap, scale: number, mimeType: string): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale)))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const wishes = [...(mimeType === 'image/jpeg' ? [] : [{ type: 'image/png' }]), { type: 'image/jpeg', quality: 0.9 }]
  for (const wish of wishes) {
    const blob = await canvas.convertToBlob(wish)
    if (blob.size <= attachmentLimits.imageBytes) return blob
  }
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.7 })
}

/** Of a part; a multiple of three, so that the base64 of each ends with itself. */
const partBytes = 999_999

const refuse = (name: string, why: string): HostError => new HostError('attachment.unsupported', `“${name}” ${why}`, { data: { name } })

/** Throws `attachment.*`, `link.closed`, and what the signal was aborted with. */
export async function uploadFile(connection: HostConnection, file: File, signal: AbortSignal): Promise<Attachment> {
  const { name } = file
  if (file.size === 0) throw refuse(name, t`is empty.`)
  if (file.size > largestAttachment) throw tooLarge(name, file.size, largestAttachment)
  const read = await file.arrayBuffer().catch(() => undefined)
  // Also what a browser says of a folder.
  if (!read) throw refuse(name, t`could not be read.`)
  const bytes = new Uint8Array(read)
  const found = kindOfBytes(bytes)
  if (!found) throw refuse(name, t`is of a kind that no model reads. ${takenKinds()}`)
  if (found.kind !== 'image' && bytes.byteLength > largestOf[found.kind]) throw tooLarge(name, bytes.byteLength, largestOf[found.kind])
  if (found.kind !== 'image') return sendBytes(connection, { name, bytes, signal })
  const prepared = await prepareImage(bytes, found.mimeType)
  if (!prepared) throw refuse(name, t`is no image that can be drawn: it may be damaged.`)
  return sendBytes(connection, { name, ...prepared, signal })
}

export const uploadText = (connection: HostConnection, name: string, text: string, signal: AbortSignal): Promise<Attachment> =>
  sendBytes(connection, { name, bytes: new TextEncoder().encode(text), signal })

const tooLarge = (name: string, bytes: number, limit: number): HostError =>
  new HostError('attachment.too-large', t`“${name}” has ${formatBytes(bytes)}; the most is ${formatBytes(limit)}.`, {
    data: { name, bytes, limit },
  })

interface ToSend {
  readonly name: string
  readonly bytes: Uint8Array
  readonly changed?: readonly ImageChange[]
  readonly signal: AbortSignal
}

async function sendBytes(connection: HostConnection, { name, bytes, changed = [], signal }: ToSend): Promise<Attachment> {
  const upload = await sendParts(connection, bytes, signal)
  const { attachment } = await connection.request('attachment.add', { upload, name, ...(changed.length > 0 && { changed: [...changed] }) })
  return attachment
}

/** The name that they have with the host then. What of them arrived before an abort is forgotten there by itself. */
async function sendParts(connection: HostConnection, bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
  const upload = crypto.randomUUID()
  for (let at = 0; at < bytes.byteLength; at += partBytes) {
    signal?.throwIfAborted()
    await connection.request('attachment.part', { upload, at, data: base64Of(bytes.subarray(at, at + partBytes)) })
  }
  return upload
}

export function useImageScaling(): void {
  const { link } = useStores()
  useEffect(
    () =>
      link.onEvent(({ name, payload }) => {
        // Where the link is lost the host asks the others, or goes on without.
        if (name === 'image.wanted') void scaleFor(link, payload.sha256, payload.mimeType).catch(() => undefined)
      }),
    [link],
  )
}

async function scaleFor(connection: HostConnection, sha256: string, mimeType: string): Promise<void> {
  const answer = await fetch(`/blob/${sha256}`)
  const prepared = answer.ok ? await prepareImage(new Uint8Array(await answer.arrayBuffer()), mimeType) : undefined
  await connection.request('attachment.scaled', { sha256, ...(prepared && { upload: await sendParts(connection, prepared.bytes) }) })
}
