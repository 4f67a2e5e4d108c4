// Subscriptions to resources of one server: `resources/subscribe` in the older eras, a filter of `subscriptions/listen` in the newer.
// They outlive a connection and are renewed on the next; stopping the server drops them.

import type { Client } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError, protocolErrorCodes } from '#main/base/protocol-error.ts'
import { createWorkQueue } from '#main/base/work-queue.ts'
import type { Connection } from '../connection/connection.ts'
import { notOffered } from '../requests/capability-check.ts'

export type Filter = Parameters<Client['listen']>[0]

const shortestRestMs = 1000
const longestRestMs = 60_000
const agreedMs = 30_000
const calmMs = 30_000

export const nextRest = (rest: number, stoodMs: number): number =>
  stoodMs >= calmMs || rest === 0 ? shortestRestMs : Math.min(2 * rest, longestRestMs)

const isEmpty = (filter: Filter): boolean =>
  !filter.toolsListChanged && !filter.promptsListChanged && !filter.resourcesListChanged && !filter.resourceSubscriptions?.length

/**
 * Holds one `subscriptions/listen` (2026-07-28) open. A stream that the server ends is opened again, without end but ever slower, until
 * one has stood for a while. When other things are wanted, the new stream stands before the old one is left: nothing is missed between.
 */
export function keepListening(options: {
  readonly client: Pick<Client, 'listen'>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly filter: () => Filter
  /** Told when the stream is open again; changes meanwhile were told by nobody. */
  readonly onGap: () => void
}) {
  const { client, clock, signal, filter, onGap } = options
  type Stream = Awaited<ReturnType<Client['listen']>>
  let current: Stream | undefined
  const inTurn = createWorkQueue()
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

  /** Renews the subscription because other URIs are wanted. Resolves with what the server agreed to. @throws {ProtocolError} when it would not */
  const renew = (): Promise<Filter> =>
    inTurn(() => {
      signal.throwIfAborted()
      return open()
    })

  signal.addEventListener('abort', () => cancelWait?.(), { once: true })
  renew().catch(() => undefined) // It tries again by itself.
  return { renew }
}

/** Subscriptions on one server. Each costs it memory, and us a line in every `subscriptions/listen`. */
const maxSubscriptions = 200
const togetherMs = 250

export function createSubscriptions(options: {
  readonly server: string
  readonly clock: Clock
  readonly onChange: () => void
  /** Told of updates, at most every 250 ms for one resource. */
  readonly onUpdated: (uri: string) => void
  readonly onTold: (uri: string) => void
  readonly onListsChanged: (connection: Connection, signal: AbortSignal, what: 'tools' | 'resources' | 'prompts') => void
  readonly onGap: (connection: Connection, signal: AbortSignal) => void
  readonly note: (text: string) => void
}) {
  const { server, clock, onChange, onUpdated, onTold, onListsChanged, onGap, note } = options
  const wanted = new Set<string>()
  const updates = createUpdates(clock, wanted, onUpdated)
  let listening: { readonly connection: Connection; readonly stream: ReturnType<typeof keepListening> } | undefined

  function tell(uri: string): void {
    onTold(uri)
    updates.add(uri)
  }

  async function ask(connection: Connection, uri: string, signal: AbortSignal): Promise<void> {
    if (connection.session.era === 'legacy') return void (await connection.request('resources/subscribe', { uri }, { signal }))
    if (!connection.capabilities.resources?.subscribe) throw notOffered(server, 'resources/subscribe', 'not-declared')
    const honored = listening?.connection === connection ? await listening.stream.renew() : {}
    if (!honored.resourceSubscriptions?.includes(uri))
      throw new HostError('server.not-offered', t`“${server}” cannot be subscribed to ${uri}.`, { data: { server, uri } })
  }

  return {
    list: (): string[] => [...wanted].sort(),
    attach(connection: Connection, signal: AbortSignal): void {
      const { client, notifications, session } = connection
      for (const what of ['tools', 'resources', 'prompts'] as const)
        notifications.listen(`notifications/${what}/list_changed`, () => onListsChanged(connection, signal, what))
      notifications.listen('notifications/resources/updated', tell)
      if (session.era === 'modern') {
        const filter = (): Filter => filterOf(connection, wanted)
        listening = { connection, stream: keepListening({ client, clock, signal, filter, onGap: () => onGap(connection, signal) }) }
        return
      }
      for (const uri of wanted)
        ask(connection, uri, signal).catch((error: unknown) => {
          const refused = isProtocolError(error) || (error instanceof HostError && error.code === 'server.not-offered')
          // What was lost with the connection is asked for on the next one.
          if (!refused || !wanted.delete(uri)) return
          note(t`The subscription to ${uri} ended.`)
          onChange()
        })
    },
    async add(connection: Connection, uri: string, signal: AbortSignal): Promise<void> {
      if (wanted.has(uri)) return
      if (wanted.size >= maxSubscriptions)
        throw new HostError('server.not-offered', t`“${server}” has ${maxSubscriptions} subscriptions, the most.`, {
          data: { server, limit: maxSubscriptions },
        })
      wanted.add(uri)
      try {
        await ask(connection, uri, signal)
      } catch (error) {
        wanted.delete(uri)
        throw error
      }
      onChange()
    },
    /** `connection`: absent when the server does not run; then it is just not asked for again. */
    async remove(connection: Connection | undefined, uri: string, signal: AbortSignal): Promise<void> {
      if (!wanted.delete(uri)) return
      onChange()
      if (connection?.session.era === 'legacy') await connection.request('resources/unsubscribe', { uri }, { signal })
      else if (connection !== undefined && listening?.connection === connection) await listening.stream.renew()
    },
    drop(): void {
      if (wanted.size === 0) return
      wanted.clear()
      updates.clear()
      onChange()
    },
  }
}

function createUpdates(clock: Clock, wanted: ReadonlySet<string>, onUpdated: (uri: string) => void) {
  const updated = new Set<string>()
  let waits = false
  return {
    add(uri: string): void {
      // It may tell of a part of what was subscribed to.
      const about = wanted.has(uri) ? uri : [...wanted].find((one) => uri.startsWith(one))
      if (about === undefined) return
      updated.add(about)
      if (waits) return
      waits = true
      clock.after(togetherMs, () => {
        waits = false
        const uris = [...updated].filter((one) => wanted.has(one))
        updated.clear()
        for (const one of uris) onUpdated(one)
      })
    },
    clear: (): void => updated.clear(),
  }
}

const filterOf = ({ capabilities }: Connection, wanted: ReadonlySet<string>): Filter => ({
  ...(capabilities.tools?.listChanged ? { toolsListChanged: true } : {}),
  ...(capabilities.resources?.listChanged ? { resourcesListChanged: true } : {}),
  ...(capabilities.prompts?.listChanged ? { promptsListChanged: true } : {}),
  ...(wanted.size > 0 && capabilities.resources?.subscribe ? { resourceSubscriptions: [...wanted] } : {}),
})
