// Takes secrets out of text that a server wrote, before anybody sees or keeps it. Each is found as it is, as it stands in
// JSON and as it stands in a URL; and its beginning at the end of a text, for a long line is cut, maybe in its midst.

const shown = '•••'
/** Shorter values are no secrets, and would blot out half the text. */
const shortest = 6

export function createMask(values: readonly string[]): (text: string) => string {
  const forms = new Set(values.filter((value) => value.length >= shortest).flatMap(spellings))
  // The longest first, or a secret that begins with another would keep its end.
  const secrets = [...forms].sort((a, b) => b.length - a.length)
  return (text) => secrets.reduce(maskOne, text)
}

const spellings = (value: string): string[] => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]

function maskOne(text: string, secret: string): string {
  const masked = text.replaceAll(secret, shown)
  const cut = masked.endsWith('…') ? masked.slice(0, -1) : undefined
  if (cut === undefined) return masked
  for (let length = Math.min(secret.length - 1, cut.length); length > 0; length--) {
    if (cut.endsWith(secret.slice(0, length))) return `${cut.slice(0, -length)}${shown}…`
  }
  return masked
}
