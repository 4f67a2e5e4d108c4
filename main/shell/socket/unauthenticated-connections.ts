import type { Socket } from 'node:net'

export const MOST_UNAUTHENTICATED = 64

/**
 * Connections that have not shown the cookie, or were upgraded and have sent no hello. Beyond a number the oldest idle
 * one is closed, so that idle connections cannot keep the person out.
 */
export function createUnauthenticatedConnections() {
  const sockets = new Set<Socket>()
  const vouched = new WeakSet<Socket>()
  function put(socket: Socket): void {
    sockets.add(socket)
    if (sockets.size <= MOST_UNAUTHENTICATED) return
    const oldest = sockets.values().next().value
    if (oldest) {
      sockets.delete(oldest)
      oldest.destroy()
    }
  }
  return {
    add(socket: Socket): void {
      socket.once('close', () => sockets.delete(socket))
      put(socket)
    },
    /** Keeps a connection until `work` for its request is done, however many idle ones come meanwhile. Returns what `work` gives. */
    async keep<T>(socket: Socket, work: Promise<T>): Promise<T> {
      sockets.delete(socket)
      try {
        return await work
      } finally {
        if (!vouched.has(socket) && !socket.destroyed) put(socket)
      }
    },
    /** The connection has shown the cookie, or the key in its hello. */
    vouch(socket: Socket): void {
      vouched.add(socket)
      sockets.delete(socket)
    },
    get count(): number {
      return sockets.size
    },
  }
}
