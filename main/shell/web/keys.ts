// The two secrets of the web shell: one-time tokens (in the link that the terminal shows) and the cookies that they are
// exchanged for. 32 random bytes each, kept as SHA-256 only, compared in constant time, gone with this run.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const MOST_TOKENS = 16
const MOST_COOKIES = 64

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares with every one, so that the time tells nothing of which or whether. */
function indexIn(list: readonly Buffer[], text: string): number {
  const wanted = digest(text)
  let found = -1
  for (const [index, known] of list.entries()) if (timingSafeEqual(known, wanted)) found = index
  return found
}

export interface Keys {
  /** A new token; the oldest unused one is forgotten when there are too many. */
  newToken(): string
  /** The cookie's value, or undefined for a token that is wrong or was used. */
  exchange(token: string): string | undefined
  /** Whether a `Cookie` header holds this shell's cookie, once, with a value that was handed out. */
  knows(header: string | undefined): boolean
  readonly cookieName: string
}

export function createKeys(port: number): Keys {
  const tokens: Buffer[] = []
  const cookies: Buffer[] = []
  const cookieName = `assent-${port}`
  const add = (list: Buffer[], most: number): string => {
    const value = randomBytes(32).toString('base64url')
    list.push(digest(value))
    if (list.length > most) list.shift()
    return value
  }
  return {
    cookieName,
    newToken: () => add(tokens, MOST_TOKENS),
    exchange(token) {
      const index = indexIn(tokens, token)
      if (index < 0) return undefined
      tokens.splice(index, 1)
      return add(cookies, MOST_COOKIES)
    },
    knows(header) {
      if (header === undefined) return false
      const values = header
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${cookieName}=`))
        .map((pair) => pair.slice(cookieName.length + 1))
      return values.length === 1 && indexIn(cookies, values[0] ?? '') >= 0
    },
  }
}
