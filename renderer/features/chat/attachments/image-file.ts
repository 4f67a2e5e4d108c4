// An image as a model takes it: upright, no longer than models look at, and without what the file says beside the image. One that
// is so already is left as it is.
import { attachmentLimits, type ImageChange } from '#app/chat/attachment.ts'
import { hasMetadata } from '#app/chat/image-metadata.ts'
import { imageLimits } from '#app/chat/model-image.ts'

export interface Prepared {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly changed: readonly ImageChange[]
}

/** Undefined: the browser cannot draw it. */
export async function prepareImage(bytes: Uint8Array<ArrayBuffer>, mimeType: string): Promise<Prepared | undefined> {
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
