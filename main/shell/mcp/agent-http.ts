// The gate over Streamable HTTP on 127.0.0.1: the SDK's transports, behind checks of the peer's account, Host, Origin and the token of each
// request. The older era has sessions, each a connection of its own; in the newer one requests of the same token and the same claims share one.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Json } from '#app/json.ts'
import { orElse } from '#app/or-else.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { createPeerGuard, type PeerGuardOptions } from '#main/base/peer-account.ts'
import type { Host } from '#main/host.ts'
import { headerMismatchCode, mirrorMismatch } from '#main/servers/transport/http/mirrored-headers.ts'
import { modernVersion } from '#main/servers/transport/protocol-versions.ts'
import { createSocketServer, listenOnLoopback } from '#main/shell/socket/socket-server.ts'
import { type AgentHttpRequest, judgeAgentRequest } from '../web/request-guard.ts'
import { type AgentHost, createGateConnection, type GateLink } from './gate-calls.ts'
import { asObject, claimsOf, requestIds } from './gate-names.ts'
import { createGateServer } from './gate-server.ts'
import { createIntroducer } from './serve-agent.ts'

const PATH = '/mcp'
const MOST_SOCKETS = 256
/** Requests of one entry at once, streams among them. */
const MOST_OPEN = 96
/** Streams of the newer era that one connection listens on. */
const MOST_LISTENING = 8
/** New connections of one entry in a minute. */
const MOST_STARTS = 300
const MOST_SUBSCRIBED = 200
const LARGEST_BODY = 4 * 1024 * 1024
/** Bytes that an agent has not read yet, beyond which it is disconnected. */
const MOST_UNSENT = 8_000_000
/** Milliseconds after which a connection without a request or stream is closed: longer than an agent may take to answer a form. */
const IDLE_MS = 15 * 60_000
/** Milliseconds between comments on a silent stream: clients end one after minutes. */
const KEEP_ALIVE_MS = 15_000

interface AgentHttpOptions {
  readonly host: Pick<Host, 'openAgent' | 'agentEntry'>
  readonly port: number
  readonly version: string
  readonly log: Log
  readonly clock: Clock
  readonly onOther: PeerGuardOptions['onOther']
  readonly lookUpPeer?: PeerGuardOptions['lookUp']
}

/** A connection of an agent to the host, which its requests use. */
interface Line {
  readonly entry: string
  readonly fetch: (request: Request, parsedBody: unknown) => Promise<Response>
  /** Ends a request whose answer nobody can get any more. */
  readonly abandon: (parsedBody: unknown) => void
  readonly close: () => void
  /** Ids of a session's requests without an answer; absent: each request has a transport of its own. */
  readonly ids?: Set<string | number>
  open: number
  lastUsed: number
  stopIdle: () => void
}

interface Asked {
  readonly request: Request
  /** Undefined: none, or not JSON. */
  readonly body: unknown
  readonly token: string
  readonly entry: string
}

