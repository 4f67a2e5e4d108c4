// Connections that have not shown the cookie yet, or upgraded without a hello so far. Only so many are kept: one more, and the oldest goes, so that whoever
// piles up idle connections cannot keep the person out.
import type { Socket } from 'node:net'

export const MOST_UNAUTHENTICATED = 64

interface UnauthenticatedConnections {
  add(socket: Socket): void
  /** It has shown the cookie or, as the link, the key. */
  vouch(socket: Socket): void
  readonly count: number
}

export function createUnauthenticatedConnections(): UnauthenticatedConnections {
  const sockets = new Set<Socket>()
  return {
    add(socket) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      if (sockets.size <= MOST_UNAUTHENTICATED) return
      const oldest = sockets.values().next().value
      if (oldest) {
        sockets.delete(oldest)
        oldest.destroy()
      }
    },
    vouch: (socket) => void sockets.delete(socket),
    get count() {
      return sockets.size
    },
  }
}
