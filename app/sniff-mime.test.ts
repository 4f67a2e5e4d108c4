import { expect, test } from 'vitest'
import { sniffMime } from './sniff-mime.ts'

test.each([
  ['\x89PNG\r\n\x1a\n....', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF89a', 'image/gif'],
  ['RIFF\x01\x02\x03\x04WEBPVP8 ', 'image/webp'],
  ['RIFF\x01\x02\x03\x04WAVEfmt ', 'audio/wav'],
  ['OggS', 'audio/ogg'],
  ['fLaC', 'audio/flac'],
  ['ID3\x04', 'audio/mpeg'],
  ['\xff\xfb\x90', 'audio/mpeg'],
  ['\x00\x00\x00\x20ftypM4A ', 'audio/mp4'],
  ['%PDF-1.7', 'application/pdf'],
  ['<svg xmlns="http://www.w3.org/2000/svg">', 'application/octet-stream'],
  ['<!doctype html>', 'application/octet-stream'],
  ['GIF8', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('%j is %s', (bytes, mime) => {
  expect(sniffMime(Buffer.from(bytes, 'latin1'))).toBe(mime)
})