/** @throws {HostError} `port.in-use` or `platform.unavailable`. */
export async function listenForAgents(options: AgentHttpOptions) {
  const { host, log, clock, onOther, lookUpPeer } = options
  const { server, vouch, keep, close } = createSocketServer({ log, clock })
  server.maxConnections = MOST_SOCKETS
  const mayEnter = createPeerGuard({
    onOther(uid) {
      log.warn(`A program of another account (${uid === null ? 'unknown' : `uid ${uid}`}) came to the port for agents and was refused`)
      onOther(uid)
    },
    onUnknown: () => log.info('The system does not tell which account an agent’s connection comes from: its token decides'),
    ...(lookUpPeer ? { lookUp: lookUpPeer } : {}),
  })
  const { port, close: closeBeside } = await listenOnLoopback(server, options.port)
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`)
  const lines = createLines(options)
  const open = new Map<string, number>()

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!(await keep(incoming.socket, mayEnter(incoming.socket)))) return refuse(response, 403, 'Another account')
    const verdict = judgeAgentRequest(incoming as AgentHttpRequest, hosts, PATH)
    if (verdict.kind === 'refuse') return refuse(response, verdict.status, `Refused: ${verdict.why}`)
    const { token } = verdict
    const entry = host.agentEntry(token)
    if (entry === undefined) return refuse(response, 401, 'Authorization: Bearer with the token of an agent in Assent is required')
    vouch(incoming.socket)
    const count = open.get(entry) ?? 0
    if (count >= MOST_OPEN) return refuse(response, 429, 'Too many requests at once')
    open.set(entry, count + 1)
    const gone = new AbortController()
    response.once('close', () => {
      open.set(entry, (open.get(entry) ?? 1) - 1)
      gone.abort()
    })
    const bytes = incoming.method === 'POST' ? await readBody(incoming) : undefined
    if (bytes === 'too-large') return refuse(response, 413, `The body is larger than ${LARGEST_BODY} bytes`)
    const request = new Request(`http://127.0.0.1:${port}${PATH}`, {
      method: incoming.method ?? 'GET',
      headers: Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
        (values ?? []).map((value): [string, string] => [name, value]),
      ),
      signal: gone.signal,
      ...(bytes ? { body: bytes } : {}),
    })
    const body: unknown = bytes ? orElse(() => JSON.parse(bytes.toString('utf8')), undefined) : undefined
    const line = await lines.of({ request, body, token, entry })
    if ('status' in line) return refuse(response, line.status, line.message)
    const done = lines.use(line, body)
    if (!done) return refuse(response, 400, 'Another request with this id has no answer yet')
    response.once('close', () => {
      if (!response.writableFinished) line.abandon(body)
      done()
    })
    await send(response, await line.fetch(request, body))
  }
  server.on('request', (incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      log.error('A request of an agent could not be answered', error)
      refuse(response, 500, 'Internal error')
    })
  })
  server.on('error', (error) => log.error('The port for agents failed', error))
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    close(): Promise<void> {
      lines.close()
      closeBeside()
      return close()
    },
  }
}

type Refused = { readonly status: 400 | 404 | 503; readonly message: string }

function createLines(options: AgentHttpOptions) {
  const { clock } = options
  const all = new Set<Line>()
  const connect = createConnector(options, all)
  const sessions = createSessions(options, connect)
  const shared = createSharedLines(options, connect)
  return {
    /** Connection that a request belongs to. A session of another entry is, to this one, not there. */
    async of(asked: Asked): Promise<Line | Refused> {
      const { request, body, entry } = asked
      const tooMany: Refused = { status: 503, message: 'This agent has too many connections' }
      if (!(await isLegacyRequest(request, body))) return (await shared(asked)) ?? tooMany
      const id = request.headers.get('mcp-session-id')
      const known = id === null ? undefined : sessions.find(id)
      if (known?.entry === entry) return known
      if (request.method === 'POST' && body === undefined) return { status: 400, message: 'Parse error: the body is not valid JSON' }
      // A client that goes on after a restart begins anew, with its old session's id or without.
      if (request.method === 'POST' && isInitializeRequest(body)) return (await sessions.start(asked)) ?? tooMany
      return id === null ? { status: 400, message: 'Mcp-Session-Id is required' } : { status: 404, message: 'Session not found' }
    },
    /** Notes that a request uses the connection; returns its end. Undefined: its session has another one of its id, for whose answer it would get. */
    use(line: Line, body: unknown): (() => void) | undefined {
      const ids = line.ids ? requestIds(body) : []
      if (ids.some((id) => line.ids?.has(id))) return undefined
      for (const id of ids) line.ids?.add(id)
      line.open += 1
      line.stopIdle()
      return () => {
        for (const id of ids) line.ids?.delete(id)
        line.open -= 1
        line.lastUsed = clock.now()
        if (line.open === 0 && all.has(line)) line.stopIdle = clock.after(IDLE_MS, line.close)
      }
    },
    close(): void {
      for (const line of [...all]) line.close()
    },
  }
}

