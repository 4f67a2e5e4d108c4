// Connections that have not shown the cookie yet, or upgraded without a hello so far. Only so many are kept: one more, and the oldest goes, so that whoever
// piles up idle connections cannot keep the person out.
import type { Socket } from 'node:net'

export const MOST_STRANGERS = 64

export interface Strangers {
  add(socket: Socket): void
  /** It has shown the cookie or, as the link, the key. */
  vouch(socket: Socket): void
  readonly count: number
}

export function createStrangers(): Strangers {
  const sockets = new Set<Socket>()
  return {
    add(socket) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      if (sockets.size <= MOST_STRANGERS) return
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
