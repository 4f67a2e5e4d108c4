// Masks secrets in text that a server wrote, before it is shown or stored. A secret is found as it is, JSON-escaped any number of
// times, URL-encoded in any mixture, in hex, and in base64 at any offset (RFC 4648, 4, 5 and 8); also its beginning at the end of a cut line.
import { isDeepStrictEqual } from 'node:util'
import { HostError } from '#app/errors.ts'
import { MASK } from '#app/text/secret-names.ts'

/** Shortest secret, in UTF-16 units: shorter values would mask half the text. */
const shortest = 6

const isLong = (value: string): boolean => value.length >= shortest

export function createMask(values: readonly string[]): (text: string) => string {
  const forms = new Set(values.filter(isLong).flatMap(spellings))
  // Longest first: a secret may begin with another.
  const secrets = [...forms].sort((a, b) => b.length - a.length)
  const encoded = secrets.length === 0 ? undefined : new RegExp(values.filter(isLong).map(escapedPattern).join('|'), 'g')
  return (text) => {
    const masked = secrets.reduce(maskOne, text)
    return encoded && /[%\\]/.test(masked) ? masked.replace(encoded, MASK) : masked
  }
}

/** Masks the message and data of an error. Returns the same one when nothing is masked. */
export function maskError(mask: (text: string) => string, error: unknown): unknown {
  // The reason of an AbortSignal: Node's own text, and read-only.
  if (!(error instanceof Error) || error instanceof DOMException) return error
  if (error instanceof HostError) {
    const { code, message, data } = error
    const shown = maskTexts(mask, data)
    return mask(message) === message && isDeepStrictEqual(shown, data)
      ? error
      : new HostError(code, mask(message), { data: shown, cause: error.cause })
  }
  // Another class (a protocol error) keeps its class, code and stack.
  error.message = mask(error.message)
  if ('data' in error && error.data !== undefined) error.data = maskTexts(mask, error.data)
  return error
}

export function maskTexts<T>(mask: (text: string) => string, value: T): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return mask(part)
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [mask(key), walk(item)]))
  }
  // Texts stay texts, so the type is the same.
  return walk(value) as T
}

const spellings = (value: string): string[] => {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  return [value, JSON.stringify(value).slice(1, -1), hex, hex.toUpperCase(), ...[0, 1, 2].flatMap((offset) => base64Core(bytes, offset))]
}

/** Base64 of bytes that stand `offset` bytes after a multiple of three, without the characters that depend on what is around them. */
function base64Core(bytes: Buffer, offset: number): string[] {
  const first = Math.ceil((offset * 8) / 6)
  const end = Math.floor(((offset + bytes.length) * 8) / 6)
  const core = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .slice(first, end)
  return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
}

/**
 * Pattern of a value of which any byte may be percent-encoded (RFC 3986, 2.1), a space a plus sign, and any ASCII character escaped as in JSON
 * (RFC 8259, 7), itself or within texts of JSON.
 */
const escapedPattern = (value: string): string =>
  [...value.toWellFormed()]
    .map((character) => {
      const bytes = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
      const anyCase = bytes.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
      return `(?:${RegExp.escape(character)}|${anyCase}${character === ' ' ? String.raw`|\+` : ''}${jsonPattern(character)})`
    })
    .join('')

function jsonPattern(character: string): string {
  if (character === '"' || character === '/') return String.raw`|\\+${character}`
  if (character === '\\') return String.raw`|\\+`
  const short = JSON.stringify(character).slice(2, -1)
  const isControl = character < ' '
  const code = (character.codePointAt(0) ?? 0)
    .toString(16)
    .padStart(4, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  return isControl || "<>&'".includes(character) ? `${isControl ? String.raw`|\\+${short}` : ''}${String.raw`|\\+u`}${code}` : ''
}

function maskOne(text: string, secret: string): string {
  const masked = text.replaceAll(secret, MASK)
  const cut = masked.endsWith('…') ? masked.slice(0, -1) : undefined
  if (cut === undefined) return masked
  for (let length = Math.min(secret.length - 1, cut.length); length > 0; length--) {
    if (cut.endsWith(secret.slice(0, length))) return `${cut.slice(0, -length)}${MASK}…`
  }
  return masked
}