/** Opens connections to the host. Where an entry has too many, the one that was idle longest is closed. */
function createConnector({ host, clock }: AgentHttpOptions, all: Set<Line>) {
  const starts = new Map<string, number[]>()
  function evict(entry: string): void {
    const idle = [...all].filter((line) => line.entry === entry && line.open === 0)
    idle.sort((a, b) => a.lastUsed - b.lastUsed)[0]?.close()
  }
  /** Undefined: the entry has too many. */
  return async ({ token, entry }: Asked) => {
    if (isBeyond(starts, entry, clock.now())) return undefined
    const gone = new AbortController()
    const ends: (() => void)[] = []
    const end = (): void => {
      if (gone.signal.aborted) return
      gone.abort()
      for (const one of ends) one()
    }
    const open = () => host.openAgent(token, { signal: gone.signal, transport: 'http', end })
    let link = open()
    if (!link) evict(entry)
    link ??= open()
    if (!link) return undefined
    const told: AgentHost = link
    let hello = {}
    const introduce = async (more: Record<string, unknown>): Promise<void> => {
      hello = { ...hello, ...more }
      await told.request('agent.hello', hello)
    }
    await introduce({})
    const connection = createGateConnection(told)
    ends.push(connection.stop)
    return {
      connection,
      introduce,
      end,
      /** Makes it one that requests use, until it is closed. */
      line(parts: Pick<Line, 'fetch' | 'abandon' | 'ids'>, onEnd: () => void): Line {
        const one: Line = { ...parts, entry, close: end, open: 0, lastUsed: clock.now(), stopIdle: () => undefined }
        all.add(one)
        ends.push(() => {
          one.stopIdle()
          all.delete(one)
          onEnd()
        })
        return one
      },
    }
  }
}

/** Sessions of the older era, by their id. */
function createSessions({ version }: AgentHttpOptions, connect: ReturnType<typeof createConnector>) {
  const sessions = new Map<string, Line>()
  return {
    find: (id: string): Line | undefined => sessions.get(id),
    async start(asked: Asked): Promise<Line | undefined> {
      const to = await connect(asked)
      if (!to) return undefined
      const { connection, introduce, end } = to
      const server = await createGateServer({ connection, version, era: 'legacy', onClient: createIntroducer(introduce) })
      let isOpen = true
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomBytes(32).toString('base64url'),
        onsessioninitialized: (id) => void (isOpen && sessions.set(id, line)),
        onsessionclosed: end,
        keepAliveMs: KEEP_ALIVE_MS,
        maxRequestBodySize: LARGEST_BODY,
      })
      async function fetch(request: Request, parsedBody: unknown): Promise<Response> {
        const response = await transport.handleRequest(request, { parsedBody })
        // The SDK refused the initialisation.
        if (transport.sessionId === undefined) end()
        return response
      }
      function abandon(body: unknown): void {
        for (const requestId of requestIds(body))
          transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'disconnected' } })
      }
      const line = to.line({ fetch, abandon, ids: new Set() }, () => {
        isOpen = false
        if (transport.sessionId !== undefined) sessions.delete(transport.sessionId)
        void server.close()
      })
      await server.connect(transport)
      return line
    },
  }
}

