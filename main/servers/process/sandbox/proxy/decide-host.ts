// Decision about one connection of a sandboxed server, before anything is connected to: is the host granted, and where does its name
// lead? What is returned are addresses, so that the name is not resolved a second time.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { coversHost, deniesHost, normalizeHost, parseHostPattern } from '#app/server/sandbox/host-pattern.ts'
import type { HostRefusal } from '#app/server/sandbox/sandbox-report.ts'
import type { SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { reachOfAddress, reachOfHost } from '#main/base/network/address-policy.ts'

/** Addresses of this computer, which may be public ones. */
const ownAddresses = (): ReadonlySet<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => normalizeHost(address) ?? address)))

export type Resolve = (host: string) => Promise<readonly string[]>

type HostDecision =
  | { readonly kind: 'allowed'; readonly host: string; readonly addresses: readonly string[] }
  | { readonly kind: 'refused'; readonly host: string; readonly why: HostRefusal }

interface HostRequest {
  /** Text that the server wrote. */
  readonly host: string
  readonly port: number
}

/**
 * Decides by the grants and by what the name leads to. An address within this computer or its network is connected to only where a pattern
 * names that address itself, or `localhost`.
 */
export async function decideHost(
  { host: written, port }: HostRequest,
  { hosts, denyHosts }: Pick<SandboxGrants, 'hosts' | 'denyHosts'>,
  resolve: Resolve,
): Promise<HostDecision> {
  const host = normalizeHost(written)
  if (host === undefined || !(port >= 1 && port <= 65_535)) return { kind: 'refused', host: written.slice(0, 255), why: 'malformed' }
  const refused = (why: HostRefusal): HostDecision => ({ kind: 'refused', host, why })
  if (deniesHost(denyHosts, host, port)) return refused('denied')
  if (!coversHost(hosts, host, port)) return refused('not-granted')
  if (isIP(host) !== 0) return { kind: 'allowed', host, addresses: [host] }
  // A star does not stand for names of this computer.
  const isNamed = hosts.some((text) => parseHostPattern(text)?.host === host && coversHost([text], host, port))
  if (reachOfHost(host) === 'loopback')
    return isNamed ? { kind: 'allowed', host, addresses: ['127.0.0.1', '::1'] } : refused('private-address')
  const found = await resolve(host).catch(() => [])
  if (found.length === 0) return refused('not-found')
  const own = ownAddresses()
  const addresses = found.filter((address) => {
    const plain = normalizeHost(address) ?? address
    const isPublic = reachOfAddress(address) === 'public' && !own.has(plain)
    return !deniesHost(denyHosts, plain, port) && (isPublic || coversHost(hosts, plain, port))
  })
  return addresses.length > 0 ? { kind: 'allowed', host, addresses } : refused('private-address')
}
