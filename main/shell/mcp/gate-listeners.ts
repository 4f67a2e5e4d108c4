// Subscriptions of agents of the newer era. The SDK answers `subscriptions/listen` itself and keeps its addresses, so they are read on their
// way in: the servers behind the gate have to be subscribed to as well.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { asObject } from './gate-names.ts'

/** Milliseconds for which the answer to a listener waits until its servers are subscribed to. */
const SUBSCRIBED_WITHIN_MS = 5000

/** Subscribes while somebody listens. `set`: at the server behind the gate; what it refuses is told by nobody, as the protocol has no word for it. */
export function watchListeners(inner: Transport, set: (uri: string, on: boolean) => Promise<void>): Transport {
  const listeners = new Map<string, readonly string[]>()
  const isWanted = (uri: string): boolean => [...listeners.values()].some((uris) => uris.includes(uri))

  async function see(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) return
    const params = asObject(message.params)
    if (message.method === 'subscriptions/listen' && 'id' in message) {
      const asked = asObject(params['notifications'])['resourceSubscriptions']
      const uris = Array.isArray(asked) ? asked.filter((uri) => typeof uri === 'string') : []
      const fresh = uris.filter((uri) => !isWanted(uri))
      listeners.set(JSON.stringify(message.id), uris)
      const late = new Promise<void>((resolve) => setTimeout(resolve, SUBSCRIBED_WITHIN_MS).unref())
      await Promise.race([late, Promise.allSettled(fresh.map((uri) => set(uri, true)))])
    }
    if (message.method !== 'notifications/cancelled') return
    const key = JSON.stringify(params['requestId'])
    const uris = listeners.get(key) ?? []
    listeners.delete(key)
    for (const uri of uris) if (!isWanted(uri)) set(uri, false).catch(() => undefined) // It is gone with its server.
  }

  const outer: Transport = {
    async start() {
      inner.onmessage = (message, extra) => {
        // All others pass at once, in their order.
        if ('method' in message && message.method === 'subscriptions/listen')
          void see(message).then(() => outer.onmessage?.(message, extra))
        else {
          void see(message)
          outer.onmessage?.(message, extra)
        }
      }
      inner.onclose = () => outer.onclose?.()
      inner.onerror = (error) => outer.onerror?.(error)
      await inner.start()
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  }
  return outer
}
