// Ports of a sandbox's own loopback that lead to a granted host and port by way of its proxy: drivers of databases know no proxy, and
// browsers use none for this computer. A name is led there by the sandbox's hosts file. Pure.
import { isIP } from 'node:net'
import { parseHostPattern } from '#app/server/sandbox/host-pattern.ts'

export interface Forward {
  /** Address within the sandbox; the port is the host's. */
  readonly address: string
  readonly host: string
  readonly port: number
}

/** First port that a program without rights may listen on. */
const firstPort = 1024
const maxForwards = 16

/** Lists them for patterns that name one host and its port. Other addresses than this computer's cannot be led elsewhere. */
export function forwardsOf(hosts: readonly string[]): Forward[] {
  const addresses = new Map<string, string>()
  return hosts
    .flatMap((text): Forward[] => {
      const { host, below, port } = parseHostPattern(text) ?? { host: '', below: true, port: undefined }
      if (below || port === undefined || port < firstPort) return []
      if (host === 'localhost' || host === '127.0.0.1') return [{ address: '127.0.0.1', host, port }]
      if (isIP(host) !== 0) return []
      const address = addresses.get(host) ?? `127.0.1.${addresses.size + 1}`
      addresses.set(host, address)
      return [{ address, host, port }]
    })
    .filter((one, index, all) => all.findIndex(({ address, port }) => address === one.address && port === one.port) === index)
    .slice(0, maxForwards)
}

/** Hosts file of the sandbox: `system` is the computer's (hosts(5)). Undefined: it needs none of its own. */
export function hostsFile(forwards: readonly Forward[], system: string): string | undefined {
  const named = forwards.filter(({ address }) => address !== '127.0.0.1')
  if (named.length === 0) return undefined
  return `${named.map(({ address, host }) => `${address} ${host}\n`).join('')}${system}`
}
