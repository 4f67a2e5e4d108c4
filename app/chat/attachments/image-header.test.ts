import { expect, test } from 'vitest'
import { canBeDrawn, imageSize, judgeImage } from './image-header.ts'

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : part)))
const png = bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 0x0f, 0xa0, 0, 0, 0x0b, 0xb8])
const jpeg = bytes([0xff, 0xd8, 0xff, 0xe1, 0, 4, 0, 0, 0xff, 0xff, 0xc2, 0, 17, 8, 0x0b, 0xb8, 0x0f, 0xa0, 3])
const gif = bytes('GIF89a', [0xa0, 0x0f, 0xb8, 0x0b])
const riff = (form: string, rest: number[]): Uint8Array => bytes('RIFF', [0, 0, 0, 0], 'WEBP', form, [0, 0, 0, 0], rest)

test.each([
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/gif', gif],
  ['image/webp', riff('VP8X', [0, 0, 0, 0, 0x9f, 0x0f, 0, 0xb7, 0x0b, 0])],
  ['image/webp', riff('VP8L', [0x2f, 0x9f, 0xcf, 0xed, 0x02])],
  ['image/webp', riff('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0xa0, 0x4f, 0xb8, 0x0b])],
])('a header of %s says how large its image is', (mimeType, header) => {
  expect(imageSize(header, mimeType)).toEqual({ width: 4000, height: 3000 })
})

test.each([
  ['image/png', png.subarray(0, 12)],
  ['image/jpeg', jpeg.subarray(0, 8)],
  ['image/jpeg', bytes([0xff, 0xd8, 0xff, 0xda, 0xff, 0xff])],
  ['image/gif', gif.subarray(0, 6)],
  ['image/webp', riff('ALPH', [])],
  ['image/svg+xml', bytes('<svg width="4000">')],
])('a header of %s that is cut off or says nothing gives no size', (mimeType, header) => {
  expect(imageSize(header, mimeType)).toBeUndefined()
})

test('an image goes whole, better smaller, or only smaller, by its longer side and its bytes; what is too large to draw is not drawn', () => {
  const sizes = [undefined, { width: 1568, height: 9 }, { width: 9, height: 1569 }, { width: 2001, height: 9 }]
  expect(sizes.map((size) => judgeImage(1000, size))).toEqual(['fits', 'fits', 'large', 'too-large'])
  expect(judgeImage(3_750_001, { width: 9, height: 9 })).toBe('too-large')
  expect([undefined, { width: 8000, height: 9000 }, { width: 8000, height: 11_000 }].map(canBeDrawn)).toEqual([false, true, false])
})
