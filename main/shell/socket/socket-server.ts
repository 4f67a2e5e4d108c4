// The HTTP server below every WebSocket of the host: the web shell's on 127.0.0.1, and the private socket that commands join by. Headers,
// times, frames and connections without a valid key are limited alike.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { type ClientSocketOptions, LARGEST_FRAME, serveClientSocket } from './client-socket.ts'
import { createUnauthenticatedConnections } from './unauthenticated-connections.ts'

// Imported as a module it would load Node's own fetch as well, before the page: a good sixteenth of a second.
const { createServer } = process.getBuiltinModule('node:http')

const serverLimits = {
  // Milliseconds. Long, since the time counts also while a busy machine does not run this process. Idle connections are limited in
  // number (unauthenticated-connections.ts).
  headersTimeout: 30_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384,
  // The web shell's guard judges a missing Host itself.
  requireHostHeader: false,
}

export interface SocketServerOptions {
  readonly log: Log
  readonly clock: Clock
}

export function createSocketServer({ log, clock }: SocketServerOptions) {
  const server = createServer(serverLimits)
  server.maxHeadersCount = 100
  const strangers = createUnauthenticatedConnections()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_FRAME, perMessageDeflate: false })
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    strangers.add(socket)
  })
  // Requests that are not HTTP or too large; or too slow (RFC 9110, 15.5.9): a browser sends those again that it sent on an idle connection.
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) =>
    refuseUpgrade(socket, code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400),
  )

  return {
    server,
    /** Notes that the connection has shown a secret of this run. */
    vouch: strangers.vouch,
    keep: strangers.keep,
    /** Serves a client once its hello has a key that `opens`. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, { host, opens }: Pick<ClientSocketOptions, 'host' | 'opens'>): void {
      const onWelcome = (): void => strangers.vouch(request.socket)
      sockets.handleUpgrade(request, socket, head, (opened) => serveClientSocket(opened, { host, log, clock, opens, onWelcome }))
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        // Upgraded ones too, which the HTTP server no longer counts as its own.
        for (const socket of connections) socket.destroy()
      }),
  }
}

export function refuseUpgrade(socket: Duplex, status: number): void {
  if (socket.writable) socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy())
  else socket.destroy()
}
