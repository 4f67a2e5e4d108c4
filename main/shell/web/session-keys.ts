// The secrets of the web shell: one-time tokens (in the link that the terminal shows) and the sessions that they are
// exchanged for. A session is a cookie, which the browser sends to every port of this machine, and a key, which the page
// keeps for its origin and says in its hello: neither opens the link alone. 32 random bytes each, kept as SHA-256 only,
// compared in constant time, gone with this run.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const MOST_TOKENS = 16
const MOST_SESSIONS = 64

const newSecret = (): string => randomBytes(32).toString('base64url')
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares with every one, so that the time tells nothing of which or whether. */
function indexIn(list: readonly Buffer[], text: string): number {
  const wanted = digest(text)
  let found = -1
  for (const [index, known] of list.entries()) if (timingSafeEqual(known, wanted)) found = index
  return found
}

interface SessionKeys {
  /** A new token; the oldest unused one is forgotten when there are too many. `onUsed`: it was exchanged for a session. */
  newToken(onUsed?: () => void): string
  /** A new session, or undefined for a token that is wrong or was used. */
  exchange(token: string): { readonly cookie: string; readonly key: string } | undefined
  /** Whether a `Cookie` header holds this shell's cookie, once, with a value that was handed out. */
  knows(header: string | undefined): boolean
  /** Whether the header's cookie and the key were handed out together. */
  opens(header: string | undefined, key: string): boolean
  readonly cookieName: string
}

export function createSessionKeys(port: number): SessionKeys {
  const tokens: { readonly digest: Buffer; readonly onUsed: (() => void) | undefined }[] = []
  const sessions: { readonly cookie: Buffer; readonly key: Buffer }[] = []
  const cookieName = `assent-${port}`

  function sessionOf(header: string | undefined): (typeof sessions)[number] | undefined {
    if (header === undefined) return undefined
    const values = header
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${cookieName}=`))
      .map((pair) => pair.slice(cookieName.length + 1))
    if (values.length !== 1) return undefined
    const cookies = sessions.map(({ cookie }) => cookie)
    return sessions[indexIn(cookies, values[0] ?? '')]
  }

  return {
    cookieName,
    newToken(onUsed) {
      const token = newSecret()
      tokens.push({ digest: digest(token), onUsed })
      if (tokens.length > MOST_TOKENS) tokens.shift()
      return token
    },
    exchange(token) {
      const known = tokens.map((one) => one.digest)
      const index = indexIn(known, token)
      if (index < 0) return undefined
      const [used] = tokens.splice(index, 1)
      const [cookie, key] = [newSecret(), newSecret()]
      sessions.push({ cookie: digest(cookie), key: digest(key) })
      if (sessions.length > MOST_SESSIONS) sessions.shift()
      used?.onUsed?.()
      return { cookie, key }
    },
    knows: (header) => sessionOf(header) !== undefined,
    opens(header, key) {
      const session = sessionOf(header)
      return session !== undefined && timingSafeEqual(session.key, digest(key))
    },
  }
}
