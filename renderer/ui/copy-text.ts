// Text to the clipboard. Electron's shell grants the page no permission at all, the clipboard's included; there the older
// way does, which needs none but works only while the person's click is fresh.

/** False: neither way was let through. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

function copyByCommand(text: string): boolean {
  let copied = false
  const onCopy = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    copied = event.clipboardData !== null
  }
  document.addEventListener('copy', onCopy, { capture: true })
  try {
    return document.execCommand('copy') && copied
  } finally {
    document.removeEventListener('copy', onCopy, { capture: true })
  }
}
