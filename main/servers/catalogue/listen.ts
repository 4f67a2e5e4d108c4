// One `subscriptions/listen` (2026-07-28) for all that a server is listened to for. A stream that the server ends is
// opened again, without end but ever slower, until one has stood for a while. What is wanted may change: the new stream
// stands before the old one is left, so that nothing is missed between them.
import type { Client } from '@modelcontextprotocol/client'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError, protocolErrorCodes } from '#main/base/protocol-error.ts'

export type Filter = Parameters<Client['listen']>[0]

export interface Listening {
  /** What is wanted has changed. Resolves with what the server agreed to tell of; rejects when it would not. */
  renew(): Promise<Filter>
}

const shortestRestMs = 1000
const longestRestMs = 60_000
/** A server that has not agreed by then will not. */
const agreedMs = 30_000
/** A stream that stood this long was no mistake: the next rest is short again. */
const calmMs = 30_000

export const nextRest = (rest: number, stoodMs: number): number =>
  stoodMs >= calmMs || rest === 0 ? shortestRestMs : Math.min(2 * rest, longestRestMs)

const isEmpty = (filter: Filter): boolean =>
  !filter.toolsListChanged && !filter.promptsListChanged && !filter.resourcesListChanged && !filter.resourceSubscriptions?.length

export function keepListening(options: {
  readonly client: Pick<Client, 'listen'>
  readonly clock: Clock
  /** Aborts when the connection is over. */
  readonly signal: AbortSignal
  readonly filter: () => Filter
  /** It listens again; what happened meanwhile nobody told. */
  readonly onGap: () => void
}): Listening {
  const { client, clock, signal, filter, onGap } = options
  type Stream = Awaited<ReturnType<Client['listen']>>
  let current: Stream | undefined
  let last: Promise<unknown> = Promise.resolve()
  let rest = 0
  let missed = false
  let cancelWait: (() => void) | undefined

  async function open(): Promise<Filter> {
    cancelWait?.()
    const before = current
    const wanted = filter()
    if (isEmpty(wanted)) {
      current = undefined
      await before?.close()
      return {}
    }
    try {
      const stream = await client.listen(wanted, { signal, timeout: agreedMs })
      const since = clock.now()
      current = stream
      before?.close().catch(() => undefined) // It is left either way.
      void stream.closed.then((cause) => {
        if (cause === 'local' || current !== stream) return
        current = undefined
        again(clock.now() - since)
      })
      if (missed) onGap()
      missed = false
      return stream.honoredFilter
    } catch (error) {
      // A server that offers to tell but knows no `subscriptions/listen` is left alone.
      if (current === undefined && !(isProtocolError(error) && error.code === protocolErrorCodes.methodNotFound)) again(0)
      throw error
    }
  }

  function again(stoodMs: number): void {
    if (signal.aborted) return
    missed = true
    rest = nextRest(rest, stoodMs)
    cancelWait?.()
    cancelWait = clock.after(rest, () => void renew().catch(() => undefined)) // It tries again by itself.
  }

  function renew(): Promise<Filter> {
    const turn = last.then(() => {
      signal.throwIfAborted()
      return open()
    })
    last = turn.catch(() => undefined)
    return turn
  }

  signal.addEventListener('abort', () => cancelWait?.(), { once: true })
  renew().catch(() => undefined) // It tries again by itself.
  return { renew }
}
