// Takes secrets out of text that a server wrote, before anybody sees or keeps it. Each is found as it is, as it stands in
// JSON and as it stands in a URL; and its beginning at the end of a text, for a long line is cut, maybe in its midst.

import { isDeepStrictEqual } from 'node:util'
import { HostError } from '#app/errors.ts'

const shown = '•••'
/** Shorter values are no secrets, and would blot out half the text. */
const shortest = 6

export function createMask(values: readonly string[]): (text: string) => string {
  const forms = new Set(values.filter((value) => value.length >= shortest).flatMap(spellings))
  // The longest first, or a secret that begins with another would keep its end.
  const secrets = [...forms].sort((a, b) => b.length - a.length)
  return (text) => secrets.reduce(maskOne, text)
}

/** An error as it may be shown and kept: whatever text is in it goes through `mask`. The same one when nothing is hidden. */
export function maskError(mask: (text: string) => string, error: unknown): unknown {
  // What an AbortSignal gives as its reason: words of Node's own, which cannot be changed.
  if (!(error instanceof Error) || error instanceof DOMException) return error
  if (error instanceof HostError) {
    const { code, message, data } = error
    const shown = maskTexts(mask, data)
    return mask(message) === message && isDeepStrictEqual(shown, data)
      ? error
      : new HostError(code, mask(message), { data: shown, cause: error.cause })
  }
  // Somebody else's (a protocol error): it keeps its class, its code and its stack.
  error.message = mask(error.message)
  if ('data' in error && error.data !== undefined) error.data = maskTexts(mask, error.data)
  return error
}

/** The same value with every text in it masked. */
export function maskTexts<T>(mask: (text: string) => string, value: T): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return mask(part)
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, walk(item)]))
  }
  // Texts become texts, so its shape is what it was.
  return walk(value) as T
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
