// The `fetch` between the SDK's transports and ours that signs in: puts on each request what is held, and when the server
// wants a sign-in or more scopes, sees to that and sends the request again. 401 and 403 mean that it was not run (RFC
// 9110, 15.5.2). It goes on for a few rounds and no longer.
import type { FetchLike } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { signInFailed } from './auth-errors.ts'
import type { AuthSession } from './auth-session.ts'
import type { Need, Obtained } from './obtain-token.ts'
import { addsScopes } from './scopes.ts'
import { classifyAnswer, type Demand } from './www-authenticate.ts'

/** Sign-ins for one request. */
const maxRounds = 3

interface AuthorizedFetchOptions {
  readonly server: string
  readonly url: string
  readonly session: AuthSession
  readonly fetch: FetchLike
  /** A request has failed for want of a sign-in. */
  readonly onFailed?: (error: unknown) => void
}

export function authorizedFetch({ server, url: home, session, fetch, onFailed }: AuthorizedFetchOptions): FetchLike {
  const { origin } = new URL(home)
  /** Requests that wait for a sign-in, by their JSON-RPC id: called off, they wait no longer, and were never heard. */
  const waiting = new Map<unknown, AbortController>()
  return async (target, init) => {
    const url = String(target)
    // What is held is for the server alone.
    if (new URL(url).origin !== origin) return fetch(target, init)
    const method = (init?.method ?? 'GET').toUpperCase()
    const message = method === 'POST' ? messageIn(init?.body) : {}
    const cancelled =
      message['method'] === 'notifications/cancelled' && isJsonObject(message['params']) ? message['params']['requestId'] : undefined
    const called = cancelled === undefined ? undefined : waiting.get(cancelled)
    if (called) {
      called.abort(new HostError('cancelled', t`It was called off before anybody had signed in.`))
      return new Response(null, { status: 202 })
    }
    const signal = init?.signal ?? undefined
    const round = createRounds(server)
    for (;;) {
      const { token, headers } = await session.present({ method, url, signal })
      const sent = new Headers(init?.headers)
      for (const [name, value] of Object.entries(headers)) sent.set(name, value)
      const response = await fetch(target, { ...init, headers: sent })
      session.saw(response, url)
      const demand = classifyAnswer(response)
      if (demand === undefined || isCourtesy(method, message)) return response
      await response.body?.cancel().catch(() => undefined)
      try {
        const need = round.next(demand, token)
        if (need !== undefined) round.got(await wait(message['id'], (left) => session.need(need, token, left), signal))
      } catch (error) {
        if (!signal?.aborted) onFailed?.(error)
        throw error
      }
    }
  }

  async function wait<T>(id: unknown, work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const control = new AbortController()
    if (id !== undefined) waiting.set(id, control)
    try {
      return await work(signal ? AbortSignal.any([signal, control.signal]) : control.signal)
    } finally {
      if (waiting.get(id) === control) waiting.delete(id)
    }
  }
}

const messageIn = (body: unknown): JsonObject => {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
  return isJsonObject(message) ? message : {}
}

/** To leave, or to call something off: nobody signs in for that, or is kept at it. */
const isCourtesy = (method: string, message: JsonObject): boolean =>
  method === 'DELETE' ||
  (typeof message['method'] === 'string' && message['id'] === undefined && message['method'] !== 'notifications/initialized')

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
