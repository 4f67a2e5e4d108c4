// Detects a MIME type by the first bytes. Only these types are served to the page as such; other content can only be saved.

/** Bytes as Latin-1 text. */
export const latin1 = (bytes: Uint8Array, start: number, end: number): string => String.fromCharCode(...bytes.subarray(start, end))

export const UNKNOWN_TYPE = 'application/octet-stream'

export function sniffMime(bytes: Uint8Array): string {
  const head = latin1(bytes, 0, 16)
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WAVE') return 'audio/wav'
  if (head.startsWith('OggS')) return 'audio/ogg'
  if (head.startsWith('fLaC')) return 'audio/flac'
  if (head.startsWith('ID3') || /^\xff[\xfb\xf3\xf2\xfa]/.test(head)) return 'audio/mpeg'
  if (head.slice(4, 8) === 'ftyp' && head.slice(8, 11) === 'M4A') return 'audio/mp4'
  if (head.startsWith('%PDF-')) return 'application/pdf'
  return UNKNOWN_TYPE
}
