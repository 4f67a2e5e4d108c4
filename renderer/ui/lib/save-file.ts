/** Downloads a text file, in a browser; Electron windows download nothing. */
export function saveTextFile(name: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: 'text/plain' }))
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
