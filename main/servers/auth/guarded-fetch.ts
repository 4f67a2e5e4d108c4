// The `fetch` for metadata, registration and token requests (MCP, "Server-Side Request Forgery"). It goes only to addresses that
// `guarded-dispatchers.ts` allows, bounds size and time, and sends no configured headers. Redirects are left to the SDK.
import type { FetchLike } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { vouched } from '#main/base/authorities/certificate-authorities.ts'
import { loadUndici, type Proxies, readCapped, type Undici } from '../transport/http/dispatchers.ts'
import { createGuardedDispatchers } from '../transport/http/guarded-dispatchers.ts'
import { signInFailed } from './auth-errors.ts'

const maxBytes = 1024 * 1024
const limitMs = 20_000

export type GuardedFetch = ReturnType<typeof createGuardedFetch>

export interface GuardedFetchOptions {
  readonly server: string
  readonly url: string
  /** Addresses that the person configured: allowed on any network. */
  readonly trusted?: readonly string[]
  readonly proxies?: Proxies | undefined
}

export function createGuardedFetch({ server, ...where }: GuardedFetchOptions) {
  const dispatchers = createGuardedDispatchers({
    ...where,
    timeouts: { headersTimeout: limitMs, bodyTimeout: limitMs },
    refuse: (address, problem) =>
      signInFailed(server, 'address-refused', { problem, origin: URL.canParse(address) ? new URL(address).origin : '' }),
  })

  const fetch: FetchLike = async (target, init) => {
    const address = String(target)
    const dispatcher = await dispatchers.for(address)
    const limit = AbortSignal.timeout(limitMs)
    const { origin } = new URL(address)
    try {
      const body = init?.body instanceof URLSearchParams ? init.body.toString() : init?.body
      // The types of the DOM and of undici describe the same objects but are unrelated.
      const request = {
        ...init,
        // An IP address is connected to without a lookup, so a redirect to one would go unchecked.
        redirect: 'manual',
        body,
        headers: [...new Headers(init?.headers)],
        signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit,
        dispatcher,
      } as unknown as Parameters<Undici['fetch']>[1]
      const { fetch: ask } = await loadUndici()
      const response = await vouched(() => ask(address, request))
      const bytes = await readCapped(response, maxBytes)
      if (bytes === undefined) throw signInFailed(server, 'answer-invalid', { origin })
      const { status, statusText, headers } = response
      return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers: [...headers] })
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
    /** Checks an address that the browser will open. @throws {HostError} `server.sign-in-failed` for a forbidden one */
    check: dispatchers.check,
    /** Records the addresses of the server's own connections. */
    saw: dispatchers.saw,
    close: dispatchers.close,
  }
}
