// The proxy of the system's settings, for remote servers: Node reads it from the environment only, which an app started from a dock or a
// menu does not have.
import type { Session } from 'electron'
import { askSystemForProxy } from '#main/servers/transport/http/dispatchers.ts'

export const followSystemProxy = (session: Pick<Session, 'resolveProxy'>): void =>
  askSystemForProxy(async (url) => firstProxy(await session.resolveProxy(url)))

/** Returns the first usable proxy of an answer such as `PROXY a:8080; DIRECT`, or a SOCKS one, which is not used but reported. */
export function firstProxy(answer: string): string | undefined {
  let socks: string | undefined
  for (const entry of answer.split(';')) {
    const [kind, host] = entry.trim().split(/\s+/)
    if (kind === 'DIRECT') return socks
    if (host && (kind === 'PROXY' || kind === 'HTTPS')) return `${kind === 'PROXY' ? 'http' : 'https'}://${host}`
    if (host && kind?.startsWith('SOCKS')) socks ??= `socks5://${host}`
  }
  return socks
}
