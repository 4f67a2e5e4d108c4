// What the host reads of an image file without decoding it: its size, whether it holds metadata, and whether models accept it.
// Pure: images of servers are drawn in a page, never in the host.
import { latin1 } from '#app/sniff-mime.ts'

/** Width and height in pixels, as stored: a JPEG may have to be rotated. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

export const imageLimits = {
  /** Pixels of the longer side beyond which providers scale an image down. */
  edge: 1568,
  /** Pixels of the longer side that providers accept in a request of many images. */
  mostEdge: 2000,
  /** Bytes of five megabytes of base64. */
  bytes: 3_750_000,
  /** Pixels that a page draws in order to scale, at four bytes each. */
  mostPixels: 80_000_000,
} as const

/** `large`: smaller is better. `too-large`: providers would refuse the request. */
export type ImageVerdict = 'fits' | 'large' | 'too-large'

export function judgeImage(bytes: number, size: ImageSize | undefined): ImageVerdict {
  const longest = size ? Math.max(size.width, size.height) : 0
  if (bytes > imageLimits.bytes || longest > imageLimits.mostEdge) return 'too-large'
  return longest > imageLimits.edge ? 'large' : 'fits'
}

export const canBeDrawn = (size: ImageSize | undefined): boolean => size !== undefined && size.width * size.height <= imageLimits.mostPixels

const big = (bytes: Uint8Array, at: number, count: number): number =>
  bytes.subarray(at, at + count).reduce((value, byte) => value * 256 + byte, 0)

const little = (bytes: Uint8Array, at: number, count: number): number =>
  bytes.subarray(at, at + count).reduceRight((value, byte) => value * 256 + byte, 0)

/** Reads the size from the header; undefined when it does not tell. */
export function imageSize(bytes: Uint8Array, mimeType: string): ImageSize | undefined {
  const size = sizeOf(bytes, mimeType)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

function sizeOf(bytes: Uint8Array, mimeType: string): ImageSize | undefined {
  switch (mimeType) {
    case 'image/png':
      return latin1(bytes, 12, 16) === 'IHDR' ? { width: big(bytes, 16, 4), height: big(bytes, 20, 4) } : undefined
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

/** SOF0 to SOF15; DHT, JPG and DAC share their range. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpegSize(bytes: Uint8Array): ImageSize | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff)
      at += 1 // A fill byte before a marker.
    else if (isFrame(marker)) return { width: big(bytes, at + 7, 2), height: big(bytes, at + 5, 2) }
    else at += 2 + Math.max(2, big(bytes, at + 2, 2))
  }
  return undefined
}

function webpSize(bytes: Uint8Array): ImageSize | undefined {
  switch (latin1(bytes, 12, 16)) {
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

/** Whether the file holds more than the image: where, when, with what or by whom it was taken. */
export const hasMetadata = (bytes: Uint8Array, mimeType: string): boolean => metadataReaders[mimeType]?.(bytes) ?? false

const metadataReaders: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  /** Segments APP1 (Exif, XMP) and APP13 (IPTC), and comments, before the image data. */
  'image/jpeg': (bytes) => {
    for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; at += 2 + Math.max(2, big(bytes, at + 2, 2))) {
      const marker = bytes[at + 1] ?? 0
      if (marker === 0xe1 || marker === 0xed || marker === 0xfe) return true
      if (marker === 0xda) return false
    }
    return false
  },
  'image/png': (bytes) => {
    for (let at = 8; at + 8 <= bytes.length; at += 12 + big(bytes, at, 4))
      if (['eXIf', 'tEXt', 'iTXt', 'zTXt'].includes(latin1(bytes, at + 4, at + 8))) return true
    return false
  },
  'image/webp': (bytes) => {
    for (let at = 12; at + 8 <= bytes.length; ) {
      if (['EXIF', 'XMP '].includes(latin1(bytes, at, at + 4))) return true
      const size = little(bytes, at + 4, 4)
      at += 8 + size + (size % 2)
    }
    return false
  },
}
