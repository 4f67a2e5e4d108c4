// Contents of a resource for the page. The type comes from the bytes, never from what the server says.
import { createHash } from 'node:crypto'
import { decodeText } from '#app/chat/attachments/attachment.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { mostContents, type ShownContent } from '#app/server/library-listing.ts'
import { sniffMime, UNKNOWN_TYPE } from '#app/sniff-mime.ts'
import { keepAttachment } from '#main/chat/attachments/store-attachment.ts'
import { attachmentTokens } from '#main/chat/context/measure-tokens.ts'
import type { BlobStore } from '#main/store/store-api.ts'

/** Bytes of all contents of one resource together. */
export const mostBytes = 24 * 1024 * 1024
/** Characters of one text that the page gets. */
const mostText = 1_000_000

/** @throws {HostError} `server.too-large`, or `server.protocol` when the server gave no list of contents */
export function toViewedContents(result: JsonObject, { server, uri }: Record<'server' | 'uri', string>, blobs: BlobStore) {
  const { contents } = result
  if (!Array.isArray(contents))
    throw new HostError('server.protocol', t`“${server}” returned nothing for ${uri}.`, { data: { server, uri } })
  const items = (contents as readonly Json[]).filter(isJsonObject)
  const taken = items.slice(0, mostContents).map((item) => ({ item, bytes: bytesOf(item) }))
  if (taken.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) > mostBytes)
    throw new HostError('server.too-large', t`${uri} of “${server}” is more than a page can show.`, {
      data: { server, uri, limit: mostBytes },
    })
  return { contents: taken.map(({ item, bytes }) => shown(item, bytes, uri, blobs)), left: items.length - taken.length }
}

const bytesOf = ({ text, blob }: JsonObject): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text, 'utf8') : Buffer.from(typeof blob === 'string' ? blob : '', 'base64')

function shown(item: JsonObject, bytes: Uint8Array, asked: string, blobs: BlobStore): ShownContent {
  const uri = typeof item['uri'] === 'string' ? item['uri'].slice(0, 8192) : asked
  const mimeType = typeof item['mimeType'] === 'string' ? item['mimeType'].slice(0, 200) : undefined
  const text = typeof item['text'] === 'string' ? item['text'] : textIn(bytes)
  return {
    uri,
    ...defined({ mimeType }),
    ...(text === undefined ? {} : { text: text.length > mostText ? text.slice(0, mostText).toWellFormed() : text }),
    ...(text !== undefined && text.length > mostText ? { cut: true } : {}),
    blob: blobs.put(bytes, text === undefined ? sniffMime(bytes) : 'text/plain'),
    ...countOf(bytes, uri, blobs),
  }
}

const textIn = (bytes: Uint8Array): string | undefined =>
  sniffMime(bytes) === UNKNOWN_TYPE && !bytes.includes(0) ? decodeText(bytes) : undefined

/** Counts the tokens that the content would take as an attachment. */
function countOf(bytes: Uint8Array, name: string, blobs: BlobStore): Pick<ShownContent, 'tokens'> {
  try {
    return { tokens: attachmentTokens(keepAttachment({ bytes, name }, blobs)) }
  } catch (error) {
    if (error instanceof HostError && error.code.startsWith('attachment.')) return {}
    throw error
  }
}

/** Keeps the bytes that a page shows, in memory only, by SHA-256; the least recently used go when there are too many. */
export function createViewedContents({ maxBytes = 96 * 1024 * 1024 }: { readonly maxBytes?: number } = {}): BlobStore {
  const kept = new Map<string, { readonly bytes: Uint8Array; readonly mimeType: string }>()
  let held = 0
  return {
    put(bytes, mimeType) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const known = kept.get(sha256)
      kept.delete(sha256)
      kept.set(sha256, known ?? { bytes, mimeType })
      if (!known) held += bytes.byteLength
      for (const [oldest, { bytes: gone }] of kept) {
        if (held <= maxBytes || oldest === sha256) break
        kept.delete(oldest)
        held -= gone.byteLength
      }
      return { sha256, bytes: bytes.byteLength, mimeType: known?.mimeType ?? mimeType }
    },
    get: (sha256) => kept.get(sha256),
  }
}
