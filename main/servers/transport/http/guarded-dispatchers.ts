// Connections to addresses that a server's metadata or a registry's entry named. They reach no farther in than whoever named them
// (`address-policy.ts`), also after a name has been resolved. A proxy resolves names itself, and its owner decides what it reaches.
import { lookup } from 'node:dns/promises'
import type { Agent, Dispatcher } from 'undici'
import type { HostError } from '#app/errors.ts'
import {
  type AddressProblem,
  addressProblem,
  fartherOut,
  mayReach,
  type Reach,
  reachOfAddress,
  reachOfAll,
  reachOfHost,
} from '#main/base/network/address-policy.ts'
import { createDispatchers, loadUndici, type Proxies, toldLookup } from './dispatchers.ts'

const addressesOf = async (hostname: string): Promise<string[]> => (await lookup(hostname, { all: true })).map(({ address }) => address)

/**
 * Finds out where a server is. Whoever owns its name says where that leads, and may say another thing each time (rebinding): it lies as
 * far out as any address that it was ever seen to have, those of its own connections among them. `hostname`: as a URL has it.
 */
export function createServerNetwork(hostname: string, resolve: (hostname: string) => Promise<readonly string[]> = addressesOf) {
  const known = reachOfHost(hostname)
  let seen: Reach | undefined
  const saw = (name: string, addresses: readonly string[]): void => {
    if (name !== hostname || addresses.length === 0) return
    const reach = reachOfAll(addresses)
    seen = seen === undefined ? reach : fartherOut(seen, reach)
  }
  return {
    saw,
    /** `proxied`: the name is the proxy's to resolve, and what it means here counts for nothing. */
    async reach(proxied: boolean): Promise<Reach> {
      if (known !== undefined) return known
      if (proxied) return 'public'
      // Without an address now it vouches for none.
      const now = await resolve(hostname).catch(() => [])
      saw(hostname, now)
      return now.length === 0 ? 'public' : (seen ?? 'public')
    },
  }
}

export type GuardedDispatchers = ReturnType<typeof createGuardedDispatchers>

interface GuardedDispatchersOptions {
  /** Where whoever names the addresses is. */
  readonly url: string
  /** Addresses that the person typed themselves: these may be wherever they are. */
  readonly trusted?: readonly string[]
  readonly proxies?: Proxies | undefined
  readonly timeouts: { readonly headersTimeout: number; readonly bodyTimeout: number }
  readonly refuse: (address: string, problem: AddressProblem) => HostError
}

export function createGuardedDispatchers({ url, trusted = [], proxies, timeouts, refuse }: GuardedDispatchersOptions) {
  const trustedHosts = new Set(trusted.flatMap((address) => (URL.canParse(address) ? [new URL(address).host] : [])))
  const home = createServerNetwork(new URL(url).hostname)
  const proxied = createDispatchers(proxies)
  const agents = new Map<Reach | 'any', Agent>()

  async function agentFor(reach: Reach | 'any'): Promise<Agent> {
    const { Agent } = await loadUndici()
    const known = agents.get(reach)
    if (known) return known
    const lookup = toldLookup((name, addresses) => {
      home.saw(name, addresses)
      // “localhost” is known for what it is; any other name leads where whoever named it may lead.
      const may = reach === 'any' || addresses.every((one) => mayReach(reach, reachOfAddress(one)))
      return may ? undefined : refuse(`https://${name}`, 'private')
    })
    const made = new Agent({ ...timeouts, connect: { timeout: 10_000, lookup } })
    agents.set(reach, made)
    return made
  }

  async function judge(address: string): Promise<Reach | 'any'> {
    const from = await home.reach((await proxied.for(url)).proxy !== undefined)
    const free = URL.canParse(address) && trustedHosts.has(new URL(address).host)
    // What the person typed may be anywhere; in the clear it may still go to this machine alone.
    const problem = addressProblem(address, free ? 'loopback' : from)
    if (problem !== undefined) throw refuse(address, problem)
    return free ? 'any' : from
  }

  return {
    /** Checks an address; a name may still turn out to be a refused one as it resolves. @throws {unknown} what `refuse` makes of it */
    async for(address: string): Promise<Dispatcher> {
      const reach = await judge(address)
      const { dispatcher, proxy } = await proxied.for(address)
      return proxy === undefined ? agentFor(reach) : dispatcher
    },
    check: async (address: string): Promise<void> => void (await judge(address)),
    saw: home.saw,
    close: async (): Promise<void> => void (await Promise.all([proxied.close(), ...[...agents.values()].map((agent) => agent.destroy())])),
  }
}
