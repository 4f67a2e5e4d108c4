// Stores bytes as an attachment. Their kind comes from the bytes, never from the name.
import { inflateSync } from 'node:zlib'
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
} from '#app/chat/attachments/attachment.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { newId } from '#main/base/ids.ts'
import type { BlobStore } from '#main/store/store-api.ts'

/** Bytes of inflated object streams, and their number. */
const MOST_UNPACKED = 4_000_000
const MOST_STREAMS = 200

/** Reads the page count of a PDF, unless the file hides its page tree. `locked`: encrypted, so that no model takes it. */
export function pdfFacts(bytes: Uint8Array): { readonly locked: boolean; readonly pages?: number } {
  const text = Buffer.from(bytes).toString('latin1')
  const locked = /\/Encrypt\s+\d+\s+\d+\s+R|\/Encrypt\s*<</.test(text)
  const pages = pagesIn(text) ?? (locked ? undefined : pagesIn(unpacked(bytes, text)))
  return { locked, ...defined({ pages }) }
}

/** Largest count in the page tree: its root counts all pages below it. */
function pagesIn(text: string): number | undefined {
  const counts = [...text.matchAll(/<<(?:[^<>]|<[^<>]*>|<<[^<>]*>>){0,2000}>>/g)].flatMap(([dictionary]) => {
    if (!/\/Type\s*\/Pages\b/.test(dictionary)) return []
    const count = /\/Count\s+(\d{1,6})/.exec(dictionary)?.[1]
    return count === undefined ? [] : [Number(count)]
  })
  return counts.length === 0 ? undefined : Math.max(...counts)
}

function unpacked(bytes: Uint8Array, text: string): string {
  const found: string[] = []
  let room = MOST_UNPACKED
  let streams = 0
  for (const { index, 0: start } of text.matchAll(/\/Type\s*\/ObjStm[\s\S]{0,500}?stream\r?\n/g)) {
    if (streams++ >= MOST_STREAMS || room <= 0) break
    const begin = index + start.length
    const end = text.indexOf('endstream', begin)
    if (end < 0) break
    try {
      const plain = inflateSync(bytes.subarray(begin, end), { maxOutputLength: room, finishFlush: 2 })
      room -= plain.byteLength
      found.push(plain.toString('latin1'))
    } catch {
      // Another filter, or larger than the limit: the file then has no count.
    }
  }
  return found.join('\n')
}

interface AttachmentSource extends Pick<Attachment, 'name' | 'from'> {
  readonly bytes: Uint8Array
  readonly changed?: readonly ImageChange[] | undefined
}

/** @throws {HostError} `attachment.unsupported` or `attachment.too-large`, with a message that names the file */
export function keepAttachment({ bytes, changed, from, ...source }: AttachmentSource, blobs: Pick<BlobStore, 'put'>): Attachment {
  const name = attachmentName(source.name)
  const refuse = (message: string): HostError => new HostError('attachment.unsupported', message, { data: { name } })
  if (bytes.byteLength === 0) throw refuse(t`“${name}” is empty.`)
  const found = kindOfBytes(bytes)
  if (!found) throw refuse(t`No model reads the format of “${name}”. ${takenKinds()}`)
  const limit = largestOf[found.kind]
  if (bytes.byteLength > limit)
    throw new HostError('attachment.too-large', tooLargeText(name, found.kind, formatBytes(bytes.byteLength), formatBytes(limit)), {
      data: { name, bytes: bytes.byteLength, limit },
    })
  return {
    id: newId(),
    name,
    kind: found.kind,
    blob: blobs.put(bytes, found.mimeType),
    ...(found.kind === 'text' ? { length: decodeText(bytes)?.length ?? 0 } : {}),
    ...(found.kind === 'pdf' ? pagesOf(name, bytes, refuse) : {}),
    ...(changed?.length ? { changed: [...changed] } : {}),
    ...(from ? { from } : {}),
  }
}

function tooLargeText(name: string, kind: ByteKind['kind'], size: string, limit: string): string {
  if (kind === 'text') return t`“${name}” has ${size}; the most is ${limit}.`
  if (kind === 'image') return t`“${name}” has ${size}; the most is ${limit}.`
  return t`“${name}” has ${size}; the most is ${limit}.`
}

function pagesOf(name: string, bytes: Uint8Array, refuse: (message: string) => HostError): Pick<Attachment, 'pages'> {
  const { pages, locked } = pdfFacts(bytes)
  if (locked) throw refuse(t`“${name}” is locked with a password. Save a copy without one, and attach that.`)
  if (pages !== undefined && pages > attachmentLimits.pdfPages)
    throw refuse(t`“${name}” has ${pages} pages; a model reads ${attachmentLimits.pdfPages}. Attach a part of it.`)
  return defined({ pages })
}
