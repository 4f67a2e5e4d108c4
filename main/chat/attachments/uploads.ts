// Uploads from a page, in parts that fit into a frame of the host connection. One that is never finished makes room for later ones.
import { largestAttachment } from '#app/chat/attachments/attachment.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'

const MOST_WAITING = 2 * largestAttachment

export function createUploads() {
  const waiting = new Map<string, { readonly parts: Uint8Array[]; bytes: number }>()

  function makeRoom(bytes: number): void {
    let total = bytes
    for (const { bytes: held } of waiting.values()) total += held
    for (const [oldest, { bytes: held }] of waiting) {
      if (total <= MOST_WAITING) return
      waiting.delete(oldest)
      total -= held
    }
  }

  return {
    /** Adds bytes in their order. `at`: their offset in the file. @throws HostError `attachment.unknown` or `attachment.too-large` */
    part(upload: string, at: number, bytes: Uint8Array): void {
      const known = waiting.get(upload) ?? { parts: [], bytes: 0 }
      if (at !== known.bytes) throw unknown()
      if (at + bytes.byteLength > largestAttachment) {
        waiting.delete(upload)
        throw new HostError('attachment.too-large', t`This file is too large to be attached.`, { data: { limit: largestAttachment } })
      }
      makeRoom(bytes.byteLength)
      if (at > 0 && !waiting.has(upload)) throw unknown()
      known.parts.push(bytes)
      known.bytes += bytes.byteLength
      waiting.set(upload, known)
    },
    /** Returns the whole file and forgets it. @throws HostError `attachment.unknown` */
    take(upload: string): Uint8Array {
      const known = waiting.get(upload)
      if (!known) throw unknown()
      waiting.delete(upload)
      return Buffer.concat(known.parts)
    },
  }
}

const unknown = (): HostError => new HostError('attachment.unknown', t`The upload is not complete.`)
