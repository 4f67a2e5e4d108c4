// The `fetch` between the SDK's transports and `http-fetch.ts`. It adds the token to each request and, after a 401 or 403
// challenge, obtains another token and sends it again, a few times at most: it was not run (RFC 9110, 15.5.2 and 15.5.4).
import type { FetchLike } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { isForAccount } from '#app/server/auth-status.ts'
import { signInFailed } from './auth-errors.ts'
import type { AuthSession } from './auth-session.ts'
import type { Need, Obtained } from './obtain-token.ts'
import { addsScopes } from './scopes.ts'
import { classifyAnswer, type Demand } from './www-authenticate.ts'

/** Sign-ins for one request, and nonce retries. */
const maxRounds = 3

interface AuthorizedFetchOptions {
  readonly server: string
  readonly url: string
  readonly session: AuthSession
  readonly fetch: FetchLike
  readonly onFailed?: (error: unknown) => void
}

export function authorizedFetch({ server, url: home, session, fetch, onFailed }: AuthorizedFetchOptions): FetchLike {
  const { origin } = new URL(home)
  /** Requests that wait for a sign-in, by JSON-RPC id. A cancelled one was never sent. */
  const waiting = new Map<unknown, AbortController>()
  return async (target, init) => {
    const url = String(target)
    // Tokens are sent to the server's own origin only (MCP, "Token Handling").
    if (new URL(url).origin !== origin) return fetch(target, init)
    const method = (init?.method ?? 'GET').toUpperCase()
    const message = method === 'POST' ? messageIn(init?.body) : {}
    const cancelled =
      message['method'] === 'notifications/cancelled' && isJsonObject(message['params']) ? message['params']['requestId'] : undefined
    const called = cancelled === undefined ? undefined : waiting.get(cancelled)
    if (called) {
      called.abort(new HostError('cancelled', t`It was cancelled.`))
      return new Response(null, { status: 202 })
    }
    const signal = init?.signal ?? undefined
    const round = createRounds(server)
    const { account } = session
    for (;;) {
      const { token, headers } = await session.present({ method, url }, signal)
      if (token !== undefined && account && isInTheNameOf(message) && !isForAccount(account, session.account)) throw accountChanged(server)
      const sent = new Headers(init?.headers)
      for (const [name, value] of Object.entries(headers)) sent.set(name, value)
      const response = await fetch(target, { ...init, headers: sent })
      session.saw(response, url)
      const demand = classifyAnswer(response)
      if (demand === undefined || needsNoSignIn(method, message)) return response
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

/** Requests that were approved, or read something, as one account: no other may send them. */
const isInTheNameOf = ({ method, id }: JsonObject): boolean =>
  id !== undefined && typeof method === 'string' && !/^(?:initialize|ping|server\/discover|.*\/list)$/.test(method)

const accountChanged = (server: string): HostError =>
  new HostError('consent.gone', t`The account of “${server}” has changed. Call it again.`, { data: { server } })

/** Requests that nobody signs in for: ending a session, and notifications other than `initialized`. */
const needsNoSignIn = (method: string, message: JsonObject): boolean =>
  method === 'DELETE' ||
  (typeof message['method'] === 'string' && message['id'] === undefined && message['method'] !== 'notifications/initialized')

function createRounds(server: string) {
  let rounds = 0
  let nonces = 0
  let last: Obtained | undefined
  return {
    /** Returns what to obtain before the retry, if anything. @throws {HostError} `server.sign-in-failed` when another retry would be refused too */
    next(demand: Demand, token: string | undefined): Need | undefined {
      if (demand.kind === 'nonce') {
        nonces += 1
        if (nonces > maxRounds) throw signInFailed(server, 'too-many-rounds')
        return undefined
      }
      const { challenge } = demand
      const fresh = last !== undefined && token === last.value.accessToken ? last : undefined
      if (demand.kind === 'sign-in' && fresh?.how === 'sign-in') throw signInFailed(server, 'token-refused')
      // MCP, "Scope Challenge Handling": the same scopes would be refused again.
      if (demand.kind === 'more-scopes' && fresh?.how === 'sign-in' && !addsScopes(challenge, fresh.asked))
        throw signInFailed(server, 'scope-refused', { scopes: [...challenge.scopes] })
      rounds += 1
      if (rounds > maxRounds) throw signInFailed(server, 'too-many-rounds')
      return demand.kind === 'sign-in'
        ? { kind: 'unauthorized', challenge, mayRefresh: fresh === undefined }
        : { kind: 'scopes', challenge, kept: last?.asked ?? [] }
    },
    got(obtained: Obtained): void {
      last = obtained
    },
  }
}
