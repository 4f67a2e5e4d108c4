// Proxy of one sandboxed server, the one way out: on a unix socket that only its sandbox has, or on a port of 127.0.0.1 with a secret that
// only it knows. A host that is not granted is refused before anything is connected to.
import { createHash, timingSafeEqual } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { chmodSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { connect as connectByTls } from 'node:tls'
import { anyWebsite, coversHost } from '#app/server/sandbox/host-pattern.ts'
import type { HostRefusal } from '#app/server/sandbox/sandbox-report.ts'
import type { SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { decideHost, type Resolve } from './decide-host.ts'

export interface HostAttempt {
  readonly host: string
  readonly port: number
  /** Absent: it was connected to. */
  readonly refused?: HostRefusal
}

interface HostProxyOptions {
  /** `secret`: password that each connection shows (user `assent`), since any program of this computer could connect. */
  readonly listen: { readonly socketPath: string } | { readonly secret: string }
  readonly grants: Pick<SandboxGrants, 'hosts' | 'denyHosts'>
  readonly onAttempt: (attempt: HostAttempt) => void
  readonly resolve?: Resolve
  readonly findParent?: FindParent
}

/** Names of a network's own: without a dot, and by their end (RFC 6762, 8375, ICANN's of 2024, and what people use). */
const inward = /^[^.]+$|\.(?:local|localdomain|internal|intranet|private|corp|lan|home|home\.arpa)$/

/** Tells whether a name is one of the person's network, which “any website” does not mean, and which no other grant covers. */
const isInward = (host: string, port: number, hosts: readonly string[]): boolean =>
  inward.test(host) && !hosts.some((text) => text !== anyWebsite && coversHost([text], host, port))

/** Address that the person's settings are asked about. */
const addressOf = (host: string, port: number): string => {
  const name = host.includes(':') ? `[${host}]` : host
  return port === 80 ? `http://${name}/` : `https://${name}:${port}/`
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

export type HostProxy = Awaited<ReturnType<typeof openHostProxy>>

/** Connections of one server at a time, and milliseconds for a request's head and for a connection to be made. */
const limits = { connections: 256, headMs: 15_000, connectMs: 30_000 }

const resolveAll: Resolve = async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/** @throws {Error} when the socket cannot be made */
export async function openHostProxy(options: HostProxyOptions) {
  const { listen } = options
  const wanted = 'secret' in listen ? digest(`Basic ${Buffer.from(`assent:${listen.secret}`).toString('base64')}`) : undefined
  const sockets = new Set<Socket>()
  let { hosts, denyHosts } = options.grants
  /** Connections that are joined, by the client's socket. */
  const joined = new Map<Socket, Pick<HostAttempt, 'host' | 'port'>>()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (sockets.size >= 2 * limits.connections) return void client.destroy()
    track(client)
    void serve(client).catch(() => client.destroy())
  })

  function track(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }

  const parentOf = async (host: string, port: number): Promise<string | undefined> =>
    options.findParent?.(addressOf(host, port)).catch(() => 'unusable')

  async function serve(client: Socket): Promise<void> {
    const request = await readRequest(client, wanted === undefined)
    if (client.writableEnded) return
    if (!request) return void client.end(refusal(undefined, 'malformed'))
    if (wanted && !timingSafeEqual(wanted, digest(request.credentials ?? ''))) return void client.end(unauthorized)
    const decision = await decideHost(request, { hosts, denyHosts }, options.resolve ?? resolveAll)
    if (client.destroyed) return
    const { host } = decision
    const { port } = request
    const refuse = (why: HostRefusal): void => {
      options.onAttempt({ host, port, refused: why })
      client.end(refusal({ ...request, host }, why))
    }
    // Asked for what is granted alone: a script of the system's may look the name up. A name that is unknown here may be known there.
    const isGranted = decision.kind === 'allowed' || (decision.why === 'not-found' && !isInward(host, port, hosts))
    const parent = isGranted ? await parentOf(host, port) : undefined
    if (parent === 'unusable') return refuse('unreachable')
    if (decision.kind === 'refused' && parent === undefined) return refuse(decision.why)
    const tunnel = parent === undefined ? undefined : await connectThrough(parent, { host, port, timeoutMs: limits.connectMs, track })
    // Drivers of databases use no proxy, and few proxies lead to other ports than those of the web.
    const mayGoStraight = parent === undefined || (port !== 80 && port !== 443)
    const upstream =
      tunnel ?? (decision.kind === 'allowed' && mayGoStraight ? await connectFirst(decision.addresses, port, track) : undefined)
    if (!upstream) return refuse('unreachable')
    options.onAttempt({ host, port })
    if (client.destroyed) return void upstream.destroy()
    client.write(accepted[request.kind])
    upstream.write(request.rest)
    joined.set(client, { host, port })
    client.on('close', () => joined.delete(client))
    join(client, upstream)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen('secret' in listen ? { port: 0, host: '127.0.0.1' } : { path: listen.socketPath }, resolve)
  })
  if ('socketPath' in listen) chmodSync(listen.socketPath, 0o600)
  const at = server.address()
  server.unref()
  return {
    /** Port on 127.0.0.1; 0 on a unix socket. */
    port: typeof at === 'object' && at ? at.port : 0,
    /** Grants a host pattern from now on. */
    allow(pattern: string): void {
      hosts = [...hosts.filter((one) => one !== pattern), pattern]
      denyHosts = denyHosts.filter((one) => one !== pattern)
    },
    /** Denies a host pattern from now on. What is connected stays so. */
    deny(pattern: string): void {
      denyHosts = [...denyHosts.filter((one) => one !== pattern), pattern]
    },
    /** Returns what lists the hosts that something was sent to since, on connections that are open now. */
    watchOpen(): () => Pick<HostAttempt, 'host' | 'port'>[] {
      const before = [...joined].map(([client, to]) => ({ client, to, sent: client.bytesRead }))
      return () => before.flatMap(({ client, to, sent }) => (client.bytesRead > sent ? [to] : []))
    },
    close(): void {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Resolves with the request, answering greetings; undefined: it is none, or did not come in time. SOCKS shows no secret. */
function readRequest(client: Socket, takesSocks: boolean): Promise<ProxyRequest | undefined> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0)
    let greeted = false
    const done = (request: ProxyRequest | undefined): void => {
      clearTimeout(timer)
      client.off('data', take)
      client.off('end', none)
      client.off('close', none)
      client.pause()
      resolve(request)
    }
    const none = (): void => done(undefined)
    const take = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk])
      for (;;) {
        const parsed = parseProxyRequest(bytes, greeted)
        if (parsed.kind === 'more' && bytes.length <= maxHead * 2) return
        if (parsed.kind !== 'reply') {
          done(parsed.kind === 'request' ? parsed.request : undefined)
          return
        }
        if (!takesSocks) {
          client.end(noSocksMethod)
          done(undefined)
          return
        }
        client.write(parsed.reply)
        bytes = parsed.bytes
        greeted = true
      }
    }
    const timer = setTimeout(none, limits.headMs)
    client.on('data', take)
    client.on('end', none)
    client.on('close', none)
  })
}

