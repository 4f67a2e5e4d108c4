// A file of the person's becomes an attachment: judged here before anything is sent, brought to the host in parts, judged there
// again. What cannot be attached is said in words that name the file.
import { type Attachment, type ImageChange, kindOfBytes, largestFile, largestOf, takenKinds } from '#app/chat/attachment.ts'
import type { HostLink } from '#app/contract/link.ts'
import { HostError } from '#app/errors.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { base64Of } from '#renderer/ui/base64.ts'
import { prepareImage } from './image-file.ts'

/** Of a part; a multiple of three, so that the base64 of each ends with itself. */
const partBytes = 999_999

const refuse = (name: string, why: string): HostError => new HostError('attachment.unsupported', `“${name}” ${why}`, { data: { name } })

/** Throws `attachment.*`, `link.closed`, and what the signal was aborted with. */
export async function uploadFile(link: HostLink, file: File, signal: AbortSignal): Promise<Attachment> {
  const { name } = file
  if (file.size === 0) throw refuse(name, t`is empty.`)
  if (file.size > largestFile) throw tooLarge(name, file.size, largestFile)
  const read = await file.arrayBuffer().catch(() => undefined)
  // Also what a browser says of a folder.
  if (!read) throw refuse(name, t`could not be read.`)
  const bytes = new Uint8Array(read)
  const found = kindOfBytes(bytes)
  if (!found) throw refuse(name, t`is of a kind that no model reads. ${takenKinds()}`)
  if (found.kind !== 'image' && bytes.byteLength > largestOf[found.kind]) throw tooLarge(name, bytes.byteLength, largestOf[found.kind])
  if (found.kind !== 'image') return sendBytes(link, { name, bytes, signal })
  const prepared = await prepareImage(bytes, found.mimeType)
  if (!prepared) throw refuse(name, t`is no image that can be drawn: it may be damaged.`)
  return sendBytes(link, { name, ...prepared, signal })
}

export const uploadText = (link: HostLink, name: string, text: string, signal: AbortSignal): Promise<Attachment> =>
  sendBytes(link, { name, bytes: new TextEncoder().encode(text), signal })

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

async function sendBytes(link: HostLink, { name, bytes, changed = [], signal }: ToSend): Promise<Attachment> {
  const upload = await sendParts(link, bytes, signal)
  const { attachment } = await link.request('attachment.add', { upload, name, ...(changed.length > 0 && { changed: [...changed] }) })
  return attachment
}

/** The name that they have with the host then. What of them arrived before an abort is forgotten there by itself. */
export async function sendParts(link: HostLink, bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
  const upload = crypto.randomUUID()
  for (let at = 0; at < bytes.byteLength; at += partBytes) {
    signal?.throwIfAborted()
    await link.request('attachment.part', { upload, at, data: base64Of(bytes.subarray(at, at + partBytes)) })
  }
  return upload
}
