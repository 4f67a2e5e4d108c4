// An HTTP server written from the specification, without any SDK, that keeps what was asked of it: each test says how it
// answers, and reads back what both sides saw.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import type { JsonObject } from '#app/json.ts'

export interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: JsonObject
}

export interface Seen {
  readonly verb: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Of a POST. */
  readonly message: Message
  /** Milliseconds, from any beginning. */
  readonly at: number
}

export interface RawHttp {
  readonly url: string
  readonly seen: readonly Seen[]
  /** `POST tools/list`, `GET /mcp`, … in the order they came. */
  verbs(): string[]
  /** Ends every connection that is open; resolves when the other side has seen it. New ones are taken. */
  cut(): Promise<void>
  close(): Promise<void>
}

/** Answers, or returns false: then it is 405. */
export type Answer = (seen: Seen, response: ServerResponse) => boolean | undefined

export async function rawHttp(answer: Answer, tls?: { readonly cert: string; readonly key: string }): Promise<RawHttp> {
  const seen: Seen[] = []
  const take: RequestListener = (request, response) => {
    void readText(request).then((body) => {
      const message = (body === '' ? {} : JSON.parse(body)) as Message
      const one = { verb: request.method ?? '', path: request.url ?? '', headers: request.headers, message, at: performance.now() }
      seen.push(one)
      if (answer(one, response) === false) response.writeHead(405).end()
    })
  }
  const server = tls ? createSecureServer(tls, take) : createServer(take)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    verbs: () => seen.map(({ verb, path, message }) => `${verb} ${message.method ?? path}`),
    async cut() {
      await Promise.all([...sockets].map((socket) => once(socket.end(), 'close')))
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const result = (message: Message, value: JsonObject): JsonObject => ({ jsonrpc: '2.0', id: message.id ?? null, result: value })
export const error = (message: Message, value: JsonObject): JsonObject => ({ jsonrpc: '2.0', id: message.id ?? null, error: value })

export const json = (response: ServerResponse, body: unknown, headers: Record<string, string> = {}, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const stream = (response: ServerResponse, headers: Record<string, string> = {}): ServerResponse => {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).flushHeaders()
  return response
}

const tools = ['echo', 'other'].map((name) => ({ name, inputSchema: { type: 'object' } }))

/** What a server of an older revision answers to everything but a call. Undefined: that was not it. */
export function handshake(message: Message, protocolVersion: string): JsonObject | undefined {
  if (message.method === 'initialize')
    return result(message, { protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo: { name: 'raw', version: '1' } })
  if (message.method === 'tools/list') return result(message, { tools })
  if (message.method === 'resources/list') return result(message, { resources: [{ uri: 'raw://one', name: 'one' }] })
  if (message.method === 'resources/templates/list') return result(message, { resourceTemplates: [] })
  if (message.method === 'server/discover') return error(message, { code: -32601, message: 'Method not found' })
  return undefined
}

export const called = (message: Message, text: string): JsonObject => result(message, { content: [{ type: 'text', text }] })
