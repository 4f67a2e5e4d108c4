// Bytes become an attachment: they are judged by what they are, never by their name, and kept as a blob.
import {
  type Attachment,
  attachmentLimits,
  attachmentName,
  type ByteKind,
  decodeText,
  type ImageChange,
  kindOfBytes,
  largestOf,
  takenKinds,
} from '#app/chat/attachment.ts'
import { HostError } from '#app/errors.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { newId } from '#main/base/ids.ts'
import type { BlobStore } from '#main/store/types.ts'
import { pdfFacts } from './pdf.ts'

export interface Given {
  readonly bytes: Uint8Array
  readonly name: string
  readonly changed?: readonly ImageChange[] | undefined
  readonly from?: Attachment['from']
}

/** Throws `attachment.unsupported` or `attachment.too-large`, in words that name the file. */
export function keepAttachment({ bytes, name: given, changed, from }: Given, blobs: Pick<BlobStore, 'put'>): Attachment {
  const name = attachmentName(given)
  const refuse = (message: string): HostError => new HostError('attachment.unsupported', message, { data: { name } })
  if (bytes.byteLength === 0) throw refuse(t`“${name}” is empty.`)
  const found = kindOfBytes(bytes)
  if (!found) throw refuse(t`“${name}” is of a kind that no model reads. ${takenKinds()}`)
  const limit = largestOf[found.kind]
  if (bytes.byteLength > limit)
    throw new HostError('attachment.too-large', tooLargeWords(name, found.kind, formatBytes(bytes.byteLength), formatBytes(limit)), {
      data: { name, bytes: bytes.byteLength, limit },
    })
  const facts = factsOf(name, found, bytes, refuse)
  return {
    id: newId(),
    name,
    kind: found.kind,
    blob: blobs.put(bytes, found.mimeType),
    ...facts,
    ...(changed?.length ? { changed: [...changed] } : {}),
    ...(from ? { from } : {}),
  }
}

function tooLargeWords(name: string, kind: ByteKind['kind'], size: string, limit: string): string {
  if (kind === 'text') return t`“${name}” has ${size}; a text can have ${limit}.`
  if (kind === 'image') return t`“${name}” has ${size}; an image can have ${limit}.`
  return t`“${name}” has ${size}; a PDF can have ${limit}.`
}

function factsOf(
  name: string,
  { kind }: ByteKind,
  bytes: Uint8Array,
  refuse: (message: string) => HostError,
): Pick<Attachment, 'length' | 'pages'> {
  if (kind === 'text') return { length: decodeText(bytes)?.length ?? 0 }
  if (kind === 'image') return {}
  const { pages, locked } = pdfFacts(bytes)
  if (locked) throw refuse(t`“${name}” is locked with a password. Save a copy without one, and attach that.`)
  if (pages !== undefined && pages > attachmentLimits.pdfPages)
    throw refuse(t`“${name}” has ${pages} pages; a model reads ${attachmentLimits.pdfPages}. Attach a part of it.`)
  return pages === undefined ? {} : { pages }
}
