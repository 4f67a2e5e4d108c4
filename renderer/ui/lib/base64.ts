/** Base64 of bytes (RFC 4648). Parts of a multiple of three bytes can be joined: only the last one has padding. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}