/** Connects to the first of these addresses that answers, and never to another. */
async function connectFirst(addresses: readonly string[], port: number, track: (socket: Socket) => void): Promise<Socket | undefined> {
  for (const host of addresses) {
    const socket = connect({ host, port, allowHalfOpen: true })
    track(socket)
    const isConnected = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => socket.destroy(), limits.connectMs)
      socket.once('connect', () => {
        clearTimeout(timer)
        resolve(true)
      })
      socket.once('close', () => {
        clearTimeout(timer)
        resolve(false)
      })
    })
    if (isConnected) return socket
  }
  return undefined
}

function join(client: Socket, upstream: Socket): void {
  client.pipe(upstream)
  upstream.pipe(client)
  client.on('close', () => upstream.destroy())
  upstream.on('close', () => client.destroySoon())
}

const accepted: Readonly<Record<ProxyRequest['kind'], Buffer>> = {
  connect: Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n'),
  http: Buffer.alloc(0),
  socks: Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
}

/** No acceptable method (RFC 1928, 3). */
const noSocksMethod = Buffer.from([5, 0xff])

const unauthorized =
  'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="Assent"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

/** SOCKS replies (RFC 1928, 6): not allowed by ruleset, host unreachable. */
const socksReply = (why: HostRefusal): number => (why === 'not-found' || why === 'unreachable' ? 4 : 2)

