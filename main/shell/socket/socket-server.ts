// The HTTP server below every listener of the host: the web shell's and that of agents on 127.0.0.1, and the private socket that commands
// join by. Headers, times, frames and connections without a valid key are limited alike.
import type { IncomingMessage, Server } from 'node:http'
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { HostEvent } from '#app/contract/events.ts'
import { type HelloFrame, type HostFrame, helloFrame, refusedHello, requestFrame } from '#app/contract/host-connection.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Host } from '#main/host.ts'

// Imported as a module it would load Node's own fetch as well, before the page: a good sixteenth of a second.
const { createServer } = process.getBuiltinModule('node:http')

const serverLimits = {
  // Milliseconds. Long, since the time counts also while a busy machine does not run this process. Idle connections are limited in
  // number (`createUnauthenticatedConnections`).
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

/**
 * Listens on 127.0.0.1, and at the same port of `::1`: browsers try that first for a name under `localhost`, and another account's program
 * must not answer there. `isSafe`: nobody does.
 */
export async function listenOnLoopback(server: Server, wanted: number) {
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const [code, message] =
        cause.code === 'EADDRINUSE'
          ? (['port.in-use', t`Port ${wanted} is taken by another program.`] as const)
          : (['platform.unavailable', t`Assent cannot listen on 127.0.0.1, port ${wanted}.`] as const)
      reject(new HostError(code, message, { data: { port: wanted }, cause }))
    })
    server.listen({ host: '127.0.0.1', port: wanted, exclusive: true }, () => {
      server.removeAllListeners('error')
      resolve((server.address() as AddressInfo).port)
    })
  })
  const beside = createPlainServer((socket) => server.emit('connection', socket))
  const isSafe = await new Promise<boolean>((resolve) => {
    // Without IPv6 nobody can listen there.
    beside.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'))
    beside.listen({ host: '::1', port, exclusive: true }, () => resolve(true))
  })
  return { port, isSafe, close: () => void beside.close() }
}

export function refuseUpgrade(socket: Duplex, status: number): void {
  if (socket.writable) socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy())
  else socket.destroy()
}

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

// The WebSocket of one client, a page or a joined command: a hello with its key first, then request frames in, responses and events out.
// Before a valid hello nothing is answered or sent, and there is one try. A client that does not read its events is disconnected before they
// fill the memory; a page connects again with a snapshot. A frame that does not parse closes the socket.
/** The longest text in the contract is 2,000,000 characters, which JSON may write as six bytes each. */
const LARGEST_FRAME = 16_000_000
const MOST_UNSENT_EVENT_BYTES = 8_000_000
const MOST_OPEN_REQUESTS = 256
/** Timeout of the hello, which a page sends as soon as its socket is open. */
const HELLO_WITHIN_MS = 5000

interface ClientSocketOptions {
  /** Host, which may still load; requests wait for it. */
  readonly host: () => Promise<Pick<Host, 'request' | 'onEvent'>>
  readonly log: Log
  readonly clock: Clock
  /** Whether the key of a hello lets its client in. */
  readonly opens: (key: string) => boolean | Promise<boolean>
  readonly onWelcome: () => void
}

/** `greeted`: its key is looked up. `refused`: closing; frames that still arrive are ignored. */
type Standing = 'stranger' | 'greeted' | 'welcome' | 'refused'

function serveClientSocket(socket: WebSocket, { host, log, clock, opens, onWelcome }: ClientSocketOptions): void {
  let standing: Standing = 'stranger'
  let openRequests = 0
  let unsentEventBytes = 0
  let stopEvents = (): void => {}

  const send = (frame: HostFrame, onSent?: () => void): number => {
    if (socket.readyState !== socket.OPEN) return 0
    const text = JSON.stringify(frame)
    socket.send(text, onSent)
    return text.length
  }

  const tell = (event: HostEvent): void => {
    if (unsentEventBytes > MOST_UNSENT_EVENT_BYTES) {
      log.warn('A client did not keep up and was disconnected.')
      stopEvents()
      socket.terminate()
      return
    }
    const bytes = send({ kind: 'event', event }, () => {
      unsentEventBytes -= bytes
    })
    unsentEventBytes += bytes
  }

  function refuse(code: number, reason: string): void {
    standing = 'refused'
    stopEvents()
    socket.close(code, reason)
  }

  const stopWaiting = clock.after(HELLO_WITHIN_MS, () => refuse(1008, 'no hello in time'))

  function greet(hello: HelloFrame | undefined): void {
    stopWaiting()
    const isOpen = hello !== undefined && opens(hello.key)
    if (typeof isOpen === 'boolean') {
      welcome(isOpen)
      return
    }
    standing = 'greeted'
    isOpen.then(welcome, () => refuse(1011, 'the host did not start'))
  }

  function welcome(isOpen: boolean): void {
    if (standing === 'refused') return
    if (!isOpen) {
      refuse(refusedHello.code, refusedHello.reason)
      return
    }
    standing = 'welcome'
    onWelcome()
    host().then(
      ({ onEvent }) => {
        if (standing !== 'welcome' || socket.readyState !== socket.OPEN) return
        send({ kind: 'welcome' })
        stopEvents = onEvent(tell)
      },
      () => refuse(1011, 'the host did not start'),
    )
  }

  async function answer(id: number, name: string, params: unknown): Promise<void> {
    openRequests += 1
    try {
      send({ kind: 'response', id, result: await (await host()).request(name, params) })
    } catch (error) {
      const value = toErrorValue(error)
      if (value.code === 'internal') log.error(`${name} failed`, error)
      send({ kind: 'failure', id, error: value })
    } finally {
      openRequests -= 1
    }
  }

  socket.on('message', (data, isBinary) => {
    if (standing === 'refused') return
    const text = isBinary ? '' : String(data)
    if (standing === 'stranger') return greet(parse(helloFrame, text))
    if (standing === 'greeted') return refuse(1008, 'not a frame of this host')
    const frame = parse(requestFrame, text)
    if (!frame) return refuse(1008, 'not a frame of this host')
    if (openRequests >= MOST_OPEN_REQUESTS) return refuse(1008, 'too many requests at once')
    void answer(frame.id, frame.name, frame.params)
  })
  socket.on('close', () => {
    stopWaiting()
    stopEvents()
  })
  // `ws` closes the socket itself after a broken frame or one over the limit.
  socket.on('error', (error) => log.debug(`A client's socket failed: ${error.message}`))
}

/** Undefined: not JSON, or not this frame. */
const parse = <Frame>(schema: { parse(value: unknown): Frame }, text: string): Frame | undefined =>
  orElse(() => schema.parse(JSON.parse(text)), undefined)
