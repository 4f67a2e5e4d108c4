/** Gives the person a file to keep, where the page is a browser's: a window of ours downloads nothing. */
export function saveTextFile(name: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: 'text/plain' }))
  saveFromUrl(url, name)
  // The browser has to have read it first.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** `name` may be the server's to say. */
export function saveFromUrl(href: string, name = ''): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
