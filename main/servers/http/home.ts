// Where a server lies, for what its word may lead to (addresses.ts). Whoever owns its name says where the name leads, and
// may say another thing each time (rebinding): it lies as far out as any address that it was ever seen to have, and those
// that its own connections went to are among them.
import { lookup } from 'node:dns/promises'
import { fartherOut, type Reach, reachOfAll, reachOfHost } from './addresses.ts'

export interface Home {
  /** What a name was resolved to on the way to a connection. */
  saw(hostname: string, addresses: readonly string[]): void
  /** `proxied`: the name is the proxy's to resolve, and what it means here counts for nothing. */
  reach(proxied: boolean): Promise<Reach>
}

/** Rejects for a name without an address. */
const addressesOf = async (hostname: string): Promise<string[]> => (await lookup(hostname, { all: true })).map(({ address }) => address)

/** `hostname`: as a URL has it. */
export function createHome(hostname: string, resolve: (hostname: string) => Promise<readonly string[]> = addressesOf): Home {
  const known = reachOfHost(hostname)
  let seen: Reach | undefined
  const saw = (name: string, addresses: readonly string[]): void => {
    if (name !== hostname || addresses.length === 0) return
    const reach = reachOfAll(addresses)
    seen = seen === undefined ? reach : fartherOut(seen, reach)
  }
  return {
    saw,
    async reach(proxied) {
      if (known !== undefined) return known
      if (proxied) return 'public'
      // Without an address now it vouches for none.
      const now = await resolve(hostname).catch(() => [])
      saw(hostname, now)
      return now.length === 0 ? 'public' : (seen ?? 'public')
    },
  }
}
