/**
 * Decodes a text file by its byte order mark: UTF-16, as Notepad's “Unicode” and `>` of Windows PowerShell write it, else UTF-8. The mark is
 * left out.
 */
export function decodeTextFile(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}
