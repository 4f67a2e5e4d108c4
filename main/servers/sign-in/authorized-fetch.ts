// The `fetch` between the SDK's transports and ours that signs in: puts on each request what is held, and when the server
// wants a sign-in or more scopes, sees to that and sends the request again. 401 and 403 mean that it was not run (RFC
// 9110, 15.5.2). It goes on for a few rounds and no longer.
import type { FetchLike } from '@modelcontextprotocol/client'
import { classifyAnswer, type Demand } from './challenge.ts'
import { signInFailed } from './failures.ts'
import type { Need, Obtained } from './obtain.ts'
import { addsScopes } from './scopes.ts'
import type { SignInSession } from './session.ts'

/** Sign-ins for one request. */
export const maxRounds = 3

export interface AuthorizedFetchOptions {
  readonly server: string
  readonly url: string
  readonly session: SignInSession
  readonly fetch: FetchLike
  /** A request has failed for want of a sign-in. */
  readonly onFailed?: (error: unknown) => void
}

export function authorizedFetch({ server, url: home, session, fetch, onFailed }: AuthorizedFetchOptions): FetchLike {
  const { origin } = new URL(home)
  return async (target, init) => {
    const url = String(target)
    // What is held is for the server alone.
    if (new URL(url).origin !== origin) return fetch(target, init)
    const method = (init?.method ?? 'GET').toUpperCase()
    const signal = init?.signal ?? undefined
    const round = createRounds(server)
    for (;;) {
      const { token, headers } = await session.present({ method, url, signal })
      const sent = new Headers(init?.headers)
      for (const [name, value] of Object.entries(headers)) sent.set(name, value)
      const response = await fetch(target, { ...init, headers: sent })
      session.saw(response, url)
      const demand = classifyAnswer(response)
      // Leaving is a courtesy that nobody signs in for.
      if (demand === undefined || method === 'DELETE') return response
      await response.body?.cancel().catch(() => undefined)
      try {
        const need = round.next(demand, token)
        if (need !== undefined) round.got(await session.need(need, token, signal))
      } catch (error) {
        if (!signal?.aborted) onFailed?.(error)
        throw error
      }
    }
  }
}

interface Rounds {
  /** Undefined: send it again as it is. Throws when it leads nowhere. */
  next(demand: Demand, token: string | undefined): Need | undefined
  got(obtained: Obtained): void
}

/** What one request has been through. */
function createRounds(server: string): Rounds {
  let rounds = 0
  let nonces = 0
  let last: Obtained | undefined
  return {
    next(demand, token) {
      if (demand.kind === 'nonce') {
        nonces += 1
        if (nonces > maxRounds) throw signInFailed(server, 'too-many-rounds')
        return undefined
      }
      const { challenge } = demand
      const fresh = last !== undefined && token === last.value.accessToken ? last : undefined
      if (demand.kind === 'sign-in' && fresh?.how === 'sign-in') throw signInFailed(server, 'token-refused')
      // MCP, "Scope Challenge Handling": the same again would be refused again.
      if (demand.kind === 'more-scopes' && fresh?.how === 'sign-in' && !addsScopes(challenge, fresh.asked))
        throw signInFailed(server, 'scope-refused', { scopes: [...challenge.scopes] })
      rounds += 1
      if (rounds > maxRounds) throw signInFailed(server, 'too-many-rounds')
      return demand.kind === 'sign-in'
        ? { kind: 'unauthorized', challenge, mayRefresh: fresh === undefined }
        : { kind: 'scopes', challenge, kept: last?.asked ?? [] }
    },
    got(obtained) {
      last = obtained
    },
  }
}
