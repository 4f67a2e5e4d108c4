// The `fetch` for metadata, registration and tokens: small answers, in little time, from addresses that the server may
// name (addresses.ts), also after a name has been resolved. Redirects are left to the SDK, which follows none to another
// origin. Nothing of the person's headers for the server goes along.
import type { FetchLike } from '@modelcontextprotocol/client'
import type { Agent, Dispatcher } from 'undici'
import { HostError } from '#app/errors.ts'
import { createDispatchers, loadUndici, type Proxies, toldLookup, type Undici } from '../http/dispatchers.ts'
import { addressProblem, mayReach, type Reach, reachOfAddress } from './addresses.ts'
import { signInFailed } from './failures.ts'
import { createHome, type Home } from './home.ts'

/** Bytes of one answer. */
const maxBytes = 1024 * 1024
const limitMs = 20_000

export interface GuardedFetch {
  readonly fetch: FetchLike
  /** Throws `server.sign-in-failed` for an address that must not be gone to; for one that the browser opens. */
  check(address: string): Promise<void>
  /** Of the server’s own connections. */
  readonly saw: Home['saw']
  close(): Promise<void>
}

export interface GuardedFetchOptions {
  readonly server: string
  readonly url: string
  /** Addresses that the person typed themselves: these may be wherever they are. */
  readonly trusted?: readonly string[]
  readonly proxies?: Proxies | undefined
}

export function createGuardedFetch({ server, url, trusted = [], proxies }: GuardedFetchOptions): GuardedFetch {
  const trustedHosts = new Set(trusted.flatMap((address) => (URL.canParse(address) ? [new URL(address).host] : [])))
  const home = createHome(new URL(url).hostname)
  const timeouts = { headersTimeout: limitMs, bodyTimeout: limitMs }
  const proxied = createDispatchers(proxies)
  const agents = new Map<Reach | 'any', Agent>()
  async function agentFor(reach: Reach | 'any'): Promise<Agent> {
    const { Agent } = await loadUndici()
    const known = agents.get(reach)
    if (known) return known
    const lookup = toldLookup((name, addresses) => {
      home.saw(name, addresses)
      // “localhost” is known for what it is; any other name leads where its server may lead.
      const may = reach === 'any' || addresses.every((one) => mayReach(reach, reachOfAddress(one)))
      return may ? undefined : refuse(`https://${name}`, 'private')
    })
    const made = new Agent({ ...timeouts, connect: { timeout: 10_000, lookup } })
    agents.set(reach, made)
    return made
  }
  /** Through a proxy it is the proxy that resolves names, and what it reaches is for whoever runs it to say. */
  async function dispatcherFor(address: string, reach: Reach | 'any'): Promise<Dispatcher> {
    const { dispatcher, proxy } = await proxied.for(address)
    return proxy === undefined ? agentFor(reach) : dispatcher
  }
  const refuse = (address: string, problem: string) =>
    signInFailed(server, 'address-refused', { problem, origin: URL.canParse(address) ? new URL(address).origin : '' })

  async function check(address: string): Promise<{ readonly from: Reach; readonly free: boolean }> {
    const from = await home.reach((await proxied.for(url)).proxy !== undefined)
    const free = URL.canParse(address) && trustedHosts.has(new URL(address).host)
    // What the person typed may be anywhere; in the clear it may still go to this machine alone.
    const problem = addressProblem(address, free ? 'loopback' : from)
    if (problem !== undefined) throw refuse(address, problem)
    return { from, free }
  }

  const fetch: FetchLike = async (target, init) => {
    const address = String(target)
    const { from, free } = await check(address)
    const limit = AbortSignal.timeout(limitMs)
    const { origin } = new URL(address)
    try {
      const body = init?.body instanceof URLSearchParams ? init.body.toString() : init?.body
      // The DOM's types and undici's describe the same objects but do not know each other.
      const request = {
        ...init,
        // An address in digits is connected to without a look-up: nothing is followed that was not checked.
        redirect: 'manual',
        body,
        headers: [...new Headers(init?.headers)],
        signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit,
        dispatcher: await dispatcherFor(address, free ? 'any' : from),
      } as unknown as Parameters<Undici['fetch']>[1]
      const response = await (await loadUndici()).fetch(address, request)
      const bytes = await readCapped(response.body)
      if (bytes === undefined) throw signInFailed(server, 'answer-invalid', { origin })
      return new Response(bytes.byteLength > 0 ? bytes : null, {
        status: response.status,
        statusText: response.statusText,
        headers: [...response.headers],
      })
    } catch (error) {
      if (init?.signal?.aborted) throw init.signal.reason
      if (error instanceof HostError) throw error
      const cause = error instanceof Error ? error.cause : undefined
      if (cause instanceof HostError) throw cause
      throw signInFailed(server, 'unreachable', { origin })
    }
  }
  return {
    fetch,
    check: async (address) => void (await check(address)),
    saw: home.saw,
    async close() {
      await Promise.all([proxied.close(), ...[...agents.values()].map((agent) => agent.destroy())])
    },
  }
}

/** Undefined: it was too long. */
async function readCapped(body: Awaited<ReturnType<Undici['fetch']>>['body']): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = []
  let held = 0
  for await (const chunk of body ?? []) {
    held += chunk.byteLength
    if (held > maxBytes) return undefined
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
