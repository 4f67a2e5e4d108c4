// One connection to one server: one new SDK client on one new link, from the first word to the last. A late event of an
// old one can therefore never touch a new one. What is asked of it ends at once when the link does.
import {
  Client,
  type ClientCapabilities,
  type ProtocolError,
  type RequestOptions,
  type ServerCapabilities,
} from '@modelcontextprotocol/client'
import type { HostError } from '#app/errors.ts'
import type { Json, JsonObject } from '#app/json.ts'
import type { Session } from '#app/server/state.ts'
import { answerAsks } from './asks.ts'
import { toFailure } from './failures.ts'
import type { ServerRequestHandlers } from './handlers.ts'
import type { Ending, Link } from './link.ts'
import { createRunningCalls, type RunningCalls } from './running-calls.ts'
import { createWire, rawResult, type Wire } from './wire.ts'

export const clientCapabilities: ClientCapabilities = { roots: {}, sampling: {}, elicitation: { form: { applyDefaults: true }, url: {} } }
export const clientInfo = (version: string) => ({ name: 'assent', title: 'Assent', version })

/** Our own timers decide; the SDK's must not come first, and above 2³¹ it would fire at once. */
export const never = 2 ** 31 - 1

export interface Connection {
  readonly server: string
  readonly session: Session
  readonly capabilities: ServerCapabilities
  readonly pid: number | undefined
  readonly client: Client
  readonly calls: RunningCalls
  /** Resolves when it is over, whoever ended it. */
  readonly ended: Promise<Ending>
  /** What came of a request, as it came. Rejects with a HostError, or a ProtocolError that came over the wire. */
  request(
    method: string,
    params: Readonly<Record<string, Json>>,
    options: RequestOptions & { readonly signal: AbortSignal },
  ): Promise<JsonObject>
  close(): Promise<void>
}

export interface DraftConnection {
  readonly client: Client
  readonly wire: Wire
  readonly calls: RunningCalls
}

/** A client that answers what its server asks, not yet connected. */
export function draftConnection(
  server: string,
  link: Link,
  options: { readonly version: string; readonly handlers: ServerRequestHandlers; readonly negotiate: boolean },
): DraftConnection {
  const client = new Client(clientInfo(options.version), {
    capabilities: clientCapabilities,
    ...(options.negotiate ? { versionNegotiation: { mode: 'auto' as const } } : {}),
  })
  const calls = createRunningCalls()
  const over = new AbortController()
  void link.ended.then(({ error }) => over.abort(error))
  answerAsks(client, { server, handlers: options.handlers, calls, over: over.signal })
  return { client, wire: createWire(link.transport), calls }
}

/** A draft whose client has connected. */
export function establish(server: string, link: Link, { client, calls }: DraftConnection, foundBy: Session['foundBy']): Connection {
  const info = client.getServerVersion()
  const instructions = client.getInstructions()
  const session: Session = {
    era: client.getProtocolEra() ?? 'legacy',
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    foundBy,
    ...(info ? { serverInfo: { name: info.name, version: info.version, ...(info.title === undefined ? {} : { title: info.title }) } } : {}),
    ...(instructions ? { instructions } : {}),
  }
  let over: HostError | undefined
  const ended = link.ended.then((ending) => {
    over = ending.error
    return ending
  })
  return {
    server,
    session,
    capabilities: client.getServerCapabilities() ?? {},
    pid: link.pid,
    client,
    calls,
    ended,
    async request(method, params, options) {
      if (over) throw over
      const answer = client.request({ method, params: { ...params } }, rawResult, { timeout: never, ...options })
      const lost = ended.then(({ error }) => {
        throw error
      })
      const aborted = rejectOnAbort(options.signal)
      try {
        return await Promise.race([answer, lost, aborted.promise])
      } catch (error) {
        throw failureOf(server, error, over, options.signal)
      } finally {
        aborted.release()
        // The loser of the race has nobody left to tell.
        answer.catch(() => undefined)
        lost.catch(() => undefined)
      }
    },
    async close() {
      await link.close()
      await client.close().catch(() => undefined)
    },
  }
}

function failureOf(server: string, error: unknown, over: HostError | undefined, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (over) return over
  const failure: HostError | ProtocolError = toFailure(server, error)
  return failure
}

function rejectOnAbort(signal: AbortSignal): { readonly promise: Promise<never>; release(): void } {
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  aborted.promise.catch(() => undefined)
  return { promise: aborted.promise, release: () => signal.removeEventListener('abort', onAbort) }
}
