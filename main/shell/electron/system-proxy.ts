// The proxy of the system's own settings, for servers that are reached over the network: Node reads the environment alone, which an
// app that was started from a dock or a menu has nothing of.
import type { Session } from 'electron'
import { askSystemForProxy } from '#main/servers/transport/http/dispatchers.ts'

export const followSystemProxy = (session: Pick<Session, 'resolveProxy'>): void =>
  askSystemForProxy(async (url) => firstProxy(await session.resolveProxy(url)))

/** The first of an answer such as `PROXY a:8080; DIRECT` that we can use. Where SOCKS alone is offered, that: it is passed over, and told of. */
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
