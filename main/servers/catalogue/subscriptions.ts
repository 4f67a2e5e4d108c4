// The resources of one server that somebody wants to hear of: `resources/subscribe` in the older eras, a filter of
// `subscriptions/listen` in the newer. They outlive a connection and are asked for again on the next; who stops the
// server drops them. However often a server tells of one, a page hears of it a few times a second at most.
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { Connection } from '../connection/connection.ts'
import { notOffered } from '../connection/offers.ts'
import { type Filter, keepListening, type Listening } from './listen.ts'

export interface Subscriptions {
  /** In order. */
  list(): string[]
  /** A new connection: asks for all again, and listens for what else changes. */
  attach(connection: Connection, signal: AbortSignal): void
  add(connection: Connection, uri: string, signal: AbortSignal): Promise<void>
  /** `connection`: absent when the server does not run; then it is just not asked for again. */
  remove(connection: Connection | undefined, uri: string, signal: AbortSignal): Promise<void>
  /** Forgets them all. */
  drop(): void
}

/** On one server. Each costs it memory, and us a line in every `subscriptions/listen`. */
const maxSubscriptions = 200
const togetherMs = 250

export function createSubscriptions(options: {
  readonly server: string
  readonly clock: Clock
  /** What is subscribed to is not what it was. */
  readonly onChange: () => void
  /** At most every 250 ms for one of them. */
  readonly onUpdated: (uri: string) => void
  /** At each word of the server. */
  readonly onTold: (uri: string) => void
  readonly onListsChanged: (connection: Connection, signal: AbortSignal, what: 'tools' | 'resources' | 'prompts') => void
  /** Nobody knows what changed meanwhile. */
  readonly onGap: (connection: Connection, signal: AbortSignal) => void
  readonly note: (text: string) => void
}): Subscriptions {
  const { server, clock, onChange, onUpdated, onTold, onListsChanged, onGap, note } = options
  const wanted = new Set<string>()
  const updated = new Set<string>()
  let listening: { readonly connection: Connection; readonly stream: Listening } | undefined
  let waits = false

  function tell(uri: string): void {
    onTold(uri)
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
  }

  const filterOf = ({ capabilities }: Connection): Filter => ({
    ...(capabilities.tools?.listChanged ? { toolsListChanged: true } : {}),
    ...(capabilities.resources?.listChanged ? { resourcesListChanged: true } : {}),
    ...(capabilities.prompts?.listChanged ? { promptsListChanged: true } : {}),
    ...(wanted.size > 0 && capabilities.resources?.subscribe ? { resourceSubscriptions: [...wanted] } : {}),
  })

  async function ask(connection: Connection, uri: string, signal: AbortSignal): Promise<void> {
    if (connection.session.era === 'legacy') {
      await connection.request('resources/subscribe', { uri }, { signal })
      return
    }
    if (!connection.capabilities.resources?.subscribe) throw notOffered(server, 'resources/subscribe', 'not-declared')
    const honored = listening?.connection === connection ? await listening.stream.renew() : {}
    if (!honored.resourceSubscriptions?.includes(uri))
      throw new HostError('server.not-offered', t`“${server}” does not tell of changes of ${uri}.`, { data: { server, uri } })
  }

  return {
    list: () => [...wanted].sort(),
    attach(connection, signal) {
      const { client, notices, session } = connection
      for (const what of ['tools', 'resources', 'prompts'] as const)
        notices.listen(`notifications/${what}/list_changed`, () => onListsChanged(connection, signal, what))
      notices.listen('notifications/resources/updated', tell)
      if (session.era === 'modern') {
        const stream = keepListening({
          client,
          clock,
          signal,
          filter: () => filterOf(connection),
          onGap: () => onGap(connection, signal),
        })
        listening = { connection, stream }
        return
      }
      for (const uri of wanted)
        ask(connection, uri, signal).catch((error: unknown) => {
          const refused = isProtocolError(error) || (error instanceof HostError && error.code === 'server.not-offered')
          // What was lost with the connection is asked for on the next one.
          if (!refused || !wanted.delete(uri)) return
          note(t`It no longer takes a subscription to ${uri}.`)
          onChange()
        })
    },
    async add(connection, uri, signal) {
      if (wanted.has(uri)) return
      if (wanted.size >= maxSubscriptions)
        throw new HostError('server.not-offered', t`No more than ${maxSubscriptions} resources of “${server}” can be subscribed to.`, {
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
    async remove(connection, uri, signal) {
      if (!wanted.delete(uri)) return
      onChange()
      if (connection?.session.era === 'legacy') await connection.request('resources/unsubscribe', { uri }, { signal })
      else if (connection !== undefined && listening?.connection === connection) await listening.stream.renew()
    },
    drop() {
      if (wanted.size === 0) return
      wanted.clear()
      updated.clear()
      onChange()
    },
  }
}