/** Connections that requests of the newer era with one token and the same claims share. */
function createSharedLines({ version, log }: AgentHttpOptions, connect: ReturnType<typeof createConnector>) {
  const shared = new Map<string, Promise<Line | undefined>>()
  async function open(key: string, asked: Asked, { claimed, can }: ReturnType<typeof claimsOf>): Promise<Line | undefined> {
    const to = await connect(asked)
    if (!to) return undefined
    const { connection, introduce } = to
    await introduce({ ...(claimed === undefined ? {} : { claimed }), can })
    const handler = createMcpHandler(() => createGateServer({ connection, version, era: 'modern', onClient: async () => undefined }), {
      legacy: 'reject',
      maxSubscriptions: MOST_LISTENING,
      keepAliveMs: KEEP_ALIVE_MS,
      maxRequestBodySize: LARGEST_BODY,
    })
    const { notify } = handler
    connection.servers.add({
      changed() {
        notify.toolsChanged()
        notify.resourcesChanged()
        notify.promptsChanged()
      },
      updated: notify.resourceUpdated,
    })
    async function fetch(request: Request, parsedBody: unknown): Promise<Response> {
      await subscribe(connection, parsedBody)
      const mismatch = await mismatchOf(connection, request, parsedBody)
      if (mismatch !== undefined) {
        const error = { code: headerMismatchCode, message: `Header mismatch: ${mismatch}` }
        return Response.json({ jsonrpc: '2.0', error, id: asObject(parsedBody)['id'] ?? null }, { status: 400 })
      }
      return handler.fetch(request, { parsedBody })
    }
    // The transport itself cancels a request whose signal is aborted.
    return to.line({ fetch, abandon: () => undefined }, () => {
      shared.delete(key)
      handler.close().catch((error: unknown) => log.debug(`An agent's streams could not be closed: ${String(error)}`))
    })
  }
  return async (asked: Asked): Promise<Line | undefined> => {
    const claims = claimsOf(asObject(asObject(asked.body)['params'])['_meta'])
    const key = JSON.stringify([asked.token, claims])
    const opening = shared.get(key) ?? open(key, asked, claims)
    shared.set(key, opening)
    const line = await opening.catch((error: unknown) => {
      shared.delete(key)
      throw error
    })
    if (!line) shared.delete(key)
    return line
  }
}

/** Notes a start, and returns whether its entry had too many in the last minute: each is written down. */
function isBeyond(starts: Map<string, number[]>, entry: string, now: number): boolean {
  const times = (starts.get(entry) ?? []).filter((time) => time > now - 60_000)
  starts.set(entry, times)
  return times.push(now) > MOST_STARTS
}

/** Compares headers of a tool's arguments with the body: the SDK does so for tools of its own alone, and all that comes first itself. */
async function mismatchOf(connection: GateLink, { headers }: Request, body: unknown): Promise<string | undefined> {
  const { method, params } = asObject(body)
  const { name, arguments: args = {} } = asObject(params)
  if (method !== 'tools/call' || headers.get('mcp-protocol-version') !== modernVersion) return undefined
  const names = await connection.names()
  const tool = names.searches ? undefined : names.tool(String(name))
  return tool && mirrorMismatch(asObject(tool.listed['inputSchema']), args, headers)
}

/** Subscribes to the resources that a stream of the newer era is to tell of. What is no resource of an offered server is left out. */
async function subscribe(connection: GateLink, body: unknown): Promise<void> {
  const { method, params } = asObject(body)
  const uris = asObject(asObject(params)['notifications'])['resourceSubscriptions']
  if (method !== 'subscriptions/listen' || !Array.isArray(uris)) return
  const wanted = uris.filter((uri) => typeof uri === 'string').slice(0, MOST_SUBSCRIBED)
  await Promise.allSettled(wanted.map((uri) => connection.subscribe(uri, true)))
}

async function readBody(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer> | 'too-large'> {
  if (Number(incoming.headers['content-length'] ?? 0) > LARGEST_BODY) return 'too-large'
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length
    if (size > LARGEST_BODY) return 'too-large'
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Refuses a request as JSON-RPC has it, and ends its connection. The token is asked for as RFC 6750 says. */
function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="assent"' } : {}),
    // A session that is over is no reason to end the connection.
    ...(status === 404 || status === 400 ? {} : { Connection: 'close' }),
  })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: status === 404 ? -32001 : -32000, message }, id: null } satisfies Json))
}

/** Writes what the SDK answers. A client that does not read is disconnected before it fills the memory. */
async function send(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.writeHead(status, { ...Object.fromEntries(headers), 'X-Content-Type-Options': 'nosniff' })
  response.flushHeaders()
  const reader = body?.getReader()
  response.once('close', () => void reader?.cancel().catch(() => undefined)) // It is over already.
  while (reader && !response.destroyed) {
    const { done, value } = await reader.read()
    if (done) break
    if (response.writableLength > MOST_UNSENT) return void response.destroy()
    response.write(value)
  }
  response.end()
}
