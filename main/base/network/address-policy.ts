// Addresses that Assent visits because a server named them. Metadata could name one inside the person's own network or machine
// (SSRF): a public server may name public addresses only, one in the private network also its neighbours, one on this machine
// anything. Plain http is for this machine alone (OAuth 2.1, 1.5).
import { BlockList, isIP } from 'node:net'

export type Reach = 'public' | 'private' | 'loopback'
const order: Readonly<Record<Reach, number>> = { public: 0, private: 1, loopback: 2 }

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const privateIpv4 = ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']
/** 168.63.129.16 is a cloud's own, of every machine in it. */
const reservedIpv4 = ['168.63.129.16/32', '192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4']
const innerIpv6 = ['::/128', '64:ff9b:1::/48', '100::/64', '2001::/32', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8']
const inner = new BlockList()
for (const subnet of [...privateIpv4, ...reservedIpv4, ...innerIpv6]) {
  const [net = '', prefix] = subnet.split('/')
  inner.addSubnet(net, Number(prefix), isIP(net) === 6 ? 'ipv6' : 'ipv4')
}

/** An IPv6 address that stands for one of IPv4, and the bytes where that lies: IPv4-compatible, SIIT, NAT64, 6to4. */
const carriers = [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0xffff, 0], [0x64, 0xff9b, 0, 0, 0, 0], [0x2002]] as const

/** Classifies an IP address, with or without its zone. */
export function reachOfAddress(address: string): Reach {
  const [plain = ''] = address.split('%')
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
  if (loopback.check(plain, family)) return 'loopback'
  if (inner.check(plain, family)) return 'private'
  const carried = family === 'ipv6' ? carriedIn(plain) : undefined
  return carried === undefined ? 'public' : reachOfAddress(carried)
}

function carriedIn(address: string): string | undefined {
  const groups = groupsOf(address)
  const carrier = carriers.find((prefix) => prefix.every((group, at) => groups[at] === group))
  if (!carrier) return undefined
  return groups
    .slice(carrier.length, carrier.length + 2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const numbers = (text: string): number[] =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
  const [before, after] = [numbers(head), numbers(tail ?? '')]
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

/** Classifies a host as a URL names it; undefined: a name that has to be resolved. */
export function reachOfHost(hostname: string): Reach | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIP(host) !== 0) return reachOfAddress(host)
  return host === 'localhost' || host.endsWith('.localhost') ? 'loopback' : undefined
}

export const mayReach = (from: Reach, to: Reach): boolean => order[to] <= order[from]

export const fartherOut = (a: Reach, b: Reach): Reach => (mayReach(a, b) ? b : a)

/** Returns the widest reach: a name with one public address is public. */
export const reachOfAll = (addresses: readonly string[]): Reach =>
  addresses.map(reachOfAddress).reduce(fartherOut, addresses.length > 0 ? 'loopback' : 'public')

export type AddressProblem = 'not-an-address' | 'insecure' | 'private'

/** Returns what is wrong with an address that a server `from` there names; undefined: nothing, as far as can be told unresolved. */
export function addressProblem(text: string, from: Reach): AddressProblem | undefined {
  if (!URL.canParse(text)) return 'not-an-address'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'not-an-address'
  const to = reachOfHost(url.hostname)
  if (url.protocol === 'http:') return to === 'loopback' && from === 'loopback' ? undefined : 'insecure'
  if (url.protocol !== 'https:') return 'not-an-address'
  return to === undefined || mayReach(from, to) ? undefined : 'private'
}
