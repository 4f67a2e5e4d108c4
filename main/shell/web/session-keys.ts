// Secrets of the web shell: one-time tokens (in the link that the terminal shows) and the sessions that they are exchanged for. A session
// is a cookie, which the browser sends to every port of this machine, and a key, which the page stores for its origin and sends in its
// hello: neither opens the connection alone. 32 random bytes each, kept as SHA-256 only, compared in constant time, valid for this run.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const MOST_TOKENS = 16
const MOST_SESSIONS = 64

const newSecret = (): string => randomBytes(32).toString('base64url')
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares with every entry, so that the time does not reveal which one matched, or whether one did. */
function indexIn(list: readonly Buffer[], text: string): number {
  const wanted = digest(text)
  let found = -1
  for (const [index, known] of list.entries()) if (timingSafeEqual(known, wanted)) found = index
  return found
}

export function createSessionKeys(port: number) {
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
    /** Returns a new token; with too many, the oldest unused one is dropped. `onUsed`: it was exchanged for a session. */
    newToken(onUsed?: () => void): string {
      const token = newSecret()
      tokens.push({ digest: digest(token), onUsed })
      if (tokens.length > MOST_TOKENS) tokens.shift()
      return token
    },
    /** Returns a new session, or undefined for a token that is wrong or was used. */
    exchange(token: string): { readonly cookie: string; readonly key: string } | undefined {
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
    /** Whether a `Cookie` header holds this shell's cookie, once, with a valid value. */
    knows: (header: string | undefined): boolean => sessionOf(header) !== undefined,
    /** Whether the header's cookie and the key belong to one session. */
    opens(header: string | undefined, key: string): boolean {
      const session = sessionOf(header)
      return session !== undefined && timingSafeEqual(session.key, digest(key))
    },
  }
}
