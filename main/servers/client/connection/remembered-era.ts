// Era of a server as it is remembered between starts: that it is an old one, and its transport. It is detected anew now and then,
// for servers are updated. Pure.
import type { Session } from '#app/server/server-state.ts'

/** How to begin with it. Undefined: ask. */
export type Remembered = 'initialize' | 'sse' | undefined

/** A verdict is good for so long. */
export const verdictMs = 7 * 24 * 3_600_000

export function remembered(session: Session | undefined, now: number): Remembered {
  if (session?.era !== 'legacy' || session.askedAt === undefined || now - session.askedAt > verdictMs || now < session.askedAt)
    return undefined
  return session.transport === 'sse' ? 'sse' : 'initialize'
}

/** The session with the time of its verdict; without it when the server is not the version that gave it. */
export function withVerdict(session: Session, before: Session | undefined, now: number): Session {
  if (session.foundBy !== 'remembered') return { ...session, askedAt: now }
  const same = before?.serverInfo?.version === session.serverInfo?.version
  return same && before?.askedAt !== undefined ? { ...session, askedAt: before.askedAt } : session
}
