// Files on their way from a page, in parts: one frame of the link could not hold the largest. Bounded in bytes; what is never
// finished makes room for what comes later.
import { largestAttachment } from '#app/chat/attachments/attachment.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'

const MOST_WAITING = 2 * largestAttachment

interface Uploads {
  /** `at`: where in the file these bytes stand; they come in order. Throws `attachment.unknown` or `attachment.too-large`. */
  part(upload: string, at: number, bytes: Uint8Array): void
  /** All of it; it is forgotten here. */
  take(upload: string): Uint8Array
}

export function createUploads(): Uploads {
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
    part(upload, at, bytes) {
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
    take(upload) {
      const known = waiting.get(upload)
      if (!known) throw unknown()
      waiting.delete(upload)
      return Buffer.concat(known.parts)
    },
  }
}

const unknown = (): HostError => new HostError('attachment.unknown', t`A part of this file did not arrive.`)
