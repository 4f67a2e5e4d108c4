import type { Socket } from 'node:net'

export const MOST_UNAUTHENTICATED = 64

/**
 * Connections that have not shown the cookie, or were upgraded and have sent no hello. Beyond a number the oldest is closed, so that
 * idle connections cannot keep the person out.
 */
export function createUnauthenticatedConnections() {
  const sockets = new Set<Socket>()
  return {
    add(socket: Socket): void {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      if (sockets.size <= MOST_UNAUTHENTICATED) return
      const oldest = sockets.values().next().value
      if (oldest) {
        sockets.delete(oldest)
        oldest.destroy()
      }
    },
    /** The connection has shown the cookie, or the key in its hello. */
    vouch: (socket: Socket): void => void sockets.delete(socket),
    get count(): number {
      return sockets.size
    },
  }
}
