// Whether an image file carries more than the image: where and when it was taken, with what, by whom.

const latin = (bytes: Uint8Array, start: number, end: number): string => String.fromCharCode(...bytes.subarray(start, end))
const big = (bytes: Uint8Array, at: number, size: 2 | 4): number => {
  let value = 0
  for (let i = 0; i < size; i++) value = value * 256 + (bytes[at + i] ?? 0)
  return value
}

export function hasMetadata(bytes: Uint8Array, mimeType: string): boolean {
  switch (mimeType) {
    case 'image/jpeg':
      return jpegHas(bytes)
    case 'image/png':
      return pngHas(bytes)
    case 'image/webp':
      return webpHas(bytes)
    default:
      return false
  }
}

/** Segments APP1 (Exif, XMP) and APP13 (IPTC), and comments; only what stands before the image itself. */
function jpegHas(bytes: Uint8Array): boolean {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xe1 || marker === 0xed || marker === 0xfe) return true
    if (marker === 0xda) return false
    at += 2 + Math.max(2, big(bytes, at + 2, 2))
  }
  return false
}

function pngHas(bytes: Uint8Array): boolean {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + big(bytes, at, 4))
    if (['eXIf', 'tEXt', 'iTXt', 'zTXt'].includes(latin(bytes, at + 4, at + 8))) return true
  return false
}

function webpHas(bytes: Uint8Array): boolean {
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = latin(bytes, at, at + 4)
    if (name === 'EXIF' || name === 'XMP ') return true
    const size = (bytes[at + 4] ?? 0) + (bytes[at + 5] ?? 0) * 256 + (bytes[at + 6] ?? 0) * 65_536 + (bytes[at + 7] ?? 0) * 16_777_216
    at += 8 + size + (size % 2)
  }
  return false
}
