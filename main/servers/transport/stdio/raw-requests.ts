// Requests before the SDK's client takes the transport over (`server/discover`, on the process that will serve the session). Their
// responses never reach the client; other messages are held and handed over in order once the client has started.
import type { JSONRPCErrorResponse, JSONRPCMessage, JSONRPCResultResponse, RequestId, Transport } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'

export type RawResponse =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'closed' }

export interface RawTransport extends Transport {
  /** @throws {unknown} only when the process could not be started, or the reason of `signal` */
  request(
    method: string,
    params: JsonObject,
    options: { readonly timeoutMs: number; readonly clock: Clock; readonly signal?: AbortSignal },
  ): Promise<RawResponse>
  /** The server has answered this already: the client is given the same answer, and nothing is sent. */
  answered(method: string, result: JsonObject): void
}

/** Held messages beyond these are notifications that nobody will miss, or a server that is not sane. */
const maxHeld = 1000

type Answer = JSONRPCResultResponse | JSONRPCErrorResponse
const isAnswer = (message: JSONRPCMessage): message is Answer => !('method' in message)

/** `onMessage`: whatever comes, before anybody else hears of it. */
export function withRawRequests(inner: Transport, onMessage?: () => void): RawTransport {
  const waiting = new Map<string, (answer: RawResponse) => void>()
  const asked = new Set<string>()
  const answered = new Map<string, JsonObject>()
  const held: JSONRPCMessage[] = []
  let phase: 'raw' | 'releasing' | 'client' | 'closed' = 'raw'
  let overflowed = false
  let innerStart: Promise<void> | undefined

  const startInner = (): Promise<void> => {
    innerStart ??= inner.start()
    return innerStart
  }

  const release = (): void => {
    if (phase !== 'releasing') return
    const message = held.shift()
    if (message === undefined) {
      phase = 'client'
      return
    }
    setImmediate(release)
    outer.onmessage?.(message)
  }

  const outer: RawTransport = {
    async start() {
      if (phase !== 'raw') throw new HostError('server.connection-lost', t`The server closed the connection.`)
      await startInner()
      // The client finishes its own set-up in the turns after `start`; held messages come behind that.
      phase = 'releasing'
      setImmediate(release)
    },
    async send(message, options) {
      const known = 'method' in message && 'id' in message ? answered.get(message.method) : undefined
      if (known === undefined) return inner.send(message, options)
      answered.delete((message as { readonly method: string }).method)
      const answer = { jsonrpc: '2.0', id: (message as { readonly id: RequestId }).id, result: known } as const
      setImmediate(() => outer.onmessage?.(answer))
    },
    close: () => inner.close(),
    answered: (method, result) => void answered.set(method, result),
    async request(method, params, { timeoutMs, clock, signal }) {
      signal?.throwIfAborted()
      try {
        await startInner()
      } catch (error) {
        if (error instanceof HostError && error.code === 'server.connection-lost') return { kind: 'closed' }
        throw error
      }
      if (phase === 'closed') return { kind: 'closed' }
      const id = `assent-${method}-${asked.size + 1}`
      asked.add(id)
      return new Promise<RawResponse>((resolve, reject) => {
        const settle = (act: () => void): void => {
          if (!waiting.delete(id)) return
          cancelTimer()
          signal?.removeEventListener('abort', onAbort)
          act()
        }
        const onAbort = (): void => settle(() => reject(signal?.reason))
        waiting.set(id, (answer) => settle(() => resolve(answer)))
        const cancelTimer = clock.after(timeoutMs, () => settle(() => resolve({ kind: 'timeout' })))
        signal?.addEventListener('abort', onAbort)
        inner.send({ jsonrpc: '2.0', id, method, params }).catch(() => settle(() => resolve({ kind: 'closed' })))
      })
    },
  }

  inner.onmessage = (message: JSONRPCMessage) => {
    onMessage?.()
    if (isAnswer(message) && typeof message.id === 'string' && asked.has(message.id)) {
      const answer: RawResponse =
        'result' in message ? { kind: 'result', result: message.result as JsonObject } : { kind: 'error', error: message.error }
      waiting.get(message.id)?.(answer)
      return
    }
    if (phase === 'client') outer.onmessage?.(message)
    // Once the client has started, answers to it may be among them: from then on nothing is dropped.
    else if (held.length < maxHeld || phase === 'releasing') held.push(message)
    else if (!overflowed) {
      overflowed = true
      outer.onerror?.(new HostError('server.protocol', t`The server sent too much before it was ready.`))
    }
  }
  inner.onerror = (error) => outer.onerror?.(error)
  inner.onclose = () => {
    // What it still had to say goes first: a client that hears of the end drops the rest.
    if (phase === 'releasing') for (const message of held.splice(0)) outer.onmessage?.(message)
    phase = 'closed'
    for (const answer of [...waiting.values()]) answer({ kind: 'closed' })
    outer.onclose?.()
  }
  return outer
}
