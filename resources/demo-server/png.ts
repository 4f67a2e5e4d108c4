// A PNG encoder for pictures of few colours: 8-bit palette, one IDAT chunk.
import { crc32, deflateSync } from 'node:zlib'

interface Picture {
  readonly width: number
  readonly height: number
  /** One palette index a pixel, row by row. */
  readonly pixels: Uint8Array
  readonly palette: readonly (readonly [red: number, green: number, blue: number])[]
}

export function encodePng({ width, height, pixels, palette }: Picture): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8) // bit depth, palette colour, deflate, adaptive filters, not interlaced
  const rows = Buffer.alloc(height * (width + 1)) // each row begins with its filter: 0, none
  for (let y = 0; y < height; y += 1) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
