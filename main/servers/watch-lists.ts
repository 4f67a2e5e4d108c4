// Hears that a server's lists have changed. In the older eras it says so by itself; in the newer one it wants to be
// listened to, and a stream that it ends is opened again.
import type { Connection } from './connection.ts'

const notifications = [
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
] as const

/** Tries to listen again after a stream that ended; a server that ends them all is left alone. */
const maxListens = 5

export function watchLists(connection: Connection, signal: AbortSignal, onChanged: () => void): void {
  const { client, session, capabilities } = connection
  for (const method of notifications) client.setNotificationHandler(method, onChanged)
  const wanted = {
    ...(capabilities.tools?.listChanged ? { toolsListChanged: true } : {}),
    ...(capabilities.resources?.listChanged ? { resourcesListChanged: true } : {}),
    ...(capabilities.prompts?.listChanged ? { promptsListChanged: true } : {}),
  }
  if (session.era !== 'modern' || Object.keys(wanted).length === 0) return
  const listen = async (): Promise<void> => {
    for (let listens = 0; listens < maxListens && !signal.aborted; listens += 1) {
      const subscription = await client.listen(wanted, { signal })
      if (listens > 0) onChanged()
      if ((await subscription.closed) !== 'remote') return
    }
  }
  // A server that offers list changes but does not let itself be listened to has lists that are fetched at each start.
  listen().catch(() => undefined)
}