/** The refusal as the server reads it. Tools pass its text on, so it says who refused. */
function refusal(request: Pick<ProxyRequest, 'kind' | 'host' | 'port'> | undefined, why: HostRefusal): Buffer {
  if (request?.kind === 'socks') return Buffer.from([5, socksReply(why), 0, 1, 0, 0, 0, 0, 0, 0])
  const blocked = why !== 'not-found' && why !== 'unreachable'
  const to = request ? ` ${request.host}:${request.port}` : ''
  const body = blocked ? `Blocked by Assent's sandbox:${to} (${why})\n` : `Assent's proxy could not connect to${to} (${why})\n`
  const status = blocked ? "403 Blocked by Assent's sandbox" : '502 Bad Gateway'
  const head = [`HTTP/1.1 ${status}`, `X-Assent-Sandbox: ${why}`, 'Content-Type: text/plain', `Content-Length: ${Buffer.byteLength(body)}`]
  return Buffer.from([...head, 'Connection: close', '', body].join('\r\n'))
}

// Connection to a host by way of the person's own proxy (RFC 9110, 9.3.6), also to port 80: a tunnel leads to this host alone, whereas what
// follows a plain request could ask the proxy for another one.

/** Finds the proxy of an address, with its password; undefined: it is reached without one. The server has no part in it. */
export type FindParent = (url: string) => Promise<string | undefined>

/** Longest answer of a proxy before the tunnel, in bytes. */
const maxAnswer = 16 * 1024

interface ThroughOptions {
  readonly host: string
  readonly port: number
  readonly timeoutMs: number
  readonly track: (socket: Socket) => void
}

/** Resolves with the tunnel; undefined: the proxy does not answer or refuses. What it says of that goes nowhere: it may be about its password. */
function connectThrough(proxy: string, { host, port, timeoutMs, track }: ThroughOptions): Promise<Socket | undefined> {
  const { protocol, hostname, port: written, username, password } = new URL(proxy)
  const isSecure = protocol === 'https:'
  const to = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(written || (isSecure ? 443 : 80)), allowHalfOpen: true }
  const socket = isSecure ? connectByTls({ ...to, servername: to.host }) : connect(to)
  track(socket)
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const shown = username === '' && password === '' ? [] : [`Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}`]
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0)
    const done = (tunnel: Socket | undefined): void => {
      clearTimeout(timer)
      socket.off('data', take).off('close', fail).off('end', fail)
      if (!tunnel) socket.destroy()
      resolve(tunnel)
    }
    const fail = (): void => done(undefined)
    const take = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk])
      const end = bytes.indexOf('\r\n\r\n')
      if (end === -1 && bytes.length <= maxAnswer) return
      if (end === -1 || !/^HTTP\/1\.[01] 2\d\d/.test(bytes.toString('latin1', 0, 13))) {
        fail()
        return
      }
      socket.pause()
      if (bytes.length > end + 4) socket.unshift(bytes.subarray(end + 4))
      done(socket)
    }
    const timer = setTimeout(fail, timeoutMs)
    socket.on('data', take).on('close', fail).on('end', fail)
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      socket.write([`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`, ...shown, '', ''].join('\r\n'))
    })
  })
}

// First bytes of a connection to the sandbox's proxy: HTTP CONNECT, a request to an http address, or SOCKS 5 (RFC 1928). Pure.

interface ProxyRequest {
  readonly kind: 'connect' | 'http' | 'socks'
  readonly host: string
  readonly port: number
  /** Value of `Proxy-Authorization`; SOCKS has none. */
  readonly credentials?: string
  /** Bytes for the other side that came with the request. */
  readonly rest: Buffer
}

