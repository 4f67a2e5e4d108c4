// Where Assent itself goes on a server's word. Metadata of a server names addresses; one of them could lie inside the
// person's own network or machine (SSRF). A public server may name public addresses only, one in the private network may
// name its neighbours too, and one on this machine anything. Plain http is for this machine alone (OAuth 2.1, 1.5).
import { BlockList, isIP } from 'node:net'

export type Reach = 'public' | 'private' | 'loopback'
const order: Readonly<Record<Reach, number>> = { public: 0, private: 1, loopback: 2 }

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const inner = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  inner.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of [
  ['::', 128],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inner.addSubnet(net, prefix, 'ipv6')

/** Of an IP address. */
export function reachOfAddress(address: string): Reach {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (loopback.check(address, family)) return 'loopback'
  return inner.check(address, family) ? 'private' : 'public'
}

/** Of a host as a URL names it; undefined: a name that has to be resolved. */
export function reachOfHost(hostname: string): Reach | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIP(host) !== 0) return reachOfAddress(host)
  return host === 'localhost' || host.endsWith('.localhost') ? 'loopback' : undefined
}

/** As far in as the farthest out of them: a name with one public address is public. */
export const reachOfAll = (addresses: readonly string[]): Reach =>
  addresses.map(reachOfAddress).reduce<Reach>((a, b) => (order[a] < order[b] ? a : b), addresses.length > 0 ? 'loopback' : 'public')

export const mayReach = (from: Reach, to: Reach): boolean => order[to] <= order[from]

export type AddressProblem = 'not-an-address' | 'insecure' | 'private'

/** What is wrong with an address that a server `from` there names; undefined: nothing, as far as can be told unresolved. */
export function addressProblem(text: string, from: Reach): AddressProblem | undefined {
  if (!URL.canParse(text)) return 'not-an-address'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'not-an-address'
  const to = reachOfHost(url.hostname)
  if (url.protocol === 'http:') return to === 'loopback' && from === 'loopback' ? undefined : 'insecure'
  if (url.protocol !== 'https:') return 'not-an-address'
  return to === undefined || mayReach(from, to) ? undefined : 'private'
}
