import type { HostConnection } from '#app/contract/host-connection.ts'
import type { createConnectionStore } from '#renderer/stores/connection-store.ts'

/** Tells the host, once, that the person sees the page, and then `onShown`. A page in the background paints nothing: the host does not wait long. */
export function tellShown(link: HostConnection, connection: ReturnType<typeof createConnectionStore>, onShown: () => void): void {
  const stop = connection.subscribe(({ about }) => {
    if (about === undefined) return
    stop()
    // After the frame in which it is first painted.
    requestAnimationFrame(() =>
      setTimeout(() => {
        link.request('app.shown', {}).catch(() => undefined) // Nobody waits for it.
        onShown()
      }),
    )
  })
}
