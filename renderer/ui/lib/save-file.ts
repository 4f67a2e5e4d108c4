/** Downloads a text file, in a browser; Electron windows download nothing. */
export const saveTextFile = (name: string, parts: readonly string[]): void => saveFile(name, ...parts)

/** Downloads texts or bytes as one file. No type is named that a browser would open. */
export function saveFile(name: string, ...parts: readonly (string | Uint8Array<ArrayBuffer>)[]): void {
  const bytes = parts.some((part) => typeof part !== 'string')
  const url = URL.createObjectURL(new Blob([...parts], { type: bytes ? 'application/octet-stream' : 'text/plain' }))
  saveFromUrl(url, name)
  // The browser has to read it first.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Downloads an address. `name`: empty where the HTTP server names the file. */
export function saveFromUrl(href: string, name = ''): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
