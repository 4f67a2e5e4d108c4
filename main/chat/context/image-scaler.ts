// Scales images of servers that are larger than models take. A page draws them, since it decodes untrusted bytes in a sandbox. Where
// none answers, or none can draw the image, the model does not get it, and both the model and the person read why.
import type { BlobRef } from '#app/blob.ts'
import { kindOfBytes } from '#app/chat/attachments/attachment.ts'
import { canBeDrawn, type ImageVerdict, imageSize, judgeImage } from '#app/chat/attachments/image-header.ts'
import type { ModelImage } from '#app/chat/content.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { BlobStore } from '#main/store/store-api.ts'

interface ScalerOptions {
  readonly blobs: BlobStore
  readonly emit: Emit
  readonly clock: Clock
  /** Whether a page may be there at all; default: yes. */
  readonly attended?: boolean
}

export type Scaler = ReturnType<typeof createScaler>

/** More than an open page needs to fetch and draw the largest image. */
const ANSWER_MS = 15_000

export function createScaler({ blobs, emit, clock, attended = true }: ScalerOptions) {
  const verdicts = new Map<string, ImageVerdict>()
  const known = new Map<string, Promise<ModelImage>>()
  const unanswered = new Map<string, string>()
  const waiting = new Map<string, (answer: ModelImage) => void>()

  function verdictOf({ sha256, bytes, mimeType }: BlobRef): ImageVerdict {
    const before = verdicts.get(sha256)
    if (before) return before
    const stored = blobs.get(sha256)
    const verdict = stored ? judgeImage(bytes, imageSize(stored.bytes, mimeType)) : 'fits'
    verdicts.set(sha256, verdict)
    return verdict
  }

  function ask({ sha256, mimeType }: BlobRef): Promise<ModelImage> {
    const stored = blobs.get(sha256)
    if (!stored || !canBeDrawn(imageSize(stored.bytes, mimeType))) return Promise.resolve({ kind: 'left-out', why: 'undrawable' })
    if (!attended) return Promise.resolve({ kind: 'left-out', why: 'no-window' })
    const { promise, resolve } = Promise.withResolvers<ModelImage>()
    const undo = clock.after(ANSWER_MS, () => answer({ kind: 'left-out', why: 'no-window' }))
    const answer = (found: ModelImage): void => {
      undo()
      waiting.delete(sha256)
      resolve(found)
    }
    waiting.set(sha256, answer)
    emit('image.wanted', { sha256, mimeType })
    return promise
  }

  return {
    /** Resolves to the image that the model gets; `undefined`: as it is. After no answer, no page is asked again in that turn. */
    async forModel(blob: BlobRef, turnId: string): Promise<ModelImage | undefined> {
      const verdict = verdictOf(blob)
      if (verdict === 'fits') return undefined
      const { sha256 } = blob
      if (unanswered.get(sha256) !== turnId && unanswered.delete(sha256)) known.delete(sha256)
      const asked = known.get(sha256) ?? ask(blob)
      known.set(sha256, asked)
      const found = await asked
      if (found.kind === 'scaled' || found.why === 'undrawable') return found
      unanswered.set(sha256, turnId)
      return verdict === 'large' ? undefined : found
    },
    /** Takes a page's answer; `undefined`: it could not draw the image. The first answer counts. */
    drawn(sha256: string, bytes: Uint8Array = new Uint8Array()): void {
      const found = kindOfBytes(bytes)
      const fits = found?.kind === 'image' && judgeImage(bytes.byteLength, imageSize(bytes, found.mimeType)) === 'fits'
      const answer = waiting.get(sha256)
      if (fits) answer?.({ kind: 'scaled', blob: blobs.put(bytes, found.mimeType) })
      else answer?.({ kind: 'left-out', why: 'undrawable' })
    },
    dispose(): void {
      for (const answer of waiting.values()) answer({ kind: 'left-out', why: 'no-window' })
    },
  }
}
