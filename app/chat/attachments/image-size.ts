// Width and height of an image by its header, without decoding it: an image that a server sent is drawn in a page at most,
// never in the host. Pure.
export interface ImageSize {
  readonly width: number
  readonly height: number
}

const latin = (bytes: Uint8Array, start: number, end: number): string => String.fromCharCode(...bytes.subarray(start, end))
const big = (bytes: Uint8Array, at: number, count: number): number => {
  let value = 0
  for (let i = 0; i < count; i++) value = value * 256 + (bytes[at + i] ?? 0)
  return value
}
const little = (bytes: Uint8Array, at: number, count: number): number => {
  let value = 0
  for (let i = count - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] ?? 0)
  return value
}

/** Pixels, as stored: a JPEG may have to be turned. Undefined: the header does not say. */
export function imageSize(bytes: Uint8Array, mimeType: string): ImageSize | undefined {
  const size = sizeOf(bytes, mimeType)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

function sizeOf(bytes: Uint8Array, mimeType: string): ImageSize | undefined {
  switch (mimeType) {
    case 'image/png':
      return latin(bytes, 12, 16) === 'IHDR' ? { width: big(bytes, 16, 4), height: big(bytes, 20, 4) } : undefined
    case 'image/gif':
      return { width: little(bytes, 6, 2), height: little(bytes, 8, 2) }
    case 'image/jpeg':
      return jpegSize(bytes)
    case 'image/webp':
      return webpSize(bytes)
    default:
      return undefined
  }
}

/** SOF0 to SOF15; DHT, JPG and DAC stand among their numbers. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpegSize(bytes: Uint8Array): ImageSize | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff)
      at += 1 // A marker may be filled up with these.
    else if (isFrame(marker)) return { width: big(bytes, at + 7, 2), height: big(bytes, at + 5, 2) }
    else at += 2 + Math.max(2, big(bytes, at + 2, 2))
  }
  return undefined
}

function webpSize(bytes: Uint8Array): ImageSize | undefined {
  switch (latin(bytes, 12, 16)) {
    case 'VP8X':
      return { width: little(bytes, 24, 3) + 1, height: little(bytes, 27, 3) + 1 }
    case 'VP8L': {
      const packed = little(bytes, 21, 4)
      return { width: (packed % 0x4000) + 1, height: (Math.floor(packed / 0x4000) % 0x4000) + 1 }
    }
    case 'VP8 ':
      return { width: little(bytes, 26, 2) % 0x4000, height: little(bytes, 28, 2) % 0x4000 }
    default:
      return undefined
  }
}