/** `more`: not all has come yet. `reply`: bytes to answer before more comes; `bytes` is what is left of the input then. */
type ProxyParse =
  | { readonly kind: 'more' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'reply'; readonly reply: Buffer; readonly bytes: Buffer }
  | { readonly kind: 'request'; readonly request: ProxyRequest }

/** Longest head of a request, in bytes. */
const maxHead = 32 * 1024

const more: ProxyParse = { kind: 'more' }
const malformed: ProxyParse = { kind: 'malformed' }

/** `greeted`: SOCKS has chosen how to authenticate. */
export function parseProxyRequest(bytes: Buffer, greeted: boolean): ProxyParse {
  if (bytes.length === 0) return more
  if (greeted) return parseSocks(bytes)
  if (bytes[0] === 5) return parseGreeting(bytes)
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return bytes.length > maxHead ? malformed : more
  return parseHttp(bytes.toString('latin1', 0, end), bytes.subarray(end + 4))
}

function splitAuthority(text: string, port: number | undefined): { readonly host: string; readonly port: number } | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]@]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  const number = digits === undefined ? port : Number(digits)
  return host === undefined || number === undefined ? undefined : { host, port: number }
}

function parseHttp(head: string, body: Buffer): ProxyParse {
  const [first = '', ...lines] = head.split('\r\n')
  const [, method = '', target = ''] = /^([!#$%&'*+.^`|~\w-]{1,32}) (\S{1,16384}) HTTP\/1\.[01]$/.exec(first) ?? []
  const credentials = lines.flatMap((line) => /^proxy-authorization\s*:\s*(.*?)\s*$/i.exec(line)?.[1] ?? [])[0]
  const shown = credentials === undefined ? {} : { credentials }
  if (method === 'CONNECT') {
    const to = splitAuthority(target, undefined)
    return to ? { kind: 'request', request: { kind: 'connect', ...to, ...shown, rest: body } } : malformed
  }
  const [, authority = '', path = ''] = /^http:\/\/([^/?#]+)([^#]*)$/i.exec(target) ?? []
  const to = splitAuthority(authority, 80)
  // A bare line feed could end a header for the other side that was none here.
  if (!to || lines.some((line) => /[\r\n]/.test(line))) return malformed
  const kept = lines.filter((line) => !/^(?:proxy-[\w-]+|connection|keep-alive|host)\s*:/i.test(line))
  const request = [
    `${method} ${path.startsWith('/') ? path : `/${path}`} HTTP/1.1`,
    `Host: ${authority}`,
    ...kept,
    'Connection: close',
    '',
    '',
  ]
  return {
    kind: 'request',
    request: { kind: 'http', ...to, ...shown, rest: Buffer.concat([Buffer.from(request.join('\r\n'), 'latin1'), body]) },
  }
}

function parseGreeting(bytes: Buffer): ProxyParse {
  const count = bytes[1]
  if (count === undefined || bytes.length < 2 + count) return more
  const acceptsNone = bytes.subarray(2, 2 + count).includes(0)
  return acceptsNone ? { kind: 'reply', reply: Buffer.from([5, 0]), bytes: bytes.subarray(2 + count) } : malformed
}

function parseSocks(bytes: Buffer): ProxyParse {
  if (bytes.length < 5) return more
  const [version, command, , type, first = 0] = bytes
  if (version !== 5 || command !== 1) return malformed
  const length = type === 1 ? 4 : type === 4 ? 16 : type === 3 ? first : undefined
  if (length === undefined || length === 0) return malformed
  const from = type === 3 ? 5 : 4
  const to = from + length
  if (bytes.length < to + 2) return more
  const address = bytes.subarray(from, to)
  const host = type === 3 ? address.toString('latin1') : type === 1 ? address.join('.') : groupsOf(address)
  return { kind: 'request', request: { kind: 'socks', host, port: bytes.readUInt16BE(to), rest: bytes.subarray(to + 2) } }
}

const groupsOf = (address: Buffer): string =>
  Array.from({ length: 8 }, (_, index) => address.readUInt16BE(index * 2).toString(16)).join(':')
